"""Connect to PostgreSQL: addresses, a pool of connections, and time-outs on each of them."""

import select
import time
from typing import Any

from sqlalchemy import URL, Engine, NullPool, create_engine, event, make_url
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import ArgumentError, InvalidatePoolError
from sqlalchemy.pool import ConnectionPoolEntry

from pincite.errors import Misuse
from pincite.settings_postgres import PostgresSettings
from pincite.store.database_errors import LOST

_DRIVER = "postgresql+psycopg"
_HINT = "Give postgresql://user:password@host/name, or sqlite:////folder/name.db; empty is one file in the data folder."

_TRUSTED_SECONDS = 2.0  # after its last use, while nothing has arrived on a connection, it is not tried again
_USED = "pincite_used"

_ENCODING_HINT = "In a user name or password, write @ as %40, : as %3A, / as %2F and % as %25."


def parse_address(address: str | URL) -> URL:
    """Return a database address with our driver. An error does not repeat the address: it may hold a password."""
    try:
        url = make_url(address)
        backend = "postgresql" if url.drivername == "postgres" else url.get_backend_name()
    except (ArgumentError, ValueError):
        raise Misuse("The database address cannot be read.", _HINT) from None
    if "@" in (url.host or ""):
        # The driver would name the host in its errors, and with it the end of the password.
        raise Misuse("The database address cannot be read: it has more than one @.", _ENCODING_HINT)
    if backend not in ("sqlite", "postgresql"):
        raise Misuse(f"The database address cannot be used: there is no support for {backend}.", _HINT)
    return url.set(drivername=_DRIVER) if backend == "postgresql" else url


def make_postgres_engine(
    url: URL, settings: PostgresSettings, *, is_pooler: bool = False, keeps_connections: bool = True
) -> Engine:
    """Return an engine for PostgreSQL, or for a PgBouncer in transaction mode in front of it.

    A connection is tried before it is handed out: the server may have restarted since it was last used. A server that
    stops closes its connections, which costs no question to see; so one that was used a moment ago is only looked at.
    """
    pool: dict[str, Any] = {"poolclass": NullPool}
    if keeps_connections:
        pool = {
            "pool_size": settings.connections,
            "max_overflow": settings.more_connections,
            "pool_timeout": settings.pool_seconds,
        }
    try:
        # Neither a log nor the words of an error repeat values: people type passwords into the wrong field.
        engine = create_engine(
            url, hide_parameters=True, connect_args=_list_connect_arguments(url, settings, is_pooler), **pool
        )
    except ImportError:
        raise Misuse(
            "PostgreSQL needs the package psycopg, which is not installed.", "Run: pip install 'pincite[postgres]'"
        ) from None
    event.listen(engine, "handle_error", _drop_lost_connections)
    if keeps_connections:
        _try_connections(engine, is_pooler)
    return engine


def _try_connections(engine: Engine, is_pooler: bool) -> None:
    """Let the pool try a connection before it hands it out, and replace all of them if it is lost.

    A connection to a pooler is tried each time: it stays open when the server behind the pooler stops.
    """

    def note_use(_connection: Any, record: ConnectionPoolEntry) -> None:
        record.info[_USED] = time.monotonic()

    def try_connection(connection: Any, record: ConnectionPoolEntry, _: object) -> None:
        if _USED not in record.info:
            return  # it is new: if the server is away, the first statement says so
        try:
            is_trusted = not is_pooler and time.monotonic() - record.info[_USED] < _TRUSTED_SECONDS
            if not is_trusted or _has_input(connection):
                engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise InvalidatePoolError from error

    event.listen(engine, "checkin", note_use)
    event.listen(engine, "checkout", try_connection)


def _has_input(connection: Any) -> bool:
    """Whether something has arrived on a connection that waits for nothing, such as its end."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def _list_connect_arguments(url: URL, settings: PostgresSettings, is_pooler: bool) -> dict[str, Any]:
    silence = settings.silence_seconds
    given: dict[str, Any] = {
        "connect_timeout": settings.connect_seconds,
        "application_name": "pincite",
        "keepalives": 1,
        "keepalives_idle": max(silence // 2, 1),
        "keepalives_interval": max(silence // 6, 1),
        "keepalives_count": 3,
        "tcp_user_timeout": silence * 1000,
    }
    if is_pooler:
        # The pooler gives every transaction another connection: none of them has our prepared statements, and it
        # refuses options that are set when a connection is opened.
        given["prepare_threshold"] = None
    else:
        limits = {
            "statement_timeout": settings.statement_seconds,
            "lock_timeout": settings.lock_seconds,
            "idle_in_transaction_session_timeout": settings.idle_seconds,
        }
        own = " ".join(f"-c {name}={round(seconds * 1000)}" for name, seconds in limits.items())
        extra = url.query.get("options", "")
        given["options"] = f"{own} {extra if isinstance(extra, str) else ' '.join(extra)}".strip()
    return {name: value for name, value in given.items() if name == "options" or name not in url.query}


def _drop_lost_connections(context: ExceptionContext) -> None:
    """Make the pool forget its connections when the server stops or starts, or has become a standby."""
    state = getattr(context.original_exception, "sqlstate", None)
    options = context.connection.get_execution_options() if context.connection is not None else {}
    is_standby = state == "25006" and not options.get("postgresql_readonly")
    is_standby |= state == "0A000" and "during recovery" in str(context.original_exception)
    if state in LOST or is_standby:
        context.is_disconnect = True
