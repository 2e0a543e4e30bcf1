"""Group lines into blocks (paragraphs, lists, tables), and label the blocks of the whole document."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from pincite.reading.figure_labels import mark_figure_labels
from pincite.reading.pdf_lines import PageBlock, PageText, TextLine
from pincite.text.folding import keep_alphanumerics
from pincite.types import Block, BlockKind

BULLET = re.compile(r"(?:[•●▪■◦‣○–—*·]\s|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s)", re.IGNORECASE)
_SIGN = re.compile(r"[•●▪■◦‣○–—*·\uf000-\uf0ff]\s")  # of an item; a number or letter may be that of a heading
_NUMBER = re.compile(r"\d+(?:\.\d+)*\.?\s")  # of a heading
_SENTENCE_END = re.compile(r"[.!?:;]['\")\]»”]?\s*$")
_DIGITS = re.compile(r"\d+")
_CONTENTS_LINE = re.compile(r"\t\d{1,4}\s*$")  # of a table of contents: the title and its page
_ROMAN = r"(?=[ivxl])(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})"
_PAGE_NUMBER = re.compile(
    rf"(?:page|p\.?|seite|[-–—\[(])?\s*(?:[a-z]-)?(?:\d{{1,4}}|{_ROMAN})(?:\s*(?:/|of|sur|von|de)\s*\d{{1,4}})?\s*[-–—\])]?"
)

_CAPTION = re.compile(r"(?i:table|tableau|tabelle|figure|fig\.?|chart|exhibit|graphique)\s+(?:\d|[IVXLC]+\b|[A-Z]\b)")
_LONGEST_LABEL = 120  # characters of a line between two rows of a table
_LARGER = 1.15  # times the font of the rows
_MARGIN = 0.1  # of the page's height; headers and footers are within it
_HEADS = 4  # head lines above a table's first row with several cells
_HEAD_LENGTH = 80  # characters
_TITLE_LINES = 4  # of a heading
_LABEL = re.compile(r"(?:[^\W\d_]{2,12}\.?\s|§\s?)?\d{1,3}(?:\.\d+)*[.):]?\s")  # "Article 3. "
_LONG_TITLE = 12  # words; more over several lines are a statement, like a sentence with half as many
_NUMBERED = 8  # characters before a heading's title, such as its number
_REPEATS = 3  # how often the same words at a page's edge make a header or footer


def group_lines(lines: Sequence[TextLine]) -> list[PageBlock]:
    """Group the lines of one column, in order, into paragraphs, lists and tables."""
    if not lines:
        return []
    in_table = _find_table_rows(lines)
    steps = [b.y0 - a.y0 for a, b in pairwise(lines) if b.y0 > a.y0 and abs(a.size - b.size) < 0.15 * a.size]
    usual = min(median(steps), 1.7 * median(line.size for line in lines)) if steps else 1.3 * lines[0].size
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    body = median(line.size for line in lines)
    blocks: list[PageBlock] = []
    current = [lines[0]]
    for i in range(1, len(lines)):
        a, b = lines[i - 1], lines[i]
        if in_table[i] != in_table[i - 1] or (
            b.y0 - a.y0 > 3.5 * usual if in_table[i] else _is_break(a, b, usual, left, right, _scale_step(a, b, body))
        ):
            blocks.append(_make_block(current, in_table[i - 1]))
            current = []
        current.append(b)
    blocks.append(_make_block(current, in_table[-1]))
    return blocks


def _find_table_rows(lines: Sequence[TextLine]) -> list[bool]:
    """Return which lines are rows of a table: several cells, or single cells between such rows."""
    rows = [line.cells > 1 for line in lines]
    several = [i for i, row in enumerate(rows) if row]
    for a, b in pairwise(several):
        if 1 < b - a <= 4 and not _parts_tables(lines, a, b):
            rows[a:b] = [True] * (b - a)
    # A single row with cells is a line with a gap.
    i = 0
    while i < len(rows):
        j = i
        while j < len(rows) and rows[j]:
            j += 1
        if rows[i] and sum(lines[k].cells > 1 for k in range(i, j)) < 2:
            rows[i:j] = [False] * (j - i)
        i = max(j, i + 1)
    _add_heads_above(lines, rows)
    return rows


def _parts_tables(lines: Sequence[TextLine], first: int, last: int) -> bool:
    """Return whether the lines between two rows part two tables: prose, a heading in a larger font, or a caption."""
    size = max(lines[first].size, lines[last].size)
    return any(
        len(lines[k].text) >= _LONGEST_LABEL or lines[k].size > _LARGER * size or _CAPTION.match(lines[k].text)
        for k in range(first + 1, last)
    )


def _add_heads_above(lines: Sequence[TextLine], rows: list[bool]) -> None:
    """Mark short lines just above a table as its rows if they are above its columns and not above its labels."""
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    for first in [i for i in range(1, len(rows)) if rows[i] and not rows[i - 1]]:
        for i in range(first - 1, max(first - 1 - _HEADS, -1), -1):
            a, b = lines[i], lines[i + 1]
            over = a.x0 > left + 0.25 * (right - left)
            close = 0 < b.y0 - a.y0 < 2 * a.size
            if rows[i] or not over or not close or len(a.text) > _HEAD_LENGTH or _SENTENCE_END.search(a.text):
                break
            rows[i] = True


def _scale_step(a: TextLine, b: TextLine, body: float) -> float:
    """Return how much larger the step between two lines of a heading is than that of the column's text."""
    is_alike = abs(a.size - b.size) < 0.05 * a.size and a.bold == b.bold and not _NUMBER.match(b.text)
    return max(a.size / body, 1.0) if is_alike and body > 0 else 1.0


def _is_break(a: TextLine, b: TextLine, usual: float, left: float, right: float, scale: float) -> bool:
    step = b.y0 - a.y0
    if step < -0.5 * a.size or step > 1.35 * usual * scale:
        return True
    ended = bool(_SENTENCE_END.search(a.text))
    if abs(a.size - b.size) > 0.12 * max(a.size, b.size) or a.bold != b.bold:
        # A line in another font continues the one above if that one is full and does not end a sentence.
        full = a.x1 >= right - 0.1 * (right - left) and abs(b.x0 - left) < 0.5 * b.size
        return ended or not full or not b.text[:1].islower()
    if BULLET.match(b.text):
        return True
    # The second line of a heading stands below its words, behind its number.
    indented = scale < _LARGER and b.x0 - a.x0 > 0.8 * b.size and a.x0 - left < 0.8 * a.size
    if indented and (ended or a.x1 < right - 0.1 * (right - left)):
        return True
    return ended and a.x1 < right - 0.2 * (right - left)


def _make_block(lines: list[TextLine], table: bool) -> PageBlock:
    kind: BlockKind = "table" if table else "list" if BULLET.match(lines[0].text) else "paragraph"
    return PageBlock(kind, tuple(lines))


def label_blocks(pages: Sequence[PageText], outline: Sequence[tuple[int, int, str]]) -> list[list[Block]]:
    """Label each page's blocks: headings (from the outline and the font), headers and footers.

    The outline has (page number, level, title). Offsets are relative to the page.
    """
    furniture = _find_furniture(pages)
    level_of = _make_heading_levels(pages, furniture)
    entries: dict[int, dict[str, int]] = {}
    for number, level, title in outline:
        entries.setdefault(number, {})[keep_alphanumerics(title)] = level
    deepest = max((level for _, level, _ in outline), default=0)
    labelled = []
    for page in pages:
        blocks = []
        named = entries.get(page.number, {})
        listed = _find_outline_levels(page.blocks, named)
        for i, block in enumerate(page.blocks):
            where = furniture.get((page.number, i))
            if where:
                blocks.append(Block(where, block.start, block.end))
                continue
            level = listed.get(i, 0) or level_of(block)
            if level and named and i not in listed:
                level = min(level + deepest, 9)
            kind = "heading" if level else block.kind
            blocks.append(Block(kind, block.start, block.end, level))
        labelled.append(mark_figure_labels(page.blocks, blocks))
    return labelled


def _find_outline_levels(blocks: Sequence[PageBlock], named: dict[str, int]) -> dict[int, int]:
    """Return the levels of the blocks of a page that the outline names, by their numbers.

    The lines of a large heading may be blocks of their own, which the outline names together.
    """
    if not named:
        return {}
    found: dict[int, int] = {}
    texts = [keep_alphanumerics(block.text) if len(block.lines) <= _TITLE_LINES else "" for block in blocks]
    for first, text in enumerate(texts):
        for last in range(first + 1, min(first + _TITLE_LINES, len(blocks)) + 1):
            if first in found or not texts[last - 1]:
                break
            if level := _find_outline_level(text, "".join(texts[first + 1 : last]), named):
                found |= dict.fromkeys(range(first, last), level)
    return found


def _find_outline_level(text: str, more: str, named: dict[str, int]) -> int:
    # The whole text with that of the next blocks, or its end where a number stands before the title.
    for before in range(min(_NUMBERED + 1, len(text))):
        if level := named.get(text[before:] + more, 0):
            return level
    return 0


def _find_furniture(pages: Sequence[PageText]) -> dict[tuple[int, int], BlockKind]:
    """Find headers, footers and page numbers: (page, block number) of text repeated at the top or bottom of pages."""
    found: list[tuple[tuple[int, int], BlockKind, str]] = []
    numbers: set[tuple[int, int]] = set()
    for page in pages:
        if not page.blocks:
            continue
        highest = min(block.lines[0].y0 for block in page.blocks)
        lowest = max(block.lines[-1].y1 for block in page.blocks)
        for i, block in enumerate(page.blocks):
            if len(block.lines) > 3 or len(block.text) > 250:
                continue
            text, place = block.text.casefold().strip(), (page.number, i)
            top, bottom = block.lines[0].y0, block.lines[-1].y1
            above, below = bottom < _MARGIN * page.height, top > (1 - _MARGIN) * page.height
            if not (above or below or top == highest or bottom == lowest):
                continue
            where: BlockKind = "header" if above or (top == highest and not below) else "footer"
            if text.isdecimal() and len(text) < 6:
                # A number that increases with the pages, anywhere at their edge.
                key = f"page + {int(text) - page.number}"
            else:
                # In the margin, the numbers of "Chapter 2, page 7" may change; elsewhere the words must be identical.
                key = _DIGITS.sub("#", text) if above or below else text
            found.append((place, where, key))
            if (above or below) and len(pages) > 1 and _PAGE_NUMBER.fullmatch(text):
                numbers.add(place)
    times = Counter((where, key) for _, where, key in found)
    repeated = {place for place, where, key in found if place in numbers or times[where, key] >= _REPEATS}
    repeated |= _find_at_same_height(pages, {place: where for place, where, _ in found}, repeated)
    own = {page.number for page in pages if _has_own_words(page, repeated)}
    beside = Counter((where, key) for (page, _), where, key in found if page in own)
    return {
        place: where
        for place, where, key in found
        # Identical pages have no headers or footers: those occur on pages with other text.
        if place in numbers or (place in repeated and 2 * beside[where, key] > times[where, key])
    }


def _find_at_same_height(
    pages: Sequence[PageText], places: dict[tuple[int, int], BlockKind], repeated: Collection[tuple[int, int]]
) -> set[tuple[int, int]]:
    """Return the lines where other pages have a running line: heads that name the section differ.

    A gap parts them from the rest of their page.
    """
    lines = {
        (page.number, i): (block.lines[0], page)
        for page in pages
        for i, block in enumerate(page.blocks)
        if (page.number, i) in places and len(block.lines) == 1 and not block.text.strip().isdecimal()
    }
    heights = Counter(
        (places[place], round(line.y0), round(line.size))
        for place, (line, page) in lines.items()
        if place in repeated and (line.y1 < _MARGIN * page.height or line.y0 > (1 - _MARGIN) * page.height)
    )
    return {
        place
        for place, (line, page) in lines.items()
        if sum(heights[places[place], round(line.y0) + by, round(line.size)] for by in (-1, 0, 1)) >= _REPEATS
        and _is_apart(page, line)
    }


def _is_apart(page: PageText, line: TextLine) -> bool:
    """Return whether a line is the first or last of its page, half a line or more from the next."""
    others = [each for block in page.blocks for each in block.lines if each is not line]
    above = max((each.y1 for each in others if each.y0 < line.y0), default=None)
    below = min((each.y0 for each in others if each.y0 >= line.y0), default=None)
    if above is not None and below is not None:
        return False
    return (below is not None and below - line.y1 > 0.5 * line.size) or (
        above is not None and line.y0 - above > 0.5 * line.size
    )


def _has_own_words(page: PageText, repeated: Collection[tuple[int, int]]) -> bool:
    """Return whether a page has text that is not repeated on others."""
    return any((page.number, i) not in repeated for i in range(len(page.blocks)))


def _make_heading_levels(
    pages: Sequence[PageText], furniture: dict[tuple[int, int], BlockKind]
) -> Callable[[PageBlock], int]:
    """Return a function from a block to its heading level (0: none), by the sizes and weights in this document."""
    sizes: Counter[float] = Counter()
    bold = plain = 0
    for page in pages:
        for i, block in enumerate(page.blocks):
            if (page.number, i) in furniture:
                continue
            for line in block.lines:
                sizes[round(line.size * 2) / 2] += len(line.text)
                bold, plain = bold + len(line.text) * line.bold, plain + len(line.text) * (not line.bold)
    body = max(sizes, key=lambda size: (sizes[size], size)) if sizes else 0.0
    bold_tells = bold < 0.3 * (bold + plain)
    larger = sorted({size for size in sizes if size >= 1.12 * body}, reverse=True)[:4]

    def level(block: PageBlock) -> int:
        text = block.text
        first = block.lines[0]
        if block.kind == "table" or len(block.lines) > 3 or len(text) > 200 or sum(c.isalpha() for c in text) < 3:
            return 0
        if _SIGN.match(text):
            return 0
        if text.rstrip().endswith(","):  # the head of a table's columns: "Year ended December 31,"
            return 0
        if _CONTENTS_LINE.search(text):
            return 0
        size = round(first.size * 2) / 2
        if larger and size >= larger[-1]:
            return next(i for i, s in enumerate(larger, 1) if size >= s)
        if size < 0.9 * body or not (first.bold and bold_tells) or not all(line.bold for line in block.lines):
            return 0
        return 0 if _is_statement(block) else len(larger) + 1

    return level


def _is_statement(block: PageBlock) -> bool:
    """Return whether bold lines are a sentence or a long statement of the text, not a title.

    A title begins with a number, or most of its words begin with capitals.
    """
    text = block.text.rstrip()
    is_ended = text.endswith((".", ";"))
    if is_ended and len(text) > 80:
        return True
    words = [word for word in text.split() if any(map(str.isalpha, word))]
    capitals = sum(word[:1].isupper() for word in words if len(word) > 3)
    if _LABEL.match(text) or 2 * capitals > sum(len(word) > 3 for word in words):
        return False
    is_long = len(words) > _LONG_TITLE and len(block.lines) > 1 and not text.endswith("?")
    return 2 * len(words) > _LONG_TITLE if is_ended else is_long


def shift_block(block: Block, by: int) -> Block:
    return replace(block, start=block.start + by, end=block.end + by)
