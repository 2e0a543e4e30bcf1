"""Open documents without a search: by a name, by a section, at a page, or sampled from start to end.

A document that the person may not see has no passages here.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from pincite.store import document_layout, document_text, documents, stored_passages
from pincite.store.database import Connection, Database
from pincite.store.documents import StoredDocument
from pincite.store.stored_passages import StoredPassage
from pincite.text.display import put_on_one_line
from pincite.text.folding import fold_text
from pincite.text.words import WORD
from pincite.types import Hit, Scope, Span

_ID = re.compile(r"[0-9a-f]{6,32}")
_ENOUGH = 0.6  # of the words of a name that a title must have


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """A section of a document with its subsections: its heading, its start and its end."""

    title: str
    start: int
    end: int


def list_documents(database: Database, scope: Scope) -> list[StoredDocument]:
    """Return the documents of a scope that can be read, the newest first."""
    with database.reading() as connection:
        inside = documents.list_ids_in_scope(connection, scope)
        found = documents.find(connection, scope.owner)
    return [d for d in reversed(found) if d.passages and (inside is None or d.id in inside)]


def find_documents_by_name(database: Database, scope: Scope, name: str) -> list[StoredDocument]:
    """Return the documents of a scope that match a name: the start of an id, or words of the title or file name."""
    there = list_documents(database, scope)
    if _ID.fullmatch(name):
        return [document for document in there if document.id.startswith(name)]
    wanted = _split_words(name)
    if not wanted:
        return []
    shares = [(len(wanted & _split_words(f"{d.title} {d.name}")) / len(wanted), d) for d in there]
    best = max((share for share, _ in shares), default=0.0)
    return [document for share, document in shares if share == best and share >= _ENOUGH]


def sample_passages(database: Database, person: str, document: str, limit: int) -> list[Hit]:
    """Return passages spread over a document: its beginning, the beginnings of its sections, then those between."""
    with database.reading() as connection:
        rows = _list_passages(connection, person, document)
        if len(rows) <= limit:
            return _load_hits(connection, rows)
        begins = [i for i, row in enumerate(rows) if i == 0 or row.passage.headings != rows[i - 1].passage.headings]
        between = sorted(set(range(len(rows))) - set(begins))
        chosen = sorted({*_spread(begins, limit), *_spread(between, limit - len(begins))})
        return _load_hits(connection, [rows[i] for i in chosen])


def _spread(places: Sequence[int], count: int) -> list[int]:
    """Return so many of the places, evenly spread from the first to the last; all if there are no more."""
    if count <= 0 or len(places) <= count:
        return list(places) if count > 0 else []
    step = (len(places) - 1) / (count - 1) if count > 1 else 0
    return [places[round(i * step)] for i in range(count)]


def list_passages_on_page(database: Database, person: str, document: str, page: int, limit: int = 6) -> list[Hit]:
    """Return the passages that stand on a page, or begin there."""
    with database.reading() as connection:
        rows = _list_passages(connection, person, document)
        there = [row for row in rows if row.passage.first_page <= page <= row.passage.last_page]
        return _load_hits(connection, there[:limit])


def list_passages_after(database: Database, person: str, document: str, start: int, limit: int = 3) -> list[Hit]:
    """Return the passages that follow a place in a document's text."""
    with database.reading() as connection:
        rows = _list_passages(connection, person, document)
        return _load_hits(connection, [row for row in rows if row.passage.end > start][:limit])


def find_section(database: Database, person: str, document: str, words: str) -> DocumentSection | None:
    """Return the section whose heading has the words, or most of them; None when no heading does."""
    with database.reading() as connection:
        if not documents.get_many(connection, person, [document]):
            return None
        blocks = [block for block in document_layout.load_blocks(connection, document) if block.kind == "heading"]
        length = document_layout.count_characters(connection, document)
        titles = [document_text.read_text(connection, document, block.start, block.end) for block in blocks]
    wanted = _split_words(words, shortest=1)
    best, chosen = 0.0, -1
    for place, title in enumerate(titles):
        said = _split_words(title, shortest=1)
        # Of several headings that have all the words, the one with the fewest others.
        share = len(wanted & said) / max(len(wanted), 1)
        share += len(wanted & said) / max(len(said), 1) / 100
        if share > best:
            best, chosen = share, place
    if best < _ENOUGH:
        return None
    level = blocks[chosen].level
    ends = (block.start for block in blocks[chosen + 1 :] if block.level <= level)
    return DocumentSection(put_on_one_line(titles[chosen]), blocks[chosen].start, next(ends, length))


def list_passages_between(
    database: Database, person: str, document: str, start: int, end: int, limit: int
) -> list[Hit]:
    """Return the passages of a stretch of a document's text, without those that only repeat the end of another."""
    inside: list[StoredPassage] = []
    with database.reading() as connection:
        for row in _list_passages(connection, person, document):
            first, last = max(row.passage.start, start), min(row.passage.end, end)
            if first < last and any(map(str.isalnum, document_text.read_text(connection, document, first, last))):
                inside.append(row)
                start = last
        return _load_hits(connection, inside[:limit])


def find_passages_at(database: Database, person: str, places: Sequence[Span]) -> list[StoredPassage]:
    """Return the passages that contain some places of documents, in the order of the places, each once; no text."""
    found: dict[int, StoredPassage] = {}
    with database.reading() as connection:
        rows: dict[str, list[StoredPassage]] = {}
        ends: dict[str, list[int]] = {}  # how far the passages reach, up to each
        for id in dict.fromkeys(span.document for span in places):
            rows[id] = sorted(_list_passages(connection, person, id), key=lambda row: row.passage.start)
            ends[id] = list(accumulate((row.passage.end for row in rows[id]), max))
    for span in places:
        known, start = rows[span.document], span.start
        at = bisect_right(ends[span.document], start)
        while at < len(known) and known[at].passage.start < span.end:
            if known[at].passage.end > start:
                found[known[at].id] = known[at]
                start = known[at].passage.end
            at += 1
    return list(found.values())


def load_passages(database: Database, person: str, rows: Sequence[StoredPassage]) -> list[Hit]:
    """Return passages with their text, in their order; without those that the person may not see any more."""
    with database.reading() as connection:
        return _load_hits(connection, stored_passages.get_visible(connection, person, [row.id for row in rows]))


def list_first_passages(database: Database, person: str, chosen: Sequence[str]) -> list[Hit]:
    """Return the first passage of each document, in their order."""
    with database.reading() as connection:
        first = [id for document in chosen for id in stored_passages.list_ids(connection, document)[:1]]
        return _load_hits(connection, stored_passages.get_visible(connection, person, first))


def _list_passages(connection: Connection, person: str, document: str) -> list[StoredPassage]:
    """Return the passages of a document in order; none if the person may not see it."""
    return stored_passages.get_visible(connection, person, stored_passages.list_ids(connection, document))


def _load_hits(connection: Connection, rows: Sequence[StoredPassage]) -> list[Hit]:
    return [
        Hit(
            span=Span(row.document, row.passage.start, row.passage.end),
            title=row.title,
            kind=row.kind,
            text=document_text.read_text(connection, row.document, row.passage.start, row.passage.end),
            score=0.0,
            page=row.passage.first_page,
            last_page=row.passage.last_page,
            headings=row.passage.headings,
            label=row.label,
        )
        for row in rows
    ]


def _split_words(text: str, shortest: int = 2) -> set[str]:
    return {word for word in WORD.findall(fold_text(text)) if len(word) >= shortest}
