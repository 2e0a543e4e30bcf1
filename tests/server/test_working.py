import threading

import pytest

from pincite.errors import StorageError
from pincite.jobs import Worker
from pincite.library import Library
from pincite.server import working
from pincite.server.working import Working
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
