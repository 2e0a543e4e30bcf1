"""Find all matches of words in one document, each with its surroundings and its rectangles."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.library.document_structure import find_page_number
from pincite.locate.boxes import find_page_boxes
from pincite.locate.occurrences import find_occurrences
from pincite.store import document_layout, document_text, documents
from pincite.store.database import Database
from pincite.text.display import join_broken_words
from pincite.types import Page, PageBoxes

_AROUND = 40  # characters


@dataclass(frozen=True, slots=True)
class WordMatch:
    """A match: its characters, its page (0 means none), the text around it, and its rectangles."""

    start: int
    end: int
    page: int
    before: str
    text: str
    after: str
    boxes: tuple[PageBoxes, ...]


@dataclass(frozen=True, slots=True)
class WordMatches:
    """The number of matches in a document, and the first of them."""

    total: int
    matches: tuple[WordMatch, ...]


def find_words(database: Database, person: str, document: str, words: str, limit: int) -> WordMatches:
    """Return the matches of words in a document's text, in order, at most `limit`.

    Raise `NotFound` unless the person may see the document.
    """
    with database.reading() as connection:
        documents.get_visible(connection, person, document)
        text = document_layout.load_text(connection, document)
        found = find_occurrences(text, words, limit)
        sheets = document_layout.list_pages(connection, document) if found.spans else []
        boxes: list[list[PageBoxes]] = [[] for _ in found.spans]
        for number, members in _group_by_page(sheets, found.spans):
            page = document_text.get_page(connection, document, number)
            words_there = text[page.start : page.end]
            for each in members:
                if placed := find_page_boxes(page, words_there, [found.spans[each]]):
                    boxes[each].append(placed)
    matches = tuple(
        WordMatch(
            start,
            end,
            find_page_number(sheets, start),
            join_broken_words(text[max(start - _AROUND, 0) : start]),
            join_broken_words(text[start:end]),
            join_broken_words(text[end : end + _AROUND]),
            tuple(placed),
        )
        for (start, end), placed in zip(found.spans, boxes, strict=True)
    )
    return WordMatches(found.total, matches)


def _group_by_page(pages: Sequence[Page], spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, list[int]]]:
    """Yield each page with the indices of the spans on it, so that the boxes of each page are loaded once."""
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
