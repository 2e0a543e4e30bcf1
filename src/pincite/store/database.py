"""Open the database, migrate it, hand out connections for reading or writing, and explain its errors."""

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from sqlalchemy import URL, Engine, event, text
from sqlalchemy import Connection as Connection  # re-exported for callers that pass a connection on
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry

from pincite.errors import DatabaseAway, Moved, PinciteError, RowsLocked, StorageError
from pincite.settings import Settings
from pincite.settings_postgres import PostgresSettings
from pincite.store import lock_keys
from pincite.store.database_errors import explain_error, explain_errors, is_away, is_table_missing, make_damaged_error
from pincite.store.postgres_engine import make_postgres_engine, parse_address
from pincite.store.replica import Replica
from pincite.store.sqlite_engine import LOCK_SECONDS, make_private, make_sqlite_engine
from pincite.store.table_revisions import HEAD, list_later_revisions, upgrade_known_tables

log = logging.getLogger(__name__)

_MIGRATION_WAIT = 2000  # milliseconds that a step waits for a lock
_MIGRATION_PAUSE = 1.0  # seconds before it is repeated
_MIGRATION_PATIENCE = 600.0  # seconds until it fails


# How long this task waits for a database that is away before it fails, in seconds.
_patience: ContextVar[float] = ContextVar("patience", default=0.0)
_AWAY_LOOK = 0.5  # seconds between checks whether it is back

R = TypeVar("R")


def wait_while_away(seconds: float) -> None:
    """Let this task and the threads that it starts wait so long for a database that is away."""
    _patience.set(seconds)


@dataclass(frozen=True, slots=True)
class LockTime:
    """How long a transaction held the lock: in wall-clock seconds and in CPU seconds of its thread."""

    seconds: float
    cpu_seconds: float


class Database:
    """The database engine. On SQLite, writers wait for the write lock instead of failing."""

    def __init__(self, url: str | URL, postgres: PostgresSettings | None = None) -> None:
        address, settings = parse_address(url), postgres or PostgresSettings()
        self.sqlite = address.get_backend_name() == "sqlite"
        self.engine: Engine
        self._direct: Engine | None = None
        self._replica: Replica | None = None
        self._writer = threading.Lock()
        # If this is a list, the duration of each write transaction is appended to it.
        self.lock_times: list[LockTime] | None = None
        if self.sqlite:
            self.engine = make_sqlite_engine(address)
            return
        self._is_closed = False
        direct, replica = settings.direct.get_secret_value(), settings.replica.get_secret_value()
        self.engine = make_postgres_engine(address, settings, is_pooler=bool(direct))
        event.listen(self.engine, "checkin", self._close_late)
        if direct:
            self._direct = make_postgres_engine(parse_address(direct), settings, keeps_connections=False)
        if replica:
            engine = make_postgres_engine(parse_address(replica), settings)
            self._replica = Replica(engine, self.engine, settings.replica_wait_seconds)

    @property
    def direct(self) -> Engine:
        """The engine whose connections are the caller's alone, also where `database` is a pooler: for LISTEN."""
        return self._direct or self.engine

    @contextmanager
    def reading(self, *, long: bool = False) -> Iterator[Connection]:
        """Open a connection that sees one state of the database until the block ends. A `long` one has no time-outs."""
        with explain_errors(), self._connect() as connection:
            if not self.sqlite:
                connection = connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
                if long:
                    _lift_limits(connection)
            yield connection

    @contextmanager
    def searching(self) -> Iterator[Connection]:
        """Open a connection as `reading` does: to the replica if there is one that has all stored changes.

        The transaction is committed, because the driver forgets its prepared statements when one is rolled back.
        """
        with explain_errors():
            connection = self._replica.connect() if self._replica else None
        if connection is None:
            with self.reading() as connection:
                yield connection
                connection.commit()
            return
        assert self._replica
        with explain_errors(), connection:
            try:
                yield connection
                connection.commit()
            except DBAPIError as error:
                # Also a query that was in the way of the replay. The next search uses the primary.
                self._replica.note_failure(error)
                raise DatabaseAway(
                    "The read replica stopped answering.", "Try again: the primary answers now."
                ) from error

    @contextmanager
    def writing(self, *, long: bool = False) -> Iterator[Connection]:
        """Open a connection in a transaction: commit at the end of the block, roll back if it raises.

        A `long` one has no time-outs.
        """
        with explain_errors(), self._turn(), self._connect() as connection:
            connection = connection.execution_options(pincite_immediate=True)
            with connection.begin() as transaction, self._timed():
                if long and not self.sqlite:
                    _lift_limits(connection)
                yield connection
                transaction.commit()

    def read_transaction_number(self, connection: Connection) -> str:
        """Return the number of the transaction that a connection is in; empty on SQLite."""
        if self.sqlite:
            return ""
        return str(connection.scalar(text("SELECT CAST(pg_current_xact_id() AS text)")))

    def was_committed(self, number: str) -> bool:
        """Return whether a transaction was committed whose connection was lost; `DatabaseAway` while it is not over."""
        with self.reading() as connection:
            status = connection.scalar(text("SELECT pg_xact_status(CAST(:number AS xid8))"), {"number": number})
        if status == "in progress":
            raise DatabaseAway
        return bool(status == "committed")

    @contextmanager
    def outside_transactions(self) -> Iterator[Connection]:
        """Open a connection to PostgreSQL that commits each statement, without time-outs: for building an index."""
        with explain_errors(), self.direct.connect() as connection:
            connection = connection.execution_options(isolation_level="AUTOCOMMIT")
            _lift_limits(connection, is_local=False)
            try:
                yield connection
            finally:
                connection.invalidate()  # the limits are this connection's, so it does not go back to the pool

    def repeat(self, work: Callable[[], R]) -> R:
        """Return the result of work that only reads, repeated if the database goes away during it.

        It is repeated once in any case, because a search that lost the replica can use the primary, and as long as
        `wait_while_away` allows.
        """
        until = time.monotonic() + _patience.get()
        try:
            return work()
        except DatabaseAway:
            pass
        while True:
            try:
                return work()
            except DatabaseAway:
                if time.monotonic() >= until:
                    raise
            time.sleep(_AWAY_LOOK)

    def _connect(self) -> Connection:
        """Open a connection, and wait for a server that is away as long as `wait_while_away` allows."""
        until = time.monotonic() + _patience.get()
        while True:
            try:
                return self.engine.connect()
            except DBAPIError as error:
                if time.monotonic() >= until or not is_away(error):
                    raise
            time.sleep(_AWAY_LOOK)

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
        if not self._writer.acquire(timeout=LOCK_SECONDS):
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
            if is_table_missing(error):
                return None
            raise explain_error(error) from error
        except UnicodeDecodeError as error:  # raised for the message in which SQLite quotes the damaged value
            raise make_damaged_error() from error

    def size(self) -> int:
        """Return the size of the database on disk in bytes."""
        if self.sqlite:
            files = (Path(f"{self.engine.url.database or ''}{suffix}") for suffix in ("", "-wal", "-shm"))
            return sum(file.stat().st_size for file in files if file.is_file())
        with self.reading() as connection:
            return int(connection.scalar(text("SELECT pg_database_size(current_database())")) or 0)

    @contextmanager
    def reading_repeatably(self) -> Iterator[Connection]:
        """Open a connection to PostgreSQL on which all queries see one state of the database, without time-outs."""
        with explain_errors(), self.engine.connect() as connection:
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
            _lift_limits(connection)
            yield connection

    @contextmanager
    def using_driver(self) -> Iterator[sqlite3.Connection]:
        """Open a connection of SQLite's driver outside any transaction, for commands that run in none."""
        with explain_errors():
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
        """Upgrade the tables to this program's revision; import alembic only if there is something to do.

        On PostgreSQL other servers may go on working meanwhile. Each step is a transaction of its own that waits only
        a moment for locks and is repeated otherwise: a transaction that waits for a lock holds up all that come later.
        """
        found = self.revision()
        if found == HEAD:
            return
        if self.sqlite:
            with self.writing() as connection:
                upgrade_known_tables(connection)
            return
        for step in list_later_revisions(found) if found else ["head"]:
            self._migrate_step(step)

    def _migrate_step(self, step: str) -> None:
        until = time.monotonic() + _MIGRATION_PATIENCE
        while True:
            try:
                with explain_errors(), self.direct.connect() as connection, connection.begin():
                    _lift_limits(connection)
                    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": lock_keys.MIGRATION})
                    connection.execute(text(f"SET LOCAL lock_timeout = {_MIGRATION_WAIT}"))
                    upgrade_known_tables(connection, step)
                return
            except RowsLocked:
                if time.monotonic() >= until:
                    raise
            log.info("A step of the migration waits for other work on the same tables.")
            time.sleep(_MIGRATION_PAUSE)

    def close(self) -> None:
        self._is_closed = True
        self.engine.dispose()
        if self._replica:
            self._replica.close()

    def _close_late(self, _connection: object, record: ConnectionPoolEntry) -> None:
        """Close a connection that a thread returns after `close`: its pool is gone."""
        if self._is_closed:
            record.invalidate()


def find_sqlite_file(settings: Settings) -> Path | None:
    """Return the file of the database, or None if the database is no SQLite file."""
    if not settings.database:
        return settings.data / "pincite.db"
    url = parse_address(settings.database)
    is_file = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    return Path(url.database or "") if is_file else None


def open_database(settings: Settings, *, may_be_moved: bool = False) -> Database:
    """Open the database of the settings: create its folder and migrate its tables.

    A store that was moved to another database, or is being moved here, is refused.
    """
    make_folder(settings.data)
    if not settings.database:
        make_private(settings.data / "pincite.db")
    file = URL.create("sqlite", database=str(settings.data / "pincite.db"))
    database = Database(settings.database or file, settings.postgres)
    try:
        database.migrate()
        if not may_be_moved:
            refuse_moved(database)
    except PinciteError:
        database.close()
        raise
    return database


def refuse_moved(database: Database) -> None:
    """Raise `Moved` if the store was moved away, and `StorageError` if it is still being moved here."""
    open_records = "(VALUES ('source', 'moved'), ('target', 'copying'))"
    with database.reading() as connection:
        found = connection.execute(text(f"SELECT role, other FROM moves WHERE (role, state) IN {open_records}")).first()
    if found is not None and found.role == "source":
        raise Moved(found.other)
    if found is not None:
        raise StorageError(
            f"A store is being moved into this database from {found.other}.",
            "Wait until the move is done, or finish it: run the same `pincite move` again.",
            "moving",
        )


def make_folder(folder: Path) -> None:
    """Create the data folder, accessible only to its owner."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"The data folder {folder} cannot be created: {error.strerror or error}.",
            "Set another one with `data` in pincite.toml or PINCITE_DATA.",
        ) from error


def _lift_limits(connection: Connection, *, is_local: bool = True) -> None:
    """Remove PostgreSQL's time-outs: for this transaction alone, or for the whole connection."""
    names = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
    lifted = ", ".join(f"set_config('{name}', '0', :local)" for name in names)
    connection.execute(text(f"SELECT {lifted}"), {"local": is_local})
