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
from sqlalchemy import event, func, select, update

from pincite import jobs
from pincite.errors import DatabaseAway, EmbeddingError, QueueFull, StorageError, Unreachable
from pincite.isolation.child_process import IsolatedProcess
from pincite.isolation.document_parts import Part, TextSlice
from pincite.jobs import StepProgress, Worker
from pincite.library import Library
from pincite.library.content_writer import ContentWriter
from pincite.store import documents, job_queue
from pincite.store.process_names import get_machine_name
from pincite.store.schema import generations
from pincite.store.schema import jobs as rows
from tests import pdfs
from tests.clock import PATIENCE, wait_until
from tests.databases import both_engines
from tests.work import Fake, all_of, finish, kept, the, waiting

database_address = both_engines  # every test runs on both engines

NOBODY = 2**22 - 1  # larger than any process id the system gives


def note(path: Path, text: str = "The committee agreed on the budget.") -> Path:
    path.write_text(text)
    return path


def hold(library: Library, worker: str, seconds: float = 3600) -> None:
    """Let another worker take the next piece of work."""
    with library.database.writing() as connection:
        assert job_queue.claim(connection, worker, seconds, time.time())


def die(library: Library) -> None:
    """Let a worker take the next piece of work and be found dead, long ago."""
    hold(library, "nobody")
    with library.database.writing() as connection:
        job_queue.release_worker(connection, "nobody")
        connection.execute(update(rows).values(not_before=0.0))


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
            job_queue.release_expired(connection, time.time())
            assert job_queue.claim(connection, "a thief", 60, time.time() + 60) is None
    assert the(library, document).status == "ready"


def test_a_document_at_which_the_program_keeps_dying_is_given_up(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library = opened(jobs={"attempts": 2}, embedding={"provider": "none"})
    document = library.add("local", note(tmp_path / "a.txt")).document
    for _ in range(2):
        die(library)
    finish(library)
    assert the(library, document).status == "failed"
    assert "died 2 times" in the(library, document).error
    assert f"pincite retry {document}" in the(library, document).error
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
    die(library)
    finish(library, Fake())
    assert the(library, document).status == "searchable"
    assert "died 1 times while making its vectors" in the(library, document).error


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
    assert job.deaths == 0


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
            asked.append(texts[0])
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


class Counted(Fake):
    """Remembers how many passages it embedded in each call, and refuses a text with the word "bad"."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[int] = []

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls.append(len(texts))
        if any("bad" in text for text in texts):
            raise EmbeddingError("It is refused.", "Leave it out.")
        return super().passages(texts)


def test_small_documents_are_embedded_together(opened: Callable[..., Library], tmp_path: Path) -> None:
    library, embedder = opened(), Counted()
    for number in range(40):
        library.add("local", note(tmp_path / f"{number}.txt", f"Point {number} of the agenda."), is_bulk=True)
    finish(library, embedder)
    assert {stored.status for stored in all_of(library)} == {"ready"}
    assert embedder.calls == [32, 8]
    assert len(set(embedder.embedded)) == 40
    assert waiting(library) == 0


def test_a_document_that_cannot_be_embedded_does_not_cost_its_neighbours(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library, embedder = opened(), Counted()
    known = [library.add("local", note(tmp_path / f"{n}.txt", f"A {n} note.")).document for n in ("good", "bad", "new")]
    finish(library, embedder)
    assert [the(library, id).status for id in known] == ["ready", "searchable", "ready"]
    assert "refused" in the(library, known[1]).error
    assert embedder.calls == [3, 1, 1, 1]


def test_a_document_that_is_cancelled_in_a_common_batch_does_not_cost_the_others(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library, slow = opened(), Fake()
    slow.may_go_on.clear()
    known = [library.add("local", note(tmp_path / f"{number}.txt", f"Point {number}.")).document for number in range(3)]
    with working(library, slow):
        assert slow.begun.wait(PATIENCE)
        library.cancel("local", known[1])
    assert [the(library, id).status for id in known] == ["ready", "searchable", "ready"]
    assert waiting(library) == 0


def test_a_database_that_is_away_for_a_moment_stops_no_worker_and_counts_no_death(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [3]

    def away(*given: Any) -> None:
        left[0] -= 1
        if left[0] >= 0:
            raise DatabaseAway
        add_words(*given)

    add_words = library.index.add_words
    monkeypatch.setattr(library.index, "add_words", away)
    monkeypatch.setattr(jobs, "_STORAGE_PAUSE", 0.05)
    document = library.add("local", note(tmp_path / "a.txt")).document
    deaths: list[int] = []
    finish(library, report=lambda report: deaths.append(count_deaths(library)))
    assert the(library, document).status == "ready"
    assert left[0] == -1
    assert set(deaths) == {0}


def count_deaths(library: Library) -> int:
    with library.database.reading() as connection:
        return connection.scalar(select(func.coalesce(func.sum(rows.c.deaths), 0))) or 0


def test_a_document_on_its_last_try_is_read_while_nothing_else_is(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library = opened(jobs={"attempts": 2}, embedding={"provider": "none"})
    suspect = library.add("local", pdfs.simple(tmp_path / "a.pdf", pages=3)).document
    die(library)
    others = {library.add("local", note(tmp_path / f"{n}.txt", f"Point {n}.")).document for n in range(4)}
    running: set[str] = set()
    beside: list[set[str]] = []
    lock = threading.Lock()

    def report(event: StepProgress) -> None:
        with lock:
            (running.discard if event.ended else running.add)(event.document)
            if suspect in running:
                beside.append(running - {suspect})

    Worker(library, lambda: None, readers=3).run(report=report)
    assert {the(library, id).status for id in {suspect, *others}} == {"ready"}
    assert beside
    assert not any(beside)


def test_a_worker_that_drains_finishes_what_it_began_and_begins_nothing(library: Library, tmp_path: Path) -> None:
    first = library.add("local", pdfs.simple(tmp_path / "a.pdf", pages=3)).document
    second = library.add("local", note(tmp_path / "b.txt")).document
    worker = Worker(library, lambda: None, readers=1)
    worker.run(report=lambda report: worker.drain(PATIENCE))
    assert (the(library, first).status, the(library, second).status) == ("ready", "queued")


def test_the_progress_of_a_worker_is_in_the_rows(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_STORED", 0.0)
    monkeypatch.setattr(jobs, "_LOOK", 0.0)
    document = library.add("local", pdfs.simple(tmp_path / "a.pdf", pages=4)).document
    seen: set[tuple[str, int, int]] = set()

    def report(event: StepProgress) -> None:
        with library.database.reading() as connection:
            seen.update((job.step, job.done, job.total) for job in job_queue.list_running(connection))

    finish(library, report=report)
    assert the(library, document).status == "ready"
    assert any(step == "read" and done > 0 and total == 4 for step, done, total in seen)


def test_a_document_added_by_itself_is_read_before_an_import(library: Library, tmp_path: Path) -> None:
    for number in range(3):
        library.add("local", note(tmp_path / f"{number}.txt", f"Point {number}."), is_bulk=True)
    urgent = library.add("local", note(tmp_path / "urgent.txt", "It is urgent.")).document
    begun: list[str] = []
    finish(library, report=lambda report: begun.append(report.document))
    assert begun[0] == urgent


def test_an_owner_whose_queue_is_full_adds_nothing_until_some_of_it_is_done(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library = opened(jobs={"most_queued": 2}, embedding={"provider": "none"})
    for number in range(2):
        library.add("local", note(tmp_path / f"{number}.txt", f"Point {number}."))
    with pytest.raises(QueueFull, match="no more are accepted"):
        library.add("local", note(tmp_path / "third.txt"))
    assert len(kept(library)) == 2
    assert library.add("local", tmp_path / "0.txt").outcome == "known"
    finish(library)
    assert library.add("local", tmp_path / "third.txt").outcome == "new"


def test_idle_workers_hardly_ask_a_database_that_tells_them_of_new_jobs(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library = opened(embedding={"provider": "none"})
    if library.database.sqlite:
        pytest.skip("A SQLite file tells nobody anything.")
    worker = Worker(library, lambda: None, readers=2)
    thread = threading.Thread(target=worker.run, kwargs={"until_done": False})
    thread.start()
    try:
        assert library.notices.wait_until_connected(PATIENCE)
        time.sleep(1)  # the first looks
        asked: list[str] = []
        event.listen(library.database.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
        time.sleep(3)
        assert len(asked) <= 30  # two looks, where ten a second for each thread would be 60
        added = time.monotonic()
        document = library.add("local", note(tmp_path / "a.txt")).document
        while the(library, document).status != "ready":
            assert time.monotonic() - added < PATIENCE
            time.sleep(0.02)
    finally:
        worker.stop()
        thread.join(PATIENCE)


def test_an_idle_worker_removes_the_content_of_a_document_that_is_gone(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_SWEEP", 0.1)
    monkeypatch.setattr(documents, "_CLEARED", 0)  # the content of a large document is not removed at once
    document = library.add("local", note(tmp_path / "a.txt")).document
    worker = Worker(library, Fake, readers=1)
    thread = threading.Thread(target=worker.run, kwargs={"until_done": False})
    thread.start()
    try:
        wait_until(lambda: the(library, document).status == "ready")
        wait_until(lambda: worker.running == 0)
        time.sleep(0.3)
        library.remove("local", document)
        wait_until(lambda: count_generations(library) == 0)
    finally:
        worker.stop()
        thread.join(PATIENCE)


def count_generations(library: Library) -> int:
    with library.database.reading() as connection:
        return connection.scalar(select(func.count()).select_from(generations)) or 0
