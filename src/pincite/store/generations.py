"""Store generations: the content of a document from one reading, written in parts and shown when complete.

A generation is visible when its document refers to it. Writing a hidden one changes no answer; `show` makes it visible
in one small update; `clear` removes a hidden one, a limited number of rows at a time.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Delete, ScalarSelect, delete, exists, insert, select, update

from pincite.store.content_slices import pack_blocks, replace_unstorable
from pincite.store.process_names import is_gone
from pincite.store.schema import concordances, contents, documents, generations, pages, passages, texts
from pincite.types import Block, Page, Passage


def select_visible(document: str) -> ScalarSelect[int | None]:
    """Return the visible generation of a document, as part of a query."""
    return select(documents.c.generation).where(documents.c.id == document).scalar_subquery()


def begin(connection: Connection, document: str, writer: str = "") -> int:
    """Create a hidden generation; `document` may be empty until it is shown."""
    made = connection.execute(insert(generations).values(document=document, writer=writer))
    assert made.inserted_primary_key
    return int(made.inserted_primary_key[0])


def add_texts(connection: Connection, generation: int, slices: Sequence[tuple[int, str]]) -> None:
    """Add slices of the text, each with its start."""
    rows = [{"generation": generation, "start": start, "text": replace_unstorable(text)} for start, text in slices]
    if rows:
        connection.execute(insert(texts), rows)


def add_pages(connection: Connection, generation: int, some: Sequence[Page]) -> None:
    """Add pages with their boxes."""
    if some:
        connection.execute(insert(pages), [_make_page_row(generation, page) for page in some])


def add_blocks(connection: Connection, generation: int, part: int, blocks: Sequence[Block]) -> None:
    """Add a part of the blocks; parts are counted from 0."""
    row = {"generation": generation, "part": part, "blocks": pack_blocks(blocks)}
    connection.execute(insert(contents).values(row))


def add_concordance(connection: Connection, generation: int, part: int, data: bytes, version: int) -> None:
    """Add a part of the concordance; parts are counted from 0."""
    row = {"generation": generation, "part": part, "version": version, "data": data}
    connection.execute(insert(concordances).values(row))


def add_passages(connection: Connection, generation: int, first: int, pieces: Sequence[Passage]) -> list[int]:
    """Add passages, the first of which has the index `first`, and return their ids in order."""
    if not pieces:
        return []
    rows = [_make_passage_row(generation, first + i, piece) for i, piece in enumerate(pieces)]
    connection.execute(insert(passages), rows)
    ordinal = passages.c.ordinal
    query = select(passages.c.id).where(passages.c.generation == generation, ordinal >= first).order_by(ordinal)
    return list(connection.scalars(query))


def show(connection: Connection, document: str, generation: int, **values: Any) -> None:
    """Make a generation visible, and update the document's row with these values."""
    change = update(generations).where(generations.c.id == generation)
    connection.execute(change.values(document=document, writer=""))
    connection.execute(update(documents).where(documents.c.id == document).values(generation=generation, **values))


def release(connection: Connection, generation: int) -> None:
    """Mark a hidden generation as no longer being written, so that it may be removed."""
    connection.execute(update(generations).where(generations.c.id == generation).values(writer=""))


def list_removable(connection: Connection, document: str | None = None) -> list[int]:
    """Return the hidden generations that may be removed.

    For all documents, these are the ones that no living process writes. For one document, these are all, because the
    caller holds its job.
    """
    is_shown = exists().where(documents.c.generation == generations.c.id)
    query = select(generations.c.id, generations.c.writer).where(~is_shown)
    if document is not None:
        return [row.id for row in connection.execute(query.where(generations.c.document == document))]
    return [row.id for row in connection.execute(query) if not row.writer or is_gone(row.writer)]


def lock_hidden(connection: Connection, generation: int) -> bool:
    """Wait until no other process removes a generation; return False if none is left to remove.

    Two processes that remove the same rows in different orders would wait for each other.
    """
    query = select(generations.c.id).where(generations.c.id == generation).with_for_update()
    return connection.scalar(query) is not None


def clear(connection: Connection, generation: int, rows: int) -> bool:
    """Remove at most so many rows of a hidden generation, and return whether nothing is left of it."""
    is_shown = select(documents.c.id).where(documents.c.generation == generation)
    if connection.scalar(is_shown) is not None:
        raise ValueError("A visible generation cannot be removed.")
    left = rows
    for statement, weight in _make_removals(generation, rows):
        left -= connection.execute(statement).rowcount * weight
        if left <= 0:
            return False
    connection.execute(delete(generations).where(generations.c.id == generation))
    return True


def _make_removals(generation: int, rows: int) -> list[tuple[Delete, int]]:
    """Return for each table a statement that removes some rows, and how many of the allowed rows each row costs."""
    heavy = 8  # a slice of text or a page with boxes is as large as several passages
    some = select(passages.c.id).where(passages.c.generation == generation).limit(rows)
    statements = [(delete(passages).where(passages.c.id.in_(some)), 1)]
    for table, key in (
        (texts, texts.c.start),
        (pages, pages.c.number),
        (contents, contents.c.part),
        (concordances, concordances.c.part),
    ):
        keys = select(key).where(table.c.generation == generation).limit(max(rows // heavy, 1))
        statements.append((delete(table).where(table.c.generation == generation, key.in_(keys)), heavy))
    return statements


def _make_page_row(generation: int, page: Page) -> dict[str, Any]:
    return {
        "generation": generation,
        "number": page.number,
        "start": page.start,
        "end": page.end,
        "width": page.width,
        "height": page.height,
        "boxes": page.boxes,
        "label": page.label,
    }


def _make_passage_row(generation: int, ordinal: int, passage: Passage) -> dict[str, Any]:
    return {
        "generation": generation,
        "ordinal": ordinal,
        "start": passage.start,
        "end": passage.end,
        "headings": list(passage.headings),
        "first_page": passage.first_page,
        "last_page": passage.last_page,
    }
