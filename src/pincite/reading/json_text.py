"""Read JSON and JSON lines: as written, or indented if it was one long line; a block for every item that fits."""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise

from pincite.reading.encoding import read_text
from pincite.reading.source import Source
from pincite.types import Block, Document

LARGE = 4000  # characters; a longer item is divided into its own items
LONG_LINE = 2000
GROWTH = 2  # times its length that a text may grow by indentation; later lines are not indented
ALLOWANCE = 10_000  # characters of indentation that any text may have
# An unclosed string continues to the end; searching for its end repeatedly would take too long.
_TOKEN = re.compile(r'\s++|"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[\]{},:]|[^\s\[\]{},:"]++|.', re.DOTALL)


def read(source: Source) -> Document:
    """Read a JSON file; numbers and names stay as written, escaped letters become letters."""
    text = read_text(source.path, source.limits.characters).removeprefix("\ufeff")
    if r"\u" in text or max(map(len, text.split("\n"))) > LONG_LINE:
        text = indent_json(text)
    return Document("json", text, blocks=tuple(Block("code", start, end) for start, end in _find_items(text)))


def indent_json(text: str) -> str:
    """Return the same values, one item per line, indented by depth; consecutive records are not indented."""
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
        parts.append(_unescape_string(token))
        depth += token in "[{"
        before = token
    return "".join(parts)


def _unescape_string(token: str) -> str:
    if not (token.startswith('"') and r"\u" in token):
        return token
    try:
        return json.dumps(json.loads(token, strict=False), ensure_ascii=False)
    except ValueError:
        return token


def _find_items(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the outermost items; items too long for a passage are divided into their own items."""
    starts = _find_starts(text)
    cuts = [0, *starts.get(0, ()), *(() if starts.get(0) else starts.get(1, ())), len(text)]
    for depth in range(1, 5):
        inner = starts.get(depth, [])
        cuts = [cut for pair in pairwise(sorted(cuts)) for cut in (pair[0], *_find_inner_starts(inner, *pair))] + [
            len(text)
        ]
    for start, end in pairwise(cuts):
        piece = text[start:end].strip()
        if piece:
            first = text.index(piece[0], start)
            yield first, first + len(piece)


def _find_inner_starts(starts: list[int], start: int, end: int) -> list[int]:
    return starts[bisect_right(starts, start) : bisect_left(starts, end)] if end - start > LARGE else []


def _find_starts(text: str) -> dict[int, list[int]]:
    """Return the starts of items by depth, except the first of each container, which stays with its opening."""
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
