"""Divide a file into parts: functions, methods, classes, the sections of Markdown, and the text between them.

Together the parts are the whole text, but for blank lines.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.projects.code_definitions import Definition, PartKind, find_definitions
from pincite.projects.line_numbers import LineNumbers
from pincite.reading.code import find_blocks

_LONGEST_PART = 6000  # characters; a longer one is divided
_SHORTEST_TEXT = 1500  # characters; shorter pieces of text without a name are joined
_MOST_PARTS = 2000
_MOST_LINES = 50_000  # of a file in which definitions are looked for; a longer one is data
_LONGEST_SIGNATURE = 200


@dataclass(frozen=True, slots=True)
class CodePart:
    """A part of a file: characters `start` to `end`, and the lines from 1. Text between definitions has no name."""

    kind: PartKind
    name: str
    signature: str
    start: int
    end: int
    first_line: int
    last_line: int


def find_parts(path: str, text: str) -> list[CodePart]:
    """Return the parts of a file in their order."""
    lines = _Lines(text)
    if len(lines) <= _MOST_LINES:
        parts = list(_make_parts(find_definitions(path, text, lines.lines), lines))
        if len(parts) <= _MOST_PARTS:
            return parts
    return list(_cut_span(lines, 0, len(text), ("text", "", ""), max(_LONGEST_PART, len(text) // _MOST_PARTS)))


class _Lines:
    """The lines of a text, without their ends."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.numbers = LineNumbers(text)
        starts = self.numbers.starts
        self.starts = [*starts, len(text)]
        self.lines = [text[a:b].rstrip("\r\n") for a, b in zip(starts, self.starts[1:], strict=True)]

    def __len__(self) -> int:
        return len(self.lines)


def _make_parts(found: Sequence[Definition], lines: _Lines) -> Iterator[CodePart]:
    """Yield the definitions and the text between them. A class ends where the first definition inside it begins."""
    done = 0
    for place, definition in enumerate(found):
        first = max(definition.first, done)
        if first >= definition.last:
            continue
        if first > done:
            yield from _make_text_parts(lines, done, first)
        last = definition.last
        inner = [other.first for other in found[place + 1 : place + 2] if other.first < last]
        if inner:
            last = max(inner[0], first)
        signature = _write_signature(lines.lines, definition.named)
        about = (definition.kind, definition.name, signature)
        yield from _cut_span(lines, lines.starts[first], lines.starts[last], about, _LONGEST_PART)
        done = max(done, last)
    if done < len(lines):
        yield from _make_text_parts(lines, done, len(lines))


def _make_text_parts(lines: _Lines, first: int, last: int) -> Iterator[CodePart]:
    """Yield parts without a name: blocks that belong together, joined while they are short."""
    base = lines.starts[first]
    piece = lines.text[base : lines.starts[last]]
    blocks = [(block.start + base, block.end + base) for block in find_blocks(piece)]
    start = end = -1
    for block_start, block_end in blocks:
        if start >= 0 and block_end - start > _SHORTEST_TEXT:
            yield from _cut_span(lines, start, end, ("text", "", ""), _LONGEST_PART)
            start = -1
        if start < 0:
            start = block_start
        end = block_end
    if start >= 0:
        yield from _cut_span(lines, start, end, ("text", "", ""), _LONGEST_PART)


def _cut_span(
    lines: _Lines, start: int, end: int, about: tuple[PartKind, str, str], longest: int
) -> Iterator[CodePart]:
    """Yield a span without the blank lines around it, divided at line ends if it is too long."""
    text = lines.text
    while start < end:
        stop = end
        if end - start > longest:
            line_end = text.rfind("\n", start + longest // 2, start + longest)
            stop = line_end + 1 if line_end >= 0 else start + longest
        body_end = start + len(text[start:stop].rstrip())
        if body_end > start:
            first, last = lines.numbers.find_lines(start, body_end)
            yield CodePart(*about, start, body_end, first, last)
        start = stop


def _write_signature(lines: Sequence[str], number: int) -> str:
    """Return the lines of a definition up to the colon or brace that opens its body, as one line."""
    written = ""
    for line in lines[number : number + 8]:
        written = f"{written} {line.strip()[:_LONGEST_SIGNATURE]}".strip()
        if line.rstrip().endswith((":", "{", ";")) or len(written) >= _LONGEST_SIGNATURE:
            break
        if written.count("(") <= written.count(")"):
            break
    return written.rstrip("{: ")[:_LONGEST_SIGNATURE]
