"""Find out how a PostgreSQL server and its replica are, for `pincite doctor`. Nothing is changed."""

import time
from dataclasses import dataclass

from sqlalchemy import Connection, text

from pincite.settings_postgres import PostgresSettings
from pincite.store.database import Database
from pincite.store.database_errors import explain_errors
from pincite.store.postgres_engine import make_postgres_engine, parse_address

_APPLICATION = "pincite"  # the name that our connections give themselves


@dataclass(frozen=True, slots=True)
class OpenTransaction:
    """The transaction that has been open for longest: its seconds, what it does, and the process that has it."""

    seconds: float
    state: str
    process: int


@dataclass(frozen=True, slots=True)
class PostgresFacts:
    """Facts that a PostgreSQL server reports. `machines` are the addresses that our programs connect from."""

    version: str
    vector: str  # the version of the extension, empty if it is not installed
    vector_available: str  # the version that could be installed, or empty
    revision: str
    bytes: int
    most_connections: int
    connections: int
    own_connections: int
    machines: int
    clock_skew: float  # seconds that the server's clock is ahead of ours
    oldest: OpenTransaction | None


@dataclass(frozen=True, slots=True)
class ReplicaFacts:
    """A replica: whether it is one, how many bytes it is behind, and how old its last change is."""

    is_standby: bool
    bytes_behind: int
    seconds_behind: float


def read_postgres_facts(database: Database) -> PostgresFacts:
    """Ask the server about itself."""
    revision = database.revision() or ""
    with explain_errors(), database.engine.connect() as connection:
        skew = _measure_skew(connection)
        vector = connection.scalar(text("SELECT extversion FROM pg_extension WHERE extname = 'vector'"))
        available = connection.scalar(text("SELECT default_version FROM pg_available_extensions WHERE name = 'vector'"))
        used, own, machines = connection.execute(
            text(
                "SELECT count(*), count(*) FILTER (WHERE application_name = :name AND datname = current_database()), "
                "count(DISTINCT coalesce(host(client_addr), '')) FILTER (WHERE application_name = :name "
                "AND datname = current_database()) FROM pg_stat_activity WHERE backend_type = 'client backend'"
            ),
            {"name": _APPLICATION},
        ).one()
        return PostgresFacts(
            version=str(connection.scalar(text("SHOW server_version"))).split()[0],
            vector=vector or "",
            vector_available=available or "",
            revision=revision,
            bytes=int(connection.scalar(text("SELECT pg_database_size(current_database())")) or 0),
            most_connections=int(connection.scalar(text("SHOW max_connections")) or 0),
            connections=used,
            own_connections=own - 1,  # not the one that asks
            machines=machines,
            clock_skew=skew,
            oldest=_find_oldest_transaction(connection),
        )


def read_replica_facts(database: Database, settings: PostgresSettings) -> ReplicaFacts:
    """Ask the replica how far it is, and the primary how far it should be."""
    address = parse_address(settings.replica.get_secret_value())
    engine = make_postgres_engine(address, settings, keeps_connections=False)
    with explain_errors():
        with database.engine.connect() as primary:
            position = primary.scalar(text("SELECT CAST(pg_current_wal_flush_lsn() AS text)"))
        with engine.connect() as replica:
            is_standby, behind, age = replica.execute(
                text(
                    "SELECT pg_is_in_recovery(), "
                    "greatest(pg_wal_lsn_diff(CAST(:position AS pg_lsn), pg_last_wal_replay_lsn()), 0), "
                    "extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())"
                ),
                {"position": position},
            ).one()
    behind = int(behind or 0)
    return ReplicaFacts(bool(is_standby), behind, float(age or 0.0) if behind else 0.0)


def _measure_skew(connection: Connection) -> float:
    before = time.time()
    theirs = float(connection.scalar(text("SELECT extract(epoch FROM clock_timestamp())")) or 0.0)
    return theirs - (before + time.time()) / 2


def _find_oldest_transaction(connection: Connection) -> OpenTransaction | None:
    query = text(
        "SELECT extract(epoch FROM clock_timestamp() - xact_start), state, pid FROM pg_stat_activity "
        "WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid() "
        "AND backend_type = 'client backend' ORDER BY xact_start LIMIT 1"
    )
    row = connection.execute(query).one_or_none()
    return OpenTransaction(float(row[0]), row[1] or "", row[2]) if row else None
