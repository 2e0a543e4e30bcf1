"""List the documents in a folder, without hidden, ignored or unfinished files."""

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from pathspec import GitIgnoreSpec

from pincite.errors import Misuse

IGNORE_FILES = (".gitignore", ".pinciteignore")
_NEVER = {"__pycache__", "node_modules", "__MACOSX", "Thumbs.db", "desktop.ini"}
_LONGEST_IGNORE = 1_000_000  # bytes of an ignore file that are read
_LONGEST_PATTERN = 4096  # characters: no path is longer, and a line of a megabyte takes half a minute
_UNFINISHED = (".part", ".crdownload", ".tmp", ".swp", "~")

Specs = tuple[tuple[Path, GitIgnoreSpec | None], ...]

log = logging.getLogger(__name__)


def walk_files(path: Path, data: Path | None = None) -> Iterator[Path]:
    """Yield a file itself, or every file of a folder at all levels, sorted.

    Hidden, ignored and unfinished files are left out. So are links that lead out of the folder and special files, with
    a warning. Our own data folder `data` is left out too.
    """
    if path.is_file():
        yield path
    elif path.is_dir():
        yield from _walk_folder(path, (), data.resolve() if data else None, path.resolve())
    elif path.exists():
        raise Misuse(f"{path} is neither a file nor a folder.", "Save its content as a file and add that.")
    else:
        raise Misuse(f"There is no file or folder {path}.", "Check the spelling; quote names with spaces.")


def is_document(path: Path, root: Path, data: Path | None = None) -> bool:
    """Return whether `walk_files(root, data)` would find this existing path."""
    specs: Specs = ()
    folder = root
    if data and data.resolve() != root.resolve() and path.resolve().is_relative_to(data.resolve()):
        return False
    parts = path.relative_to(root).parts
    for place, part in enumerate(parts, 1):
        specs = (*specs, (folder, _read_ignore_spec(folder)))
        folder /= part
        is_folder = place < len(parts)
        if _is_hidden(part) or (is_folder and folder.is_symlink()) or _is_ignored(folder, specs, is_folder):
            return False
    return bool(parts) and not _is_outside(path, root.resolve())


def _walk_folder(folder: Path, above: Specs, data: Path | None, root: Path) -> Iterator[Path]:
    specs = (*above, (folder, _read_ignore_spec(folder)))
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        if not above:
            raise Misuse(f"The folder {folder} cannot be opened: {error.strerror}.", "Check its permissions.") from None
        log.warning("The folder %s is left out, because it cannot be opened: %s.", folder, error.strerror)
        return
    for entry in entries:
        path = Path(entry.path)
        if _is_hidden(entry.name):
            continue
        if entry.is_dir(follow_symlinks=False):
            is_ours = data is not None and entry.name == data.name and path.resolve() == data
            if not is_ours and not _is_ignored(path, specs, is_folder=True):
                yield from _walk_folder(path, specs, data, root)
        elif not _is_ignored(path, specs, is_folder=False):
            if not _is_file(entry):
                if not entry.is_symlink():
                    log.warning("%s is left out, because it is not a regular file.", path)
            elif entry.is_symlink() and _is_outside(path, root):
                log.warning("%s is left out, because it is a link to a file outside of the folder.", path)
            else:
                yield path


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False  # a link to itself


def _is_outside(path: Path, root: Path) -> bool:
    try:
        return not path.resolve().is_relative_to(root)
    except (OSError, RuntimeError):
        return True  # a link to itself


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "~$")) or name in _NEVER or name.endswith(_UNFINISHED)


def _read_ignore_spec(folder: Path) -> GitIgnoreSpec | None:
    lines: list[str] = []
    for name in IGNORE_FILES:
        lines += (line for line in _read_start(folder / name).splitlines() if len(line) <= _LONGEST_PATTERN)
    return GitIgnoreSpec.from_lines(lines) if lines else None


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
        return file.read(_LONGEST_IGNORE).decode("utf-8", "replace")


def _is_ignored(path: Path, specs: Specs, is_folder: bool) -> bool:
    for folder, spec in specs:
        relative = path.relative_to(folder).as_posix() + ("/" if is_folder else "")
        if spec and spec.match_file(relative):
            return True
    return False
