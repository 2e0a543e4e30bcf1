"""Put the files of a test run into memory where there is room.

Nearly every test makes a database and removes it. On a disk that takes as much processor time as the tests themselves.
"""

import atexit
import fcntl
import os
import shutil
import tempfile
from pathlib import Path

_MEMORY = Path("/dev/shm")  # a file system of Linux in memory
_NAME = "pincite-tests-"
_LOCK = "in-use"
_ROOM = 6_000_000_000  # bytes that must be free; a whole run needs less than half of it


def use_memory_folder() -> None:
    """Make a folder in memory the temporary one of this process and of those it starts, until it ends.

    Nothing changes where TMPDIR is set, or where there is no room.
    """
    if "TMPDIR" in os.environ or not _has_room():
        return
    _remove_old_folders()
    folder = Path(tempfile.mkdtemp(prefix=_NAME, dir=_MEMORY))
    folder.chmod(0o755)  # a server of PostgreSQL runs as another user
    _lock(folder)
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    atexit.register(_remove_folder, folder, os.getpid())


def _has_room() -> bool:
    if not _MEMORY.is_dir() or not os.access(_MEMORY, os.W_OK) or os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC:
        return False
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    available = next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), 0)
    return min(shutil.disk_usage(_MEMORY).free, available, _read_container_limit()) >= _ROOM


def _read_container_limit() -> float:
    """The bytes of memory that a container may use; files in memory count among them."""
    limit = Path("/sys/fs/cgroup/memory.max")
    given = limit.read_text(encoding="ascii").strip() if limit.is_file() else ""
    return int(given) if given.isdigit() else float("inf")


def _lock(folder: Path) -> bool:
    """Take the lock of a folder, which its process holds as long as it lives; False if another one has it."""
    lock = os.open(folder / _LOCK, os.O_CREAT | os.O_RDWR)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return False
    return True


def _remove_old_folders() -> None:
    """Remove what runs that were killed have left. A folder without a lock may just be made by another run."""
    for folder in _MEMORY.glob(f"{_NAME}*"):
        if (folder / _LOCK).exists() and _lock(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _remove_folder(folder: Path, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
