"""HTTP routes for the libraries: their sizes, and suggestions for questions."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from pincite.library import WEB
from pincite.library.next_questions import suggest_follow_ups
from pincite.library.suggestions import suggest_questions
from pincite.server.dependencies import Id, Owner, TheCaller, TheLibrary
from pincite.store import catalogue
from pincite.store.catalogue import LibraryTotal
from pincite.store.library_shares import Access


class LibraryOwner(BaseModel):
    """The person to whom a library belongs."""

    id: str
    name: str


class LibraryOf(BaseModel):
    """A named set of documents that you may use."""

    key: Annotated[str, Field(description="The name to send as `library`: `NAME`, or `~OWNER/NAME` of somebody else.")]
    name: str
    owner: Annotated[LibraryOwner | None, Field(description="Its owner; null if it is yours.")]
    access: Annotated[Access, Field(description="What you may do with it.")]
    shared: Annotated[bool, Field(description="Whether somebody besides its owner may see it.")]
    documents: int
    bytes: Annotated[int, Field(description="Total size of the original files.")]


class Libraries(BaseModel):
    """The libraries that you may use, and the size of all their documents. A document in two of them counts once."""

    libraries: list[LibraryOf]
    documents: int
    web_pages: Annotated[int, Field(description="How many of `documents` are only pages that answers have read.")]
    pages: int
    passages: int
    bytes: Annotated[int, Field(description="Total size of the original files.")]
    stored: Annotated[
        int | None,
        Field(description="Bytes on the server's disk, of all people, with text and index; null without `admin`."),
    ]


class Suggestion(BaseModel):
    """A suggestion for a question: a document and one of its headings. Both are untrusted text."""

    document: str
    title: Annotated[str, Field(description="Title of the document, at most 120 characters.")]
    heading: Annotated[str | None, Field(description="A heading that names a subject; null without a suitable one.")]
    language: Annotated[str, Field(description="Language of the document, such as `en`; empty if unknown.")]


def router() -> APIRouter:
    """Return the routes for libraries."""
    routes = APIRouter(tags=["documents"])

    @routes.get("/api/libraries")
    def libraries(caller: TheCaller, library: TheLibrary) -> Libraries:
        """List your libraries and those that are shared with you, and the total size of their documents."""
        person = caller.principal.user
        sees_server = "admin" in caller.principal.scopes
        with library.database.reading() as connection:
            found = catalogue.list_libraries(connection, person)
            total = catalogue.count_total(connection, person)
            web = catalogue.count_only_in(connection, person, WEB)
            original = catalogue.count_original_bytes(connection) if sees_server else 0
        return Libraries(
            libraries=[_make_library(person, each) for each in found],
            documents=total.documents,
            web_pages=web,
            pages=total.pages,
            passages=total.passages,
            bytes=total.bytes,
            stored=original + library.database.size() if sees_server else None,
        )

    @routes.get("/api/suggestions")
    def suggested(
        owner: Owner,
        library: TheLibrary,
        conversation: Annotated[
            Id | None, Query(description="Suggest what to ask next in this conversation, from the sources it cites.")
        ] = None,
        language: Annotated[
            Literal["en", "fr"] | None, Query(description="Begin with documents in this language.")
        ] = None,
    ) -> list[Suggestion]:
        """Suggest up to three subjects to ask about, from the titles and headings of the newest documents."""
        database = library.database
        found = (
            suggest_questions(database, owner, language=language)
            if conversation is None
            else suggest_follow_ups(database, owner, conversation)
        )
        return [
            Suggestion(document=each.document, title=each.title, heading=each.heading, language=each.language)
            for each in found
        ]

    return routes


def _make_library(person: str, found: LibraryTotal) -> LibraryOf:
    """Return a library in the form of the API."""
    return LibraryOf(
        key=found.key,
        name=found.name,
        owner=None if found.owner == person else LibraryOwner(id=found.owner, name=found.owner_name),
        access=found.access,
        shared=found.is_shared,
        documents=found.documents,
        bytes=found.bytes,
    )
