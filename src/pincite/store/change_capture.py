"""Note which rows change while a move copies them, and refuse changes once the store was moved. Both by triggers.

A trigger belongs to the database: it sees the changes of every process, also of those that were started long before.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select, text
from sqlalchemy.exc import OperationalError

from pincite.store.row_copy import CopiedTable, Key, list_copied
from pincite.store.schema import move_changes

# Changes that are noted beside those of rows: the vectors of a generation, and the words of a document whose title,
# which every passage is found by, was changed.
VECTORS = "vectors of a generation"
TITLE = "title of a document"
MOVED = "the store was moved to"  # begins the message of the triggers that refuse changes

_VERBS = ("INSERT", "UPDATE", "DELETE")
_NOTE, _REFUSE = "move_notes", "move_refuses"
_VECTOR_TABLES = {"sqlite": "vectors", "postgresql": "passage_vectors"}
_ARRAYS = {"sqlite": "json_array({})", "postgresql": "json_build_array({})::text"}
_REMOVED_AT_ONCE = 500
_LOCK_MILLISECONDS = 700  # PostgreSQL looks for deadlocks after 1000


class TablesBusy(Exception):
    """Somebody writes into a table for longer than a lock may wait for it: try again."""


@dataclass(frozen=True, slots=True)
class Change:
    """A noted change: what it is of, and the key of the row."""

    id: int
    changed: str
    key: Key


def begin_capture(connection: Connection) -> None:
    """Note all changes from now on; the caller holds the tables."""
    dialect = connection.dialect.name
    for statement in _list_notes(dialect):
        connection.exec_driver_sql(statement)


def end_capture(connection: Connection) -> None:
    """Note no more changes, and forget those that are noted."""
    _drop_triggers(connection, _NOTE)
    connection.execute(delete(move_changes))


def refuse_changes(connection: Connection, address: str) -> None:
    """Let the database refuse every change of a row, and name the address of the new one."""
    message = f"{MOVED} {address}".replace("'", "''")
    names = _list_names(connection)
    if connection.dialect.name == "sqlite":
        for name in names:
            for verb in _VERBS:
                connection.exec_driver_sql(
                    f'CREATE TRIGGER "{_REFUSE}_{name}_{verb.lower()}" BEFORE {verb} ON "{name}" '
                    f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
                )
        return
    connection.exec_driver_sql(
        f"CREATE FUNCTION {_REFUSE}() RETURNS trigger LANGUAGE plpgsql AS "
        f"$move$ BEGIN RAISE EXCEPTION USING MESSAGE = '{message}'; END $move$"
    )
    for name in names:
        connection.exec_driver_sql(
            f'CREATE TRIGGER {_REFUSE} BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "{name}" '
            f"FOR EACH STATEMENT EXECUTE FUNCTION {_REFUSE}()"
        )


def allow_changes(connection: Connection) -> None:
    """Remove what `refuse_changes` created."""
    _drop_triggers(connection, _REFUSE)


def remove_triggers(connection: Connection) -> None:
    """Remove all triggers of a move: from a copy of a database, which takes part in none."""
    _drop_triggers(connection, _NOTE)
    _drop_triggers(connection, _REFUSE)


def count_changes(connection: Connection) -> int:
    return connection.scalar(select(func.count()).select_from(move_changes)) or 0


def read_changes(connection: Connection, limit: int | None) -> list[Change]:
    """Return the oldest noted changes."""
    query = select(move_changes).order_by(move_changes.c.id).limit(limit)
    return [Change(row.id, row.changed, tuple(json.loads(row.key))) for row in connection.execute(query)]


def remove_changes(connection: Connection, changes: Iterable[Change]) -> None:
    ids = [change.id for change in changes]
    for first in range(0, len(ids), _REMOVED_AT_ONCE):
        some = ids[first : first + _REMOVED_AT_ONCE]
        connection.execute(delete(move_changes).where(move_changes.c.id.in_(some)))


def note_changes(connection: Connection, changed: str, keys: Iterable[Key]) -> None:
    """Note rows that have to be copied again, although nobody changed them."""
    rows = [{"changed": changed, "key": json.dumps(key)} for key in keys]
    if rows:
        connection.execute(insert(move_changes), rows)


def hold_tables(connection: Connection, *, also_from_readers: bool = False) -> None:
    """Wait until nobody writes into a table, and keep it so until the transaction ends. Reading goes on, unless asked.

    On SQLite a transaction that writes is alone anyway. On PostgreSQL this raises `TablesBusy` before the server would
    end one of two transactions that wait for each other, which might be a user's.
    """
    if connection.dialect.name == "sqlite":
        return
    # For all locks together: somebody who waits for the first of them must not wait too long for the last one.
    connection.execute(text(f"SET LOCAL statement_timeout = {_LOCK_MILLISECONDS}"))
    names = ", ".join(f'"{name}"' for name in (*_list_names(connection), move_changes.name))
    mode = "ACCESS EXCLUSIVE" if also_from_readers else "EXCLUSIVE"
    try:
        connection.execute(text(f"LOCK TABLE {names} IN {mode} MODE"))
    except OperationalError as error:
        if getattr(error.orig, "sqlstate", "") in ("55P03", "57014"):
            raise TablesBusy from error
        raise
    connection.execute(text("SET LOCAL statement_timeout = 0"))


def _list_names(connection: Connection) -> list[str]:
    dialect = connection.dialect.name
    return [*(table.name for table in list_copied(dialect)), _VECTOR_TABLES[dialect]]


def _list_notes(dialect: str) -> Iterator[str]:
    make = _note_on_sqlite if dialect == "sqlite" else _note_on_postgres
    for table in list_copied(dialect):
        yield from make(table)
    vectors = _VECTOR_TABLES[dialect]
    new, old = (
        _insert_note(dialect, VECTORS, "NEW", ("generation",)),
        _insert_note(dialect, VECTORS, "OLD", ("generation",)),
    )
    title = _insert_note(dialect, TITLE, "NEW", ("id",))
    if dialect == "sqlite":
        yield f"CREATE TRIGGER {_NOTE}_vectors_insert AFTER INSERT ON {vectors} BEGIN {new}; END"
        yield f"CREATE TRIGGER {_NOTE}_vectors_update AFTER UPDATE ON {vectors} BEGIN {new}; {old}; END"
        yield f"CREATE TRIGGER {_NOTE}_vectors_delete AFTER DELETE ON {vectors} BEGIN {old}; END"
        yield f"CREATE TRIGGER {_NOTE}_title AFTER UPDATE OF title ON documents BEGIN {title}; END"
        return
    body = f"IF TG_OP <> 'DELETE' THEN {new}; END IF; IF TG_OP <> 'INSERT' THEN {old}; END IF; RETURN NULL;"
    yield _make_function("vectors", body)
    yield (
        f"CREATE TRIGGER {_NOTE} AFTER INSERT OR UPDATE OR DELETE ON {vectors} "
        f"FOR EACH ROW EXECUTE FUNCTION {_NOTE}_vectors()"
    )
    yield _make_function("title", f"{title}; RETURN NULL;")
    yield (
        f"CREATE TRIGGER {_NOTE}_title AFTER UPDATE OF title ON documents FOR EACH ROW EXECUTE FUNCTION {_NOTE}_title()"
    )


def _note_on_sqlite(table: CopiedTable) -> Iterator[str]:
    new, old = (
        _insert_note("sqlite", table.name, "NEW", table.key),
        _insert_note("sqlite", table.name, "OLD", table.key),
    )
    differs = " OR ".join(f'NEW."{name}" IS NOT OLD."{name}"' for name in table.key)
    actions = {"insert": new, "update": f"{new}; {_only_if(old, differs)}", "delete": old}
    for verb, action in actions.items():
        yield (
            f'CREATE TRIGGER "{_NOTE}_{table.name}_{verb}" AFTER {verb.upper()} ON "{table.name}" BEGIN {action}; END'
        )


def _note_on_postgres(table: CopiedTable) -> Iterator[str]:
    new, old = (
        _insert_note("postgresql", table.name, "NEW", table.key),
        _insert_note("postgresql", table.name, "OLD", table.key),
    )
    differs = " OR ".join(f'NEW."{name}" IS DISTINCT FROM OLD."{name}"' for name in table.key)
    body = (
        f"IF TG_OP <> 'DELETE' THEN {new}; END IF; "
        f"IF TG_OP = 'DELETE' THEN {old}; ELSIF TG_OP = 'UPDATE' THEN IF {differs} THEN {old}; END IF; END IF; "
        "RETURN NULL;"
    )
    yield _make_function(table.name, body)
    yield (
        f'CREATE TRIGGER {_NOTE} AFTER INSERT OR UPDATE OR DELETE ON "{table.name}" '
        f'FOR EACH ROW EXECUTE FUNCTION "{_NOTE}_{table.name}"()'
    )


def _make_function(name: str, body: str) -> str:
    return f'CREATE FUNCTION "{_NOTE}_{name}"() RETURNS trigger LANGUAGE plpgsql AS $move$ BEGIN {body} END $move$'


def _insert_note(dialect: str, changed: str, record: str, key: Iterable[str]) -> str:
    columns = ", ".join(f'{record}."{name}"' for name in key)
    return f"INSERT INTO move_changes (changed, key) SELECT '{changed}', {_ARRAYS[dialect].format(columns)}"


def _only_if(statement: str, condition: str) -> str:
    return f"{statement} WHERE {condition}"


def _drop_triggers(connection: Connection, prefix: str) -> None:
    start = f"{prefix}%".replace("_", r"\_")
    if connection.dialect.name == "sqlite":
        query = r"SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE :start ESCAPE '\'"
        for name in connection.scalars(text(query), {"start": start}).all():
            connection.execute(text(f'DROP TRIGGER "{name}"'))
        return
    query = (
        "SELECT CAST(CAST(p.oid AS regprocedure) AS text) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace "
        "WHERE n.nspname = current_schema() AND p.proname LIKE :start"
    )
    for name in connection.scalars(text(query), {"start": start}).all():
        connection.execute(text(f"DROP FUNCTION {name} CASCADE"))  # with its triggers
