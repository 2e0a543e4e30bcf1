"""HTTP routes for the libraries: their sizes, and suggestions for questions."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from pincite.library.suggestions import suggest_questions
from pincite.server.dependencies import Owner, TheLibrary
from pincite.store import catalogue


class LibraryOf(BaseModel):
    """A named set of documents."""

    name: str
    documents: int
    bytes: Annotated[int, Field(description="Total size of the original files.")]


class Libraries(BaseModel):
    """Your libraries, and the size of all your documents. A document in two libraries counts once."""

    libraries: list[LibraryOf]
    documents: int
    pages: int
    passages: int
    bytes: Annotated[int, Field(description="Total size of the original files.")]
    stored: Annotated[int, Field(description="Bytes on the server's disk, with text and index.")]


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
    def libraries(owner: Owner, library: TheLibrary) -> Libraries:
        """List your libraries, and the total size of your documents."""
        with library.database.reading() as connection:
            found = catalogue.list_libraries(connection, owner)
            total = catalogue.count_total(connection, owner)
            original = catalogue.count_original_bytes(connection)
        return Libraries(
            libraries=[LibraryOf(name=each.name, documents=each.documents, bytes=each.bytes) for each in found],
            documents=total.documents,
            pages=total.pages,
            passages=total.passages,
            bytes=total.bytes,
            stored=original + library.database.size(),
        )

    @routes.get("/api/suggestions")
    def suggested(owner: Owner, library: TheLibrary) -> list[Suggestion]:
        """Suggest up to three subjects to ask about, from the titles and headings of the newest documents."""
        return [
            Suggestion(document=each.document, title=each.title, heading=each.heading, language=each.language)
            for each in suggest_questions(library.database, owner)
        ]

    return routes
