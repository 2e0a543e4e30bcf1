"""Workers share the waiting documents, take over the work of dead ones, and do nothing twice."""

import gc
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, func, select

from pincite import jobs
from pincite.errors import DatabaseAway, QueueFull, StorageError
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
from tests.job_steps import die, hold, working
from tests.work import Fake, all_of, finish, kept, note, the, waiting

database_address = both_engines  # every test runs on both engines

NOBODY = 2**22 - 1  # larger than any process id the system gives


def test_the_work_of_a_process_that_died_is_taken_over_before_its_lease_is_out(
    library: Library, tmp_path: Path
) -> None:
    document = library.add("local", note(tmp_path / "a.txt")).document
    hold(library, f"{NOBODY}@{get_machine_name()} 12345678", seconds=PATIENCE)
    lease_ends = time.monotonic() + PATIENCE
    finish(library)
    assert the(library, document).status == "ready"
    assert time.monotonic() < lease_ends


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
    library, slow = opened(jobs={"lease_seconds": 3}), Fake()

    def read_lease() -> float:
        with library.database.reading() as connection:
            return float(connection.scalars(select(rows.c.lease_until)).one())

    slow.may_go_on.clear()
    document = library.add("local", note(tmp_path / "a.txt")).document
    with working(library, slow):
        assert slow.begun.wait(PATIENCE)
        first = read_lease()
        wait_until(lambda: read_lease() > first)
        with library.database.writing() as connection:
            job_queue.release_expired(connection, first + 0.001)
            assert job_queue.claim(connection, "a thief", 60, first + 0.001) is None
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
        thread.join(PATIENCE)
    assert [stored.status for stored in all_of(mine)] == ["ready"] * 12
    texts = embedders[0].embedded + embedders[1].embedded
    assert len(texts) == len(set(texts)) == 12


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
