"""Find the title printed on a PDF's first page: the largest font in one place, no smaller than later headings."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from pincite.reading.letterheads import is_letterhead, may_be_title
from pincite.reading.packed_boxes import Boxes, unpack_boxes
from pincite.types import NON_CONTENT_KINDS, Block, Document, Page

_SAME = 0.93  # of the largest size; lines down to this have the same font
_LARGER = 1.15  # times the size of running text; a title is at least as large
_MUCH_LARGER = 2.0  # times that size; no running line is as large
_LOWEST = 0.62  # of the page's height; a title begins above it
_GAP = 3.0  # times their size; the largest distance of two lines of a title
_LATER = 8  # headings of later pages whose size is compared
_LONGEST = 250  # characters
_MANY = 30  # words
_SENTENCE = 12  # words; a longer line with a full stop is a sentence
_AGAIN = 3  # how often the words of a doubtful title occur in the document, including the title
_SHORT = 3  # letters; shorter words occur in any text
_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class _PageLine:
    text: str
    size: float
    top: float
    bottom: float
    kind: str
    words: int


def find_set_title(document: Document) -> str:
    """Return the words that a PDF's first page shows as its title; "" if none stand out clearly.

    The names of a country, an agency or a form are none, however large they are. Words that are only formed like them
    are one where no other title stands below.
    """
    if not document.pages or not document.pages[0].boxes:
        return ""
    page = document.pages[0]
    running = _find_running_size(document)
    # Later pages may repeat the title at their head, which makes its lines running lines; those are never so large.
    lines = [
        line
        for line in _read_lines(document, page)
        if line.kind not in NON_CONTENT_KINDS or line.size >= _MUCH_LARGER * running
    ]
    later = _find_largest_later(document)
    kept = ""
    while any(line.words for line in lines):
        largest = max(line.size for line in lines if line.words)
        runs = list(_find_runs(lines, largest))
        named = {id(line) for run in runs if _is_letterhead(run) for line in run}
        is_doubtful = bool(named) and not kept and len(runs) == 1 and may_be_title(_join_texts(runs[0]))
        title = ""
        if largest >= _SAME * later and (is_doubtful or not named):
            title = _choose_title(document, lines, largest, largest < _LARGER * running)
        if not named:
            return title or kept
        if is_doubtful:
            kept = title
            lines = [line for line in lines if line.top >= runs[0][-1].top]
        lines = [line for line in lines if id(line) not in named]
    return kept


def _choose_title(document: Document, lines: Sequence[_PageLine], largest: float, is_typewritten: bool) -> str:
    """Return the title among the lines of the first page, of which the largest have a size."""
    page = document.pages[0]
    if is_typewritten:  # the first heading is no larger than the text: a title if the text repeats its words
        opening = list(takewhile(lambda line: line.kind == "heading", lines))
        title = _join_title(opening, page)
        return title if _is_recurring(document.text, title) else ""
    runs = list(_find_runs(lines, largest))
    title = _join_title(runs[0], page) if len(runs) == 1 else ""
    return title if len(title.split()) > 1 or _is_recurring(document.text, title) else ""


def _is_letterhead(run: Sequence[_PageLine]) -> bool:
    """Return whether lines name a country, an agency or a form, together or each for itself."""
    return is_letterhead(_join_texts(run)) or all(is_letterhead(line.text) for line in run)


def _join_texts(lines: Sequence[_PageLine]) -> str:
    return " ".join(" ".join(line.text for line in lines).split())


def _join_title(lines: Sequence[_PageLine], page: Page) -> str:
    """Return the words of a title's lines; "" if they are too low or too many."""
    title = _join_texts(lines)
    words = sum(line.words for line in lines)
    if not lines or lines[0].top > _LOWEST * page.height or len(title) > _LONGEST or words > _MANY:
        return ""
    return "" if title.endswith((".", ":", ";")) and words > _SENTENCE else title


def _find_runs(lines: Sequence[_PageLine], largest: float) -> Iterator[list[_PageLine]]:
    """Yield the groups of lines in the largest font; one smaller line between two does not divide a group."""
    run: list[_PageLine] = []
    between = 0
    for line in lines:
        if line.size < _SAME * largest or not line.words:
            between += 1
            continue
        if run and (between > 1 or line.top - run[-1].bottom > _GAP * largest):
            yield run
            run = []
        run.append(line)
        between = 0
    if run:
        yield run


def _read_lines(document: Document, page: Page) -> Iterator[_PageLine]:
    boxes = unpack_boxes(page.boxes)
    kinds = {block.start: block.kind for block in document.blocks if block.start < page.end}
    at, kind = page.start, "paragraph"
    for text in document.text[page.start : page.end].split("\n"):
        kind = kinds.get(at, kind)
        found = boxes[at - page.start : at - page.start + len(text)]
        found = found[~np.isnan(found[:, 0])]
        if len(found):
            size = _measure_size(found)
            written = _drop_marks(text, boxes[at - page.start : at - page.start + len(text)], size)
            yield _PageLine(
                " ".join(written.replace("\u00ad", "").split()),
                size,
                float(found[:, 1].min()),
                float(found[:, 3].max()),
                kind,
                len(_WORD.findall(text)) or sum(map(str.isalpha, text)) // 4,
            )
        at += len(text) + 1


def _measure_size(boxes: Boxes) -> float:
    """Return the font size of a line: the height of its characters, or their width if the line is vertical."""
    height, width = boxes[:, 3] - boxes[:, 1], boxes[:, 2] - boxes[:, 0]
    is_turned = len(boxes) > 2 and np.ptp(boxes[:, 1]) > 1.5 * np.ptp(boxes[:, 0])
    return float(np.median(width if is_turned else height))


def _drop_marks(text: str, boxes: Boxes, size: float) -> str:
    """Return a line without the small footnote marks at its end."""
    end = len(text.rstrip())
    while end and text[end - 1] in "0123456789*†‡∗" and end <= len(boxes):
        height = float(boxes[end - 1, 3] - boxes[end - 1, 1])
        if not height < 0.85 * size:
            break
        end -= 1
    return text[:end] if text[:end][-1:].isalpha() else text


def _find_largest_later(document: Document) -> float:
    """Return the largest font of the highest headings on later pages."""
    first = document.pages[0].end
    later = [block for block in document.blocks if block.kind == "heading" and block.start >= first]
    highest = sorted(later, key=lambda block: block.level)[:_LATER]
    return max((_measure_block(document, block) for block in highest), default=0.0)


def _measure_block(document: Document, block: Block) -> float:
    page = next(page for page in document.pages if page.start <= block.start < page.end)
    boxes = unpack_boxes(page.boxes)[block.start - page.start : block.end - page.start]
    boxes = boxes[~np.isnan(boxes[:, 0])]
    return _measure_size(boxes) if len(boxes) else 0.0


def _find_running_size(document: Document) -> float:
    """Return the most frequent font size of the first three pages."""
    sizes: Counter[float] = Counter()
    for page in document.pages[:3]:
        for line in _read_lines(document, page):
            sizes[round(line.size * 2) / 2] += len(line.text)
    return max(sizes, key=lambda size: sizes[size]) if sizes else 0.0


def _is_recurring(text: str, title: str) -> bool:
    """Return whether all longer words of the title occur repeatedly in the document."""
    words = {word for word in _WORD.findall(title.casefold()) if len(word) > _SHORT}
    counts = Counter(word for word in _WORD.findall(text.casefold()) if word in words)
    return bool(words) and all(counts[word] >= _AGAIN for word in words)
