"""The files of the project that a question is about: a folder on this machine, or files that a client sent."""

import re
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from pincite.answer.evidence_prompt import write_data_block
from pincite.errors import Misuse, explain_full_disk
from pincite.library.project_snapshots import FileVersion, store_version
from pincite.projects.changes import recover_changes
from pincite.projects.file_index import FileIndex, FilePart
from pincite.projects.file_list import ProjectFile, list_files, read_project_file
from pincite.projects.paths import clean_path, show_path
from pincite.projects.project import Project, Projects, get_data_folder
from pincite.projects.text_file import TextFile
from pincite.projects.tree import draw_tree
from pincite.types import Hit, Span

if TYPE_CHECKING:
    from pincite.answer.question import AskedQuestion, GivenFile
    from pincite.library import Library

GIVEN = "given"  # the id under which files of a client are stored
_TREE_SHARE = 8  # the tree gets at most one part of this many of a model's context
_LEAST_TREE = 100  # tokens
_LONGEST_PART, _MOST_LINES = 4800, 150  # characters and lines of one evidence, which a model is shown whole
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


@dataclass(frozen=True, slots=True)
class FileStretch:
    """A stretch of a file: where it begins and ends in the file's text, and the name of the part it is."""

    start: int
    end: int
    name: str = ""


class ProjectFiles:
    """The files of one question's project. Every method works on the disk, so it is called in a thread."""

    def __init__(
        self,
        library: "Library",
        owner: str,
        project: Project | None,
        index: FileIndex | None = None,
        given: "Sequence[GivenFile]" = (),
    ) -> None:
        self._library = library
        self._owner = owner
        self._index = index
        self._files: list[ProjectFile] | None = None
        self._project = project
        self._given = given
        self._folder: Path | None = None
        self._read: dict[str, TextFile] = {}
        self._stored: dict[str, str] = {}  # the documents of files that were read, by path
        self._trees: dict[int, str] = {}  # by their length in tokens

    @property
    def id(self) -> str:
        """The id of the project, or `given`."""
        return self._project.id if self._project else GIVEN

    @property
    def is_given(self) -> bool:
        """Whether a client sent the files, and applies changes itself."""
        return self._project is None

    @cached_property
    def project(self) -> Project:
        """The folder of the files. Files that a client sent are written to a folder that lives as long as this."""
        if self._project:
            return self._project
        root = self._make_folder() / "files"
        with explain_full_disk():
            root.mkdir()
            for file in self._given:
                place = root / clean_path(file.path)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(file.content.encode("utf-8", "replace"))
        return Project(GIVEN, GIVEN, root)

    @cached_property
    def index(self) -> FileIndex:
        """The index of the files."""
        return self._index or FileIndex(self.project, self._make_folder() / "index")

    @property
    def files(self) -> list[ProjectFile]:
        """The files that may be read without being named."""
        if self._files is None:
            self._files = list_files(self.project, ignored=self.is_given)
        return self._files

    def describe_tree(self, context: int | None) -> str:
        """Return the tree for a model whose context has this many tokens, as a block that no file name can leave."""
        most = self._library.settings.projects.tree_tokens
        if context is not None:
            most = min(most, max(context // _TREE_SHARE, _LEAST_TREE))
        if most not in self._trees:
            tree = draw_tree(self.files, self.index.count_tokens(), most)
            first, *lines = tree.text.split("\n")
            self._trees[most] = f"{first}\n{write_data_block(lines, keeps_indent=True)}"
        return self._trees[most]

    def refresh(self, should_stop: Callable[[], bool] = lambda: False) -> None:
        """Update the index to the files as they are now."""
        found = self.index.refresh(should_stop=should_stop)
        if not self.is_given:
            self._files = found

    def search(self, query: str, limit: int) -> list[Hit]:
        """Return the parts of files that have the words of a query, the best first, and store their files."""
        hits = []
        for part in self.index.search(query, limit):
            try:
                file = self.read(part.path)
            except Misuse:
                continue  # it is gone, or a link that leads outside has taken its place
            hits += self._cut_part(file, part)
        return hits

    def read(self, path: str, named: bool = False) -> TextFile:
        """Read a file; `named` says that the user named it, so that it may be an ignored one."""
        cleaned = clean_path(path)
        if cleaned not in self._read:
            most = self._library.settings.projects.file_bytes
            self._read[cleaned] = read_project_file(
                self.project, cleaned, named=named or self.is_given, most_bytes=most
            )
        return self._read[cleaned]

    def cut_file(self, file: TextFile, start: int = 0, end: int | None = None) -> list[Hit]:
        """Return a file, or a stretch of it, as hits of whole lines that a model is shown whole."""
        return self._make_hits(file, FileStretch(start, len(file.text) if end is None else end), 0.0)

    def _cut_part(self, file: TextFile, part: FilePart) -> list[Hit]:
        if not 0 <= part.start < part.end <= len(file.text):
            return []  # the file was changed since it was indexed
        return self._make_hits(file, FileStretch(part.start, part.end, part.name), part.score)

    def _make_hits(self, file: TextFile, stretch: FileStretch, score: float) -> list[Hit]:
        pieces = cut_lines(file.text, stretch.start, stretch.end)
        if not pieces:
            return []
        if file.path not in self._stored:
            version = FileVersion(self._owner, self.id, file.path, file.text, len(file.data))
            self._stored[file.path] = store_version(self._library, version)
        document = self._stored[file.path]
        return [
            Hit(
                span=Span(document, start, end),
                title=file.path,
                kind="code",
                text=file.text[start:end],
                score=score,
                headings=(stretch.name,) if stretch.name else (),
            )
            for start, end in pieces
        ]

    def close(self) -> None:
        """Remove the folder of files that a client sent."""
        if self._folder:
            self.index.close()
            shutil.rmtree(self._folder, ignore_errors=True)

    def _make_folder(self) -> Path:
        if self._folder is None:
            with explain_full_disk():
                self._folder = Path(tempfile.mkdtemp(prefix="pincite-given-"))
            # A cancelled answer may be closed while a thread still reads: then the folder goes with this object.
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder


class ProjectIndexes:
    """The indexes of the projects of one process, each opened once."""

    def __init__(self, library: "Library") -> None:
        self._library = library
        self._opened: dict[str, FileIndex] = {}
        self._opening = threading.Lock()

    def open(self, project: Project) -> FileIndex:
        """Return the index of a project. When it is opened, changes that a crash interrupted are settled."""
        settings = self._library.settings
        with self._opening:
            if project.id not in self._opened:
                folder = get_data_folder(settings, project)
                recover_changes(project, folder)
                self._opened[project.id] = FileIndex(project, folder, settings.projects.file_bytes)
            return self._opened[project.id]

    def close(self) -> None:
        """Close every index."""
        with self._opening:
            for index in self._opened.values():
                index.close()


def open_project_files(asked: "AskedQuestion", library: "Library", indexes: ProjectIndexes) -> ProjectFiles | None:
    """Return the files that a question is about; None if it names none. Raise `Misuse` if they cannot be used."""
    if not asked.project and not asked.files:
        return None
    if asked.project and asked.files:
        raise Misuse(
            "A question is about a project or about files that come with it.", "Send one of them.", "project_and_files"
        )
    if asked.project:
        project = Projects(library.settings).find(asked.project)
        return ProjectFiles(library, asked.scope.owner, project, indexes.open(project))
    size = sum(len(each.content.encode("utf-8", "replace")) for each in asked.files)
    most = library.settings.projects.given_bytes
    if size > most:
        raise Misuse(
            f"The files have {size:,} bytes, more than {most:,}.",
            "Send fewer files, or raise projects.given_bytes.",
            "large_files",
            {"bytes": size, "most": most},
        )
    paths = [clean_path(each.path) for each in asked.files]
    if len(set(paths)) < len(paths):
        raise Misuse("Two of the files have one path.", "Send each file once.", "same_path")
    folders = {parent.as_posix() for path in paths for parent in PurePosixPath(path).parents}
    if both := next((path for path in paths if path in folders), ""):
        shown = show_path(both)
        raise Misuse(
            f"{shown} is the path of a file and of a folder with files.",
            "Send only one of them, or rename the file.",
            "path_conflict",
            {"path": shown},
        )
    return ProjectFiles(library, asked.scope.owner, None, given=asked.files)


def cut_lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Cut a stretch of a text into pieces of whole lines that are not too long for a model, without blank ends."""
    at = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    pieces: list[tuple[int, int]] = []
    begun, lines = at, 0
    for line in _LINE.finditer(text, at, end):
        if lines and (line.end() - begun > _LONGEST_PART or lines == _MOST_LINES):
            pieces.append((begun, line.start()))
            begun, lines = line.start(), 0
        lines += 1
    pieces.append((begun, end))
    return [stripped for first, last in pieces if (stripped := _strip_blank_lines(text, first, last))]


def _strip_blank_lines(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return a stretch of whole lines without the blank lines at its ends; None if all are blank."""
    piece = text[start:end]
    if not piece.strip():
        return None
    inside = start + len(piece) - len(piece.lstrip())
    first = max(text.rfind("\n", start, inside), text.rfind("\r", start, inside)) + 1 or start
    return first, start + len(piece.rstrip())
