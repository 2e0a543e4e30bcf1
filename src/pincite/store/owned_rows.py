"""Count and remove the rows of each owner in all tables that have one."""

from sqlalchemy import Connection, Table, delete, func, select

from pincite.store.schema import metadata


def list_owned_tables() -> list[Table]:
    """Return the tables whose rows belong to an owner and stay when the account of the owner is removed."""
    return [
        table
        for table in metadata.sorted_tables
        if "owner" in table.c and not any(key.column.table.name == "people" for key in table.c.owner.foreign_keys)
    ]


def count_owned_rows(connection: Connection, owner: str) -> dict[str, int]:
    """Return the number of the owner's rows in each table that has any."""
    counts = {
        table.name: connection.scalar(select(func.count()).select_from(table).where(table.c.owner == owner)) or 0
        for table in list_owned_tables()
    }
    return {name: number for name, number in counts.items() if number}


def find_owners(connection: Connection) -> set[str]:
    """Return every owner of a row."""
    return {owner for table in list_owned_tables() for owner in connection.scalars(select(table.c.owner).distinct())}


def remove_owned_rows(connection: Connection, owner: str) -> int:
    """Remove all rows of an owner, and return how many there were. Those of documents and conversations come first."""
    return sum(
        connection.execute(delete(table).where(table.c.owner == owner)).rowcount for table in list_owned_tables()
    )
