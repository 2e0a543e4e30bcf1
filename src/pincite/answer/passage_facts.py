"""Read facts about passages from the store: the document's name, day and address, its code and its tables."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from pincite.answer.ledger import CharacterRange, PassageFacts
from pincite.library.project_snapshots import PATH
from pincite.proof.tables import read_tables
from pincite.store import document_layout, document_sources, document_text, documents
from pincite.store.database import Database
from pincite.store.document_sources import DocumentOrigin
from pincite.store.documents import StoredDocument
from pincite.text.sentences import is_finished
from pincite.types import NON_CONTENT_KINDS, Block, BlockKind, Kind, Span, count_line_ends

_TEXT = frozenset[BlockKind](("paragraph", "list"))
_NEARBY = 20  # blocks: headers and footers between two parts of a sentence
_EDGE = 24  # characters that tell whether a sentence has ended
# The marks of notes behind a sentence: "rose.[12]", "rose.12", "rose.¹"
_NOTES = re.compile(r"(?:\[[\w ,–-]{1,12}\]|(?<=[^\W\d_][.!?])\d{1,3}(?!\d)|[¹²³⁰⁴-⁹*†‡])+\s*$")

ReadText = Callable[[int, int], str]  # the characters of a document's text from start to end


def describe_passages(database: Database, owner: str, spans: Sequence[Span]) -> dict[Span, PassageFacts]:
    """Return the facts that are stored about each passage and its document."""
    ids = list(dict.fromkeys(span.document for span in spans))
    found: dict[Span, PassageFacts] = {}
    with database.reading() as connection:
        places = document_sources.find_origins(connection, owner, ids)
        stored = {document.id: document for document in documents.get_many(connection, owner, ids)}
        # The blocks of a document are unpacked once for all its passages.
        blocks = {id: document_layout.load_blocks(connection, id) for id in stored}

        def make_reader(span: Span) -> ReadText:
            return lambda start, end: document_text.read_text(connection, span.document, start, end)

        for span in spans:
            if document := stored.get(span.document):
                place = places.get(span.document, DocumentOrigin())
                own, read = blocks[span.document], make_reader(span)
                tables = () if document.kind == "code" else read_tables(read, own, span.start, span.end)
                path, line = document.metadata.get(PATH, "") if document.cut == documents.PROJECT_CUT else "", 0
                if path:
                    line = count_line_ends(read(0, span.start)) + 1
                is_begun, is_unfinished = find_cut_edges(span, own, read)
                found[span] = PassageFacts(
                    url=place.url,
                    name=document.name,
                    date=_find_day(document, place),
                    tables=tables,
                    code=find_code(span, document.kind, own),
                    figures=_find_ranges(span, own, "figure"),
                    blocks=find_blocks(span, own),
                    path=path,
                    line=line,
                    is_begun=is_begun,
                    is_unfinished=is_unfinished,
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


def find_cut_edges(span: Span, blocks: Sequence[Block], read: ReadText) -> tuple[bool, bool]:
    """Return whether the first sentence of a passage begins before it, and whether its last one ends after it.

    A passage is cut inside a long sentence, or between two parts of one that goes on behind headers and footers. A
    paragraph without an end, such as a caption, is whole; so is a line, as in a poem or a log, where the one below it
    does not begin with a small letter.
    """
    content = [block for block in _list_nearby(span, blocks) if block.kind not in NON_CONTENT_KINDS]
    first = next((place for place, block in enumerate(content) if block.end > span.start), len(content))
    last = next((place for place, block in enumerate(content) if block.end >= span.end), len(content))
    is_begun = is_unfinished = False
    if first < len(content) and content[first].kind in _TEXT:
        start = content[first].start
        if start < span.start:
            before = read(max(start, span.start - _EDGE), span.start)
            goes_on = not _ends_line(before) or read(span.start, span.start + 1).islower()
            is_begun = goes_on and not _has_ended(before)
        elif first and content[first - 1].kind in _TEXT and read(span.start, span.start + 1).islower():
            end = content[first - 1].end
            is_begun = not _has_ended(read(max(end - _EDGE, 0), end))
    if last < len(content) and content[last].kind in _TEXT:
        ending = read(max(span.end - _EDGE, span.start), span.end)
        is_open = not _has_ended(ending)
        after = read(span.end, min(content[last].end, span.end + _EDGE))
        if is_open and after.strip():
            is_line = _ends_line(ending) or _begins_line(after)
            is_unfinished = not is_line or after.lstrip()[0].islower()
        elif is_open and last + 1 < len(content) and content[last + 1].kind in _TEXT:
            start = content[last + 1].start
            is_unfinished = read(start, start + 1).islower()
    return is_begun, is_unfinished


def _ends_line(text: str) -> bool:
    return "\n" in text[len(text.rstrip()) :]


def _begins_line(text: str) -> bool:
    return "\n" in text[: len(text) - len(text.lstrip())]


def _has_ended(text: str) -> bool:
    """Return whether a text ends as a sentence does, perhaps with marks of notes behind it."""
    return is_finished(_NOTES.sub("", text))


def _list_nearby(span: Span, blocks: Sequence[Block]) -> Sequence[Block]:
    """Return the blocks of a passage, and some before and after it."""
    first = bisect_right(blocks, span.start, key=lambda block: block.start)
    last = bisect_left(blocks, span.end, key=lambda block: block.start)
    return blocks[max(first - 1 - _NEARBY, 0) : last + _NEARBY]


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
