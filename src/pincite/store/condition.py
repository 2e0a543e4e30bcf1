"""The condition of what is on disk, for `pincite doctor`: damage in the database, and files that others may read."""

from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import text

from pincite.store.database import Database

_SHOWN = 3  # lines of damage


def find_damage(database: Database) -> str:
    """What SQLite finds wrong inside its file, in its own words; "" when it finds nothing. `Damaged` when it cannot."""
    if not database.sqlite:
        return ""
    with database.reading() as connection:
        said = list(connection.scalars(text(f"PRAGMA quick_check({_SHOWN})")))
    return "" if said == ["ok"] else "; ".join(str(line) for line in said)


def list_exposed(data: Path) -> list[Path]:
    """The data folder, its database and its folder of documents, as far as other users may read or change them."""
    return [path for path in _private(data) if path.exists() and path.stat().st_mode & 0o077]


def _private(data: Path) -> Iterator[Path]:
    if not (data.exists() and data.stat().st_mode & 0o077):
        return  # nobody else gets past the folder
    yield data
    yield from sorted(data.glob("*.db*"))
    yield data / "files"
