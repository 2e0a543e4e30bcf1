"""Personas over HTTP: saved instructions on how to answer."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from pincite.server.doors import Body, Id, Owner, TheLibrary, Words
from pincite.store import personas
from pincite.store.personas import StoredPersona


class Persona(BaseModel):
    """How you want to be answered, and what you call it."""

    id: str
    name: str
    instructions: str
    created: float
    updated: float


class GivenPersona(Body):
    """A name, and instructions such as "Answer in three sentences, for a clinician."."""

    name: Annotated[Words, Field(min_length=1, max_length=200)]
    instructions: Annotated[Words, Field(min_length=1, max_length=20_000)]


def router() -> APIRouter:
    """The routes of personas."""
    routes = APIRouter(tags=["personas"])

    @routes.get("/api/personas")
    def find(owner: Owner, library: TheLibrary) -> list[Persona]:
        """Your personas, by name."""
        with library.database.reading() as connection:
            return [_told(each) for each in personas.find(connection, owner)]

    @routes.post("/api/personas", status_code=201)
    def create(given: GivenPersona, owner: Owner, library: TheLibrary) -> Persona:
        """Save a persona."""
        with library.database.writing() as connection:
            return _told(personas.create(connection, owner, given.name, given.instructions))

    @routes.get("/api/personas/{persona}")
    def get(persona: Id, owner: Owner, library: TheLibrary) -> Persona:
        """One persona, by its id or name."""
        with library.database.reading() as connection:
            return _told(personas.get(connection, owner, persona))

    @routes.put("/api/personas/{persona}")
    def change(persona: Id, given: GivenPersona, owner: Owner, library: TheLibrary) -> Persona:
        """Change a persona's name and instructions."""
        with library.database.writing() as connection:
            return _told(personas.change(connection, owner, persona, given.name, given.instructions))

    @routes.delete("/api/personas/{persona}", status_code=204)
    def delete(persona: Id, owner: Owner, library: TheLibrary) -> None:
        """Forget a persona; conversations that used it keep their answers."""
        with library.database.writing() as connection:
            personas.remove(connection, owner, persona)

    return routes


def _told(stored: StoredPersona) -> Persona:
    return Persona(
        id=stored.id,
        name=stored.name,
        instructions=stored.instructions,
        created=stored.created,
        updated=stored.updated,
    )
