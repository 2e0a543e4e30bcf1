"""Make everything that is stored of a document in the child process, and send it in parts of limited size.

The parent does not trust the parts: `decode_part` checks each part alone, and `ContentsCheck` checks that they fit
together.
"""

import json
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar, get_args

from pincite.isolation.frames import split_bytes
from pincite.store.content_slices import split_slices
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
    """Settings for the contents of a document: the size of passages, and the title and name for their context.

    `title` and `language` replace those that were read. `untitled` is the title of a document without one. Without a
    `name` the title is the name. With `hidden`, hidden words get passages too.
    """

    size: int
    overlap: int
    name: str = ""
    title: str = ""
    untitled: str = ""
    language: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class HeadPart:
    """The row of a document: the document without text, pages and blocks, and the length of its text."""

    document: Document
    characters: int


@dataclass(frozen=True, slots=True)
class TextSlice:
    """A slice of the document's text, and its position."""

    start: int
    text: str


@dataclass(frozen=True, slots=True)
class PagesPart:
    """Some pages of the document."""

    pages: tuple[Page, ...]


@dataclass(frozen=True, slots=True)
class BlocksPart:
    """Some blocks of the document."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A passage with its search terms: those of its context, and its own."""

    passage: Passage
    context: str
    body: str


@dataclass(frozen=True, slots=True)
class EntriesPart:
    """Some index entries of the document."""

    entries: tuple[IndexEntry, ...]


@dataclass(frozen=True, slots=True)
class ConcordancePart:
    """A piece of the packed concordance."""

    data: bytes


Part = HeadPart | TextSlice | PagesPart | BlocksPart | EntriesPart | ConcordancePart


def encode_contents(document: Document, recipe: Recipe) -> Iterator[bytes]:
    """Yield the parts of a document: its head, then text, pages, blocks, passages and concordance.

    The document was read without errors before. An error here, except for lack of memory, is a bug.
    """
    title = recipe.title or document.title or recipe.untitled
    document = replace(document, title=title, language=recipe.language or document.language)
    head = asdict(replace(document, text="", pages=(), blocks=()))
    yield _HEAD + json.dumps({**head, "characters": len(document.text)}).encode()
    for start, text in split_slices(document.text):
        yield _TEXT + _LENGTH.pack(start) + text.encode("utf-8", "replace")
    yield from map(_encode_pages, _group_items(document.pages, _PAGES_AT_ONCE, lambda page: len(page.boxes)))
    for some in _group_items(document.blocks, _BLOCKS_AT_ONCE, lambda block: 1):
        rows = [[block.kind, block.start, block.end, block.level] for block in some]
        yield _BLOCKS + json.dumps(rows, separators=(",", ":")).encode()
    yield from map(_encode_entries, _make_entries(document, recipe))
    for part in split_bytes(_pack_concordance(document), _CONCORDANCE_BYTES):
        yield _CONCORDANCE + part


def make_entry(document: Document, passage: Passage, name: str) -> IndexEntry:
    """Return a passage with its search terms."""
    from pincite.index.terms import list_terms
    from pincite.passages import make_indexed

    found = make_indexed(document, passage, name)
    context, body = (" ".join(list_terms(text, document.language)) for text in (found.context, found.body))
    return IndexEntry(passage, context, body)


def decode_part(data: bytes) -> Part:
    """Return the part that `encode_contents` encoded.

    Invalid data raises ValueError, KeyError, TypeError or struct.error.
    """
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
        return BlocksPart(blocks)
    if kind == _ENTRIES:
        return EntriesPart(tuple(_decode_entry(row) for row in rows))
    raise ValueError("a part is of no known kind")


@dataclass(slots=True)
class ContentsCheck:
    """Checks that the parts of one document fit together: spans lie inside the text, and nothing is missing."""

    characters: int = -1
    text: int = field(default=0)

    def check(self, part: Part) -> None:
        """Raise ValueError when a part cannot follow the parts before it."""
        if isinstance(part, HeadPart) != (self.characters < 0):
            raise ValueError("the head is not the first part")
        if isinstance(part, HeadPart):
            self.characters = part.characters
        elif isinstance(part, TextSlice):
            if part.start != self.text:
                raise ValueError("a slice of the text is missing")
            self.text += len(part.text)
        spans: list[Page] | list[Block] | list[Passage] = []
        if isinstance(part, PagesPart):
            spans = list(part.pages)
        elif isinstance(part, BlocksPart):
            spans = list(part.blocks)
        elif isinstance(part, EntriesPart):
            spans = [entry.passage for entry in part.entries]
        if any(not 0 <= span.start <= span.end <= self.characters for span in spans):
            raise ValueError("a span lies outside the text")

    def finish(self) -> None:
        """Raise ValueError when a part of the text is missing."""
        if self.characters < 0 or self.text != self.characters:
            raise ValueError("the text is not whole")


def _make_entries(document: Document, recipe: Recipe) -> Iterator[list[IndexEntry]]:
    from pincite.passages import split_passages

    made = (
        make_entry(document, piece, recipe.name or document.title)
        for piece in split_passages(document, recipe.size, recipe.overlap, recipe.hidden)
    )
    return _group_items(made, _ENTRIES_AT_ONCE, lambda entry: len(entry.context) + len(entry.body))


def _pack_concordance(document: Document) -> bytes:
    """Return the packed concordance for locating; empty when the document is too long for it."""
    from pincite.locate.concordance import build_concordance

    return build_concordance(document).to_bytes() if len(document.text) <= LONGEST_LOCATED else b""


def _group_items(items: Iterable[_Item], most: int, weigh: Callable[[_Item], int]) -> Iterator[list[_Item]]:
    """Yield groups of at most so many items, and of not much more than `_BYTES`."""
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


def _decode_pages(body: bytes) -> PagesPart:
    (length,) = _LENGTH.unpack_from(body)
    at = _LENGTH.size + length
    pages = []
    for number, start, end, width, height, label, size in json.loads(body[_LENGTH.size : at]):
        boxes = body[at : at + int(size)]
        at += int(size)
        pages.append(Page(int(number), int(start), int(end), float(width), float(height), boxes, label=str(label)))
    if at != len(body):
        raise ValueError("the boxes are not whole")
    return PagesPart(tuple(pages))


def _encode_entries(entries: Sequence[IndexEntry]) -> bytes:
    rows = [
        [p.start, p.end, list(p.headings), p.first_page, p.last_page, entry.context, entry.body]
        for entry in entries
        for p in [entry.passage]
    ]
    return _ENTRIES + json.dumps(rows, ensure_ascii=False).encode("utf-8", "replace")


def _decode_entry(row: Any) -> IndexEntry:
    start, end, headings, first, last, context, body = row
    passage = Passage(int(start), int(end), tuple(map(str, headings)), int(first), int(last))
    return IndexEntry(passage, str(context), str(body))


def _decode_head(head: dict[str, Any]) -> HeadPart:
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
    return HeadPart(document, int(head["characters"]))
