"""HTTP routes to tag many documents at once, to list the tags, and to move documents to another library."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from pincite.server.dependencies import Body, Id, Owner, TheLibrary, Words
from pincite.server.document_routes import MOST_TAGS, DocumentInfo, Tag, find_document, make_document
from pincite.store import document_tags
from pincite.store.library_access import resolve_library

_MOST = 200  # documents in one request

Ids = Annotated[list[Id], Field(min_length=1, max_length=_MOST, description="Ids of documents.")]


class TagChange(Body):
    """Tags to add to documents and to remove from them."""

    documents: Ids
    add: Annotated[list[Tag], Field(max_length=MOST_TAGS, default_factory=list)]
    remove: Annotated[list[Tag], Field(max_length=MOST_TAGS, default_factory=list)]


class DocumentMove(Body):
    """Documents to move, and the library to move them to."""

    documents: Ids
    library: Annotated[
        Words, Field(min_length=1, max_length=310, description="Its `key`; a name that is new makes a library.")
    ]


class TagOf(BaseModel):
    """A tag, and the number of documents that have it."""

    tag: str
    documents: int


def router() -> APIRouter:
    """Return the routes for tags and moves."""
    routes = APIRouter(tags=["documents"])

    @routes.get("/api/tags")
    def tags(
        owner: Owner,
        library: TheLibrary,
        named: Annotated[Words | None, Query(alias="library", description="Only tags of this library.")] = None,
    ) -> list[TagOf]:
        """List the tags of your documents and of those that are shared with you."""
        with library.database.reading() as connection:
            key = None if named is None else resolve_library(connection, owner, named, "reader", may_be_new=True)
            return [
                TagOf(tag=each.tag, documents=each.documents)
                for each in document_tags.list_tags(connection, owner, key)
            ]

    @routes.post("/api/documents/tags")
    def change_tags(owner: Owner, library: TheLibrary, given: TagChange) -> list[DocumentInfo]:
        """Add tags to documents and remove others, in all libraries in which you may write. All change, or none."""
        library.change_tags(owner, given.documents, given.add, given.remove)
        return [make_document(library, owner, find_document(library, owner, each)) for each in given.documents]

    @routes.post("/api/documents/move")
    def move(owner: Owner, library: TheLibrary, given: DocumentMove) -> list[DocumentInfo]:
        """Move documents to another library of their owner, with their tags. All move, or none."""
        library.move(owner, given.documents, given.library)
        return [make_document(library, owner, find_document(library, owner, each)) for each in given.documents]

    return routes
