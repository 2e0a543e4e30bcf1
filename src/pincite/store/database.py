"""The database: an address in, connections out, one that reads or one that writes, and errors a person can act on."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, OperationalError

from pincite.errors import Misuse, PinciteError, StorageError
from pincite.settings import Settings
from pincite.store import folding

HEAD = "0006"
_MIGRATIONS = Path(__file__).parent / "migrations"
# Any number will do, as long as every process takes the same: PostgreSQL's lock around a migration.
_MIGRATION_LOCK = 5_046_483
_PATIENCE = 30  # seconds to wait for SQLite's lock


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
        with _explained(), self.engine.connect() as connection:
            connection = connection.execution_options(pincite_immediate=True)
            with connection.begin():
                yield connection

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


def _lacks_table(error: DBAPIError) -> bool:
    return "no such table" in str(error.orig) or getattr(error.orig, "sqlstate", "") == "42P01"


# What the drivers say, and what it means to the person who runs the program.
_EXPLANATIONS = (
    (("disk is full", "No space left", "could not extend file"), "The disk is full.", "Free some space, then go on."),
    (
        ("readonly", "read-only"),
        "The database may not be written to.",
        "Give the data folder and its files back to the user who runs Pincite.",
    ),
    (
        ("malformed", "not a database", "disk I/O error"),
        "The database file is damaged, or its disk is.",
        "Restore it from a copy, or move it away and add the documents again.",
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


def _explanation(error: DBAPIError) -> PinciteError:
    said = str(error.orig)
    for marks, message, hint in _EXPLANATIONS:
        if any(mark in said for mark in marks):
            return StorageError(message, hint)
    if isinstance(error, OperationalError) and getattr(error.orig, "sqlite_errorname", None) is None:
        return StorageError(
            f"The database cannot be reached: {said.strip()}",
            "Check the address in `database` and that the server is up.",
        )
    return StorageError(f"The database refused: {said.strip()}", "This is a fault of ours: please report it.")
