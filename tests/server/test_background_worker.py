import threading

import pytest

from pincite.errors import StorageError
from pincite.jobs import StepProgress, Worker
from pincite.library import Library
from pincite.server import background_worker
from pincite.server.background_worker import BackgroundWorker, WorkPace
from pincite.store.job_queue import RunningJob, Step
from tests.clock import wait_until
from tests.work import all_of


def test_a_worker_that_the_disk_stopped_is_tried_again(
    library: Library, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background_worker, "_PAUSE", 0.01)
    run, failed = Worker.run, threading.Event()

    def once_full(self: Worker, *given: object, **named: object) -> None:
        if not failed.is_set():
            failed.set()
            raise StorageError("The disk is full.", "Free some space.")
        run(self, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Worker, "run", once_full)
    file = tmp_path_factory.mktemp("files") / "a.txt"
    file.write_text("Some words to be read.")
    library.add("local", file)
    work = BackgroundWorker(library)
    work.start()
    wait_until(lambda: [each.status for each in all_of(library)] == ["ready"])
    work.stop()
    assert failed.is_set()


def test_work_stops_when_it_is_told_to_also_before_it_began(library: Library) -> None:
    work = BackgroundWorker(library)
    work.leave()
    work.start()
    work.stop()
    assert work.closing


def test_how_fast_work_goes_is_told_once_it_is_known(library: Library) -> None:
    now = 100.0
    work = BackgroundWorker(library, clock=lambda: now)

    def at(seconds: float, done: int, step: Step = "embed") -> WorkPace | None:
        nonlocal now
        now = 100.0 + seconds
        work.note(StepProgress("d", step, done, 50))
        return work.get_progress("d")

    assert work.get_progress("d") is None
    # Thirty were there from an earlier run.
    assert at(0, 30) == WorkPace("embed", 30, 50)
    assert at(0.1, 32) == WorkPace("embed", 32, 50)
    assert at(2, 40) == WorkPace("embed", 40, 50, rate=5.0, seconds_left=2.0)
    assert at(4, 50) == WorkPace("embed", 50, 50, rate=5.0, seconds_left=0.0)
    # Another step, and one that begins again, have a pace of their own.
    assert at(5, 10, "read") == WorkPace("read", 10, 50)
    assert at(6, 0, "read") == WorkPace("read", 0, 50)
    work.note(StepProgress("d", "read", 0, 0, ended=True))
    assert work.get_progress("d") is None


def test_the_pace_of_a_worker_elsewhere_comes_from_the_row_of_its_job(library: Library) -> None:
    now = 100.0
    work = BackgroundWorker(library, clock=lambda: now)

    def at(seconds: float, done: int, step: Step = "embed") -> WorkPace | None:
        nonlocal now
        now = 100.0 + seconds
        return work.get_progress("d", RunningJob("d", step, done, 50))

    assert at(0, 30) == WorkPace("embed", 30, 50)
    known = at(2, 40)
    assert known == WorkPace("embed", 40, 50, rate=5.0, seconds_left=2.0)
    assert at(3, 40) == known  # the row is the same: there is nothing to tell
    assert at(5, 0, "read") == WorkPace("read", 0, 50)
    assert work.get_progress("d") is None
    work.note(StepProgress("d", "read", 7, 50))
    assert at(6, 3, "read") == WorkPace("read", 7, 50)  # this process knows its own work better
