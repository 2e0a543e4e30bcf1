"""Store personas: named instructions on how to answer."""

import time
import uuid
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, insert, or_, select, update

from pincite.errors import NotFound, Taken
from pincite.store.schema import personas


@dataclass(frozen=True, slots=True)
class StoredPersona:
    """A persona: its name and its instructions."""

    id: str
    owner: str
    name: str
    instructions: str
    created: float
    updated: float


def create(connection: Connection, owner: str, name: str, instructions: str) -> StoredPersona:
    """Create a persona; raise `Taken` if the owner has one of that name."""
    _check_name(connection, owner, name)
    now = time.time()
    made = StoredPersona(uuid.uuid4().hex, owner, name, instructions, now, now)
    connection.execute(insert(personas).values(asdict(made)))
    return made


def get(connection: Connection, owner: str, given: str) -> StoredPersona:
    """Return the owner's persona with this id or name; raise `NotFound` if there is none."""
    query = select(personas).where(personas.c.owner == owner, or_(personas.c.id == given, personas.c.name == given))
    rows = connection.execute(query).all()
    if not rows:
        raise NotFound("There is no such persona.", "Check its id or name.", "persona")
    # A name may look like another persona's id: the id is meant.
    return StoredPersona(*next((row for row in rows if row.id == given), rows[0]))


def find(connection: Connection, owner: str) -> list[StoredPersona]:
    """Return the owner's personas, by name."""
    query = select(personas).where(personas.c.owner == owner).order_by(personas.c.name)
    return [StoredPersona(*row) for row in connection.execute(query)]


def change(connection: Connection, owner: str, persona: str, name: str, instructions: str) -> StoredPersona:
    """Change the name or the instructions of a persona and return it."""
    found = get(connection, owner, persona)
    _check_name(connection, owner, name, other_than=found.id)
    values = {"name": name, "instructions": instructions, "updated": time.time()}
    connection.execute(update(personas).where(personas.c.id == found.id).values(values))
    return get(connection, owner, found.id)


def remove(connection: Connection, owner: str, persona: str) -> None:
    """Remove a persona; raise `NotFound` if there is none."""
    found = get(connection, owner, persona)
    connection.execute(delete(personas).where(personas.c.id == found.id))


def _check_name(connection: Connection, owner: str, name: str, other_than: str = "") -> None:
    query = select(personas.c.id).where(personas.c.owner == owner, personas.c.name == name)
    if connection.scalar(query.where(personas.c.id != other_than)) is not None:
        raise Taken("There is a persona of that name already.", "Choose another name, or change that one.")
