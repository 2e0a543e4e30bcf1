"""Documents over HTTP: added, listed, followed while they are read, removed."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import anyio.to_thread
from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from pincite.errors import NotReady, Settled
from pincite.library import Library
from pincite.server.adding import Addition, Folder, arrived
from pincite.server.doors import Body, Id, Owner, TheLibrary, Words, house
from pincite.server.paging import cursor, place
from pincite.server.receiving import request_body
from pincite.store import catalogue, sources
from pincite.store import documents as rows
from pincite.store.documents import StoredDocument
from pincite.store.sources import Whereabouts
from pincite.types import Kind, Status


class Document(BaseModel):
    """A document: everything about it except what it says. Times are seconds since 1970."""

    id: str
    title: str
    name: str
    kind: Kind
    language: str
    status: Status
    error: Annotated[str, Field(description="Why it failed, or is without vectors.")]
    error_code: Annotated[str, Field(description="The same for programs: `encrypted`, `unsupported`, `cancelled`, …")]
    problems: Annotated[list[str], Field(description="What could not be read of it.")]
    pages: int
    passages: int
    bytes: int
    libraries: Annotated[list[str], Field(description="The libraries it is in.")]
    url: Annotated[str | None, Field(description="Where it was fetched from, if it was.")]
    fetched: Annotated[float | None, Field(description="When that was; null of what came another way.")]
    folder: Annotated[str, Field(description="The folder it was sent in, as `reports/2024`, or empty.")]
    date: Annotated[str | None, Field(description="The document's own, as an ISO day.")]
    metadata: dict[str, str]
    created: float
    updated: float


class Snapshot(BaseModel):
    """A page as it was once."""

    document: str
    fetched: float


class WholeDocument(Document):
    """A document, and of a web page what was kept of it at other times."""

    snapshots: Annotated[
        list[Snapshot], Field(description="All that was kept of its address, the oldest first, itself among them.")
    ]


class AddedDocument(Document):
    """A document that was taken in: new, other bytes from a known place, known already, or tried again."""

    outcome: Literal["new", "updated", "known", "again"]


class Retry(Body):
    """What a document is tried again with."""

    password: Annotated[Words | None, Field(max_length=1000, description="Of a protected file. Not stored.")] = None


class Rename(Body):
    """What of a document is changed."""

    title: Annotated[
        Words,
        Field(min_length=1, max_length=300, description="Its title from now on, also when it is read again."),
    ]


class Documents(BaseModel):
    """A page of documents, the newest first, and how many there are in all."""

    documents: list[Document]
    total: int
    next: Annotated[str | None, Field(description="Give it as `before` for the next page; null on the last.")]


def router() -> APIRouter:
    """The routes of the library."""
    routes = APIRouter(tags=["documents"])

    @routes.post(
        "/api/documents",
        status_code=202,
        openapi_extra={"requestBody": request_body(Addition, "The document, instead of an address.")},
    )
    async def add(request: Request, library: TheLibrary) -> AddedDocument:
        """Add a file, sent in a form, or the one at an address. It is read in the background; its events tell.

        With a depth, the pages of the same host that it links to follow, one after the other, in the background too.
        """
        async with arrived(request, house(request).settings) as came:

            def taken_in() -> AddedDocument:
                added = library.add(came.file, came.library, came.password, came.name, came.place)
                with library.database.reading() as connection:
                    known = rows.get(connection, added.document)
                return AddedDocument(**_fields(library, [known])[0], outcome=added.outcome)

            added = await anyio.to_thread.run_sync(taken_in)
        if came.visit:
            request.app.state.visits.start(came.visit)
        return added

    @routes.get("/api/documents")
    def find(
        owner: Owner,
        library: TheLibrary,
        named: Annotated[Words | None, Query(alias="library", description="Those of one library.")] = None,
        without: Annotated[Words | None, Query(description="Not those that are in this library alone.")] = None,
        status: Annotated[list[Status] | None, Query(description="Those with one of these.")] = None,
        kind: Annotated[list[Kind] | None, Query(description="Those of one of these.")] = None,
        words: Annotated[Words | None, Query(max_length=300, description="In the title or the file's name.")] = None,
        folder: Annotated[Folder, Query(description="Those that were sent in it, or in a folder below it.")] = "",
        limit: Annotated[int, Query(ge=1, le=200)] = 50,
        before: Annotated[str | None, Query(description="`next` of the page before.")] = None,
    ) -> Documents:
        """Your documents, the newest first, a page at a time."""
        wanted = catalogue.Filter(named, status, kind, words, folder, without)
        with library.database.reading() as connection:
            found, total = catalogue.find(connection, owner, wanted, limit + 1, place(before))
        last = found[limit - 1] if len(found) > limit else None
        return Documents(
            documents=[Document(**fields) for fields in _fields(library, found[:limit])],
            total=total,
            next=cursor((last.created, last.id)) if last else None,
        )

    @routes.get("/api/documents/{document}")
    def get(document: Id, owner: Owner, library: TheLibrary) -> WholeDocument:
        """One document, by its id or the beginning of it; of a web page, what it was at other times too."""
        fields = _fields(library, [stored(library, owner, document)])[0]
        with library.database.reading() as connection:
            kept = sources.snapshots(connection, owner, fields["url"]) if fields["url"] else []
        return WholeDocument(
            **fields, snapshots=[Snapshot(document=each.document, fetched=each.fetched) for each in kept]
        )

    @routes.patch("/api/documents/{document}")
    def rename(document: Id, owner: Owner, library: TheLibrary, given: Rename) -> Document:
        """Give a document another title. Its words are found by it at once, its vectors are made again."""
        return shown(library, library.rename(stored(library, owner, document).id, given.title))

    @routes.delete("/api/documents/{document}", status_code=204)
    def delete(document: Id, owner: Owner, library: TheLibrary) -> None:
        """Remove a document with everything that was made of it; answers that cite it keep their quotes."""
        library.remove(stored(library, owner, document).id)

    @routes.post("/api/documents/{document}/cancel")
    def cancel(document: Id, owner: Owner, library: TheLibrary) -> Document:
        """Stop the work on a document; what was read of it stays searchable, and adding it again goes on."""
        library.cancel(stored(library, owner, document).id)
        return shown(library, stored(library, owner, document))

    @routes.post("/api/documents/{document}/retry")
    def retry(document: Id, owner: Owner, library: TheLibrary, given: Retry | None = None) -> Document:
        """Try again what failed, was cancelled or was not read completely, such as a scan that was added without OCR.

        A password is given if it needs one; `settled` when there is nothing to try again.
        """
        known = stored(library, owner, document)
        if not library.retry(known.id, given.password if given else None):
            raise Settled(f"There is nothing to try again for {known.name}.", "Its status says how far it is.")
        return shown(library, stored(library, owner, document))

    return routes


def stored(library: Library, owner: str, document: str) -> StoredDocument:
    """The owner's document with this id; `NotFound` when there is none."""
    with library.database.reading() as connection:
        return rows.matching(connection, owner, document)


def read(library: Library, owner: str, document: str) -> StoredDocument:
    """The owner's document with this id, when it has been read; `NotReady` before."""
    known = stored(library, owner, document)
    if known.status in ("queued", "reading", "failed") and not known.passages:
        hint = known.error or "Wait until it is read; its events tell when."
        raise NotReady(f"There is no text of {known.name} yet.", hint)
    return known


def shown(library: Library, known: StoredDocument) -> Document:
    """A document's row as it is told."""
    return Document(**_fields(library, [known])[0])


def _fields(library: Library, found: Sequence[StoredDocument]) -> list[dict[str, Any]]:
    with library.database.reading() as connection:
        places = sources.whereabouts(connection, library.settings.owner, [each.id for each in found])
    return [{**_named(each), **_named(places.get(each.id, Whereabouts()))} for each in found]


def _named(row: StoredDocument | Whereabouts) -> dict[str, Any]:
    return {name: getattr(row, name) for name in Document.model_fields if hasattr(row, name)}
