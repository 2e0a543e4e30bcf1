"""Keep the words of a project's files in a SQLite file of its own, and find the files that have given words.

The file only holds data that can be computed again, so a damaged one is deleted and made anew. Several processes may
use it at once.
"""

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pincite.errors import Busy, DiskFull, StorageError, explain_full_disk
from pincite.index.code_terms import CODE_ANALYSIS

_PATIENCE = 30  # seconds to wait for another process
_WEIGHTS = "3.0, 2.0, 1.0"  # of the path, of the names of definitions, and of the rest
_UNUSED_SHARE = 0.5  # of all rows may belong to removed or changed files; then the file is made anew
_CLOCK_TICK = 20_000_000  # nanoseconds: file systems count time in steps
_FEW_ROWS = 2000  # below which unused rows cost nothing

_SCHEMA = """
CREATE TABLE files (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, modified INTEGER NOT NULL,
    seen INTEGER NOT NULL, tokens INTEGER NOT NULL
);
CREATE VIRTUAL TABLE words USING fts5(path, names, body, content='', tokenize='unicode61 remove_diacritics 0');
"""

_LAST_ROW = "coalesce((SELECT max(id) FROM words_docsize), 0)"

log = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class KnownFile:
    """The state of a file when its words were stored: size, time of change, time of reading, and tokens."""

    size: int
    modified_ns: int
    seen_ns: int
    tokens: int

    def is_current(self, size: int, modified_ns: int) -> bool:
        """Return whether a file with this size and time of change is the one that was read.

        A file that was changed just before it was read may have been changed again at the same tick of the clock.
        """
        return (self.size, self.modified_ns) == (size, modified_ns) and modified_ns < self.seen_ns - _CLOCK_TICK


@dataclass(frozen=True, slots=True)
class FileWords:
    """The terms of one file with spaces between them: of its path, of the names it defines and of its text."""

    path: str
    known: KnownFile
    in_path: str
    in_names: str
    in_text: str


class FileWordTable:
    """The stored words of the files of one project."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None

    def close(self) -> None:
        """Close the file; it is opened again when it is used."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def list_known(self) -> dict[str, KnownFile]:
        """Return every stored file by its path."""
        query = "SELECT path, size, modified, seen, tokens FROM files"
        rows = self._retry(lambda connection: connection.execute(query).fetchall())
        return {row[0]: KnownFile(*row[1:]) for row in rows}

    def count(self) -> int:
        """Return how many files are stored."""
        return self._retry(lambda connection: int(connection.execute("SELECT count(*) FROM files").fetchone()[0]))

    def write(self, changed: Sequence[FileWords], removed: Sequence[str]) -> None:
        """Store the words of changed files and forget removed ones, in one transaction."""
        self._retry(lambda connection: _write_files(connection, changed, removed))

    def compact(self) -> bool:
        """Forget everything if most rows belong to removed or changed files. Return whether that was done."""
        return self._retry(_clear_if_wasteful)

    def search(self, terms: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return the paths of the files with the best scores for these terms, best first."""
        if not terms or limit <= 0:
            return []
        query = (
            f"SELECT files.path, -bm25(words, {_WEIGHTS}) AS score FROM words JOIN files ON files.id = words.rowid "
            "WHERE words MATCH ? ORDER BY score DESC, files.path LIMIT ?"
        )
        matched = " OR ".join(map(_quote, terms))
        return self._retry(lambda connection: connection.execute(query, (matched, limit)).fetchall())

    def count_files_with(self, terms: Sequence[str]) -> dict[str, int]:
        """Return in how many files each term is."""
        query = "SELECT count(*) FROM words WHERE words MATCH ?"

        def count(connection: sqlite3.Connection) -> dict[str, int]:
            return {term: connection.execute(query, (_quote(term),)).fetchone()[0] for term in terms}

        return self._retry(count)

    def _retry(self, action: Callable[[sqlite3.Connection], T]) -> T:
        """Do something with the open file. If the file is damaged, make it anew and try once more."""
        with self._lock, _explain_errors():
            try:
                return action(self._open())
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                log.warning("The index %s is damaged and is made anew.", self._path)
            self._delete()
            return action(self._open())

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and not self._path.exists():
            self.close()  # another process deleted it
        if self._connection is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self._path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
            try:
                _prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _delete(self) -> None:
        self.close()
        for suffix in ("", "-wal", "-shm", "-journal"):
            with suppress(FileNotFoundError):
                Path(f"{self._path}{suffix}").unlink()


def _prepare(connection: sqlite3.Connection) -> None:
    """Create the tables, or check that they are those of this version."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = OFF")  # a file that a power cut damages is made anew
    connection.execute("PRAGMA cache_size = -16000")
    if connection.execute("PRAGMA user_version").fetchone()[0] == CODE_ANALYSIS:
        connection.execute("SELECT 1 FROM files, words LIMIT 0")
        return
    with _transaction(connection):
        if connection.execute("PRAGMA user_version").fetchone()[0] == CODE_ANALYSIS:
            return  # another process was faster
        for table in ("files", "words"):
            connection.execute(f"DROP TABLE IF EXISTS {table}")
        for statement in filter(str.strip, _SCHEMA.split(";")):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {CODE_ANALYSIS}")


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _write_files(connection: sqlite3.Connection, changed: Sequence[FileWords], removed: Sequence[str]) -> None:
    with _transaction(connection):
        # The words of a row that is no longer in `files` stay, since FTS5 cannot delete them without their text; no
        # search returns them, and their row number is never used again.
        first = connection.execute(f"SELECT {_LAST_ROW}").fetchone()[0] + 1
        changed = [file for file in changed if not _is_stored(connection, file)]
        gone = [*removed, *(file.path for file in changed)]
        connection.executemany("DELETE FROM files WHERE path = ?", ((path,) for path in gone))
        for row, file in enumerate(changed, first):
            known = file.known
            connection.execute(
                "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?)",
                (row, file.path, known.size, known.modified_ns, known.seen_ns, known.tokens),
            )
            connection.execute(
                "INSERT INTO words (rowid, path, names, body) VALUES (?, ?, ?, ?)",
                (row, file.in_path, file.in_names, file.in_text),
            )


def _is_stored(connection: sqlite3.Connection, file: FileWords) -> bool:
    """Return whether another process has stored this version of the file."""
    query = "SELECT size, modified, seen, tokens FROM files WHERE path = ?"
    row = connection.execute(query, (file.path,)).fetchone()
    return row is not None and KnownFile(*row).is_current(file.known.size, file.known.modified_ns)


def _clear_if_wasteful(connection: sqlite3.Connection) -> bool:
    if not _is_wasteful(connection):
        return False
    with _transaction(connection):
        if not _is_wasteful(connection):
            return False  # another process was faster
        connection.execute("DELETE FROM files")
        connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
        return True


def _is_wasteful(connection: sqlite3.Connection) -> bool:
    rows, used = connection.execute(f"SELECT {_LAST_ROW}, (SELECT count(*) FROM files)").fetchone()
    return bool(rows >= _FEW_ROWS and used <= rows * (1 - _UNUSED_SHARE))


def _quote(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return not isinstance(error, sqlite3.ProgrammingError | sqlite3.InterfaceError)
    # A table that is missing is damage too: the version says that it is there.
    return code & 0xFF in (
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_CONSTRAINT,
    )


@contextmanager
def _explain_errors() -> Iterator[None]:
    try:
        with explain_full_disk():
            yield
    except (sqlite3.Error, OSError) as error:
        code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            raise DiskFull from error
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise Busy("Another process is writing the index of the project.", "Try again in a moment.") from error
        raise StorageError(
            f"The index of the project cannot be used: {error}", "Check the permissions of the data folder."
        ) from error
