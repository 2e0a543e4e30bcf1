"""Mark the lines of a table of contents: they repeat the words of the headings, and answer nothing."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pincite.text.folding import keep_alphanumerics
from pincite.types import NON_CONTENT_KINDS, Block, Document, Kind

# Formats of texts whose contents name pages; in the others, a number at a line's end is a figure of a table.
_WITH_CONTENTS: frozenset[Kind] = frozenset(("pdf", "docx", "odt", "rtf", "text"))
LONGEST_LINE = 300  # characters of a line
_FEWEST = 3  # entries
MOST_BETWEEN = 3  # lines between two entries at most: the first lines of a long title, or the name of a part
FEWEST_LEADERS = 4  # signs between a title and its page, if there is no tab
LEADER_SIGNS = ".…·_"
_ROMAN = re.compile(r"[ivxl]+")
_NUMBER = re.compile(r"[\W\d]*")  # before a title


@dataclass(frozen=True, slots=True)
class _ContentsLine:
    """A line of a text, and the page that it ends with if it may be an entry; 0 for a Roman number, else -1."""

    start: int
    end: int
    title: str
    page: int


def mark_contents(document: Document) -> Document:
    """Return the document with blocks of kind `contents` for the entries of its tables of contents."""
    headings = [block for block in document.blocks if block.kind == "heading"]
    if document.kind not in _WITH_CONTENTS or not headings:
        return document
    lines = list(_list_lines(document))
    entries = {line.start for line in lines if line.page >= 0}
    titles = _list_titles(document.text, [block for block in headings if block.start not in entries])
    return mark_ranges(document, [(a[0].start, a[-1].end) for a in _find_runs(lines) if _repeats_titles(a, titles)])


def _list_lines(document: Document) -> Iterator[_ContentsLine]:
    for start, text in list_content_lines(document):
        title, page = _read_entry(text) if len(text) <= LONGEST_LINE else ("", -1)
        yield _ContentsLine(start, start + len(text), title, page)


def list_content_lines(document: Document) -> Iterator[tuple[int, str]]:
    """Yield the start and the text of each line, but those of code, headers and footers."""
    for block in document.blocks:
        if block.kind in NON_CONTENT_KINDS or block.kind == "code":
            continue
        start = block.start
        for text in document.text[block.start : block.end].split("\n"):
            yield start, text
            start += len(text) + 1


def _read_entry(line: str) -> tuple[str, int]:
    """Return the title and the page of a line with dots or a tab between them; the page is -1 in any other line."""
    line = line.strip()
    head = line.rstrip("0123456789ivxl" if line[-1:].isalpha() else "0123456789")
    page, title = line[len(head) :], head.rstrip(f" \u00a0\t{LEADER_SIGNS}")
    gap = head[len(title) :]
    is_parted = "\t" in gap or sum(gap.count(sign) for sign in LEADER_SIGNS) >= FEWEST_LEADERS
    is_page = page.isdecimal() and len(page) < 5
    if not title or not is_parted or not (is_page or _ROMAN.fullmatch(page)):
        return _fold_title(line), -1
    return _fold_title(title), int(page) if is_page else 0


def _fold_title(title: str) -> str:
    return keep_alphanumerics(_NUMBER.sub("", title, count=1))


def _list_titles(text: str, headings: Sequence[Block]) -> frozenset[str]:
    """Return the words of the headings, and of two that follow one another: the lines of a heading may be apart."""
    titles = [_fold_title(text[block.start : min(block.end, block.start + LONGEST_LINE)]) for block in headings]
    return frozenset((*titles, *(one + two for one, two in pairwise(titles)))) - {""}


def _find_runs(lines: Sequence[_ContentsLine]) -> Iterator[list[_ContentsLine]]:
    """Yield the stretches of lines from one entry to another, whose pages rise, with few other lines between."""
    run: list[_ContentsLine] = []
    last = page = 0  # the place of the last entry in the run, and its page
    for line in lines:
        if run and (0 < line.page < page or len(run) - last > MOST_BETWEEN + 1 or line.end - line.start > LONGEST_LINE):
            yield run[: last + 1]
            run = []
        if line.page >= 0:
            last, page = len(run), line.page or (page if run else 0)
        if run or line.page >= 0:
            run.append(line)
    if run:
        yield run[: last + 1]


def _repeats_titles(run: Sequence[_ContentsLine], titles: frozenset[str]) -> bool:
    """Return whether most of the entries name headings of the document."""
    places = [place for place, line in enumerate(run) if line.page >= 0]
    named = sum(
        any(
            "".join(line.title for line in run[first : place + 1]) in titles
            for first in range(place, place - 3, -1)
            if first >= 0
        )
        for place in places
    )
    return len(places) >= _FEWEST and 2 * named >= len(places)


def mark_ranges(document: Document, found: Sequence[tuple[int, int]]) -> Document:
    """Return the document with the text in some ranges as contents; headers and footers stay."""
    return replace(document, blocks=tuple(_cut_blocks(document.blocks, found))) if found else document


def _cut_blocks(blocks: Sequence[Block], found: Sequence[tuple[int, int]]) -> Iterator[Block]:
    starts = [start for start, _ in found]
    for block in blocks:
        at = block.start
        for start, end in found[max(bisect_right(starts, block.start) - 1, 0) : bisect_right(starts, block.end - 1)]:
            if end <= at or block.kind in NON_CONTENT_KINDS:
                continue
            if start > at:
                yield replace(block, start=at, end=start)
            yield Block("contents", max(start, at), min(end, block.end))
            at = min(end, block.end)
        if at < block.end:
            yield replace(block, start=at)
