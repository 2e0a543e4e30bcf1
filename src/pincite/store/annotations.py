"""Store highlights and comments on documents. Each belongs to one person and is seen by nobody else."""

import time
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from sqlalchemy import Connection, and_, delete, insert, or_, select, update

from pincite.errors import NotFound
from pincite.store.notebook_schema import annotations
from pincite.store.schema import documents
from pincite.store.sql_folding import fold_column, split_search_words
from pincite.store.visible_documents import is_visible

Colour = Literal["yellow", "green", "blue", "pink"]


@dataclass(frozen=True, slots=True)
class AnnotationPlace:
    """The place of a highlight: its characters, their page, and the reading of the document that has them."""

    start: int
    end: int
    page: int | None
    label: str
    generation: int | None


@dataclass(frozen=True, slots=True)
class StoredAnnotation:
    """A highlight of a person, with a comment or without. `state` is `lost` if the quote is no longer found."""

    id: str
    owner: str
    document: str
    start: int
    end: int
    quote: str
    page: int | None
    label: str
    colour: Colour
    comment: str
    generation: int | None
    state: Literal["found", "lost"]
    created: float
    updated: float


def add(
    connection: Connection, owner: str, document: str, place: AnnotationPlace, quote: str, colour: Colour, comment: str
) -> StoredAnnotation:
    """Add a highlight to a document."""
    now = time.time()
    made = StoredAnnotation(
        id=uuid.uuid4().hex,
        owner=owner,
        document=document,
        **asdict(place),
        quote=quote,
        colour=colour,
        comment=comment,
        state="found",
        created=now,
        updated=now,
    )
    connection.execute(insert(annotations).values(asdict(made)))
    return made


def get(connection: Connection, owner: str, annotation: str) -> StoredAnnotation:
    """Return a highlight of the owner; raise `NotFound` if there is none, or if its document is hidden from them."""
    query = select(annotations).join(documents, documents.c.id == annotations.c.document)
    query = query.where(annotations.c.id == annotation, annotations.c.owner == owner, is_visible(owner))
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound("There is no such highlight.", "It may have been removed.", "annotation")
    return StoredAnnotation(*row)


def find(connection: Connection, owner: str, document: str | None = None) -> list[StoredAnnotation]:
    """Return the owner's highlights of one document or of all that they may see, in the order of the text."""
    query = select(annotations).join(documents, documents.c.id == annotations.c.document)
    query = query.where(annotations.c.owner == owner, is_visible(owner))
    if document is not None:
        query = query.where(annotations.c.document == document)
    ordered = query.order_by(documents.c.title, annotations.c.document, annotations.c.start, annotations.c.id)
    return [StoredAnnotation(*row) for row in connection.execute(ordered)]


def find_by_words(connection: Connection, owner: str, words: str, limit: int) -> list[StoredAnnotation]:
    """Return the owner's highlights whose quote or comment contains all words, the newest first."""
    folded = [fold_column(connection, column) for column in (annotations.c.quote, annotations.c.comment)]
    conditions = [or_(*(text.contains(word, autoescape=True) for text in folded)) for word in split_search_words(words)]
    if not conditions:
        return []
    query = select(annotations).join(documents, documents.c.id == annotations.c.document)
    query = query.where(annotations.c.owner == owner, is_visible(owner), and_(*conditions))
    ordered = query.order_by(annotations.c.created.desc(), annotations.c.id).limit(limit)
    return [StoredAnnotation(*row) for row in connection.execute(ordered)]


def change(connection: Connection, owner: str, annotation: str, colour: Colour, comment: str) -> StoredAnnotation:
    """Change the colour and the comment of a highlight."""
    get(connection, owner, annotation)
    values = {"colour": colour, "comment": comment, "updated": time.time()}
    connection.execute(update(annotations).where(annotations.c.id == annotation).values(values))
    return get(connection, owner, annotation)


def set_place(connection: Connection, annotation: str, place: AnnotationPlace) -> None:
    """Record where the quote of a highlight is in a later reading of its document."""
    change = update(annotations).where(annotations.c.id == annotation)
    connection.execute(change.values(**asdict(place), state="found"))


def set_lost(connection: Connection, annotation: str, generation: int | None) -> None:
    """Record that a later reading of the document does not contain the quote of a highlight."""
    change = update(annotations).where(annotations.c.id == annotation)
    connection.execute(change.values(generation=generation, state="lost"))


def remove(connection: Connection, owner: str, annotation: str) -> None:
    """Remove a highlight; raise `NotFound` if there is none."""
    get(connection, owner, annotation)
    connection.execute(delete(annotations).where(annotations.c.id == annotation))


def move_to_document(connection: Connection, former: str, document: str) -> None:
    """Move all people's highlights of a document to the document that replaces it."""
    change = update(annotations).where(annotations.c.document == former)
    connection.execute(change.values(document=document, generation=None))


def list_documents(annotated: Sequence[StoredAnnotation]) -> list[str]:
    """Return the ids of the documents with these highlights, each once."""
    return list(dict.fromkeys(each.document for each in annotated))
