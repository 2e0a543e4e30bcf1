"""Hand a file to the child process: copy it into memory that both have open and that has no path in a folder.

Where Landlock blocks all other files, the child gets one document this way and no others. For a file too large to copy,
a separate child is started that may read it.
"""

import os
import stat
from functools import cache
from pathlib import Path

from pincite.errors import Unreadable
from pincite.isolation import landlock

LARGEST = 64_000_000  # bytes that are copied into memory
_PIECE = 1 << 24


class InputFile:
    """Memory for one file at a time, open in the parent and, under the same number, in the child."""

    def __init__(self) -> None:
        self.number = os.memfd_create("input") if is_needed() else -1

    @property
    def inherited(self) -> tuple[int, ...]:
        """The file descriptors that a child must inherit."""
        return (self.number,) if self.number >= 0 else ()

    def load(self, path: Path) -> Path:
        """Copy a file, and return the path at which the child opens it; the path itself where nothing is copied."""
        if self.number < 0 or not is_copied(path):
            return path
        self.clear()
        try:
            with open(path, "rb", opener=_open_at_once) as file:
                while os.sendfile(self.number, file.fileno(), None, _PIECE):
                    pass
        except OSError as error:
            raise Unreadable(
                f"The file cannot be opened: {error.strerror}.", "Check that it is there and may be read."
            ) from None
        return Path(f"/proc/self/fd/{self.number}")

    def clear(self) -> None:
        """Free the memory of the last file."""
        if self.number >= 0:
            os.ftruncate(self.number, 0)
            os.lseek(self.number, 0, os.SEEK_SET)

    def close(self) -> None:
        """Close the memory file."""
        if self.number >= 0:
            os.close(self.number)
            self.number = -1


def is_copied(path: Path) -> bool:
    """Whether a file is passed as a copy. Special files are not opened here."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST


@cache
def is_needed() -> bool:
    """Whether a child cannot open files itself."""
    return landlock.find_version() > 0 and hasattr(os, "memfd_create")


def _open_at_once(path: str, flags: int) -> int:
    # If a pipe has replaced the file in the meantime, opening it must not block the parent.
    return os.open(path, flags | os.O_NONBLOCK)
