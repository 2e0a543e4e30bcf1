"""Read the ignore files of folders, and decide which paths they leave out, as Git does."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

IGNORE_FILES = (".gitignore", ".pinciteignore")
_LONGEST_FILE = 1_000_000  # bytes of an ignore file that are read
_LONGEST_PATTERN = 4096  # characters: no path is longer, and a line of a megabyte takes half a minute


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The rules of a folder and of the folders above it, up to the root.

    Each entry has the folder's path below the root, with a slash behind it, or "" for the root.
    """

    specs: tuple[tuple[str, GitIgnoreSpec], ...] = ()

    def enter_folder(self, folder: Path, relative: str) -> "IgnoreRules":
        """Return these rules with those of a folder added; `relative` is its path below the root, "" for the root."""
        lines: list[str] = []
        for name in IGNORE_FILES:
            lines += (line for line in _read_start(folder / name).splitlines() if len(line) <= _LONGEST_PATTERN)
        if not lines:
            return self
        return IgnoreRules((*self.specs, (f"{relative}/" if relative else "", GitIgnoreSpec.from_lines(lines))))

    def is_ignored(self, relative: str, is_folder: bool) -> bool:
        """Return whether a path below the root is left out. The rules of the deepest folder decide first."""
        for prefix, spec in reversed(self.specs):
            decided = spec.check_file(relative[len(prefix) :] + ("/" if is_folder else "")).include
            if decided is not None:
                return decided
        return False


def _read_start(path: Path) -> str:
    """Return the beginning of a regular file; "" for a pipe or a device, which may have no end."""
    try:
        # Without waiting: opening a pipe without a writer would never return.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return ""
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return ""
        return file.read(_LONGEST_FILE).decode("utf-8", "replace")
