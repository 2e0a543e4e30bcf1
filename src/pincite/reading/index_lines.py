"""Mark the index of a book as contents: its lines name words of the text and their pages, and answer nothing."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.reading.contents_lines import (
    FEWEST_LEADERS,
    LEADER_SIGNS,
    LONGEST_LINE,
    MOST_BETWEEN,
    list_content_lines,
    mark_ranges,
)
from pincite.types import Document, Page

_FEWEST = 10  # entries
_PAGE = re.compile(r"\d{1,4}")
_WORD = re.compile(r"\w{3,}")


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line that ends with pages: its longest word, and the first of the pages; both "" for another line."""

    start: int
    end: int
    word: str
    page: str


def mark_index(document: Document) -> Document:
    """Return the document with the lines of its index as contents: their words are on the pages that they name."""
    if not document.pages:
        return document
    words = _PageWords(document)
    entries = (_read_entry(start, line) for start, line in list_content_lines(document))
    found = [(run[0].start, run[-1].end) for run in _find_runs(entries) if _names_pages(run, words)]
    return mark_ranges(document, found)


def _read_entry(start: int, line: str) -> _Entry:
    end = start + len(line)
    if len(line) > LONGEST_LINE:
        return _Entry(start, end, "", "")
    head = line.rstrip("0123456789 ,–-")
    pages = line[len(head) :].lstrip()
    leaders = sum(map(head[len(head.rstrip(f" {LEADER_SIGNS}")) :].count, LEADER_SIGNS))
    word = max(_WORD.findall(head.casefold()), key=len, default="")
    page = _PAGE.search(pages)
    if not page or not word or not (pages.startswith(",") or leaders >= FEWEST_LEADERS):
        return _Entry(start, end, "", "")
    return _Entry(start, end, word, page[0])


def _find_runs(entries: Iterator[_Entry]) -> Iterator[list[_Entry]]:
    """Yield the stretches from one entry to another with few other lines between."""
    run: list[_Entry] = []
    last = 0  # the place of the last entry in the run
    for entry in entries:
        if run and (len(run) - last > MOST_BETWEEN + 1 or entry.end - entry.start > LONGEST_LINE):
            yield run[: last + 1]
            run = []
        if entry.word:
            last = len(run)
        if run or entry.word:
            run.append(entry)
    yield run[: last + 1]


def _names_pages(run: Sequence[_Entry], words: "_PageWords") -> bool:
    """Return whether a run is an index: most of its entries have words of the pages that they name."""
    entries = [entry for entry in run if entry.word]
    return len(entries) >= _FEWEST and 2 * sum(words.has(entry.page, entry.word) for entry in entries) > len(entries)


class _PageWords:
    """The words of the pages of a document by their printed numbers, each read when it is first asked for."""

    def __init__(self, document: Document) -> None:
        self._text = document.text
        self._pages: dict[str, Page] = {page.label or str(page.number): page for page in document.pages}
        self._words: dict[str, frozenset[str]] = {}

    def has(self, number: str, word: str) -> bool:
        page = self._pages.get(number)
        if page and number not in self._words:
            self._words[number] = frozenset(_WORD.findall(self._text[page.start : page.end].casefold()))
        return word in self._words.get(number, ())
