"""Number the lines of a page, and describe places by page and line."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pincite.locate.boxes import list_touched_pages
from pincite.locate.concordance import Concordance
from pincite.text.display import put_on_one_line
from pincite.types import Document, Page

Span = tuple[int, int]  # of the document's text, end exclusive


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line of text, counted from 1 on its page, where blank lines do not count; end exclusive."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextPosition:
    """The position of a character. Page 0 is a document without pages, in which blank lines count."""

    page: int
    line: int


def list_page_lines(document: Document, page: Page) -> list[PageLine]:
    """Return a page's lines that say something."""
    found: list[PageLine] = []
    start = page.start
    for piece in document.text[page.start : page.end].split("\n"):
        if piece.strip():
            found.append(PageLine(len(found) + 1, start, start + len(piece)))
        start += len(piece) + 1
    return found


def locate_character(document: Document, offset: int) -> TextPosition:
    """Return the page and the line of a character."""
    if not document.pages:
        return TextPosition(0, document.text.count("\n", 0, offset) + 1)
    at = max(bisect_right(document.pages, offset, key=lambda page: page.start) - 1, 0)
    before = sum(line.start <= offset for line in list_page_lines(document, document.pages[at]))
    return TextPosition(document.pages[at].number, max(before, 1))


def describe_spans(document: Document, spans: Sequence[Span]) -> str:
    """Describe where spans begin and end: "page 6, lines 2–31"."""
    first, last = (
        locate_character(document, min(spans)[0]),
        locate_character(document, max(end for _, end in spans) - 1),
    )
    if first.page != last.page:
        return f"page {first.page}, line {first.line} to page {last.page}, line {last.line}"
    lines = f"line {first.line}" if first.line == last.line else f"lines {first.line}–{last.line}"
    return f"page {first.page}, {lines}" if first.page else lines


def make_excerpt(document: Document, spans: Iterable[Span]) -> str:
    """Return the document's words in the spans, no word cut; an ellipsis stands where others are left out."""
    text, parts, at = document.text, list[str](), -1
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
            start -= 1
        while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
            end += 1
        start = max(start, at)
        if start >= end:
            continue
        between = text[at:start] if at >= 0 else ""
        parts.append(f"{' … ' if any(map(str.isalnum, between)) else between}{text[start:end]}")
        at = end
    return "".join(parts)


def take_first_words(text: str, most: int = 60) -> str:
    """Return the first words of a text, on one line, words broken at a line's end joined."""
    line = put_on_one_line(text)
    return line if len(line) <= most else line[:most].rsplit(" ", 1)[0] + " …"


def list_span_pages(document: Document, spans: Iterable[Span]) -> list[int]:
    """Return the numbers of the pages that spans stand on, in order."""
    return [page.number for page in list_touched_pages(document.pages, spans)]


def name_pages(pages: Iterable[int]) -> str:
    """Return page numbers in words: "page 4", "pages 1–3 and 9"."""
    numbers = sorted(set(pages))
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    told = [f"{run[0]}–{run[-1]}" if len(run) > 2 else " and ".join(map(str, run)) for run in runs]
    told = " and ".join(told).split(" and ") if len(told) > 1 else told
    listed = ", ".join(told[:-1]) + " and " + told[-1] if len(told) > 1 else "".join(told)
    return f"{'page' if len(numbers) == 1 else 'pages'} {listed}"


def list_other_orders(concordance: Concordance, page: Page) -> list[str]:
    """Return the reading orders of a page that differ from the order of the text: as drawn, by rows, by columns."""
    first, last = np.searchsorted(concordance.squeezed.places, (page.start, page.end)).tolist()
    own = np.arange(first, last)
    return [reading.order for reading in concordance.readings() if not np.array_equal(reading.source[first:last], own)]
