"""Everything that is stored of a document, made in the isolated process and sent in parts of limited size.

The parent trusts none of it: `decode_part` checks each part alone, and `Check` whether the parts fit together.
"""

import json
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar, get_args

from pincite.isolation.frames import cut
from pincite.store.content import slices
from pincite.types import Block, BlockKind, Document, Kind, Page, Passage

LONGEST_LOCATED = 40_000_000  # characters: preparing a longer document for locating takes too much memory

_HEAD, _TEXT, _PAGES, _BLOCKS, _ENTRIES, _CONCORDANCE = b"H", b"T", b"G", b"B", b"E", b"C"
_KINDS, _BLOCK_KINDS = frozenset(get_args(Kind)), frozenset(get_args(BlockKind))
_BYTES = 200_000  # of pages' boxes or entries' terms in one part, about
_CONCORDANCE_BYTES = 1_000_000
_PAGES_AT_ONCE, _BLOCKS_AT_ONCE, _ENTRIES_AT_ONCE = 64, 5_000, 32
_LENGTH = struct.Struct("<I")
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Recipe:
    """How contents are made: the size of passages, and the title and name that their context begins with.

    `title` and `language` stand in place of those that were read; `untitled` does where the document has no title.
    Without a `name` the title is the name. `hidden` words get passages too.
    """

    size: int
    overlap: int
    name: str = ""
    title: str = ""
    untitled: str = ""
    language: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """What the row of a document says: a document without text, pages and blocks, and how long its text is."""

    document: Document
    characters: int


@dataclass(frozen=True, slots=True)
class TextSlice:
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class SomePages:
    pages: tuple[Page, ...]


@dataclass(frozen=True, slots=True)
class SomeBlocks:
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A passage with the terms that it is found by: those of where it stands, and its own."""

    passage: Passage
    context: str
    body: str


@dataclass(frozen=True, slots=True)
class SomeEntries:
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class ConcordancePart:
    data: bytes


Part = Head | TextSlice | SomePages | SomeBlocks | SomeEntries | ConcordancePart


def encode_contents(document: Document, recipe: Recipe) -> Iterator[bytes]:
    """The parts of a document that was read: its head first, then its text, pages, blocks, passages and concordance.

    The document was read well: what goes wrong here, but for lack of memory, is a fault of ours.
    """
    title = recipe.title or document.title or recipe.untitled
    document = replace(document, title=title, language=recipe.language or document.language)
    head = asdict(replace(document, text="", pages=(), blocks=()))
    yield _HEAD + json.dumps({**head, "characters": len(document.text)}).encode()
    for start, text in slices(document.text):
        yield _TEXT + _LENGTH.pack(start) + text.encode("utf-8", "replace")
    yield from map(_encode_pages, _grouped(document.pages, _PAGES_AT_ONCE, lambda page: len(page.boxes)))
    for some in _grouped(document.blocks, _BLOCKS_AT_ONCE, lambda block: 1):
        rows = [[block.kind, block.start, block.end, block.level] for block in some]
        yield _BLOCKS + json.dumps(rows, separators=(",", ":")).encode()
    yield from map(_encode_entries, _entries(document, recipe))
    for part in cut(_concordance(document), _CONCORDANCE_BYTES):
        yield _CONCORDANCE + part


def make_entry(document: Document, passage: Passage, name: str) -> Entry:
    """A passage with the terms it is found by."""
    from pincite.index.analysis import terms
    from pincite.passages import indexed

    found = indexed(document, passage, name)
    context, body = (" ".join(terms(text, document.language)) for text in (found.context, found.body))
    return Entry(passage, context, body)


def decode_part(data: bytes) -> Part:
    """What `encode_contents` made; anything else is a ValueError, KeyError, TypeError or struct.error."""
    kind, body = data[:1], data[1:]
    if kind == _TEXT:
        (start,) = _LENGTH.unpack_from(body)
        return TextSlice(start, body[_LENGTH.size :].decode("utf-8"))
    if kind == _CONCORDANCE:
        return ConcordancePart(body)
    if kind == _PAGES:
        return _decode_pages(body)
    rows = json.loads(body)
    if kind == _HEAD:
        return _decode_head(rows)
    if kind == _BLOCKS:
        blocks = tuple(Block(name, int(start), int(end), int(level)) for name, start, end, level in rows)
        if any(block.kind not in _BLOCK_KINDS for block in blocks):
            raise ValueError("a block is of no known kind")
        return SomeBlocks(blocks)
    if kind == _ENTRIES:
        return SomeEntries(tuple(_decode_entry(row) for row in rows))
    raise ValueError("a part is of no known kind")


@dataclass(slots=True)
class Check:
    """Whether the parts of one document fit together: every span lies inside its text, and nothing is missing."""

    characters: int = -1
    text: int = field(default=0)

    def check(self, part: Part) -> None:
        """A ValueError when a part cannot follow those before it."""
        if isinstance(part, Head) != (self.characters < 0):
            raise ValueError("the head is not the first part")
        if isinstance(part, Head):
            self.characters = part.characters
        elif isinstance(part, TextSlice):
            if part.start != self.text:
                raise ValueError("a slice of the text is missing")
            self.text += len(part.text)
        spans: list[Page] | list[Block] | list[Passage] = []
        if isinstance(part, SomePages):
            spans = list(part.pages)
        elif isinstance(part, SomeBlocks):
            spans = list(part.blocks)
        elif isinstance(part, SomeEntries):
            spans = [entry.passage for entry in part.entries]
        if any(not 0 <= span.start <= span.end <= self.characters for span in spans):
            raise ValueError("a span lies outside the text")

    def finish(self) -> None:
        """A ValueError when something is missing."""
        if self.characters < 0 or self.text != self.characters:
            raise ValueError("the text is not whole")


def _entries(document: Document, recipe: Recipe) -> Iterator[list[Entry]]:
    from pincite.passages import split

    made = (
        make_entry(document, piece, recipe.name or document.title)
        for piece in split(document, recipe.size, recipe.overlap, recipe.hidden)
    )
    return _grouped(made, _ENTRIES_AT_ONCE, lambda entry: len(entry.context) + len(entry.body))


def _concordance(document: Document) -> bytes:
    """What locating needs, packed; empty when the document is too long to be located in."""
    from pincite.evidence.concordance import build

    return build(document).to_bytes() if len(document.text) <= LONGEST_LOCATED else b""


def _grouped(items: Iterable[_Item], most: int, weigh: Callable[[_Item], int]) -> Iterator[list[_Item]]:
    """Items in groups of so many at most, and of not much more than `_BYTES`."""
    group: list[_Item] = []
    weight = 0
    for item in items:
        group.append(item)
        weight += weigh(item)
        if len(group) >= most or weight >= _BYTES:
            yield group
            group, weight = [], 0
    if group:
        yield group


def _encode_pages(pages: Sequence[Page]) -> bytes:
    rows = [[page.number, page.start, page.end, page.width, page.height, page.label, len(page.boxes)] for page in pages]
    head = json.dumps(rows).encode()
    return b"".join([_PAGES, _LENGTH.pack(len(head)), head, *(page.boxes for page in pages)])


def _decode_pages(body: bytes) -> SomePages:
    (length,) = _LENGTH.unpack_from(body)
    at = _LENGTH.size + length
    pages = []
    for number, start, end, width, height, label, size in json.loads(body[_LENGTH.size : at]):
        boxes = body[at : at + int(size)]
        at += int(size)
        pages.append(Page(int(number), int(start), int(end), float(width), float(height), boxes, label=str(label)))
    if at != len(body):
        raise ValueError("the boxes are not whole")
    return SomePages(tuple(pages))


def _encode_entries(entries: Sequence[Entry]) -> bytes:
    rows = [
        [p.start, p.end, list(p.headings), p.first_page, p.last_page, entry.context, entry.body]
        for entry in entries
        for p in [entry.passage]
    ]
    return _ENTRIES + json.dumps(rows, ensure_ascii=False).encode("utf-8", "replace")


def _decode_entry(row: Any) -> Entry:
    start, end, headings, first, last, context, body = row
    passage = Passage(int(start), int(end), tuple(map(str, headings)), int(first), int(last))
    return Entry(passage, str(context), str(body))


def _decode_head(head: dict[str, Any]) -> Head:
    if head["kind"] not in _KINDS:
        raise ValueError("the document is of no known kind")
    document = Document(
        kind=head["kind"],
        text="",
        title=str(head["title"]),
        language=str(head["language"]),
        metadata={str(key): str(value) for key, value in head["metadata"].items()},
        problems=tuple(str(problem) for problem in head["problems"]),
    )
    return Head(document, int(head["characters"]))
