"""Store notebooks. Every function takes the owner and ignores the notebooks of other owners."""

import time
import uuid
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from pincite.errors import NotFound
from pincite.store.notebook_schema import notebook_items, notebooks


@dataclass(frozen=True, slots=True)
class StoredNotebook:
    """The row of a notebook: its title and the time of its last change."""

    id: str
    owner: str
    title: str
    created: float
    updated: float


def create(connection: Connection, owner: str, title: str) -> StoredNotebook:
    """Create a notebook."""
    now = time.time()
    made = StoredNotebook(uuid.uuid4().hex, owner, title, now, now)
    connection.execute(insert(notebooks).values(asdict(made)))
    return made


def get(connection: Connection, owner: str, notebook: str, lock: bool = False) -> StoredNotebook:
    """Return the owner's notebook, locked until the transaction ends if asked; raise `NotFound` without one."""
    query = select(notebooks).where(notebooks.c.id == notebook, notebooks.c.owner == owner)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise NotFound("There is no such notebook.", "It may have been removed.", "notebook")
    return StoredNotebook(*row)


def get_by_name(connection: Connection, owner: str, given: str) -> StoredNotebook:
    """Return the owner's only notebook with this title or beginning of an id; raise `NotFound` for none or several."""
    named = or_(notebooks.c.title == given, notebooks.c.id.startswith(given, autoescape=True))
    query = select(notebooks).where(notebooks.c.owner == owner, named)
    rows = connection.execute(query.limit(2)).all() if given else []
    if len(rows) != 1:
        said = "More than one notebook is called" if rows else "There is no notebook"
        raise NotFound(f"{said} {given}.", "`pincite notebooks` lists them with their ids.", "notebook")
    return StoredNotebook(*rows[0])


def find(connection: Connection, owner: str) -> list[StoredNotebook]:
    """Return the owner's notebooks, the one that was changed last first."""
    query = select(notebooks).where(notebooks.c.owner == owner)
    ordered = query.order_by(notebooks.c.updated.desc(), notebooks.c.id)
    return [StoredNotebook(*row) for row in connection.execute(ordered)]


def count_items(connection: Connection, owner: str) -> dict[str, int]:
    """Return the number of things in each of the owner's notebooks; empty notebooks are left out."""
    query = select(notebook_items.c.notebook, func.count()).where(notebook_items.c.owner == owner)
    return {row[0]: row[1] for row in connection.execute(query.group_by(notebook_items.c.notebook))}


def rename(connection: Connection, owner: str, notebook: str, title: str) -> StoredNotebook:
    """Change the title of a notebook and return it."""
    get(connection, owner, notebook, lock=True)
    values = {"title": title, "updated": time.time()}
    connection.execute(update(notebooks).where(notebooks.c.id == notebook).values(values))
    return get(connection, owner, notebook)


def touch(connection: Connection, notebook: str) -> None:
    """Set the time of the last change of a notebook to now."""
    connection.execute(update(notebooks).where(notebooks.c.id == notebook).values(updated=time.time()))


def remove(connection: Connection, owner: str, notebook: str) -> None:
    """Remove a notebook with everything in it; raise `NotFound` if there is none."""
    get(connection, owner, notebook, lock=True)
    connection.execute(delete(notebooks).where(notebooks.c.id == notebook))
