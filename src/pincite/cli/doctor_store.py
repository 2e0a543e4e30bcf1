"""The checks of `pincite doctor` for what servers share: PostgreSQL, its replica, files, the queue and who works."""

from typing import TYPE_CHECKING

from pincite.cli.finding import Finding
from pincite.errors import PinciteError

if TYPE_CHECKING:
    from pincite.index.vector_graphs import FailedBuild
    from pincite.library import Library
    from pincite.settings import Settings
    from pincite.store.database import Connection, Database

_SKEW = 2.0  # seconds between two clocks that are worth a word
_LONG = 300.0  # seconds of a transaction that holds up the cleaning of the tables
_STALE = 120.0  # seconds that a job waits without anybody at work
_BEHIND = 16_000_000  # bytes: about one segment of the log
_LEAST_VERSION = (14,)
_LEAST_VECTOR = (0, 8)  # the first with scans that go on until they have found enough


def check_postgres(settings: "Settings") -> list[Finding]:
    """Check the PostgreSQL server without migrating or changing anything; nothing on SQLite."""
    from pincite.store.database import Database
    from pincite.store.postgres_check import read_postgres_facts
    from pincite.store.postgres_engine import parse_address
    from pincite.store.table_revisions import HEAD, is_known_revision

    if not settings.database or parse_address(settings.database).get_backend_name() == "sqlite":
        return []
    database = Database(settings.database, settings.postgres)
    try:
        facts = read_postgres_facts(database)
        replica = _check_replica(settings, database) if settings.postgres.replica.get_secret_value() else []
    finally:
        database.close()
    detail = f"PostgreSQL {facts.version}, {facts.bytes / 1e6:,.0f} MB"
    if _parse_version(facts.version) < _LEAST_VERSION:
        found = [Finding("postgres", "wrong", f"{detail}: too old", "Use PostgreSQL 14 or later.")]
    else:
        found = [Finding("postgres", "ok", detail)]
    if not facts.vector:
        remedy = "Run `CREATE EXTENSION vector` in the database as its owner."
        if not facts.vector_available:
            remedy = "Install pgvector on the server (package postgresql-NN-pgvector), then `CREATE EXTENSION vector`."
        found.append(Finding("pgvector", "wrong", "the extension `vector` is not there", remedy))
    elif _parse_version(facts.vector) < _LEAST_VECTOR:
        remedy = "Install pgvector 0.8 or later, then `ALTER EXTENSION vector UPDATE`."
        found.append(Finding("pgvector", "wrong", f"{facts.vector} is too old", remedy))
    else:
        found.append(Finding("pgvector", "ok", facts.vector))
    if facts.revision == HEAD:
        found.append(Finding("tables", "ok", f"revision {HEAD}"))
    elif not facts.revision or is_known_revision(facts.revision):
        at = f"revision {facts.revision}" if facts.revision else "there are none"
        found.append(
            Finding("tables", "missing", f"{at}; this program has {HEAD}", "The next `pincite serve` migrates them.")
        )
    else:
        found.append(Finding("tables", "wrong", f"revision {facts.revision} is of a newer program", "Upgrade Pincite."))
    most = settings.postgres.connections + settings.postgres.more_connections
    detail = f"{facts.connections} of {facts.most_connections} are open, one process may open {most}"
    if most > facts.most_connections - 3:
        remedy = "Raise max_connections of the server, or lower postgres.connections and postgres.more_connections."
        found.append(Finding("connections", "wrong", detail, remedy))
    elif facts.connections > 0.8 * facts.most_connections:
        remedy = "Raise max_connections of the server, or put a PgBouncer before it; see docs/scaling.md."
        found.append(Finding("connections", "missing", f"{detail}: few are left", remedy))
    else:
        found.append(Finding("connections", "ok", detail))
    seen = f"{facts.own_connections} connections of Pincite from {max(facts.machines, 1)} addresses"
    found.append(Finding("servers", "ok", seen if facts.own_connections > 0 else "no other one is connected"))
    if facts.oldest and facts.oldest.seconds > _LONG:
        remedy = f"`SELECT pg_terminate_backend({facts.oldest.process})` ends it."
        detail = f"one is open for {facts.oldest.seconds:,.0f} s ({facts.oldest.state})"
        found.append(Finding("transactions", "missing", detail, remedy))
    if abs(facts.clock_skew) > _SKEW:
        way = "ahead of" if facts.clock_skew > 0 else "behind"
        detail = f"the database is {abs(facts.clock_skew):.1f} s {way} this machine"
        found.append(Finding("clock", "missing", detail, "Set both by NTP."))
    else:
        found.append(Finding("clock", "ok", f"{facts.clock_skew * 1000:+.0f} ms between the database and this machine"))
    return found + replica


def _check_replica(settings: "Settings", database: "Database") -> list[Finding]:
    from pincite.store.postgres_check import read_replica_facts

    remedy = "Searches use the primary meanwhile. See postgres.replica."
    try:
        facts = read_replica_facts(database, settings.postgres)
    except PinciteError as error:
        return [Finding("replica", "wrong", describe_away(error), remedy)]
    if not facts.is_standby:
        return [Finding("replica", "wrong", "the server at postgres.replica is no standby", remedy)]
    detail = f"{facts.bytes_behind / 1e6:.1f} MB behind"
    if facts.bytes_behind > _BEHIND:
        return [Finding("replica", "missing", f"{detail}, its last change is {facts.seconds_behind:.0f} s old", remedy)]
    return [Finding("replica", "ok", detail)]


def check_files(settings: "Settings") -> list[Finding]:
    """Write, read and remove a small file where documents are kept."""
    from pincite.store.files import open_files

    files = open_files(settings)
    wrong = next((step for step in files.check() if not step.ok), None)
    if wrong:
        remedy = "See files.url, files.key and files.secret." if settings.files.url else "See the settings `data`."
        return [Finding("files", "wrong", f"{wrong.name}: {wrong.words}", remedy)]
    return [Finding("files", "ok", f"{files.place}: written, read and removed")]


def check_queue(library: "Library") -> list[Finding]:
    """Check the queue of all owners, and the graphs of a large index."""
    from pincite.store.queue_numbers import read_queue_state

    with library.database.reading() as connection:
        state = read_queue_state(connection)
        lacking, failures = _list_lacking_graphs(library, connection)
    found = []
    if state.waiting or state.running:
        detail = f"{state.waiting + state.running} steps are waiting"
        detail += f" or running, the oldest for {_describe_seconds(state.oldest_seconds)}"
        if state.workers:
            detail += f"; {len(state.workers)} workers are at it"
        is_stale = state.oldest_seconds > _STALE and not state.workers
        remedy = "`pincite worker --once` runs them."
        found.append(Finding("work", "missing", detail + ("; nobody is at it" if is_stale else ""), remedy))
    if state.with_deaths:
        remedy = "A document is set aside after `jobs.attempts` deaths; look at the memory of the workers."
        found.append(Finding("deaths", "missing", f"workers died at {state.with_deaths} steps", remedy))
    if state.failed:
        found.append(Finding("failed", "missing", f"{state.failed} documents", "`pincite documents` says why."))
    if waiting := [name for name in lacking if name not in failures]:
        remedy = "A server or worker builds it by itself; look whether one runs, and at its log."
        found.append(Finding("graphs", "missing", f"vectors of {', '.join(waiting)} have none", remedy))
    for name in lacking:
        if failure := failures.get(name):
            detail = f"vectors of {name} have none; building it failed {failure.attempts} times: {failure.reason}"
            remedy = "Search goes on without it, more slowly. A server or worker tries again by itself."
            found.append(Finding("graphs", "wrong", detail, remedy))
    return found


def _list_lacking_graphs(library: "Library", connection: "Connection") -> tuple[list[str], dict[str, "FailedBuild"]]:
    if library.database.sqlite:
        return [], {}
    from pincite.index.postgres_index import GRAPH_FROM
    from pincite.index.vector_graphs import list_lacking_graphs, read_failures

    return list_lacking_graphs(connection, GRAPH_FROM), read_failures(connection)


def describe_away(error: PinciteError) -> str:
    """Return the words of an error, with those of the database's driver if there are any."""
    said = " ".join(str(getattr(error.__cause__, "orig", "") or "").split())
    return f"{error.message} ({said})" if said and said not in error.message else error.message


def _describe_seconds(seconds: float) -> str:
    for size, name in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {name}"
    return f"{seconds:.0f} s"


def _parse_version(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
