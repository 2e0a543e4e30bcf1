"""Split a document into passages: spans of similar size that begin and end at its structure."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pincite.reading.limits import cut_document, describe_passage_limit
from pincite.text.display import join_broken_words, put_on_one_line
from pincite.types import NON_CONTENT_KINDS, Block, Document, Indexed, Passage

_SENTENCE = re.compile(r"(?<=[.!?…。！？])['\")\]»”]*\s+")
_LINE = re.compile(r"\n+")
_SPACE = re.compile(r"\s+")
_UNFINISHED = re.compile(r"[\w,;–—\-\u00ad]\s*$")

_FIGURE = re.compile(r"\t[^\t\n]{0,4}\d[\d,.\u00a0]*")
_YEARS = re.compile(r"\t\D{0,20}(?:19|20)\d\d(?!\d)")

HIDDEN = "Hidden text"  # the heading of passages of hidden text
_HEADS = 500  # characters of a table's heads at most
_NAMES = 300  # characters of a title, and of a file name
_HEADINGS = 400  # characters of the headings above a passage
_PAGES = 50  # the most pages of one table
_FURNITURE = 20  # headers and footers between two parts of a table, or before the first words of a document
_OPENING = 200  # characters at most
_NESTED = 20  # levels of headings
_LONGEST_HEADING = 200  # characters
_LABEL = re.compile(r"\w{1,4}[.)]\s")
# The heading of a table of contents in a PDF: by its font the chapters are often its sections.
_CONTENTS = frozenset(("contents", "table of contents", "sommaire", "table des matières"))

# How good a position is to begin a passage.
_AFTER_HEADING, _INSIDE, _BLOCK, _PAGE, _HEADING = range(5)
# How full the previous passage must be for that: a better position may come sooner.
_FILLED = (1.0, 0.8, 0.5, 0.3, 0.2)


@dataclass(frozen=True, slots=True)
class _Atom:
    """A piece that is never divided: a sentence, a table row or a line; and how well a passage can begin there."""

    start: int
    end: int
    quality: int
    level: int = 0


def split_passages(document: Document, size: int = 1500, overlap: int = 200, hidden: bool = False) -> list[Passage]:
    """Split a document into passages, in order; together they contain all of its running text.

    Hidden words are left out, or, with `hidden`, put into passages with their own heading.
    """
    passages = _split_visible(document, size, overlap)
    if hidden:
        for block in (block for block in document.blocks if block.kind == "hidden"):
            passages += [
                Passage(a, b, (HIDDEN,)) for a, b in _limit_length(document.text, block.start, block.end, size)
            ]
    return passages


def _split_visible(document: Document, size: int, overlap: int) -> list[Passage]:
    atoms = list(_make_atoms(document, max(size // 2, 1)))
    paths = _find_heading_paths(document, atoms)
    starts = [page.start for page in document.pages]
    passages = []
    first = end = 0
    while first < len(atoms):
        end = _find_break(atoms, first, end, size)
        a, b = atoms[first].start, atoms[end - 1].end
        # The headings that apply where the passage's own words begin.
        content = next((i for i in range(first, end) if not atoms[i].level), end - 1)
        passages.append(
            Passage(a, b, paths[content], bisect_right(starts, a), bisect_right(starts, b - 1))
            if starts
            else Passage(a, b, paths[content])
        )
        first = _step_back(document.text, atoms, first, end, size, overlap) if end < len(atoms) else end
    return passages


def limit_passages(document: Document, size: int, overlap: int, most: int) -> Document:
    """Return the document, cut after its passage number `most` if it has more, with a note."""
    least = max(size // 5 - overlap, 1)  # characters from the start of one passage to the next
    if len(document.text) <= most * least:
        return document
    passages = split_passages(document, size, overlap)
    return (
        cut_document(document, passages[most - 1].end, [describe_passage_limit(most)])
        if len(passages) > most
        else document
    )


def make_indexed(document: Document, passage: Passage, name: str = "") -> Indexed:
    """Return the indexed parts of a passage: title, file name and headings; and its text without headers and footers.

    Everything repeated in every passage is limited, so that the index stays a small multiple of the document.
    """
    stem = re.sub(r"[_\s]+", " ", name.rsplit(".", 1)[0]).strip()
    squeezed, titled = (_SPACE.sub("", text.casefold()) for text in (stem, document.title))
    where = [document.title[:_NAMES]] if document.title else []
    if squeezed not in titled:
        where.append(stem[:_NAMES])
    where += _take_nearest_headings([heading for heading in passage.headings if heading != document.title])
    if not passage.headings and titled in ("", squeezed):
        where += _find_opening(document, passage)
    pieces = []
    at = passage.start
    is_first = True
    for number in _find_touching_blocks(document.blocks, passage.start, passage.end):
        block = document.blocks[number]
        if block.kind in NON_CONTENT_KINDS and passage.start < block.start:
            pieces.append(document.text[at : max(at, block.start)])
            at = max(at, min(block.end, passage.end))
            continue
        # Only the first block of a passage can continue a table that begins before it.
        if block.kind == "table" and is_first:
            first = _find_first_table(document, number)
            if first.start < passage.start:
                where.append(_find_table_heads(document.text, first))
        is_first = False
    pieces.append(document.text[at : passage.end])
    return Indexed(put_on_one_line(" · ".join(where)), join_broken_words("".join(pieces)))


def _find_table_heads(text: str, table: Block) -> str:
    """Return the lines of a table above its first figures, which name the columns; at least the first line."""
    lines = text[table.start : min(table.end, table.start + _HEADS)].split("\n")
    first = next((i for i, line in enumerate(lines) if _FIGURE.search(line) and not _YEARS.search(line)), len(lines))
    return put_on_one_line(" ".join(lines[: max(first, 1)]))


def _take_nearest_headings(headings: list[str]) -> list[str]:
    """Return the innermost headings that fit into the limit; at least the last one."""
    kept: list[str] = []
    left = _HEADINGS
    for heading in reversed(headings):
        left -= len(heading)
        if left < 0 and kept:
            break
        kept.append(heading)
    return kept[::-1]


def _find_first_table(document: Document, number: int) -> Block:
    """Return the first block of a table that continues over pages, with only headers and footers between."""
    blocks = document.blocks
    for _ in range(_PAGES):
        start = blocks[number].start
        line = document.text[start : min(blocks[number].end, start + _HEADS)].split("\n", 1)[0]
        before = next(
            (k for k in range(number - 1, max(number - 2 - _FURNITURE, -1), -1) if _is_content(blocks[k])), -1
        )
        # A long table is cut into blocks with a line break between them, each of which continues it.
        is_cut = before >= 0 and start - blocks[before].end == 1
        is_row = is_cut or (_FIGURE.search(line) and not _YEARS.search(line))
        if before < 0 or blocks[before].kind != "table" or not is_row:
            break
        number = before
    return blocks[number]


def _is_content(block: Block) -> bool:
    return block.kind not in NON_CONTENT_KINDS


def _find_opening(document: Document, passage: Passage) -> list[str]:
    """Return the first sentence of a document, which replaces title and headings if it has neither."""
    start = _find_text_start(document)
    if passage.start <= start:
        return []
    end = _SENTENCE.search(document.text, start, start + _OPENING)
    return [document.text[start : end.start() if end else start + _OPENING]]


def _find_text_start(document: Document) -> int:
    """Return the start of the text after headers and footers."""
    at = 0
    for block in document.blocks[:_FURNITURE]:
        between = document.text[at : min(block.start, at + _OPENING)]
        if between.strip():
            return at + len(between) - len(between.lstrip())
        if _is_content(block):
            return block.start
        at = block.end
    return at


def _find_touching_blocks(blocks: tuple[Block, ...], start: int, end: int) -> Iterator[int]:
    """Yield the numbers of the blocks that overlap a range."""
    i = max(bisect_right(blocks, start, key=lambda block: block.start) - 1, 0)
    while i < len(blocks) and blocks[i].start < end:
        if blocks[i].end > start:
            yield i
        i += 1


def _make_atoms(document: Document, longest: int) -> Iterator[_Atom]:
    text = document.text
    page_starts = [page.start for page in document.pages]
    page = 0
    after_heading = False
    for block in _cover_text(document):
        if block.kind in NON_CONTENT_KINDS:
            continue
        here = bisect_right(page_starts, block.start)
        new_page, page = here != page, here
        heading = block.kind == "heading"
        quality = _AFTER_HEADING if after_heading else _HEADING if heading else _PAGE if new_page else _BLOCK
        after_heading = heading
        pattern = _LINE if block.kind in ("table", "code") else _SENTENCE
        pieces = [(block.start, block.end)] if heading else _split_at_pattern(text, block.start, block.end, pattern)
        for start, end in pieces:
            for a, b in _limit_length(text, start, end, longest):
                here = bisect_right(page_starts, a)
                if here != page and quality == _INSIDE:  # a paragraph that continues on the next page
                    quality = _PAGE
                page = here
                yield _Atom(a, b, quality, block.level if heading else 0)
                quality = _INSIDE


def _cover_text(document: Document) -> Iterator[Block]:
    """Yield the blocks, with the marks before them ("## "), and a paragraph for any words between them."""
    at = 0
    for block in document.blocks:
        gap = document.text[at : block.start]
        if gap.strip() and (any(map(str.isalnum, gap)) or block.kind in NON_CONTENT_KINDS):
            yield Block("paragraph", at, block.start)
        elif gap.strip():
            block = replace(block, start=block.start - len(gap.lstrip()))
        yield block
        at = block.end
    if document.text[at:].strip():
        yield Block("paragraph", at, len(document.text))


def _split_at_pattern(text: str, start: int, end: int, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    at = start
    for match in pattern.finditer(text, start, end):
        yield at, match.start()
        at = match.end()
    yield at, end


def _limit_length(text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    """Yield a piece without outer white space, cut if it is too long: at a line, else at a space, else anywhere."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > longest:
        cut = max(text.rfind("\n", start + longest // 3, start + longest), 0) or max(
            text.rfind(" ", start + longest // 3, start + longest), 0
        )
        cut = cut or start + longest
        yield from _limit_length(text, start, cut, longest)
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if end > start:
        yield start, end


def _find_heading_paths(document: Document, atoms: list[_Atom]) -> list[tuple[str, ...]]:
    """Return the headings above each atom, outermost first."""
    paths = []
    first_page = document.pages[0].end if len(document.pages) > 1 else len(document.text)
    # Font sizes used only on the first page belong to a title, not to a section that contains the rest.
    levels = {atom.level for atom in atoms if atom.start >= first_page}
    stack: list[tuple[int, str]] = []
    path: tuple[str, ...] = ()
    last = ""  # heading, as it is in the text
    is_pdf = document.kind == "pdf"
    for i, atom in enumerate(atoms):
        if atom.level:
            # If only the font identifies headings, two alike without text between them belong together, and one that
            # goes on in lower case or after a hyphen is the second line of the other.
            follows = is_pdf and i > 0 and atoms[i - 1].level == atom.level
            words = document.text[atom.start : min(atom.end, atom.start + _LONGEST_HEADING)]
            if follows and stack and len(last) < _LONGEST_HEADING and _goes_on(last, words):
                stack.pop()
                words = f"{last}\n{words}"
            last = words
            title = put_on_one_line(words).lstrip("# ")[:_LONGEST_HEADING]
            while stack and (
                stack[-1][0] > atom.level
                or (stack[-1][0] == atom.level and not follows)
                or (is_pdf and stack[-1][1].casefold() in _CONTENTS)
            ):
                stack.pop()
            stack = [*stack[1 - _NESTED :], (atom.level, title)]
            path = tuple(title for _, title in stack[-6:])
        elif atom.start >= first_page and any(level not in levels for level, _ in stack):
            stack = [(level, title) for level, title in stack if level in levels]
            path = tuple(title for _, title in stack[-6:])
        paths.append(path)
    return paths


def _goes_on(first: str, second: str) -> bool:
    """Return whether a heading goes on in the next line: after a hyphen, or in lower case and not as a list."""
    return (second[:1].islower() and not _LABEL.match(second)) or first.endswith(("-", "\u00ad"))


def _find_break(atoms: list[_Atom], first: int, before: int, size: int) -> int:
    """Return the end of the passage from `first`, after the end of the previous one.

    Choose the best start for the next passage, and the farthest among equals.
    """
    limit = atoms[first].start + size
    end = first + 1
    while end < len(atoms) and atoms[end].end <= limit:
        end += 1
    if end == len(atoms):
        return end
    best = end
    for i in range(end, max(first, before), -1):
        filled = (atoms[i - 1].end - atoms[first].start) / size
        if filled >= _FILLED[atoms[i].quality] and _rank_start(atoms[i]) > _rank_start(atoms[best]):
            best = i
    return best


def _rank_start(atom: _Atom) -> tuple[int, int]:
    """Return how well a passage can begin at an atom: by its quality, and for headings by their level."""
    return atom.quality, -atom.level


def _step_back(text: str, atoms: list[_Atom], first: int, end: int, size: int, overlap: int) -> int:
    """Return the first atom of the next passage: a little before the break, unless the break is clean."""
    clean = atoms[end].quality == _HEADING
    if atoms[end].quality == _PAGE:
        clean = not _UNFINISHED.search(text[max(atoms[end - 1].end - 20, 0) : atoms[end - 1].end])
    # Not so far back that the next atom does not fit.
    earliest = max(atoms[end].start - overlap, atoms[end].end - size)
    start = end
    while not clean and start - 1 > first and atoms[start - 1].start >= earliest:
        start -= 1
    return start
