"""A folder to the files in it that a person would call documents."""

import os
from collections.abc import Iterator
from pathlib import Path

from pathspec import GitIgnoreSpec

from pincite.errors import Misuse

IGNORE_FILES = (".gitignore", ".pinciteignore")
_NEVER = {"__pycache__", "node_modules", "__MACOSX", "Thumbs.db", "desktop.ini"}
_UNFINISHED = (".part", ".crdownload", ".tmp", ".swp", "~")


def walk(path: Path) -> Iterator[Path]:
    """A file itself, or every file of a folder at all levels, sorted, without hidden, ignored or unfinished ones."""
    if path.is_file():
        yield path
    elif path.is_dir():
        yield from _folder(path, ())
    else:
        raise Misuse(f"There is no file or folder {path}.", "Check the spelling; quote names with spaces.")


def is_document(path: Path, root: Path) -> bool:
    """Whether `walk(root)` would find this path."""
    if any(_is_hidden(part) for part in path.relative_to(root).parts):
        return False
    folders = [root, *reversed([p for p in path.parents if p.is_relative_to(root) and p != root])]
    specs = tuple((folder, _spec(folder)) for folder in folders)
    return not _is_ignored(path, specs, is_folder=False)


Specs = tuple[tuple[Path, GitIgnoreSpec | None], ...]


def _folder(folder: Path, above: Specs) -> Iterator[Path]:
    specs = (*above, (folder, _spec(folder)))
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise Misuse(f"The folder {folder} cannot be opened: {error.strerror}.", "Check its permissions.") from None
    for entry in entries:
        path = Path(entry.path)
        if _is_hidden(entry.name):
            continue
        if entry.is_dir(follow_symlinks=False):
            if not _is_ignored(path, specs, is_folder=True):
                yield from _folder(path, specs)
        elif entry.is_file() and not _is_ignored(path, specs, is_folder=False):
            yield path


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "~$")) or name in _NEVER or name.endswith(_UNFINISHED)


def _spec(folder: Path) -> GitIgnoreSpec | None:
    lines: list[str] = []
    for name in IGNORE_FILES:
        try:
            lines += (folder / name).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
    return GitIgnoreSpec.from_lines(lines) if lines else None


def _is_ignored(path: Path, specs: Specs, is_folder: bool) -> bool:
    for folder, spec in specs:
        relative = path.relative_to(folder).as_posix() + ("/" if is_folder else "")
        if spec and spec.match_file(relative):
            return True
    return False
