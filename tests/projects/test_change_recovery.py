"""A change that is killed or fails at any step is whole or absent afterwards."""

import errno
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import DiskFull, StorageError
from pincite.projects.change_journal import ChangeJournal
from pincite.projects.changes import list_changes, recover_changes, undo_changes
from pincite.projects.project import Project
from tests.projects.shop import apply_reply, create_files, snapshot
from tests.thorough import mark_slow

# The calls that change files or make them durable. A process can die before each of them.
CALLS = ("write", "fsync", "link", "rename", "unlink", "mkdir", "rmdir", "fchmod", "fchown")


@contextmanager
def break_call(number: int, act: Callable[[], None], patch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Do something before the call with this number, of all that change files. Yield the count of them."""
    counted = [0]

    def wrap(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            counted[0] += 1
            if counted[0] == number:
                act()
            return real(*given, **named)

        return call

    with patch.context() as patched:
        for name in CALLS:
            patched.setattr(os, name, wrap(getattr(os, name)))
        yield counted


def run_in_child(work: Callable[[], object]) -> int:
    """Run in a copy of this process; return its wait status."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1]


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("one_in", [5, mark_slow(1)])
@pytest.mark.parametrize("is_undo", [False, True], ids=["apply", "undo"])
def test_a_change_is_whole_or_absent_when_the_process_is_killed_at_any_step(
    project: Project, journal: Path, monkeypatch: pytest.MonkeyPatch, is_undo: bool, one_in: int
) -> None:
    before = snapshot(project.root)
    apply_reply(project, journal)
    after = snapshot(project.root)
    undo_changes(project, journal)
    old, new = (after, before) if is_undo else (before, after)
    kills = 0
    for number in range(1, 2_000, one_in):
        if snapshot(project.root) != old:
            (undo_changes(project, journal) if not is_undo else apply_reply(project, journal))
        assert snapshot(project.root) == old

        def work(number: int = number) -> None:
            with break_call(number, die, monkeypatch):
                if is_undo:
                    undo_changes(project, journal)
                else:
                    apply_reply(project, journal)

        status = run_in_child(work)
        if os.WIFSIGNALED(status):
            kills += 1
            recover_changes(project, journal)
        assert snapshot(project.root) in (old, new)
        if not os.WIFSIGNALED(status):
            break
    assert kills > 30 / one_in
    assert snapshot(project.root) == new


@pytest.mark.parametrize("one_in", [5, mark_slow(1)])
def test_a_recovery_that_is_killed_too_is_finished_by_the_next(
    project: Project, journal: Path, monkeypatch: pytest.MonkeyPatch, one_in: int
) -> None:
    before = snapshot(project.root)
    apply_reply(project, journal)
    undo_changes(project, journal)
    with break_call(0, die, monkeypatch) as counted:
        apply_reply(project, journal)
    undo_changes(project, journal)
    last = int(counted[0] * 0.7)  # most files are in place, and the change is not final

    def apply() -> None:
        with break_call(last, die, monkeypatch):
            apply_reply(project, journal)

    for number in range(1, 500, one_in):
        assert os.WIFSIGNALED(run_in_child(apply))

        def recover(number: int = number) -> None:
            with break_call(number, die, monkeypatch):
                recover_changes(project, journal)

        is_killed = os.WIFSIGNALED(run_in_child(recover))
        recover_changes(project, journal)
        assert snapshot(project.root) == before
        if not is_killed:
            return
    raise AssertionError("the recovery never ends")


@pytest.mark.parametrize(
    ("code", "is_undo"),
    [(errno.ENOSPC, False), (errno.ENOSPC, True), mark_slow(errno.EIO, False), mark_slow(errno.EACCES, True)],
)
def test_nothing_changes_when_any_write_fails(
    project: Project, journal: Path, monkeypatch: pytest.MonkeyPatch, code: int, is_undo: bool
) -> None:
    def work() -> str:
        return undo_changes(project, journal).id if is_undo else apply_reply(project, journal)

    if is_undo:
        apply_reply(project, journal)
    old = snapshot(project.root)
    errors: list[StorageError] = []
    for name in ("write", "fsync", "link", "rename", "mkdir", "fchmod"):
        for number in range(1, 200):
            made = ""
            with fail_call(name, number, code, monkeypatch) as counted:
                try:
                    made = work()
                except StorageError as error:
                    errors.append(error)
            if made:
                undo_changes(project, journal, made)
            assert snapshot(project.root) == old
            if counted[0] < number:
                break
    assert len(errors) > 10
    assert {error.message for error in errors if "Nothing was changed." not in error.message} == set()
    assert all(isinstance(error, DiskFull) == (code == errno.ENOSPC) for error in errors)


@contextmanager
def fail_call(name: str, number: int, code: int, patch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Let one call of the system fail, the one with this number. Yield the count of them."""
    counted = [0]
    real = getattr(os, name)

    def call(*given: Any, **named: Any) -> Any:
        counted[0] += 1
        if counted[0] == number:
            raise OSError(code, os.strerror(code))
        return real(*given, **named)

    with patch.context() as patched:
        patched.setattr(os, name, call)
        yield counted


def test_a_full_disk_is_told_and_nothing_changes(
    project: Project, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk takes some bytes of each file and then no more, for everything but putting names back."""
    before = snapshot(project.root)
    real = os.write

    def write(descriptor: int, data: bytes) -> int:
        if len(data) <= 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(descriptor, data[:1])

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(DiskFull):
        apply_reply(project, journal)
    assert snapshot(project.root) == before


def crash_before_the_end(project: Project, journal: Path, patch: pytest.MonkeyPatch) -> None:
    """Kill a process that applies the reply when its files are in place, and the change is not final."""

    def work() -> None:
        patch.setattr(ChangeJournal, "mark_applied", lambda *_: die())
        apply_reply(project, journal)

    assert os.WIFSIGNALED(run_in_child(work))


def test_a_folder_that_became_a_file_blocks_no_recovery(
    project: Project, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crash_before_the_end(project, journal, monkeypatch)
    shutil.rmtree(project.root / "docs")
    (project.root / "docs").write_text("mine")
    recover_changes(project, journal)
    assert (project.root / "docs").read_text() == "mine"
    assert (project.root / "src/a.py").read_bytes() == b"zero\r\none\r\ntwo"
    assert (project.root / "src/old.py").read_bytes() == b"old\xff\n"
    assert list_changes(project, journal) == []


def test_content_that_cannot_be_put_back_is_kept_and_named_once(
    project: Project, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crash_before_the_end(project, journal, monkeypatch)
    (project.root / "src/old.py").mkdir()
    with pytest.raises(StorageError, match=r"src/old\.py could not be put back") as caught:
        apply_reply(project, journal, create_files("./new.py"))
    assert b"old\xff\n" in Path(caught.value.hint.split(" kept in ")[1].removesuffix(".")).read_bytes()
    assert (project.root / "src/a.py").read_bytes() == b"zero\r\none\r\ntwo"
    assert apply_reply(project, journal, create_files("./new.py")) == "2"


def test_a_damaged_record_of_an_interrupted_change_blocks_nothing(
    project: Project, journal: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    crash_before_the_end(project, journal, monkeypatch)
    (journal / "changes/1.open/change.json").write_text("{")
    recover_changes(project, journal)
    assert "Change 1 was interrupted" in caplog.text
    apply_reply(project, journal, create_files("./new.py"))


def test_a_rollback_that_fails_too_is_a_plain_error_and_is_finished_later(
    project: Project, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(project.root)

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patched:
        patched.setattr(ChangeJournal, "mark_applied", fail)
        patched.setattr(os, "unlink", fail)
        with pytest.raises(StorageError, match="could not be put back"):
            apply_reply(project, journal)
    recover_changes(project, journal)
    assert snapshot(project.root) == before


def test_a_file_that_can_never_be_put_back_does_not_block_the_next_change(
    project: Project, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crash_before_the_end(project, journal, monkeypatch)
    real = os.rename

    def rename(old: str, new: str, **named: Any) -> None:
        if new == "old.py":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        real(old, new, **named)

    monkeypatch.setattr(os, "rename", rename)
    with pytest.raises(StorageError, match=r"src/old\.py could not be put back"):
        apply_reply(project, journal, create_files("./new.py"))
    assert (project.root / "src/a.py").read_bytes() == b"zero\r\none\r\ntwo"
    apply_reply(project, journal, create_files("./new.py"))
