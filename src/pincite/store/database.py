"""Open the database, migrate it, hand out connections for reading or writing, and explain its errors."""

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
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, Engine, create_engine, event, make_url, text
from sqlalchemy import Connection as Connection  # re-exported for callers that pass a connection on
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, OperationalError

from pincite.errors import Damaged, DiskFull, Misuse, NotSignedIn, PinciteError, StorageError
from pincite.settings import Settings
from pincite.store import sql_folding
from pincite.text.folding import fold_in_place

if TYPE_CHECKING:
    from alembic.config import Config

HEAD = "0010"
_MIGRATIONS = Path(__file__).parent / "migrations"
# The key of PostgreSQL's lock during a migration. Any number works if every process uses the same.
_MIGRATION_LOCK = 5_046_483
_PATIENCE = 30  # seconds to wait for SQLite's lock


@dataclass(frozen=True, slots=True)
class LockTime:
    """How long a transaction held the lock: in wall-clock seconds and in CPU seconds of its thread."""

    seconds: float
    cpu_seconds: float


class Database:
    """The database engine. On SQLite, writers wait for the write lock instead of failing."""

    def __init__(self, url: str | URL) -> None:
        try:
            parsed = make_url(url)
            options = {"pool_size": 8, "max_overflow": 56} if parsed.database not in (None, "", ":memory:") else {}
            # Neither a log nor the words of an error repeat values: people type passwords into the wrong field.
            self.engine: Engine = create_engine(parsed, hide_parameters=True, **options)
        except (ArgumentError, NoSuchModuleError, ImportError) as error:
            raise Misuse(
                f"The database address cannot be used: {error}",
                "Leave `database` empty for one file in the data folder, or give sqlite:////folder/name.db.",
            ) from None
        self.sqlite = self.engine.dialect.name == "sqlite"
        self._writer = threading.Lock()
        # If this is a list, the duration of each write transaction is appended to it.
        self.lock_times: list[LockTime] | None = None
        if self.sqlite:
            event.listen(self.engine, "connect", _prepare_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a connection that sees one state of the database until the block ends."""
        with _explain_errors(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a connection in a transaction: commit at the end of the block, roll back if it raises."""
        with _explain_errors(), self._turn(), self.engine.connect() as connection:
            connection = connection.execution_options(pincite_immediate=True)
            with connection.begin() as transaction, self._timed():
                yield connection
                transaction.commit()

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Record how long the lock is held, if `lock_times` is set."""
        began = time.perf_counter(), time.thread_time()
        try:
            yield
        finally:
            if self.lock_times is not None:
                self.lock_times.append(LockTime(time.perf_counter() - began[0], time.thread_time() - began[1]))

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Let the threads of this process write one after another, because SQLite only polls for its lock."""
        if not self.sqlite:
            yield
            return
        if not self._writer.acquire(timeout=_PATIENCE):
            raise StorageError("Other work locked the database for too long.", "Try again when it has finished.")
        try:
            yield
        finally:
            self._writer.release()

    def revision(self) -> str | None:
        """Return the revision of the tables, or None for an empty database."""
        try:
            with self.engine.connect() as connection:
                found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
                return found
        except DBAPIError as error:
            if _is_table_missing(error):
                return None
            raise _explain_error(error) from error
        except UnicodeDecodeError as error:  # raised for the message in which SQLite quotes the damaged value
            raise _make_damaged_error() from error

    def size(self) -> int:
        """Return the size of the database on disk in bytes."""
        if self.sqlite:
            files = (Path(f"{self.engine.url.database or ''}{suffix}") for suffix in ("", "-wal", "-shm"))
            return sum(file.stat().st_size for file in files if file.is_file())
        with self.reading() as connection:
            return int(connection.scalar(text("SELECT pg_database_size(current_database())")) or 0)

    @contextmanager
    def reading_repeatably(self) -> Iterator[Connection]:
        """Open a connection to PostgreSQL on which all queries see one state of the database."""
        with _explain_errors(), self.engine.connect() as connection:
            yield connection.execution_options(isolation_level="REPEATABLE READ")

    @contextmanager
    def using_driver(self) -> Iterator[sqlite3.Connection]:
        """Open a connection of SQLite's driver outside any transaction, for commands that run in none."""
        with _explain_errors():
            pooled = self.engine.raw_connection()
            try:
                driver = pooled.driver_connection
                assert isinstance(driver, sqlite3.Connection)
                yield driver
            finally:
                pooled.close()

    def erase_log(self) -> bool:
        """Empty SQLite's write-ahead log, which contains removed rows; return False if a reader still needs it."""
        if not self.sqlite:
            return True
        with self.using_driver() as driver:
            return bool(driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)

    def migrate(self) -> None:
        """Upgrade the tables to this program's revision; import alembic only if there is something to do."""
        if self.revision() == HEAD:
            return
        from alembic.migration import MigrationContext

        with self.writing() as connection:
            if not self.sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
            # Read the revision again: another process may have migrated while this one waited.
            found = MigrationContext.configure(connection).get_current_revision()
            if found and not is_known_revision(found):
                raise StorageError(
                    "The database was made by a newer version of Pincite.",
                    "Upgrade Pincite, or set `data` (or `database`) to another location.",
                )
            upgrade_tables(connection)

    def close(self) -> None:
        self.engine.dispose()


def is_known_revision(revision: str) -> bool:
    """Whether this program knows a revision of the tables: it may upgrade them to its own."""
    from alembic.script import ScriptDirectory

    return revision in {script.revision for script in ScriptDirectory.from_config(_make_config()).walk_revisions()}


def upgrade_tables(connection: Connection, revision: str = "head") -> None:
    """Upgrade the tables to a revision, in the caller's transaction. An empty database gets its tables."""
    from alembic import command

    config = _make_config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _make_config() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config


def find_sqlite_file(settings: Settings) -> Path | None:
    """Return the file of the database, or None if the database is no SQLite file."""
    if not settings.database:
        return settings.data / "pincite.db"
    url = make_url(settings.database)
    is_file = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    return Path(url.database or "") if is_file else None


def open_database(settings: Settings) -> Database:
    """Open the database of the settings: create its folder and migrate its tables."""
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
    """Create the data folder, accessible only to its owner."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"The data folder {folder} cannot be created: {error.strerror or error}.",
            "Set another one with `data` in pincite.toml or PINCITE_DATA.",
        ) from error


def _make_private(file: Path) -> None:
    """Create a database file accessible only to its owner; SQLite gives its other files the same permissions."""
    with suppress(OSError):  # the file exists, or SQLite itself reports why it cannot be created
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def find_sqlite_features() -> tuple[str, bool]:
    """Return SQLite's version, and whether it supports full-text search."""
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
    # Switch off the driver's own transactions; `_begin_sqlite` sends BEGIN.
    connection.isolation_level = None
    connection.create_function(sql_folding.FUNCTION, 1, fold_in_place, deterministic=True)
    connection.execute(f"PRAGMA busy_timeout = {_PATIENCE * 1000}").close()
    _enable_write_ahead(connection)
    for pragma in (
        "synchronous = NORMAL",
        "secure_delete = ON",  # a removed row is overwritten, so that deleted documents are not in the file
        "foreign_keys = ON",
        "cache_size = -65536",
        "mmap_size = 1073741824",
        "temp_store = MEMORY",
    ):
        connection.execute(f"PRAGMA {pragma}").close()


def _enable_write_ahead(connection: Any) -> None:
    """Switch to the write-ahead log, and retry while another process does the same, for which SQLite does not wait."""
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
def _explain_errors() -> Iterator[None]:
    try:
        yield
    except IntegrityError as error:
        if _REMOVED in str(error.orig):
            raise _explain_error(error) from error
        raise
    except DBAPIError as error:
        raise _explain_error(error) from error
    except (UnicodeDecodeError, JSONDecodeError, zlib.error) as error:
        # A value in the database is not the one that was written.
        raise _make_damaged_error() from error


def _is_table_missing(error: DBAPIError) -> bool:
    return "no such table" in str(error.orig) or getattr(error.orig, "sqlstate", "") == "42P01"


# Parts of driver messages, and their explanation for the person who runs the program.
_EXPLANATIONS = (
    (
        ("readonly", "read-only"),
        "The database is read-only.",
        "Make the data folder and its files writable for the user who runs Pincite.",
    ),
    (
        ("locked", "busy"),
        "Another process kept the database locked for too long.",
        "Wait until it is done, or stop it; `pincite doctor` helps to find it.",
    ),
    (
        ("unable to open",),
        "The database file cannot be opened.",
        "Check that the data folder exists and belongs to the user who runs Pincite.",
    ),
)


# The message of the triggers that refuse rows of a person who was deleted.
_REMOVED = "the account was deleted"
_FULL = ("disk is full", "No space left", "could not extend file")
_DAMAGED = ("malformed", "not a database", "disk I/O error", "Could not decode", "no such table")


def _make_damaged_error() -> Damaged:
    return Damaged(
        "The database file is damaged, or its disk is.",
        "`pincite doctor` says more. Restore the file from a copy, or move it away and add the documents again.",
    )


def _explain_error(error: DBAPIError) -> PinciteError:
    reported = str(error.orig)
    if _REMOVED in reported:
        return NotSignedIn("The account was deleted.", "Sign in with another one.", "session_ended")
    # On a full disk SQLite cannot create its shared-memory file, and reports an I/O error.
    if any(mark in reported for mark in _FULL) or getattr(error.orig, "sqlite_errorname", "") == "SQLITE_IOERR_SHMSIZE":
        return DiskFull()
    if any(mark in reported for mark in _DAMAGED):
        return _make_damaged_error()
    for marks, message, hint in _EXPLANATIONS:
        if any(mark in reported for mark in marks):
            return StorageError(message, hint)
    if isinstance(error, OperationalError) and getattr(error.orig, "sqlite_errorname", None) is None:
        return StorageError(
            f"The database cannot be reached: {reported.strip()}",
            "Check the address in `database` and that the server is up.",
        )
    return StorageError(
        f"The database returned an error: {reported.strip()}", "This is a fault of ours: please report it."
    )
