"""Words to every place in one document where they stand, each with what is around it and its rectangles."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.evidence.boxes import on_page
from pincite.evidence.occurrences import occurrences
from pincite.library.structure import page_at
from pincite.store import documents, layout
from pincite.store.database import Database
from pincite.text.display import join_broken_words
from pincite.types import Page, PageBoxes

_AROUND = 40  # characters


@dataclass(frozen=True, slots=True)
class Match:
    """A place where the words stand: its characters, its page (0 is none), what is around it, its rectangles."""

    start: int
    end: int
    page: int
    before: str
    text: str
    after: str
    boxes: tuple[PageBoxes, ...]


@dataclass(frozen=True, slots=True)
class Matches:
    """How often the words stand in a document, and the first of these places."""

    total: int
    matches: tuple[Match, ...]


def find(database: Database, document: str, words: str, limit: int) -> Matches:
    """Where words stand in a document's text, in its order, so many places at most."""
    with database.reading() as connection:
        text = layout.text(connection, document)
        found = occurrences(text, words, limit)
        sheets = layout.sheets(connection, document) if found.spans else []
        boxes: list[list[PageBoxes]] = [[] for _ in found.spans]
        for number, members in _by_page(sheets, found.spans):
            page = documents.page(connection, document, number)
            words_there = text[page.start : page.end]
            for each in members:
                if placed := on_page(page, words_there, [found.spans[each]]):
                    boxes[each].append(placed)
    matches = tuple(
        Match(
            start,
            end,
            page_at(sheets, start),
            join_broken_words(text[max(start - _AROUND, 0) : start]),
            join_broken_words(text[start:end]),
            join_broken_words(text[end : end + _AROUND]),
            tuple(placed),
        )
        for (start, end), placed in zip(found.spans, boxes, strict=True)
    )
    return Matches(found.total, matches)


def _by_page(pages: Sequence[Page], spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, list[int]]]:
    """The pages that spans, in their order, stand on, and which of the spans: each page's boxes are loaded once."""
    first = 0
    for page in pages:
        while first < len(spans) and spans[first][1] <= page.start:
            first += 1
        members = []
        for each in range(first, len(spans)):
            if spans[each][0] >= page.end:
                break
            members.append(each)
        if members:
            yield page.number, members
