"""The file that a child reads next: copied into memory that both sides have open and that has no place in any folder.

Where Landlock keeps the child from all other files, this is how it gets one document and no others. A file too large
to be copied gets a child of its own that may read it.
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
        """The files that a child has to inherit."""
        return (self.number,) if self.number >= 0 else ()

    def load(self, path: Path) -> Path:
        """Copy a file, and give the path under which the child opens it; the path itself where nothing is copied."""
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
        """Give the memory of the last file back."""
        if self.number >= 0:
            os.ftruncate(self.number, 0)
            os.lseek(self.number, 0, os.SEEK_SET)

    def close(self) -> None:
        if self.number >= 0:
            os.close(self.number)
            self.number = -1


def is_copied(path: Path) -> bool:
    """Whether a file is handed over as a copy; special files are not opened here."""
    try:
        seen = path.stat()
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(seen.st_mode) and seen.st_size <= LARGEST


@cache
def is_needed() -> bool:
    """Whether a child cannot open files by itself."""
    return landlock.find_version() > 0 and hasattr(os, "memfd_create")


def _open_at_once(path: str, flags: int) -> int:
    # A pipe that took the file's place in the meantime must not keep the parent waiting.
    return os.open(path, flags | os.O_NONBLOCK)
