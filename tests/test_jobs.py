import gc
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pincite import jobs
from pincite.errors import StorageError, Unreachable
from pincite.isolation.child_process import IsolatedProcess
from pincite.isolation.document_parts import Part, TextSlice
from pincite.jobs import StepProgress, Worker
from pincite.library import Library
from pincite.library.content_writer import ContentWriter
from pincite.store import job_queue
from pincite.store.process_names import get_machine_name
from tests import pdfs
from tests.clock import PATIENCE
from tests.work import Fake, all_of, finish, kept, the, waiting

NOBODY = 2**22 - 1  # larger than any process id the system gives


def note(path: Path, text: str = "The committee agreed on the budget.") -> Path:
    path.write_text(text)
    return path


def hold(library: Library, worker: str, seconds: float = 3600) -> None:
    """Let another worker take the next piece of work."""
    with library.database.writing() as connection:
        assert job_queue.claim(connection, worker, seconds, time.time())


@contextmanager
def working(library: Library, embedder: Fake | None = None, slow_pages: bool = False) -> Iterator[threading.Event]:
    """A worker in a thread; the event is set when it has begun to read."""
    begun, go_on = threading.Event(), threading.Event()

    def report(event: StepProgress) -> None:
        if event.step == "read" and not event.ended:
            begun.set()
            if slow_pages:
                assert go_on.wait(PATIENCE)

    thread = threading.Thread(target=finish, args=(library, embedder, report))
    thread.start()
    try:
        yield begun
    finally:
        go_on.set()
        if embedder:
            embedder.may_go_on.set()
        thread.join(30)
    assert not thread.is_alive()


def test_the_work_of_a_process_that_died_is_taken_over_at_once(library: Library, tmp_path: Path) -> None:
    document = library.add("local", note(tmp_path / "a.txt")).document
    hold(library, f"{NOBODY}@{get_machine_name()} 12345678")
    begun = time.monotonic()
    finish(library)
    assert the(library, document).status == "ready"
    assert time.monotonic() - begun < library.settings.jobs.lease_seconds


def test_the_work_of_another_machine_is_taken_over_only_when_its_lease_is_out(library: Library, tmp_path: Path) -> None:
    document = library.add("local", note(tmp_path / "a.txt")).document
    hold(library, f"{NOBODY}@another-machine 12345678", seconds=2)
    lease_ends = time.monotonic() + 2
    finish(library)
    assert time.monotonic() >= lease_ends
    assert the(library, document).status == "ready"


def test_work_that_a_living_process_holds_is_left_to_it(library: Library, tmp_path: Path) -> None:
    library.add("local", note(tmp_path / "a.txt"))
    hold(library, f"{os.getppid()}@{get_machine_name()} 12345678", seconds=1.5)
    lease_ends = time.monotonic() + 1.5
    finish(library)
    assert time.monotonic() >= lease_ends


def test_a_long_step_keeps_its_lease(opened: Callable[..., Library], tmp_path: Path) -> None:
    library, slow = opened(jobs={"lease_seconds": 0.6}), Fake()
    slow.may_go_on.clear()
    document = library.add("local", note(tmp_path / "a.txt")).document
    with working(library, slow):
        assert slow.begun.wait(PATIENCE)
        time.sleep(1.5)
        with library.database.writing() as connection:
            assert job_queue.claim(connection, "a thief", 60, time.time()) is None
    assert the(library, document).status == "ready"


def test_a_document_at_which_the_program_keeps_dying_is_given_up(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library = opened(jobs={"attempts": 2}, embedding={"provider": "none"})
    document = library.add("local", note(tmp_path / "a.txt")).document
    for _ in range(2):
        hold(library, f"{NOBODY}@{get_machine_name()} 12345678", seconds=-1)
    finish(library)
    assert the(library, document).status == "failed"
    assert "stopped 2 times" in the(library, document).error
    assert library.add("local", tmp_path / "a.txt").outcome == "again"
    finish(library)
    assert the(library, document).status == "ready"


def test_a_document_whose_vectors_keep_killing_the_program_stays_searchable(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library = opened(jobs={"attempts": 1})
    document = library.add("local", note(tmp_path / "a.txt")).document
    reader = Worker(library, Fake, readers=1)
    reader.run(report=lambda report: reader.stop() if report.ended else None)
    hold(library, "nobody", seconds=-1)
    finish(library, Fake())
    assert the(library, document).status == "searchable"
    assert "stopped 1 times" in the(library, document).error


def test_work_can_be_cancelled_while_it_waits(library: Library, tmp_path: Path) -> None:
    document = library.add("local", note(tmp_path / "a.txt")).document
    library.cancel("local", document)
    assert waiting(library) == 0
    assert the(library, document).status == "failed"
    assert "Add it again" in the(library, document).error
    assert library.add("local", tmp_path / "a.txt").outcome == "again"
    finish(library)
    assert the(library, document).status == "ready"
    library.cancel("local", document)
    assert the(library, document).status == "ready"


def test_work_can_be_cancelled_while_the_document_is_read(library: Library, tmp_path: Path) -> None:
    document = library.add("local", pdfs.simple(tmp_path / "a.pdf", pages=3)).document
    with working(library, slow_pages=True) as begun:
        assert begun.wait(PATIENCE)
        library.cancel("local", document)
    stored = the(library, document)
    assert (stored.status, stored.passages) == ("failed", 0)
    assert waiting(library) == 0


def test_work_can_be_cancelled_while_vectors_are_made(opened: Callable[..., Library], tmp_path: Path) -> None:
    library, slow = opened(), Fake()
    slow.may_go_on.clear()
    document = library.add("local", note(tmp_path / "a.txt")).document
    with working(library, slow):
        assert slow.begun.wait(PATIENCE)
        library.cancel("local", document)
    assert the(library, document).status == "searchable"
    assert "vectors" in the(library, document).error
    with library.database.reading() as connection:
        assert library.index.models(connection) == {}
    assert library.add("local", tmp_path / "a.txt").outcome == "again"
    finish(library, Fake())
    assert the(library, document).status == "ready"


def test_a_long_reading_that_was_cancelled_ends_before_its_last_page(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library = opened(jobs={"lease_seconds": 0.3}, embedding={"provider": "none"})
    document = library.add("local", pdfs.simple(tmp_path / "a.pdf", pages=60)).document
    other = library.add("local", note(tmp_path / "b.txt")).document
    pages: list[int] = []

    def report(event: StepProgress) -> None:
        if event.document == document and not event.ended:
            if not pages:
                library.cancel("local", document)
            pages.append(event.done)
            time.sleep(0.05)

    finish(library, report=report)
    assert max(pages) < 60
    assert the(library, other).status == "ready"


def test_a_document_can_be_removed_while_it_is_read(library: Library, tmp_path: Path) -> None:
    document = library.add("local", pdfs.simple(tmp_path / "a.pdf", pages=3)).document
    with working(library, slow_pages=True) as begun:
        assert begun.wait(PATIENCE)
        library.remove("local", document)
    assert all_of(library) == []
    assert kept(library) == []
    assert waiting(library) == 0


def test_a_document_can_be_removed_while_its_vectors_are_made(opened: Callable[..., Library], tmp_path: Path) -> None:
    library, slow = opened(), Fake()
    slow.may_go_on.clear()
    document = library.add("local", note(tmp_path / "a.txt")).document
    with working(library, slow):
        assert slow.begun.wait(PATIENCE)
        library.remove("local", document)
    assert all_of(library) == []
    with library.database.reading() as connection:
        assert library.index.models(connection) == {}


def test_a_stopped_worker_gives_its_work_back_unharmed(library: Library, tmp_path: Path) -> None:
    document = library.add("local", pdfs.simple(tmp_path / "a.pdf", pages=5)).document
    worker = Worker(library, Fake, readers=1)
    worker.run(report=lambda report: worker.stop())
    assert the(library, document).status == "queued"
    with library.database.writing() as connection:
        job = job_queue.claim(connection, "the next", 60, time.time())
    assert job
    assert job.attempts == 1


def test_a_fault_of_ours_costs_one_document_and_not_the_rest(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def faulty(writer: ContentWriter, part: Part) -> None:
        if isinstance(part, TextSlice) and "poison" in part.text:
            raise IndexError("list index out of range")
        add(writer, part)

    add = ContentWriter.add
    monkeypatch.setattr(ContentWriter, "add", faulty)
    poisoned = library.add("local", note(tmp_path / "a.txt", "poison")).document
    healthy = library.add("local", note(tmp_path / "b.txt")).document
    finish(library)
    assert the(library, poisoned).status == "failed"
    assert "report" in the(library, poisoned).error
    assert the(library, healthy).status == "ready"
    assert "IndexError" in caplog.text


def test_a_disk_that_is_full_stops_the_worker_and_leaves_the_work(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StorageError("The disk is full.", "Free some space, then go on.")

    document = library.add("local", note(tmp_path / "a.txt")).document
    with monkeypatch.context() as patched:
        patched.setattr(library.index, "add_words", full)
        with pytest.raises(StorageError, match="disk is full"):
            finish(library)
    assert waiting(library) == 1
    finish(library)
    assert the(library, document).status == "ready"


def test_two_workers_share_the_work_and_do_nothing_twice(opened: Callable[..., Library], tmp_path: Path) -> None:
    mine, yours = opened(), opened()
    for number in range(12):
        mine.add("local", note(tmp_path / f"{number}.txt", f"Point {number} of the agenda."))
    embedders = Fake(), Fake()
    threads = [
        threading.Thread(target=finish, args=(library, embedder))
        for library, embedder in zip((mine, yours), embedders, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [stored.status for stored in all_of(mine)] == ["ready"] * 12
    texts = embedders[0].embedded + embedders[1].embedded
    assert len(texts) == len(set(texts)) == 12


def test_an_embedder_that_is_away_is_not_asked_for_each_document(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    asked: list[str] = []

    class Away(Fake):
        def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
            asked.extend(texts)
            raise Unreachable("It cannot be reached.", "See that it runs.")

    library = opened()
    known = [library.add("local", note(tmp_path / f"{name}.txt", f"Text {name}.")).document for name in "abc"]
    finish(library, Away())
    assert len(asked) == 1
    assert {(the(library, id).status, the(library, id).error) for id in known} == {
        ("searchable", "It cannot be reached. See that it runs.")
    }


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="Children are listed in /proc alone.")
def test_documents_are_read_in_a_process_that_gives_way_to_others(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    class Watched(IsolatedProcess):
        def __init__(self, *given: Any, **named: Any) -> None:
            asked.append(named.get("is_background", False))  # tests/isolation shows what it does
            super().__init__(*given, **named)

    monkeypatch.setattr(jobs, "IsolatedProcess", Watched)
    library.add("local", note(tmp_path / "a.txt"))
    finish(library)
    assert asked == [True]


def test_no_collection_of_garbage_stops_the_other_threads_after_a_document(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(gc, "collect", lambda *given: asked.append(given))
    document = library.add("local", note(tmp_path / "a.txt")).document
    finish(library)
    assert the(library, document).status == "ready"
    assert asked == []
