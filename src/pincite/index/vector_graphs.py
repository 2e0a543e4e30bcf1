"""Build the graphs (HNSW) in which PostgreSQL finds the vectors near another one: one for each model.

Until a model has its graph, a search compares with every vector: it takes longer, and is exact. A build that fails is
tried again after a pause that grows. All servers and workers know of it by the comment on the table `vector_models`.
"""

import json
import logging
from contextlib import suppress
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, OperationalError

from pincite.errors import StorageError
from pincite.store import lock_keys
from pincite.store.database import Database
from pincite.store.database_errors import explain_error, is_away
from pincite.store.exclusive_work import lock_connection

GRAPH = "ix_passage_vectors_graph_"  # begins the names of the graphs, which end with the number of the model
_AROUND_A_VECTOR = 1_300  # bytes that pgvector needs for a vector's neighbours during a build
_MEGABYTE = 1 << 20
_MEMORY = "maintenance_work_mem"
_FIRST_PAUSE, _PAUSE_FACTOR, _LONGEST_PAUSE = 60.0, 4.0, 21_600.0  # seconds after a build that failed

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FailedBuild:
    """How often the build of a graph failed since it last succeeded, when it did, and why."""

    attempts: int
    at: float
    reason: str

    @property
    def next_at(self) -> float:
        """The time from which it is tried again."""
        return self.at + min(_FIRST_PAUSE * _PAUSE_FACTOR ** (self.attempts - 1), _LONGEST_PAUSE)


def read_failures(connection: Connection) -> dict[str, FailedBuild]:
    """Return the builds that failed last time, by the name of the model."""
    comment = connection.scalar(text("SELECT obj_description(CAST('vector_models' AS regclass), 'pg_class')"))
    try:
        return {name: FailedBuild(**failure) for name, failure in json.loads(comment or "{}").items()}
    except (ValueError, TypeError, AttributeError):  # another program wrote the comment
        return {}


def has_graph(connection: Connection, model: int) -> bool:
    """Whether the vectors of a model have a complete graph."""
    query = text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)")
    return bool(connection.scalar(query, {"name": _name_graph(model)}))


def list_lacking_graphs(connection: Connection, least: int) -> list[str]:
    """Return the names of the models that have so many vectors and no graph: searching them takes long."""
    return [name for _, name, _ in _list_lacking(connection, least)]


def build_graphs(database: Database, least: int) -> list[str]:
    """Build a graph for each model that has at least so many vectors and none yet; return the names of these models.

    Writers go on meanwhile. If another process builds already, or a build failed a short while ago, nothing is done.
    Raise `StorageError` if a build fails.
    """
    with database.reading() as connection:
        if not _list_due(connection, least):
            return []
    # PostgreSQL builds an index beside writers only outside of a transaction.
    # The connection that builds has the lock: PostgreSQL goes on building when this process ends.
    with database.outside_transactions() as connection, lock_connection(connection, lock_keys.GRAPHS) as is_alone:
        if not is_alone:
            return []
        built, failed = [], []
        for id, name, dimension in _list_due(connection, least):
            try:
                built.append(_build(connection, id, name, dimension))
                _note_result(connection, name, None)
            except DBAPIError as error:
                if is_away(error):
                    raise
                failed.append((name, _note_result(connection, name, explain_error(error).message)))
                with suppress(DBAPIError):  # else PostgreSQL would keep the incomplete graph up to date
                    _drop(connection, id)
    if failed:
        name, failure = failed[0]
        raise StorageError(
            f"The graph of the vectors of {name} cannot be built: {failure.reason}",
            f"Search goes on without it. It is tried again in {round(failure.next_at - failure.at)} seconds.",
        )
    return built


def _list_due(connection: Connection, least: int) -> list[tuple[int, str, int]]:
    """Return the models that lack a graph which is to be built now."""
    failures = read_failures(connection)
    if not failures:
        return _list_lacking(connection, least)
    now = _read_clock(connection)
    return [
        (id, name, dimension)
        for id, name, dimension in _list_lacking(connection, least)
        if name not in failures or failures[name].next_at <= now
    ]


def _note_result(connection: Connection, name: str, reason: str | None) -> FailedBuild:
    """Store that a build failed for this reason, or that it succeeded."""
    known = read_failures(connection)
    former = known.pop(name, FailedBuild(0, 0.0, ""))
    failure = FailedBuild(former.attempts + 1, _read_clock(connection), reason or "")
    if reason is not None:
        known[name] = failure
    if reason is not None or former.attempts:
        comment = json.dumps({name: asdict(each) for name, each in known.items()}) if known else ""
        # A comment takes no parameters. One that is empty is removed.
        quoted = connection.scalar(text("SELECT quote_literal(:comment)"), {"comment": comment})
        connection.exec_driver_sql(f"COMMENT ON TABLE vector_models IS {quoted}".replace("%", "%%"))
    return failure


def _read_clock(connection: Connection) -> float:
    return float(connection.scalar(text("SELECT extract(epoch FROM clock_timestamp())")) or 0.0)


def _list_lacking(connection: Connection, least: int) -> list[tuple[int, str, int]]:
    """Return the number, name and dimension of each model that has many vectors and no graph."""
    known = connection.execute(text("SELECT id, name, dimension FROM vector_models")).all()
    query = text("SELECT count(*) FROM (SELECT 1 FROM passage_vectors WHERE model = :id LIMIT :least) AS counted")
    return [
        (id, name, dimension)
        for id, name, dimension in known
        if not has_graph(connection, id) and connection.scalar(query, {"id": id, "least": least}) == least
    ]


def _build(connection: Connection, id: int, name: str, dimension: int) -> str:
    count = connection.scalar(text("SELECT count(*) FROM passage_vectors WHERE model = :id"), {"id": id}) or 0
    needed = count * (2 * dimension + _AROUND_A_VECTOR)
    memory = max(min(needed, 2 * _read_bytes(connection, "shared_buffers")), _read_bytes(connection, _MEMORY))
    connection.execute(text(f"SET {_MEMORY} = '{memory // _MEGABYTE}MB'"))
    log.info("Building the graph of %d vectors of %s with %d MB of memory.", count, name, memory // _MEGABYTE)
    try:
        _create(connection, id, dimension)
    except OperationalError as error:
        if getattr(error.orig, "sqlstate", "") != "53100":  # the disk is full
            raise
        # Several workers share the graph in /dev/shm, which is small in a container; one alone needs none.
        connection.execute(text("SET max_parallel_maintenance_workers = 0"))
        _create(connection, id, dimension)
    return name


def _create(connection: Connection, id: int, dimension: int) -> None:
    _drop(connection, id)  # that of an interrupted build
    connection.execute(
        text(
            f"CREATE INDEX CONCURRENTLY {_name_graph(id)} ON passage_vectors "
            f"USING hnsw ((vector::halfvec({int(dimension)})) halfvec_ip_ops) WHERE model = {int(id)}"
        )
    )


def _drop(connection: Connection, id: int) -> None:
    connection.execute(text(f"DROP INDEX CONCURRENTLY IF EXISTS {_name_graph(id)}"))


def _read_bytes(connection: Connection, setting: str) -> int:
    return int(connection.scalar(text("SELECT pg_size_bytes(current_setting(:name))"), {"name": setting}) or 0)


def _name_graph(model: int) -> str:
    return f"{GRAPH}{int(model)}"
