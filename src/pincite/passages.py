"""A document to its passages: spans of about one size that begin and end where the document's structure does."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pincite.reading.limits import cut, tell_passages
from pincite.text.display import join_broken_words, put_on_one_line
from pincite.types import APART, Block, Document, Indexed, Passage

_SENTENCE = re.compile(r"(?<=[.!?…。！？])['\")\]»”]*\s+")
_LINE = re.compile(r"\n+")
_SPACE = re.compile(r"\s+")
_UNFINISHED = re.compile(r"[\w,;–—\-\u00ad]\s*$")

_FIGURE = re.compile(r"\t[^\t\n]{0,4}\d[\d,.\u00a0]*")
_YEARS = re.compile(r"\t\D{0,20}(?:19|20)\d\d(?!\d)")

HIDDEN = "Hidden text"  # the heading of passages that a person cannot see in the file
_HEADS = 500  # characters of a table's heads at most
_NAMES = 300  # characters of a title, and of a file's name
_HEADINGS = 400  # characters of the headings that a passage stands under
_PAGES = 50  # that one table goes over, at most
_FURNITURE = 20  # headers and footers between two parts of a table, or before a document's first words
_OPENING = 200  # characters at most
_NESTED = 20  # headings in one another

# How good a place is to begin a passage.
_AFTER_HEADING, _INSIDE, _BLOCK, _PAGE, _HEADING = range(5)
# How full the passage before must be for that: a better place may come sooner.
_FILLED = (1.0, 0.8, 0.5, 0.3, 0.2)


@dataclass(frozen=True, slots=True)
class _Atom:
    """A piece that is never divided: a sentence, a table's row, a line; and how good a passage's start it is."""

    start: int
    end: int
    quality: int
    level: int = 0


def split(document: Document, size: int = 1500, overlap: int = 200, hidden: bool = False) -> list[Passage]:
    """Passages in order; together they hold every character but white space and running headers and footers.

    Words that a person cannot see in the file are left out, or, with `hidden`, stand in passages that say so.
    """
    passages = _split_seen(document, size, overlap)
    if hidden:
        for block in (block for block in document.blocks if block.kind == "hidden"):
            passages += [Passage(a, b, (HIDDEN,)) for a, b in _short(document.text, block.start, block.end, size)]
    return passages


def _split_seen(document: Document, size: int, overlap: int) -> list[Passage]:
    atoms = list(_atoms(document, max(size // 2, 1)))
    paths = _paths(document, atoms)
    starts = [page.start for page in document.pages]
    passages = []
    first = end = 0
    while first < len(atoms):
        end = _break(atoms, first, end, size)
        a, b = atoms[first].start, atoms[end - 1].end
        # The headings in force where the passage's own words begin.
        content = next((i for i in range(first, end) if not atoms[i].level), end - 1)
        passages.append(
            Passage(a, b, paths[content], bisect_right(starts, a), bisect_right(starts, b - 1))
            if starts
            else Passage(a, b, paths[content])
        )
        first = _step_back(document.text, atoms, first, end, size, overlap) if end < len(atoms) else end
    return passages


def limit_passages(document: Document, size: int, overlap: int, most: int) -> Document:
    """The document, cut behind its last passage where it has more than `most`, and saying so."""
    least = max(size // 5 - overlap, 1)  # characters from one passage's start to the next
    if len(document.text) <= most * least:
        return document
    passages = split(document, size, overlap)
    return cut(document, passages[most - 1].end, [tell_passages(most)]) if len(passages) > most else document


def indexed(document: Document, passage: Passage, name: str = "") -> Indexed:
    """What is indexed of a passage: its title, file name and headings; and its words, whole and without furniture.

    All that is repeated in every passage has a limit, so that what is indexed stays a small multiple of the document.
    """
    stem = re.sub(r"[_\s]+", " ", name.rsplit(".", 1)[0]).strip()
    squeezed, titled = (_SPACE.sub("", text.casefold()) for text in (stem, document.title))
    where = [document.title[:_NAMES]] if document.title else []
    if squeezed not in titled:
        where.append(stem[:_NAMES])
    where += _nearest([heading for heading in passage.headings if heading != document.title])
    if not passage.headings and titled in ("", squeezed):
        where += _opening(document, passage)
    pieces = []
    at = passage.start
    is_first = True
    for number in _touching(document.blocks, passage.start, passage.end):
        block = document.blocks[number]
        if block.kind in APART and passage.start < block.start:
            pieces.append(document.text[at : max(at, block.start)])
            at = max(at, min(block.end, passage.end))
            continue
        # Only the passage's first block can be of a table that begins before the passage.
        if block.kind == "table" and is_first:
            first = _first_table(document, number)
            if first.start < passage.start:
                where.append(_heads(document.text, first))
        is_first = False
    pieces.append(document.text[at : passage.end])
    return Indexed(put_on_one_line(" · ".join(where)), join_broken_words("".join(pieces)))


def _heads(text: str, table: Block) -> str:
    """The lines of a table above its first figures, which say what the columns are; the first line at least."""
    lines = text[table.start : min(table.end, table.start + _HEADS)].split("\n")
    first = next((i for i, line in enumerate(lines) if _FIGURE.search(line) and not _YEARS.search(line)), len(lines))
    return put_on_one_line(" ".join(lines[: max(first, 1)]))


def _nearest(headings: list[str]) -> list[str]:
    """The innermost headings, as many as there is room for; the last one at least."""
    kept: list[str] = []
    left = _HEADINGS
    for heading in reversed(headings):
        left -= len(heading)
        if left < 0 and kept:
            break
        kept.append(heading)
    return kept[::-1]


def _first_table(document: Document, number: int) -> Block:
    """The block in which a table begins that goes on over pages, with nothing but furniture between."""
    blocks = document.blocks
    for _ in range(_PAGES):
        start = blocks[number].start
        line = document.text[start : min(blocks[number].end, start + _HEADS)].split("\n", 1)[0]
        before = next(
            (k for k in range(number - 1, max(number - 2 - _FURNITURE, -1), -1) if _is_content(blocks[k])), -1
        )
        # A long table is cut into blocks with a line break between them: every one of them goes on.
        is_cut = before >= 0 and start - blocks[before].end == 1
        is_row = is_cut or (_FIGURE.search(line) and not _YEARS.search(line))
        if before < 0 or blocks[before].kind != "table" or not is_row:
            break
        number = before
    return blocks[number]


def _is_content(block: Block) -> bool:
    return block.kind not in APART


def _opening(document: Document, passage: Passage) -> list[str]:
    """What stands in for title and headings in a document that has neither: its first sentence."""
    start = _first_words(document)
    if passage.start <= start:
        return []
    end = _SENTENCE.search(document.text, start, start + _OPENING)
    return [document.text[start : end.start() if end else start + _OPENING]]


def _first_words(document: Document) -> int:
    """Where the text begins that is no header or footer."""
    at = 0
    for block in document.blocks[:_FURNITURE]:
        between = document.text[at : min(block.start, at + _OPENING)]
        if between.strip():
            return at + len(between) - len(between.lstrip())
        if _is_content(block):
            return block.start
        at = block.end
    return at


def _touching(blocks: tuple[Block, ...], start: int, end: int) -> Iterator[int]:
    """The numbers of the blocks that have a character between two offsets."""
    i = max(bisect_right(blocks, start, key=lambda block: block.start) - 1, 0)
    while i < len(blocks) and blocks[i].start < end:
        if blocks[i].end > start:
            yield i
        i += 1


def _atoms(document: Document, longest: int) -> Iterator[_Atom]:
    text = document.text
    page_starts = [page.start for page in document.pages]
    page = 0
    after_heading = False
    for block in _whole(document):
        if block.kind in APART:
            continue
        here = bisect_right(page_starts, block.start)
        new_page, page = here != page, here
        heading = block.kind == "heading"
        quality = _AFTER_HEADING if after_heading else _HEADING if heading else _PAGE if new_page else _BLOCK
        after_heading = heading
        pattern = _LINE if block.kind in ("table", "code") else _SENTENCE
        pieces = [(block.start, block.end)] if heading else _pieces(text, block.start, block.end, pattern)
        for start, end in pieces:
            for a, b in _short(text, start, end, longest):
                here = bisect_right(page_starts, a)
                if here != page and quality == _INSIDE:  # a paragraph that goes on, on the next page
                    quality = _PAGE
                page = here
                yield _Atom(a, b, quality, block.level if heading else 0)
                quality = _INSIDE


def _whole(document: Document) -> Iterator[Block]:
    """The blocks, with the marks before them ("## "), and a paragraph for any words that stand between them."""
    at = 0
    for block in document.blocks:
        gap = document.text[at : block.start]
        if gap.strip() and (any(map(str.isalnum, gap)) or block.kind in APART):
            yield Block("paragraph", at, block.start)
        elif gap.strip():
            block = replace(block, start=block.start - len(gap.lstrip()))
        yield block
        at = block.end
    if document.text[at:].strip():
        yield Block("paragraph", at, len(document.text))


def _pieces(text: str, start: int, end: int, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    at = start
    for match in pattern.finditer(text, start, end):
        yield at, match.start()
        at = match.end()
    yield at, end


def _short(text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    """A piece without its outer white space, cut where it is too long: at a line, else at a space, else anywhere."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > longest:
        cut = max(text.rfind("\n", start + longest // 3, start + longest), 0) or max(
            text.rfind(" ", start + longest // 3, start + longest), 0
        )
        cut = cut or start + longest
        yield from _short(text, start, cut, longest)
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if end > start:
        yield start, end


def _paths(document: Document, atoms: list[_Atom]) -> list[tuple[str, ...]]:
    """For each atom, the headings it stands under, outermost first."""
    paths = []
    first_page = document.pages[0].end if len(document.pages) > 1 else len(document.text)
    # Sizes of type that only the first page uses set a title, not a section that all the rest stands in.
    levels = {atom.level for atom in atoms if atom.start >= first_page}
    stack: list[tuple[int, str]] = []
    path: tuple[str, ...] = ()
    for i, atom in enumerate(atoms):
        if atom.level:
            title = put_on_one_line(document.text[atom.start : atom.end]).lstrip("# ")[:200]
            # Where type alone tells, two headings with nothing between them are one heading and its second line.
            follows = document.kind == "pdf" and i > 0 and bool(atoms[i - 1].level)
            while stack and (stack[-1][0] > atom.level or (stack[-1][0] == atom.level and not follows)):
                stack.pop()
            stack = [*stack[1 - _NESTED :], (atom.level, title)]
            path = tuple(title for _, title in stack[-6:])
        elif atom.start >= first_page and any(level not in levels for level, _ in stack):
            stack = [(level, title) for level, title in stack if level in levels]
            path = tuple(title for _, title in stack[-6:])
        paths.append(path)
    return paths


def _break(atoms: list[_Atom], first: int, before: int, size: int) -> int:
    """Where the passage from `first` ends, beyond where the one before did: the next one's best start, the farthest."""
    limit = atoms[first].start + size
    end = first + 1
    while end < len(atoms) and atoms[end].end <= limit:
        end += 1
    if end == len(atoms):
        return end
    best = end
    for i in range(end, max(first, before), -1):
        filled = (atoms[i - 1].end - atoms[first].start) / size
        if filled >= _FILLED[atoms[i].quality] and _rank(atoms[i]) > _rank(atoms[best]):
            best = i
    return best


def _rank(atom: _Atom) -> tuple[int, int]:
    """How good a start an atom is: by its quality, and among headings by their level."""
    return atom.quality, -atom.level


def _step_back(text: str, atoms: list[_Atom], first: int, end: int, size: int, overlap: int) -> int:
    """The next passage's first atom: a little before the break, unless the break is a clean one."""
    clean = atoms[end].quality == _HEADING
    if atoms[end].quality == _PAGE:
        clean = not _UNFINISHED.search(text[max(atoms[end - 1].end - 20, 0) : atoms[end - 1].end])
    # No farther back than leaves room for what comes next.
    earliest = max(atoms[end].start - overlap, atoms[end].end - size)
    start = end
    while not clean and start - 1 > first and atoms[start - 1].start >= earliest:
        start -= 1
    return start
