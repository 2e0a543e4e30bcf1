"""HTTP routes to add, list, rename, retry, cancel and remove documents."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import anyio.to_thread
from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from pincite.errors import NotReady, Settled
from pincite.library import Library
from pincite.library.sample_documents import add_samples
from pincite.server.additions import Addition, Folder, receive_document
from pincite.server.cursors import Value, decode_values, encode_values
from pincite.server.dependencies import Body, Id, Owner, TheCaller, TheLibrary, Words, get_services
from pincite.server.uploads import describe_body
from pincite.store import catalogue, document_sources, document_tags
from pincite.store import documents as rows
from pincite.store.database import Connection
from pincite.store.document_sources import DocumentOrigin
from pincite.store.documents import StoredDocument
from pincite.store.library_access import resolve_library
from pincite.types import KEPT_APART, Kind, Status

MOST_TAGS = 20
Tag = Annotated[Words, Field(min_length=1, max_length=60)]

_CURSOR_KINDS: dict[catalogue.Order, tuple[type[Value], ...]] = {
    "newest": (float, str),
    "oldest": (float, str),
    "title": (str, str, float, str),
    "size": (int, float, str),
}


class DocumentInfo(BaseModel):
    """A document without its content. Times are seconds since 1970."""

    id: str
    title: str
    name: str
    kind: Kind
    language: str
    status: Status
    error: Annotated[str, Field(description="Why the document failed or has no vectors.")]
    error_code: Annotated[str, Field(description="Code of the error: `encrypted`, `unsupported`, `cancelled`, …")]
    problems: Annotated[list[str], Field(description="Parts of the document that could not be read.")]
    notes: Annotated[list[str], Field(description="What was read and is kept apart, such as hidden text.")]
    pages: int
    passages: int
    bytes: int
    libraries: Annotated[list[str], Field(description="Names of the libraries that contain it and that you may see.")]
    url: Annotated[str | None, Field(description="Address it was fetched from; null for an uploaded file.")]
    fetched: Annotated[float | None, Field(description="When it was fetched; null for an uploaded file.")]
    folder: Annotated[str, Field(description="Folder it was uploaded from, such as `reports/2024`, or empty.")]
    tags: Annotated[list[str], Field(description="Its tags in the libraries that you may see.")]
    date: Annotated[str | None, Field(description="Date given in the document, as an ISO day.")]
    metadata: dict[str, str]
    created: float
    updated: float


class Snapshot(BaseModel):
    """A web page as it was at one time."""

    document: str
    fetched: float


class WholeDocument(DocumentInfo):
    """A document and, for a web page, the snapshots of its address."""

    snapshots: Annotated[
        list[Snapshot], Field(description="All snapshots of its address, the oldest first, including itself.")
    ]


class AddedDocument(DocumentInfo):
    """An added document: `new`, `updated` (a known place with new content), `known`, or `again` (retried)."""

    outcome: Literal["new", "updated", "known", "again"]


class Retry(Body):
    """Options to read a document again."""

    password: Annotated[
        Words | None, Field(max_length=1000, description="Of a protected file. Removed after reading.")
    ] = None


class Rename(Body):
    """Changes to a document."""

    title: Annotated[
        Words,
        Field(
            min_length=1,
            max_length=300,
            description="The new title. It stays when the document is read again.",
        ),
    ]


class Samples(Body):
    """Which sample comes first."""

    language: Annotated[
        Literal["en", "fr"], Field(description="The sample in this language is the newest document, listed first.")
    ] = "en"


class Documents(BaseModel):
    """A page of documents, the newest first, and their total number."""

    documents: list[DocumentInfo]
    total: int
    next: Annotated[str | None, Field(description="Send it as `before` to get the next page; null on the last page.")]


def router() -> APIRouter:
    """Return the routes for documents."""
    routes = APIRouter(tags=["documents"])

    @routes.post(
        "/api/documents",
        status_code=202,
        openapi_extra={"requestBody": describe_body(Addition, "The file to add, instead of `url`.")},
    )
    async def add(request: Request, owner: Owner, library: TheLibrary) -> AddedDocument:
        """Add a file from a form, or the file or web page at an address.

        The document is read in the background; `GET /api/documents/{document}/events` reports progress. With a
        `depth`, linked pages of the same host are added too, one after the other, in the background.
        """
        async with receive_document(request, owner, get_services(request).settings) as received:

            def add_received() -> AddedDocument:
                added = library.add(
                    owner,
                    received.file,
                    received.library,
                    received.password,
                    received.name,
                    received.place,
                    received.is_bulk,
                )
                with library.database.reading() as connection:
                    known = rows.get_visible(connection, owner, added.document)
                return AddedDocument(**_collect_fields(library, owner, [known])[0], outcome=added.outcome)

            added = await anyio.to_thread.run_sync(add_received)
        if received.visit:
            request.app.state.visits.start(received.visit)
        return added

    @routes.post("/api/samples", status_code=202)
    def add_sample(owner: Owner, library: TheLibrary, given: Samples | None = None) -> list[AddedDocument]:
        """Add the sample documents that come with Pincite, in English and in French, to the library `default`.

        They are read in the background like any document. Samples that are there already stay as they are.
        """
        added = add_samples(library, owner, given.language if given else "en")
        with library.database.reading() as connection:
            known = [rows.get_visible(connection, owner, each.document) for each in added]
        fields = _collect_fields(library, owner, known)
        return [AddedDocument(**each, outcome=to.outcome) for each, to in zip(fields, added, strict=True)]

    @routes.get("/api/documents")
    def find(
        owner: Owner,
        library: TheLibrary,
        named: Annotated[
            Words | None, Query(alias="library", description="Only documents of this library, by its `key`.")
        ] = None,
        without: Annotated[
            Words | None, Query(description="Exclude documents that are only in this library of yours.")
        ] = None,
        status: Annotated[list[Status] | None, Query(description="Only documents with one of these states.")] = None,
        kind: Annotated[list[Kind] | None, Query(description="Only documents of one of these kinds.")] = None,
        words: Annotated[Words | None, Query(max_length=300, description="Words in the title or file name.")] = None,
        folder: Annotated[Folder, Query(description="Only documents from this folder or its subfolders.")] = "",
        tag: Annotated[
            list[Tag] | None, Query(max_length=MOST_TAGS, description="Only documents that have all these tags.")
        ] = None,
        order: Annotated[catalogue.Order, Query(description="How the list is sorted.")] = "newest",
        limit: Annotated[int, Query(ge=1, le=200)] = 50,
        before: Annotated[str | None, Query(description="`next` of the previous page.")] = None,
    ) -> Documents:
        """List your documents and those that are shared with you, the newest first, page by page."""
        with library.database.reading() as connection:
            key = None if named is None else resolve_library(connection, owner, named, "reader", may_be_new=True)
            wanted = catalogue.Filter(key, status, kind, words, folder, without, tag or ())
            after = decode_values(before, _CURSOR_KINDS[order]) if before is not None else ()
            found, total = catalogue.find(connection, owner, wanted, limit + 1, after, order)
        last = found[limit - 1] if len(found) > limit else None
        return Documents(
            documents=[DocumentInfo(**fields) for fields in _collect_fields(library, owner, found[:limit])],
            total=total,
            next=encode_values(catalogue.list_sort_values(last, order)) if last else None,
        )

    @routes.get("/api/documents/{document}")
    def get(document: Id, owner: Owner, library: TheLibrary) -> WholeDocument:
        """Get a document by its id or the first characters of its id. A web page includes its snapshots."""
        fields = _collect_fields(library, owner, [find_document(library, owner, document)])[0]
        with library.database.reading() as connection:
            taken = document_sources.list_snapshots(connection, owner, fields["url"]) if fields["url"] else []
        return WholeDocument(
            **fields, snapshots=[Snapshot(document=each.document, fetched=each.fetched) for each in taken]
        )

    @routes.patch("/api/documents/{document}")
    def rename(document: Id, owner: Owner, library: TheLibrary, given: Rename) -> DocumentInfo:
        """Change the title of a document. Search by words uses it at once; the vectors are computed again."""
        return make_document(library, owner, library.rename(owner, document, given.title))

    @routes.delete("/api/documents/{document}", status_code=204)
    def delete(document: Id, caller: TheCaller, library: TheLibrary) -> None:
        """Remove a document with its text, index and stored file. Answers that cite it keep their quotes.

        A document of somebody else is removed from the libraries in which you may write.
        """
        library.remove(caller.principal.user, document, caller.address)

    @routes.post("/api/documents/{document}/cancel")
    def cancel(document: Id, owner: Owner, library: TheLibrary) -> DocumentInfo:
        """Stop the work on a document. The text read so far stays searchable; adding it again continues the work."""
        library.cancel(owner, document)
        return make_document(library, owner, find_document(library, owner, document))

    @routes.post("/api/documents/{document}/retry")
    def retry(document: Id, owner: Owner, library: TheLibrary, given: Retry | None = None) -> DocumentInfo:
        """Read a document again that failed, was cancelled or was only partly read, such as a scan added without OCR.

        Send a password if the file needs one. The error `settled` means that there is nothing to retry.
        """
        known = find_document(library, owner, document)
        if not library.retry(owner, known.id, given.password if given else None):
            raise Settled(f"There is nothing to retry for {known.name}.", "Its status shows its progress.")
        return make_document(library, owner, find_document(library, owner, document))

    return routes


def find_document(library: Library, person: str, document: str) -> StoredDocument:
    """Return the document with this id or beginning of an id. Raise `NotFound` unless the person may see one."""
    with library.database.reading() as connection:
        return rows.get_by_prefix(connection, person, document)


def find_readable_document(library: Library, person: str, document: str) -> StoredDocument:
    """Return the document with this id. Raise `NotReady` if it has not been read yet."""
    with library.database.reading() as connection:
        return get_readable_document(connection, person, document)


def get_readable_document(connection: Connection, person: str, document: str) -> StoredDocument:
    """Return the document with this id, to read its content in the same transaction. Raise `NotReady` without one."""
    known = rows.get_by_prefix(connection, person, document)
    if known.status in ("queued", "reading", "failed") and not known.passages:
        hint = known.error or "Wait until it is read; its events report progress."
        raise NotReady(f"{known.name} has no text yet.", hint)
    return known


def make_document(library: Library, person: str, known: StoredDocument) -> DocumentInfo:
    """Return a stored document in the form of the API."""
    return DocumentInfo(**_collect_fields(library, person, [known])[0])


def _collect_fields(library: Library, person: str, found: Sequence[StoredDocument]) -> list[dict[str, Any]]:
    with library.database.reading() as connection:
        ids = [each.id for each in found]
        places = document_sources.find_origins(connection, person, ids)
        tags = document_tags.find(connection, person, ids)
    return [
        {
            **_copy_fields(each),
            "problems": [problem for problem in each.problems if not _is_note(problem)],
            "notes": [problem for problem in each.problems if _is_note(problem)],
            **_copy_fields(places.get(each.id, DocumentOrigin())),
            "tags": list(tags.get(each.id, ())),
        }
        for each in found
    ]


def _is_note(problem: str) -> bool:
    return problem.casefold().endswith(KEPT_APART)


def _copy_fields(row: StoredDocument | DocumentOrigin) -> dict[str, Any]:
    return {name: getattr(row, name) for name in DocumentInfo.model_fields if hasattr(row, name)}
