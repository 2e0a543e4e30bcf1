import threading

import pytest

from pincite.errors import StorageError
from pincite.jobs import Report, Worker
from pincite.library import Library
from pincite.server import working
from pincite.server.working import Pace, Working
from pincite.store.jobs import Step
from tests.work import all_of


def test_a_worker_that_the_disk_stopped_is_tried_again(
    library: Library, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(working, "_PAUSE", 0.01)
    run, failed = Worker.run, threading.Event()

    def once_full(self: Worker, *given: object, **named: object) -> None:
        if not failed.is_set():
            failed.set()
            raise StorageError("The disk is full.", "Free some space.")
        run(self, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Worker, "run", once_full)
    file = tmp_path_factory.mktemp("files") / "a.txt"
    file.write_text("Some words to be read.")
    library.add(file)
    work = Working(library)
    work.start()
    for _ in range(600):
        if [each.status for each in all_of(library)] == ["ready"]:
            break
        threading.Event().wait(0.05)
    work.stop()
    assert [each.status for each in all_of(library)] == ["ready"]
    assert failed.is_set()


def test_work_stops_when_it_is_told_to_also_before_it_began(library: Library) -> None:
    work = Working(library)
    work.leave()
    work.start()
    work.stop()
    assert work.closing


def test_how_fast_work_goes_is_told_once_it_is_known(library: Library) -> None:
    now = 100.0
    work = Working(library, clock=lambda: now)

    def at(seconds: float, done: int, step: Step = "embed") -> Pace | None:
        nonlocal now
        now = 100.0 + seconds
        work.note(Report("d", step, done, 50))
        return work.pace("d")

    assert work.pace("d") is None
    # Thirty were there from an earlier run.
    assert at(0, 30) == Pace("embed", 30, 50)
    assert at(0.1, 32) == Pace("embed", 32, 50)
    assert at(2, 40) == Pace("embed", 40, 50, rate=5.0, seconds_left=2.0)
    assert at(4, 50) == Pace("embed", 50, 50, rate=5.0, seconds_left=0.0)
    # Another step, and one that begins again, have a pace of their own.
    assert at(5, 10, "read") == Pace("read", 10, 50)
    assert at(6, 0, "read") == Pace("read", 0, 50)
    work.note(Report("d", "read", 0, 0, ended=True))
    assert work.pace("d") is None
