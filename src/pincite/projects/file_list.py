"""List the files of a project and read them. Ignored files and secrets are read only if the user names them."""

import logging
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pincite.errors import Misuse
from pincite.projects.file_kinds import SKIPPED_FOLDERS, has_binary_name, has_secret_name, is_secret, is_secret_folder
from pincite.projects.paths import PathRefused, clean_path, open_file, resolve_path, show_path
from pincite.projects.project import Project
from pincite.projects.text_file import TextFile, decode_file
from pincite.reading.ignore_files import IgnoreRules
from pincite.settings import ProjectSettings

FILE_BYTES: int = ProjectSettings().file_bytes
_MOST_FILES = 200_000
_IGNORED = ("is ignored", "name the file")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_OUR_DATABASE = "pincite.db"  # a folder with this file is our own data folder

ReadProblem = Literal["", "ignored_file", "secret_file"]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """A file of a project: its path with slashes, its size in bytes and its time of change."""

    path: str
    size: int
    modified_ns: int


def list_files(project: Project, *, ignored: bool = False) -> list[ProjectFile]:
    """Return the files of a project, sorted by path.

    Ignored files, secrets and files with the name of a binary format are left out unless `ignored` is true. Links,
    special files, Git's own folder, folders of installed packages and names that no path may have are always left out.
    """
    found: list[ProjectFile] = []
    for file in _walk_folder(project.root, "", IgnoreRules(), ignored):
        if len(found) == _MOST_FILES:
            log.warning("Only the first %s files of the project %s are listed.", f"{_MOST_FILES:,}", project.name)
            break
        found.append(file)
    return sorted(found, key=lambda file: file.path)


def may_read(project: Project, path: str, named: bool) -> bool:
    """Return whether a file may be read: any file that the user named, otherwise no ignored file and no secret."""
    try:
        return named or not find_read_problem(project, path)
    except PathRefused:
        return False


def read_project_file(project: Project, path: str, *, named: bool = False, most_bytes: int = FILE_BYTES) -> TextFile:
    """Return the text of a file; `named` says that the user named it, not a model."""
    cleaned = clean_path(path)
    shown = show_path(cleaned)
    problem = "" if named else find_read_problem(project, cleaned)
    if problem:
        kind, named_by = ("may hold secrets", f"write @{shown}") if problem == "secret_file" else _IGNORED
        hint = f"Ask the user to {named_by} in the question if it is needed."
        raise Misuse(f"{shown} {kind} and is not read.", hint, problem, {"path": shown})
    with open_file(project.root, cleaned) as file:
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise Misuse(
            f"{shown} has more than {most_bytes:,} bytes.",
            "Raise projects.file_bytes to read it.",
            "large_file",
            {"path": shown, "most": most_bytes},
        )
    return decode_file(cleaned, data)


def find_read_problem(project: Project, path: str) -> ReadProblem:
    """Return why a file is read only if the user names it: for the path as written, and for the target of a link."""
    cleaned = clean_path(path)
    real = resolve_path(project.root, cleaned).relative_to(project.root).as_posix()
    places = dict.fromkeys((cleaned, real))
    if any(map(is_secret, places)):
        return "secret_file"
    return "ignored_file" if any(_is_ignored(project.root, place) for place in places) else ""


def _is_ignored(root: Path, path: str) -> bool:
    rules, folder, below = IgnoreRules(), root, ""
    names = path.split("/")
    for number, name in enumerate(names, 1):
        rules = rules.enter_folder(folder, below)
        folder /= name
        below = f"{below}/{name}" if below else name
        is_folder = number < len(names)
        if (is_folder and name in SKIPPED_FOLDERS) or rules.is_ignored(below, is_folder):
            return True
    return False


def _walk_folder(folder: Path, relative: str, above: IgnoreRules, ignored: bool) -> Iterator[ProjectFile]:
    folders: list[tuple[Path, str, IgnoreRules]] = [(folder, relative, above)]
    while folders:
        folder, relative, above = folders.pop()
        entries = _scan_folder(folder, relative)
        names = {entry.name for entry in entries}
        if _OUR_DATABASE in names and relative:
            continue
        rules = above if ignored else above.enter_folder(folder, relative)
        for entry in entries:
            path = f"{relative}/{entry.name}" if relative else entry.name
            try:
                if entry.is_dir(follow_symlinks=False):
                    if _may_enter(path, entry.name, ignored) and not rules.is_ignored(path, is_folder=True):
                        folders.append((folder / entry.name, path, rules))
                elif _may_list(path, entry.name, ignored) and not rules.is_ignored(path, is_folder=False):
                    known = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(known.st_mode):
                        yield ProjectFile(path, known.st_size, known.st_mtime_ns)
            except OSError:
                continue  # removed since the folder was scanned


def _scan_folder(folder: Path, relative: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as scanned:
            return list(scanned)
    except OSError as error:
        if not relative:
            raise Misuse(f"The folder {folder} cannot be opened: {error.strerror}.", "Check its permissions.") from None
        log.warning("The folder %s is left out, because it cannot be opened: %s.", show_path(relative), error.strerror)
        return []


def _may_enter(path: str, name: str, ignored: bool) -> bool:
    return name not in SKIPPED_FOLDERS and _is_usable(path, name) and (ignored or not is_secret_folder(name))


def _may_list(path: str, name: str, ignored: bool) -> bool:
    return _is_usable(path, name) and (ignored or not (has_binary_name(name) or has_secret_name(name)))


def _is_usable(path: str, name: str) -> bool:
    """Return whether a path can be written as it is, so that every listed file can be read by its path."""
    if _PLAIN_NAME.fullmatch(name):
        return True
    try:
        return clean_path(path) == path
    except PathRefused:
        return False
