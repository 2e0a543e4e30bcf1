"""Read and set the numbers that the next rows get, so that an id is never used twice, even if its row was removed."""

from sqlalchemy import BigInteger, Connection, Integer, Table, func, select, text

from pincite.store.schema import metadata


def read_counters(connection: Connection) -> dict[str, int]:
    """Return for each table whose rows are numbered the largest number that was given."""
    found: dict[str, int] = {}
    given = _read_given(connection)
    for table in _list_numbered():
        largest = connection.scalar(select(func.max(table.c.id))) or 0
        found[table.name] = max(largest, given.get(table.name, 0))
    return found


def set_counters(connection: Connection, counters: dict[str, int]) -> None:
    """Let new rows be numbered after these numbers."""
    for name, last in counters.items():
        if not last:
            continue
        if connection.dialect.name == "sqlite":
            # A table without its own counter continues after its largest number.
            values = {"name": name, "last": last}
            changed = connection.execute(text("UPDATE sqlite_sequence SET seq = :last WHERE name = :name"), values)
            if not changed.rowcount and metadata.tables[name].dialect_options["sqlite"]["autoincrement"]:
                connection.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)"), values)
        elif sequence := _find_sequence(connection, name):
            connection.execute(text("SELECT setval(:sequence, :last)"), {"sequence": sequence, "last": last})


def _list_numbered() -> list[Table]:
    return [
        table
        for table in metadata.sorted_tables
        if [column.name for column in table.primary_key] == ["id"]
        and isinstance(table.c.id.type, (Integer, BigInteger))
    ]


def _read_given(connection: Connection) -> dict[str, int]:
    if connection.dialect.name == "sqlite":
        return {row[0]: int(row[1]) for row in connection.execute(text("SELECT name, seq FROM sqlite_sequence"))}
    found = {}
    for table in _list_numbered():
        if sequence := _find_sequence(connection, table.name):
            row = connection.execute(text(f"SELECT last_value, is_called FROM {sequence}")).one()
            found[table.name] = int(row.last_value) if row.is_called else 0
    return found


def _find_sequence(connection: Connection, table: str) -> str | None:
    found: str | None = connection.scalar(text("SELECT pg_get_serial_sequence(:name, 'id')"), {"name": f'"{table}"'})
    return found
