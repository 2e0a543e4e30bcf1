"""Read facts about passages from the store: the document's name, day and address, its code and its tables."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from pincite.answer.ledger import CharacterRange, PassageFacts
from pincite.library.project_snapshots import PATH
from pincite.proof.tables import read_tables
from pincite.store import document_layout, document_sources, document_text, documents
from pincite.store.database import Database
from pincite.store.document_sources import DocumentOrigin
from pincite.store.documents import StoredDocument
from pincite.types import Block, BlockKind, Kind, Span, Table, count_line_ends


def describe_passages(database: Database, owner: str, spans: Sequence[Span]) -> dict[Span, PassageFacts]:
    """Return the facts that are stored about each passage and its document."""
    ids = list(dict.fromkeys(span.document for span in spans))
    found: dict[Span, PassageFacts] = {}
    with database.reading() as connection:
        places = document_sources.find_origins(connection, owner, ids)
        stored = {document.id: document for document in documents.get_many(connection, owner, ids)}
        # The blocks of a document are unpacked once for all its passages.
        blocks = {id: document_layout.load_blocks(connection, id) for id in stored}

        def find_tables(span: Span) -> tuple[Table, ...]:
            def read(start: int, end: int) -> str:
                return document_text.read_text(connection, span.document, start, end)

            return read_tables(read, blocks[span.document], span.start, span.end)

        for span in spans:
            if document := stored.get(span.document):
                place = places.get(span.document, DocumentOrigin())
                code = find_code(span, document.kind, blocks[span.document])
                tables = () if document.kind == "code" else find_tables(span)
                figures = _find_ranges(span, blocks[span.document], "figure")
                inside = find_blocks(span, blocks[span.document])
                path, line = document.metadata.get(PATH, "") if document.cut == documents.PROJECT_CUT else "", 0
                if path:
                    line = count_line_ends(document_text.read_text(connection, span.document, 0, span.start)) + 1
                found[span] = PassageFacts(
                    place.url, document.name, _find_day(document, place), tables, code, figures, inside, path, line
                )
    return found


def find_blocks(span: Span, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks of a passage, each cut to the passage."""
    first = max(bisect_right(blocks, span.start, key=lambda block: block.start) - 1, 0)
    last = bisect_left(blocks, span.end, key=lambda block: block.start)
    return tuple(
        replace(block, start=max(block.start, span.start), end=min(block.end, span.end))
        for block in blocks[first:last]
        if block.end > span.start
    )


def find_code(span: Span, kind: Kind, blocks: Sequence[Block]) -> tuple[CharacterRange, ...]:
    """Return the code in a passage, cut to the passage; for a file of code, the whole passage."""
    if kind == "code":
        return ((span.start, span.end),)
    return _find_ranges(span, blocks, "code")


def _find_ranges(span: Span, blocks: Sequence[Block], kind: BlockKind) -> tuple[CharacterRange, ...]:
    """Return the blocks of one kind in a passage, each cut to the passage."""
    inside = (block for block in blocks if block.kind == kind and block.start < span.end and block.end > span.start)
    return tuple((max(block.start, span.start), min(block.end, span.end)) for block in inside)


def _find_day(document: StoredDocument, place: DocumentOrigin) -> str:
    """Return the date of the document; for a web page without one, the day on which it was fetched."""
    if document.date:
        return document.date
    return datetime.fromtimestamp(place.fetched, UTC).date().isoformat() if place.fetched else ""
