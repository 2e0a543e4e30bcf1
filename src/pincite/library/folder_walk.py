"""List the documents in a folder, without hidden, ignored or unfinished files."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

from pincite.errors import Misuse
from pincite.reading.ignore_files import IgnoreRules

_NEVER = {"__pycache__", "node_modules", "__MACOSX", "Thumbs.db", "desktop.ini"}
_UNFINISHED = (".part", ".crdownload", ".tmp", ".swp", "~")

log = logging.getLogger(__name__)


def walk_files(path: Path, data: Path | None = None) -> Iterator[Path]:
    """Yield a file itself, or every file of a folder at all levels, sorted.

    Hidden, ignored and unfinished files are left out. So are links that lead out of the folder and special files, with
    a warning. Our own data folder `data` is left out too.
    """
    if path.is_file():
        yield path
    elif path.is_dir():
        yield from _walk_folder(path, "", IgnoreRules(), data.resolve() if data else None, path.resolve())
    elif path.exists():
        raise Misuse(f"{path} is neither a file nor a folder.", "Save its content as a file and add that.")
    else:
        raise Misuse(f"There is no file or folder {path}.", "Check the spelling; quote names with spaces.")


def is_document(path: Path, root: Path, data: Path | None = None) -> bool:
    """Return whether `walk_files(root, data)` would find this existing path."""
    rules = IgnoreRules()
    folder = root
    if data and data.resolve() != root.resolve() and path.resolve().is_relative_to(data.resolve()):
        return False
    parts = path.relative_to(root).parts
    for place, part in enumerate(parts, 1):
        rules = rules.enter_folder(folder, "/".join(parts[: place - 1]))
        folder /= part
        is_folder = place < len(parts)
        if _is_hidden(part) or (is_folder and folder.is_symlink()):
            return False
        if rules.is_ignored("/".join(parts[:place]), is_folder):
            return False
    return bool(parts) and not _is_outside(path, root.resolve())


def _walk_folder(folder: Path, relative: str, above: IgnoreRules, data: Path | None, root: Path) -> Iterator[Path]:
    """Yield the files of a folder; `relative` is its path below the folder that the walk began in."""
    rules = above.enter_folder(folder, relative)
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        if not relative:
            raise Misuse(f"The folder {folder} cannot be opened: {error.strerror}.", "Check its permissions.") from None
        log.warning("The folder %s is left out, because it cannot be opened: %s.", folder, error.strerror)
        return
    for entry in entries:
        path = Path(entry.path)
        if _is_hidden(entry.name):
            continue
        below = f"{relative}/{entry.name}" if relative else entry.name
        if entry.is_dir(follow_symlinks=False):
            is_ours = data is not None and entry.name == data.name and path.resolve() == data
            if not is_ours and not rules.is_ignored(below, is_folder=True):
                yield from _walk_folder(path, below, rules, data, root)
        elif not rules.is_ignored(below, is_folder=False):
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
