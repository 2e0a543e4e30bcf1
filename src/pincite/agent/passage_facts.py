"""Facts on passages from the store, besides their words: the document's name, day and address, code and tables."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from pincite.agent.ledger import About, Stretch
from pincite.proof.tables import read_tables
from pincite.store import documents, layout, sources
from pincite.store.database import Database
from pincite.store.documents import StoredDocument
from pincite.store.sources import Whereabouts
from pincite.types import Block, BlockKind, Kind, Span, Table


def describe_passages(database: Database, owner: str, spans: Sequence[Span]) -> dict[Span, About]:
    """Each passage with what is stored about it and its document."""
    ids = list(dict.fromkeys(span.document for span in spans))
    found: dict[Span, About] = {}
    with database.reading() as connection:
        places = sources.whereabouts(connection, owner, ids)
        stored = {document.id: document for document in documents.all_of(connection, ids)}
        # Unpacked once for all passages of a document.
        blocks = {id: layout.blocks(connection, id) for id in stored}

        def find_tables(span: Span) -> tuple[Table, ...]:
            def read(start: int, end: int) -> str:
                return documents.text(connection, span.document, start, end)

            return read_tables(read, blocks[span.document], span.start, span.end)

        for span in spans:
            if document := stored.get(span.document):
                place = places.get(span.document, Whereabouts())
                code = find_code(span, document.kind, blocks[span.document])
                tables = () if document.kind == "code" else find_tables(span)
                figures = _inside(span, blocks[span.document], "figure")
                inside = find_blocks(span, blocks[span.document])
                found[span] = About(place.url, document.name, _day(document, place), tables, code, figures, inside)
    return found


def find_blocks(span: Span, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks that stand in a passage, as far as they do."""
    first = max(bisect_right(blocks, span.start, key=lambda block: block.start) - 1, 0)
    last = bisect_left(blocks, span.end, key=lambda block: block.start)
    return tuple(
        replace(block, start=max(block.start, span.start), end=min(block.end, span.end))
        for block in blocks[first:last]
        if block.end > span.start
    )


def find_code(span: Span, kind: Kind, blocks: Sequence[Block]) -> tuple[Stretch, ...]:
    """The code that stands in a passage, as far as it does; of a file of code, all of it."""
    if kind == "code":
        return ((span.start, span.end),)
    return _inside(span, blocks, "code")


def _inside(span: Span, blocks: Sequence[Block], kind: BlockKind) -> tuple[Stretch, ...]:
    """The blocks of a kind that stand in a passage, as far as they do."""
    inside = (block for block in blocks if block.kind == kind and block.start < span.end and block.end > span.start)
    return tuple((max(block.start, span.start), min(block.end, span.end)) for block in inside)


def _day(document: StoredDocument, place: Whereabouts) -> str:
    """The document's own day; for a page of the web that has none, the day on which it was fetched."""
    if document.date:
        return document.date
    return datetime.fromtimestamp(place.fetched, UTC).date().isoformat() if place.fetched else ""
