"""JSON and JSON lines: as written, or laid out when it was one long line; a block for every item that fits."""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise

from pincite.reading.encoding import read_text
from pincite.reading.source import Source
from pincite.types import Block, Document

LARGE = 4000  # characters; a longer item is parted into its own items
LONG_LINE = 2000
GROWTH = 2  # times its length that a text may grow by indentation; what follows has its lines at the margin
ALLOWANCE = 10_000  # characters of indentation that any text may have
# A string that never closes goes on to the end; looking for its end again and again would take for ever.
_TOKEN = re.compile(r'\s++|"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[\]{},:]|[^\s\[\]{},:"]++|.', re.DOTALL)


def read(source: Source) -> Document:
    """A JSON file's document; numbers and names stay as they were written, escaped letters become letters."""
    text = read_text(source.path, source.limits.characters).removeprefix("\ufeff")
    if r"\u" in text or max(map(len, text.split("\n"))) > LONG_LINE:
        text = laid_out(text)
    return Document("json", text, blocks=tuple(Block("code", start, end) for start, end in _items(text)))


def laid_out(text: str) -> str:
    """The same values, an item a line, indented by depth; records that follow one another start at the margin."""
    parts: list[str] = []
    depth = indented = 0
    before = ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token.isspace():
            continue
        steps = min(depth - (token in "]}"), 40) if indented < GROWTH * match.start() + ALLOWANCE else 0
        indent = "\n" + "  " * max(steps, 0)
        if token in "]}":
            depth = max(depth - 1, 0)
            if before not in ("[", "{"):
                parts.append(indent)
                indented += len(indent)
        elif before in ("[", "{", ","):
            parts.append(indent)
            indented += len(indent)
        elif before == ":":
            parts.append(" ")
        elif before in ("]", "}") and depth == 0 and token != ",":
            parts.append("\n")
        parts.append(_unescaped(token))
        depth += token in "[{"
        before = token
    return "".join(parts)


def _unescaped(token: str) -> str:
    if not (token.startswith('"') and r"\u" in token):
        return token
    try:
        return json.dumps(json.loads(token, strict=False), ensure_ascii=False)
    except ValueError:
        return token


def _items(text: str) -> Iterator[tuple[int, int]]:
    """The spans of the outermost items; those too long for a passage are parted into their own items."""
    starts = _starts(text)
    cuts = [0, *starts.get(0, ()), *(() if starts.get(0) else starts.get(1, ())), len(text)]
    for depth in range(1, 5):
        inner = starts.get(depth, [])
        cuts = [cut for pair in pairwise(sorted(cuts)) for cut in (pair[0], *_within(inner, *pair))] + [len(text)]
    for start, end in pairwise(cuts):
        piece = text[start:end].strip()
        if piece:
            first = text.index(piece[0], start)
            yield first, first + len(piece)


def _within(starts: list[int], start: int, end: int) -> list[int]:
    return starts[bisect_right(starts, start) : bisect_left(starts, end)] if end - start > LARGE else []


def _starts(text: str) -> dict[int, list[int]]:
    """By depth, where items begin, save the first of each container, which stays with its opening."""
    starts: dict[int, list[int]] = {}
    depth, after_comma, records = 0, False, 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token.isspace():
            continue
        if after_comma or (depth == 0 and records and token in "[{"):
            starts.setdefault(depth, []).append(match.start())
        after_comma = token == "," and depth > 0
        if token in "[{":
            depth += 1
        elif token in "]}":
            depth = max(depth - 1, 0)
            records += depth == 0
    return starts
