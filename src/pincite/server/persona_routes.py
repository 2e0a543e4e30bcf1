"""HTTP routes for personas: saved instructions on how to answer."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from pincite.server.dependencies import Body, Id, Owner, TheLibrary, Words
from pincite.store import personas
from pincite.store.personas import StoredPersona


class Persona(BaseModel):
    """A saved persona: a name, and instructions on how to answer."""

    id: str
    name: str
    instructions: str
    created: float
    updated: float


class GivenPersona(Body):
    """A name, and instructions such as "Answer in three sentences, for a clinician"."""

    name: Annotated[Words, Field(min_length=1, max_length=200)]
    instructions: Annotated[Words, Field(min_length=1, max_length=20_000)]


def router() -> APIRouter:
    """Return the routes for personas."""
    routes = APIRouter(tags=["personas"])

    @routes.get("/api/personas")
    def find(owner: Owner, library: TheLibrary) -> list[Persona]:
        """List your personas, sorted by name."""
        with library.database.reading() as connection:
            return [_make_persona(each) for each in personas.find(connection, owner)]

    @routes.post("/api/personas", status_code=201)
    def create(given: GivenPersona, owner: Owner, library: TheLibrary) -> Persona:
        """Save a persona."""
        with library.database.writing() as connection:
            return _make_persona(personas.create(connection, owner, given.name, given.instructions))

    @routes.get("/api/personas/{persona}")
    def get(persona: Id, owner: Owner, library: TheLibrary) -> Persona:
        """Get a persona by its id or name."""
        with library.database.reading() as connection:
            return _make_persona(personas.get(connection, owner, persona))

    @routes.put("/api/personas/{persona}")
    def change(persona: Id, given: GivenPersona, owner: Owner, library: TheLibrary) -> Persona:
        """Change the name and instructions of a persona."""
        with library.database.writing() as connection:
            return _make_persona(personas.change(connection, owner, persona, given.name, given.instructions))

    @routes.delete("/api/personas/{persona}", status_code=204)
    def delete(persona: Id, owner: Owner, library: TheLibrary) -> None:
        """Remove a persona. Conversations that used it keep their answers."""
        with library.database.writing() as connection:
            personas.remove(connection, owner, persona)

    return routes


def _make_persona(stored: StoredPersona) -> Persona:
    return Persona(
        id=stored.id,
        name=stored.name,
        instructions=stored.instructions,
        created=stored.created,
        updated=stored.updated,
    )
