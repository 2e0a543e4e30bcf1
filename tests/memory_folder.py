"""Put the files of a test run into memory where there is room.

Nearly every test makes a database and removes it. On a disk that takes as much processor time as the tests themselves.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

_MEMORY = Path("/dev/shm")  # a file system of Linux in memory
_NAME = "pincite-tests-"
_ROOM = 6_000_000_000  # bytes that must be free; a whole run needs less than half of it


def use_memory_folder() -> None:
    """Make a folder in memory the temporary one of this process and of those it starts, until it ends.

    Nothing changes where TMPDIR is set, or where there is no room.
    """
    if "TMPDIR" in os.environ or not _has_room():
        return
    _remove_old_folders()
    folder = _MEMORY / f"{_NAME}{os.getpid()}"
    folder.mkdir(mode=0o755)
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    atexit.register(_remove_folder, folder, os.getpid())


def _has_room() -> bool:
    if not _MEMORY.is_dir() or not os.access(_MEMORY, os.W_OK) or os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC:
        return False
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    available = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    return min(shutil.disk_usage(_MEMORY).free, available) >= _ROOM


def _remove_old_folders() -> None:
    """Remove what runs that were killed have left."""
    for folder in _MEMORY.glob(f"{_NAME}*"):
        if not Path("/proc", folder.name.removeprefix(_NAME)).exists():
            shutil.rmtree(folder, ignore_errors=True)


def _remove_folder(folder: Path, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
