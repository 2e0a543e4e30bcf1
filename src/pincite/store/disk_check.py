"""Check the files on disk for `pincite doctor`: damage in the database, and permissions that are too wide."""

from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import text

from pincite.store.database import Database

_SHOWN = 3  # reported errors


def find_damage(database: Database) -> str:
    """Return the damage that SQLite reports in its file; "" if there is none. Raise `Damaged` if it cannot be read."""
    if not database.sqlite:
        return ""
    with database.reading() as connection:
        report = list(connection.scalars(text(f"PRAGMA quick_check({_SHOWN})")))
    return "" if report == ["ok"] else "; ".join(str(line) for line in report)


def list_exposed(data: Path) -> list[Path]:
    """Return the data folder, its database, key file and documents folder, if other users may read or change them."""
    return [path for path in _list_private_paths(data) if path.exists() and path.stat().st_mode & 0o077]


def _list_private_paths(data: Path) -> Iterator[Path]:
    if not (data.exists() and data.stat().st_mode & 0o077):
        return  # nobody else can enter the folder
    yield data
    yield from sorted(data.glob("*.db*"))
    yield from sorted(data.glob("*.key"))
    yield data / "files"
