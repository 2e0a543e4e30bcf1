"""The database: an address in, connections out, one that reads or one that writes, and errors a person can act on."""

import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event, make_url, text
from sqlalchemy import Connection as Connection  # for whoever passes one on without a query of its own
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, OperationalError

from pincite.errors import Damaged, DiskFull, Misuse, PinciteError, StorageError
from pincite.settings import Settings
from pincite.store import folding

HEAD = "0007"
_MIGRATIONS = Path(__file__).parent / "migrations"
# Any number will do, as long as every process takes the same: PostgreSQL's lock around a migration.
_MIGRATION_LOCK = 5_046_483
_PATIENCE = 30  # seconds to wait for SQLite's lock


@dataclass(frozen=True, slots=True)
class LockTime:
    """How long a transaction held the lock: seconds of the clock, and of this thread's work."""

    seconds: float
    cpu_seconds: float


class Database:
    """Holds the engine. On SQLite, writers queue for the write lock instead of failing when they meet."""

    def __init__(self, url: str | URL) -> None:
        try:
            parsed = make_url(url)
            options = {"pool_size": 8, "max_overflow": 56} if parsed.database not in (None, "", ":memory:") else {}
            self.engine: Engine = create_engine(parsed, **options)
        except (ArgumentError, NoSuchModuleError, ImportError) as error:
            raise Misuse(
                f"The database address cannot be used: {error}",
                "Leave `database` empty for one file in the data folder, or give sqlite:////folder/name.db.",
            ) from None
        self.sqlite = self.engine.dialect.name == "sqlite"
        self._writer = threading.Lock()
        # Where the time of each transaction that writes is noted, from its beginning to its commit; None notes nothing.
        self.lock_times: list[LockTime] | None = None
        if self.sqlite:
            event.listen(self.engine, "connect", _prepare_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state of the database from its first query to the end of the block."""
        with _explained(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection in a transaction: committed at the end of the block, undone when the block raises."""
        with _explained(), self._turn(), self.engine.connect() as connection:
            connection = connection.execution_options(pincite_immediate=True)
            with connection.begin() as transaction, self._timed():
                yield connection
                transaction.commit()

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Note how long the lock is held, where somebody asked for it."""
        began = time.perf_counter(), time.thread_time()
        try:
            yield
        finally:
            if self.lock_times is not None:
                self.lock_times.append(LockTime(time.perf_counter() - began[0], time.thread_time() - began[1]))

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Let the threads of this process write in turn: SQLite itself looks for its lock at intervals only."""
        if not self.sqlite:
            yield
            return
        if not self._writer.acquire(timeout=_PATIENCE):
            raise StorageError("The database was locked for too long by other work.", "Try again when it is done.")
        try:
            yield
        finally:
            self._writer.release()

    def revision(self) -> str | None:
        """The revision of the tables, None in a database without any."""
        try:
            with self.engine.connect() as connection:
                found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
                return found
        except DBAPIError as error:
            if _lacks_table(error):
                return None
            raise _explanation(error) from error
        except UnicodeDecodeError as error:  # of the message in which SQLite quotes what it found
            raise _damage() from error

    def size(self) -> int:
        """How many bytes the database has on disk."""
        if self.sqlite:
            files = (Path(f"{self.engine.url.database or ''}{suffix}") for suffix in ("", "-wal", "-shm"))
            return sum(file.stat().st_size for file in files if file.is_file())
        with self.reading() as connection:
            return int(connection.scalar(text("SELECT pg_database_size(current_database())")) or 0)

    def migrate(self) -> None:
        """Bring the tables to this program's revision; alembic is imported only when there is something to do."""
        if self.revision() == HEAD:
            return
        from alembic import command
        from alembic.config import Config
        from alembic.migration import MigrationContext
        from alembic.script import ScriptDirectory

        config = Config()
        config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
        known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
        with self.writing() as connection:
            if not self.sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
            # Looked up again: another process may have migrated while this one waited.
            found = MigrationContext.configure(connection).get_current_revision()
            if found and found not in known:
                raise StorageError(
                    "The database was made by a newer version of Pincite.",
                    "Upgrade Pincite, or point `data` (or `database`) at another place.",
                )
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def close(self) -> None:
        self.engine.dispose()


def open_database(settings: Settings) -> Database:
    """The database that the settings name, its folder made and its tables up to date."""
    make_folder(settings.data)
    if not settings.database:
        _make_private(settings.data / "pincite.db")
    database = Database(settings.database or URL.create("sqlite", database=str(settings.data / "pincite.db")))
    try:
        database.migrate()
    except PinciteError:
        database.close()
        raise
    return database


def make_folder(folder: Path) -> None:
    """Make the data folder, for its owner's eyes only."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"The data folder {folder} cannot be made: {error.strerror or error}.",
            "Give another with `data` in pincite.toml or PINCITE_DATA.",
        ) from error


def _make_private(file: Path) -> None:
    """Make a database file for its owner's eyes only; SQLite gives the files beside it the same permissions."""
    with suppress(OSError):  # it is there, or SQLite will say in its words why it cannot be
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def sqlite_features() -> tuple[str, bool]:
    """SQLite's version here, and whether it can search full text."""
    import sqlite3

    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE trial USING fts5(words)")
        return sqlite3.sqlite_version, True
    except sqlite3.OperationalError:
        return sqlite3.sqlite_version, False
    finally:
        connection.close()


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver's own idea of when a transaction begins is switched off; `_begin_sqlite` says BEGIN.
    connection.isolation_level = None
    connection.create_function(folding.FUNCTION, 1, folding.fold, deterministic=True)
    connection.execute(f"PRAGMA busy_timeout = {_PATIENCE * 1000}").close()
    _write_ahead(connection)
    for pragma in (
        "synchronous = NORMAL",
        "foreign_keys = ON",
        "cache_size = -65536",
        "mmap_size = 1073741824",
        "temp_store = MEMORY",
    ):
        connection.execute(f"PRAGMA {pragma}").close()


def _write_ahead(connection: Any) -> None:
    """Switch to the write-ahead log; where another process does so at the same moment, SQLite itself does not wait."""
    ends = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").close()
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > ends:
                raise
        time.sleep(0.02)


def _begin_sqlite(connection: Connection) -> None:
    immediate = connection.get_execution_options().get("pincite_immediate")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as error:
        raise _explanation(error) from error
    except (UnicodeDecodeError, JSONDecodeError, zlib.error) as error:
        # A value in the database is not what was written there.
        raise _damage() from error


def _lacks_table(error: DBAPIError) -> bool:
    return "no such table" in str(error.orig) or getattr(error.orig, "sqlstate", "") == "42P01"


# What the drivers say, and what it means to the person who runs the program.
_EXPLANATIONS = (
    (
        ("readonly", "read-only"),
        "The database may not be written to.",
        "Give the data folder and its files back to the user who runs Pincite.",
    ),
    (
        ("locked", "busy"),
        "Another process has kept the database locked for too long.",
        "Wait until it is done, or stop it; `pincite doctor` helps to find it.",
    ),
    (
        ("unable to open",),
        "The database file cannot be opened.",
        "Check that the data folder exists and belongs to the user who runs Pincite.",
    ),
)


_FULL = ("disk is full", "No space left", "could not extend file")
_DAMAGED = ("malformed", "not a database", "disk I/O error", "Could not decode", "no such table")


def _damage() -> Damaged:
    return Damaged(
        "The database file is damaged, or its disk is.",
        "`pincite doctor` says more. Restore the file from a copy, or move it away and add the documents again.",
    )


def _explanation(error: DBAPIError) -> PinciteError:
    said = str(error.orig)
    # Without room SQLite cannot make the file that readers share, and calls that an error of the disk.
    if any(mark in said for mark in _FULL) or getattr(error.orig, "sqlite_errorname", "") == "SQLITE_IOERR_SHMSIZE":
        return DiskFull()
    if any(mark in said for mark in _DAMAGED):
        return _damage()
    for marks, message, hint in _EXPLANATIONS:
        if any(mark in said for mark in marks):
            return StorageError(message, hint)
    if isinstance(error, OperationalError) and getattr(error.orig, "sqlite_errorname", None) is None:
        return StorageError(
            f"The database cannot be reached: {said.strip()}",
            "Check the address in `database` and that the server is up.",
        )
    return StorageError(f"The database refused: {said.strip()}", "This is a fault of ours: please report it.")
