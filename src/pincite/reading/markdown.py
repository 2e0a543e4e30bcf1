"""Read Markdown: the text is the source with its marks; headings, lists, tables and code are spans of it."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from pincite.reading.encoding import read_text
from pincite.reading.plain_text import find_paragraphs
from pincite.reading.source import Source
from pincite.types import Block, BlockKind, Document

_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
_FIELD = re.compile(r"^(title|author|date|description)[ \t]*:[ \t]*(\S(?:.*\S)?)[ \t]*$", re.MULTILINE | re.IGNORECASE)
_ATX = re.compile(r"[ \t]*#{1,6}[ \t]+(.*)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_KINDS: dict[str, BlockKind] = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "blockquote_open": "paragraph",
    "html_block": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "table_open": "table",
    "fence": "code",
    "code_block": "code",
}


def read(source: Source) -> Document:
    """Read a Markdown file; heading blocks are the words of a heading without its marks."""
    text = read_text(source.path, source.limits.characters)
    front = _FRONT_MATTER.match(text)
    body = front.end() if front else 0
    blocks = list(_find_structure(text, body))
    if front and text[: front.end()].strip("-. \t\n"):
        blocks.insert(0, Block("header", 0, len(text[: front.end()].rstrip())))
    fields = {key.lower(): value.strip("\"'") for key, value in _FIELD.findall(front[1] or "")} if front else {}
    title = fields.pop("title", "")
    if "date" in fields:
        day = _DAY.search(fields.pop("date"))
        fields |= {"date": day[0]} if day else {}
    return Document("markdown", text, title=title, blocks=tuple(_fill_gaps(text, body, blocks)), metadata=fields)


def find_blocks(text: str) -> list[Block]:
    """Return the blocks of a Markdown text without front matter."""
    return list(_fill_gaps(text, 0, list(_find_structure(text, 0))))


def _find_structure(text: str, body: int) -> Iterator[Block]:
    from markdown_it import MarkdownIt

    source = text[body:]
    starts = [body, *(body + match.end() for match in re.finditer("\n", source)), len(text)]
    for token in MarkdownIt("commonmark").enable("table").parse(source):
        if token.level or not token.map or token.type not in _KINDS:
            continue
        kind = _KINDS[token.type]
        start, end = starts[token.map[0]], starts[min(token.map[1], len(starts) - 1)]
        if kind == "heading":
            yield from _find_heading(text, start, end, int(token.tag[1:]), underlined=token.markup in ("=", "-"))
        elif text[start:end].strip():
            yield Block(kind, start, start + len(text[start:end].rstrip()))


def _find_heading(text: str, start: int, end: int, level: int, *, underlined: bool) -> Iterator[Block]:
    if underlined:
        end = start + text[start:end].rstrip().rfind("\n")
    elif atx := _ATX.match(text[start:end].rstrip("\n")):
        start += atx.start(1)
        title = atx[1].rstrip(" \t")
        bare = title.rstrip("#")  # closing signs of a heading follow a space
        end = start + len(bare if bare.endswith((" ", "\t")) else title)
    words = text[start:end]
    start += len(words) - len(words.lstrip())
    if words.strip():
        yield Block("heading", start, start + len(words.strip()), level)


def _fill_gaps(text: str, body: int, blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the blocks, with text that the grammar skips (link definitions) as paragraphs between them."""
    edges = [
        Block("header", 0, body),
        *(block for block in blocks if block.end > body),
        Block("header", len(text), len(text)),
    ]
    yield from (block for block in blocks if block.end <= body)
    for before, after in pairwise(edges):
        gap = text[before.end : after.start]
        if sum(map(str.isalnum, gap)) > 3:
            yield from (Block("paragraph", *span) for span in find_paragraphs(text, before.end, after.start))
        if after.end > after.start:
            yield after
