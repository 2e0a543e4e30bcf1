"""Write the blocks by which a model changes files, and recognize their lines.

A block is a line `<<<<<<< SEARCH`, lines of the file, a line `=======`, the lines that replace them, and a line
`>>>>>>> REPLACE`. The path of the file stands above it. When the text itself has such lines, the block has longer ones.
"""

import re
from dataclasses import dataclass
from itertools import count

from pincite.projects.path_lines import NamedPath, read_fence_path
from pincite.projects.unified_diffs import NO_NEWLINE

SHORTEST_MARKER, USUAL_MARKER = 5, 7
NEWLINE = "\\ Newline at end of file"

_OPENING = re.compile(r"([ \t]*)(<{5,}|-{5,}) ?(?:SEARCH|ORIGINAL)\b[>:]?[ \t]*([^\n]*)$")
_DIVIDER = re.compile(r"([ \t]*)(={5,})[ \t]*$")
_CLOSING = re.compile(r"([ \t]*)(>{5,}|\+{5,}) ?(?:REPLACE|UPDATED)\b>?[ \t]*(?:`{3,})?$")
_FENCE = re.compile(r"([ \t]*)(`{3,}|~{3,})[ \t]*([^\n]*)$")
_START_LINE = re.compile(r":(?:start|end)_line: ?[0-9]+[ \t]*$")


@dataclass(frozen=True, slots=True)
class Marker:
    """The opening or closing line of a block: its indentation, its length, and the text after it."""

    indent: str
    length: int
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Fence:
    """The opening line of fenced code."""

    indent: str
    mark: str
    length: int
    info: str

    @property
    def language(self) -> str:
        """The first word of the fence line, in lower case."""
        return self.info.split()[0].partition(":")[0].strip("{}.").lower() if self.info.split() else ""

    @property
    def path(self) -> NamedPath | None:
        """The path on the fence line, or None."""
        return read_fence_path(self.info)

    def is_closed_by(self, line: str, any_indent: bool = False) -> bool:
        """Return whether a line closes this fence. An indented fence may be part of the code."""
        other = read_fence(line)
        if not other or other.info or other.mark != self.mark or other.length < self.length:
            return False
        return any_indent or other.indent == self.indent


def read_opening(line: str) -> Marker | None:
    """Return the marker if a line opens a block."""
    found = _OPENING.match(line.rstrip("\r\n")) if line.lstrip(" \t")[:1] in ("<", "-") else None
    return Marker(found[1], len(found[2]), found[3].strip()) if found else None


def read_divider(line: str) -> Marker | None:
    """Return the marker if a line may divide a block."""
    found = _DIVIDER.match(line.rstrip("\r\n")) if line.lstrip(" \t")[:1] == "=" else None
    return Marker(found[1], len(found[2])) if found else None


def read_closing(line: str) -> Marker | None:
    """Return the marker if a line closes a block."""
    found = _CLOSING.match(line.rstrip("\r\n")) if line.lstrip(" \t")[:1] in (">", "+") else None
    return Marker(found[1], len(found[2])) if found else None


def read_fence(line: str) -> Fence | None:
    """Return the fence if a line opens or closes fenced code."""
    found = _FENCE.match(line.rstrip("\r\n")) if line.lstrip(" \t")[:1] in ("`", "~") else None
    if not found or (found[2][0] == "`" and "`" in found[3]):
        return None
    return Fence(found[1], found[2][0], len(found[2]), found[3].strip())


def strip_start_lines(lines: list[str]) -> list[str]:
    """Remove the line numbers that some models write at the top of a block, up to the dashes below them."""
    at = 0
    while at < len(lines) and _START_LINE.match(lines[at].rstrip("\r\n")):
        at += 1
    return lines[at + 1 :] if 0 < at < len(lines) and set(lines[at].strip()) == {"-"} else lines


def join_side(lines: list[str]) -> str:
    """Return the text of one side of a block; a last line can say whether the text ends with a newline."""
    last = lines[-1].rstrip("\r\n") if lines else ""
    if last == NEWLINE:
        return "".join(lines[:-1])
    if last == NO_NEWLINE:
        return "".join(lines[:-1]).removesuffix("\n")
    return "".join(lines)


def create_search_replace_block(path: str, old: str, new: str) -> str:
    """Return the block that replaces lines of a file by other lines. An empty `old` creates the file."""
    length = _choose_length(old, new)
    return "".join(
        (
            f"{path}\n{'<' * length} SEARCH\n",
            _write_side(old),
            f"{'=' * length}\n",
            _write_side(new),
            f"{'>' * length} REPLACE\n",
        )
    )


def _choose_length(*texts: str) -> int:
    """Return a length of markers that no line of the texts has."""
    taken = set()
    for text in texts:
        for line in text.split("\n"):
            for marker in (read_opening(line), read_divider(line), read_closing(line)):
                if marker:
                    taken.add(marker.length)
    return next(length for length in count(USUAL_MARKER) if length not in taken)


def _write_side(text: str) -> str:
    if not text:
        return ""
    if not text.endswith("\n"):
        return f"{text}\n{NO_NEWLINE}\n"
    last = text[:-1].rpartition("\n")[2].rstrip("\r")
    return f"{text}{NEWLINE}\n" if last in (NO_NEWLINE, NEWLINE) else text
