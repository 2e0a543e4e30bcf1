"""Documents opened rather than searched: by a name a person would use, from end to end, or at a page."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.store import documents, layout, passages
from pincite.store.database import Database
from pincite.store.documents import StoredDocument
from pincite.store.passages import StoredPassage
from pincite.text.display import put_on_one_line
from pincite.types import Hit, Scope, Span

_WORD = re.compile(r"[^\W_]+")
_ID = re.compile(r"[0-9a-f]{6,32}")
_ENOUGH = 0.6  # of the words of a name that a title must have


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document: its heading's words, and from where to where it goes, its subsections with it."""

    title: str
    start: int
    end: int


def listed(database: Database, scope: Scope) -> list[StoredDocument]:
    """The documents of a scope that can be read, the newest first."""
    with database.reading() as connection:
        inside = documents.in_scope(connection, scope)
        found = documents.find(connection, scope.owner)
    return [d for d in reversed(found) if d.passages and (inside is None or d.id in inside)]


def named(database: Database, scope: Scope, name: str) -> list[StoredDocument]:
    """The documents of a scope that a name means: an id's beginning, or words of the title or the file's name."""
    there = listed(database, scope)
    if _ID.fullmatch(name):
        return [document for document in there if document.id.startswith(name)]
    wanted = _words(name)
    if not wanted:
        return []
    shares = [(len(wanted & _words(f"{d.title} {d.name}")) / len(wanted), d) for d in there]
    best = max((share for share, _ in shares), default=0.0)
    return [document for share, document in shares if share == best and share >= _ENOUGH]


def outline(database: Database, document: str, limit: int) -> list[Hit]:
    """Passages spread over a whole document: its beginning, then where its sections begin, then what lies between."""
    with database.reading() as connection:
        rows = passages.get(connection, passages.ids(connection, document))
    if len(rows) <= limit:
        return _hits(database, rows)
    begins = [i for i, row in enumerate(rows) if i == 0 or row.passage.headings != rows[i - 1].passage.headings]
    pool = begins if len(begins) >= limit else list(range(len(rows)))
    step = (len(pool) - 1) / (limit - 1) if limit > 1 else 0
    chosen = sorted({pool[round(i * step)] for i in range(limit)})
    return _hits(database, [rows[i] for i in chosen])


def at_page(database: Database, document: str, page: int, limit: int = 6) -> list[Hit]:
    """The passages that stand on a page, or begin there."""
    with database.reading() as connection:
        rows = passages.get(connection, passages.ids(connection, document))
    return _hits(database, [row for row in rows if row.passage.first_page <= page <= row.passage.last_page][:limit])


def from_start(database: Database, document: str, start: int, limit: int = 3) -> list[Hit]:
    """The passages that follow a place in a document's text."""
    with database.reading() as connection:
        rows = passages.get(connection, passages.ids(connection, document))
    return _hits(database, [row for row in rows if row.passage.end > start][:limit])


def find_section(database: Database, document: str, words: str) -> Section | None:
    """The section whose heading has the words, or most of them; None when no heading does."""
    with database.reading() as connection:
        blocks = [block for block in layout.blocks(connection, document) if block.kind == "heading"]
        length = layout.length(connection, document)
        titles = [documents.text(connection, document, block.start, block.end) for block in blocks]
    wanted = _words(words, shortest=1)
    best, chosen = 0.0, -1
    for place, title in enumerate(titles):
        said = _words(title, shortest=1)
        # Of several headings that have all the words, the one with the fewest others.
        share = len(wanted & said) / max(len(wanted), 1)
        share += len(wanted & said) / max(len(said), 1) / 100
        if share > best:
            best, chosen = share, place
    if best < _ENOUGH:
        return None
    level = blocks[chosen].level
    ends = (block.start for block in blocks[chosen + 1 :] if block.level <= level)
    return Section(put_on_one_line(titles[chosen]), blocks[chosen].start, next(ends, length))


def between(database: Database, document: str, start: int, end: int, limit: int) -> list[Hit]:
    """The passages that hold a stretch of a document's text; one that only repeats another's end is left out."""
    inside: list[StoredPassage] = []
    with database.reading() as connection:
        for row in passages.get(connection, passages.ids(connection, document)):
            first, last = max(row.passage.start, start), min(row.passage.end, end)
            if first < last and any(map(str.isalnum, documents.text(connection, document, first, last))):
                inside.append(row)
                start = last
    return _hits(database, inside[:limit])


def openings(database: Database, chosen: Sequence[str]) -> list[Hit]:
    """The first passage of each document, in their order."""
    with database.reading() as connection:
        first = [id for document in chosen for id in passages.ids(connection, document)[:1]]
        rows = passages.get(connection, first)
    return _hits(database, rows)


def _hits(database: Database, rows: Sequence[StoredPassage]) -> list[Hit]:
    with database.reading() as connection:
        return [
            Hit(
                span=Span(row.document, row.passage.start, row.passage.end),
                title=row.title,
                kind=row.kind,
                text=documents.text(connection, row.document, row.passage.start, row.passage.end),
                score=0.0,
                page=row.passage.first_page,
                last_page=row.passage.last_page,
                headings=row.passage.headings,
                label=row.label,
            )
            for row in rows
        ]


def _words(text: str, shortest: int = 2) -> set[str]:
    plain = unicodedata.normalize("NFKD", text.casefold())
    found = _WORD.findall("".join(c for c in plain if not unicodedata.combining(c)))
    return {word for word in found if len(word) >= shortest}
