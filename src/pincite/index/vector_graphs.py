"""Build the graphs (HNSW) in which PostgreSQL finds the vectors near another one: one for each model."""

import logging

from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from pincite.store import lock_keys
from pincite.store.database import Database

GRAPH = "ix_passage_vectors_graph_"  # begins the names of the graphs, which end with the number of the model
_AROUND_A_VECTOR = 1_300  # bytes that pgvector needs for a vector's neighbours during a build
_MEGABYTE = 1 << 20
_MEMORY = "maintenance_work_mem"

log = logging.getLogger(__name__)


def has_graph(connection: Connection, model: int) -> bool:
    """Whether the vectors of a model have a complete graph."""
    query = text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)")
    return bool(connection.scalar(query, {"name": _name_graph(model)}))


def list_lacking_graphs(connection: Connection, least: int) -> list[str]:
    """Return the names of the models that have so many vectors and no graph: searching them takes long."""
    return [name for _, name, _ in _list_lacking(connection, least)]


def build_graphs(database: Database, least: int) -> list[str]:
    """Build a graph for each model that has at least so many vectors and none yet; return the names of these models.

    Writers go on meanwhile. If another process builds already, nothing is done.
    """
    with database.reading() as connection:
        if not _list_lacking(connection, least):
            return []
    # PostgreSQL builds an index beside writers only outside of a transaction.
    with database.outside_transactions() as connection:
        if not connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": lock_keys.GRAPHS}):
            return []
        return [_build(connection, *model) for model in _list_lacking(connection, least)]


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
    connection.execute(text(f"DROP INDEX CONCURRENTLY IF EXISTS {_name_graph(id)}"))  # of an interrupted build
    connection.execute(
        text(
            f"CREATE INDEX CONCURRENTLY {_name_graph(id)} ON passage_vectors "
            f"USING hnsw ((vector::halfvec({int(dimension)})) halfvec_ip_ops) WHERE model = {int(id)}"
        )
    )


def _read_bytes(connection: Connection, setting: str) -> int:
    return int(connection.scalar(text("SELECT pg_size_bytes(current_setting(:name))"), {"name": setting}) or 0)


def _name_graph(model: int) -> str:
    return f"{GRAPH}{int(model)}"
