"""Find the parts of a project's files that a question is about.

The words of whole files are kept on disk. A search takes the best files by BM25, reads them as they are now, divides
them into parts and ranks the parts. So the parts are never older than the files.
"""

import os
import re
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import log
from pathlib import Path

from pincite.errors import Misuse
from pincite.index.code_terms import CODE_ANALYSIS, count_terms, list_query_terms, write_file_terms, write_terms
from pincite.index.file_words import FileWords, FileWordTable, KnownFile
from pincite.projects.code_parts import CodePart, find_parts
from pincite.projects.file_kinds import is_unimportant
from pincite.projects.file_list import FILE_BYTES, ProjectFile, list_files, read_project_file
from pincite.projects.paths import open_folder
from pincite.projects.project import Project, make_private_folder
from pincite.projects.text_file import is_binary
from pincite.reading.encoding import decode_text
from pincite.text.token_count import estimate_tokens

_FILES_A_BATCH = 256
_BYTES_A_BATCH = 8_000_000
_CANDIDATES = 30  # files that are divided into parts for one search
_PARTS_A_FILE = 3  # of one file in the results
_K1, _B = 1.2, 0.75
_NAME_WEIGHT = 3  # occurrences in the text that one in the name of a part counts for
_FILE_SHARE = 0.3  # of the score of the file in that of its parts
_GENERATED, _TEST = 0.4, 0.8  # factors for files that are seldom meant
_PART_WORDS = 80.0  # of a part of usual length
_TESTS = re.compile(r"(?:^|[/_.-])(?:tests?|spec|specs|fixtures|__tests__)(?:[/_.-]|$)", re.IGNORECASE)

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class FilePart:
    """A part of a file that was found: characters `start` to `end` of its text, and the lines from 1."""

    path: str
    start: int
    end: int
    first_line: int
    last_line: int
    name: str
    score: float


class FileIndex:
    """The search in the files of one project. Threads may share it."""

    def __init__(self, project: Project, folder: Path, file_bytes: int = FILE_BYTES) -> None:
        self._project = project
        self._file_bytes = file_bytes
        make_private_folder(folder)
        self._table = FileWordTable(folder / f"files-{CODE_ANALYSIS}.db")

    def close(self) -> None:
        """Close the file on disk; it is opened again when it is used."""
        self._table.close()

    def refresh(
        self, progress: Progress | None = None, should_stop: Callable[[], bool] | None = None
    ) -> list[ProjectFile]:
        """Read the files that changed since the last time. Return the files of the project.

        `progress` is called with the numbers of files read and to read. When `should_stop` returns true, the files
        read so far are kept and the others are read the next time.
        """
        files = list_files(self._project)
        self._table.compact()
        known = self._table.list_known()
        here = {file.path for file in files}
        removed = [path for path in known if path not in here]
        changed = [file for file in files if not _is_current(known.get(file.path), file)]
        if removed:
            self._table.write((), removed)
        done = 0
        for batch in _split_batches(changed):
            if should_stop and should_stop():
                break
            self._table.write([*self._read_files(batch)], ())
            done += len(batch)
            if progress:
                progress(done, len(changed))
        return files

    def count_tokens(self) -> Mapping[str, int]:
        """Return the estimated tokens of each file that was read, by its path."""
        return {path: known.tokens for path, known in self._table.list_known().items() if known.tokens >= 0}

    def search(self, query: str, limit: int) -> list[FilePart]:
        """Return the parts that fit a question best, best first. Call `refresh` before it."""
        terms = list_query_terms(query)
        found = self._rank_files(query, terms)
        if not found or limit <= 0:
            return []
        weights = self._weigh_terms(terms)
        ranked = sorted(
            (part for path, score in found for part in self._rank_parts(path, score, weights)),
            key=lambda part: (-part.score, part.path, part.start),
        )
        return ranked[:limit]

    def _rank_files(self, query: str, terms: Sequence[str]) -> list[tuple[str, float]]:
        asks_for_tests = _TESTS.search(query.replace(" ", "/")) is not None
        found = []
        for path, score in self._table.search(terms, 2 * _CANDIDATES):
            factor = _GENERATED if is_unimportant(path) else _TEST if _TESTS.search(path) and not asks_for_tests else 1
            found.append((path, score * factor))
        return sorted(found, key=lambda item: (-item[1], item[0]))[:_CANDIDATES]

    def _weigh_terms(self, terms: Sequence[str]) -> dict[str, float]:
        """Return the weight of each term: more if fewer files have it."""
        total = self._table.count()
        counts = self._table.count_files_with(terms)
        return {term: log(1 + (max(total - n, 0) + 0.5) / (n + 0.5)) for term, n in counts.items()}

    def _rank_parts(self, path: str, file_score: float, weights: Mapping[str, float]) -> list[FilePart]:
        """Return the best parts of a file as it is now; its beginning if only its path fits; none if it is gone."""
        try:
            text = read_project_file(self._project, path, most_bytes=self._file_bytes).text
        except Misuse:
            return []
        parts = find_parts(path, text)
        scored = [(score, part) for part in parts if (score := _score_part(part, text, weights)) > 0]
        if not scored:
            scored = [(0.0, part) for part in parts[:1]]
        scored.sort(key=lambda item: (-item[0], item[1].start))
        return [
            FilePart(
                path, part.start, part.end, part.first_line, part.last_line, part.name, score + _FILE_SHARE * file_score
            )
            for score, part in scored[:_PARTS_A_FILE]
        ]

    def _read_files(self, files: Sequence[ProjectFile]) -> Iterator[FileWords]:
        """Yield the words of files. A file that cannot be read, is too large or is binary has those of its path."""
        for folder, inside in groupby(files, key=lambda file: file.path.rpartition("/")[0]):
            try:
                opened = open_folder(self._project.root, folder)
            except (Misuse, OSError):
                continue  # removed or replaced since the files were listed
            try:
                for file in inside:
                    yield _read_words(opened, file, self._file_bytes)
            finally:
                os.close(opened)


def _read_words(folder: int, file: ProjectFile, most_bytes: int) -> FileWords:
    seen = time.time_ns()
    in_path = write_terms(file.path)
    data = _read_bytes(folder, file.path.rpartition("/")[2], most_bytes)
    if data is None or is_binary(data):
        return FileWords(file.path, KnownFile(file.size, file.modified_ns, seen, -1), in_path, "", "")
    text = decode_text(data)
    in_text, in_names = write_file_terms(text)
    known = KnownFile(file.size, file.modified_ns, seen, estimate_tokens(len(text)))
    return FileWords(file.path, known, in_path, in_names, in_text)


def _read_bytes(folder: int, name: str, most: int) -> bytes | None:
    """Return the bytes of a regular file in an open folder; None if it is too large or cannot be read."""
    try:
        opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return None
    with os.fdopen(opened, "rb") as file:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            return None
        try:
            data = file.read(most + 1)
        except OSError:
            return None
    return data if len(data) <= most else None


def _is_current(known: KnownFile | None, file: ProjectFile) -> bool:
    return known is not None and known.is_current(file.size, file.modified_ns)


def _split_batches(files: Sequence[ProjectFile]) -> Iterator[list[ProjectFile]]:
    """Yield the files in groups that are small enough to be held in memory."""
    batch: list[ProjectFile] = []
    size = 0
    for file in files:
        if batch and (len(batch) == _FILES_A_BATCH or size + file.size > _BYTES_A_BATCH):
            yield batch
            batch, size = [], 0
        batch.append(file)
        size += file.size
    if batch:
        yield batch


def _score_part(part: CodePart, text: str, weights: Mapping[str, float]) -> float:
    """Return the BM25 score of a part, in which its name counts several times."""
    counts, size = count_terms(text[part.start : part.end], weights)
    named, _ = count_terms(part.name, weights)
    length = _K1 * (1 - _B + _B * size / _PART_WORDS)
    score = 0.0
    for term, weight in weights.items():
        times = counts.get(term, 0) + _NAME_WEIGHT * named.get(term, 0)
        score += weight * times * (_K1 + 1) / (times + length) if times else 0
    return score
