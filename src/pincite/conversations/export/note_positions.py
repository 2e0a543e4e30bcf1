"""Find positions for notes and citation marks in a Markdown text: never in code, and in a table row in its last cell.

The page has the same rules in `ui/src/conversation/placing.ts`; the tests of both use
`tests/conversations/placing_cases.json`. This module only scans lines; `footnotes` verifies the result with a Markdown
parser.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pincite.text.citation_marks import SHOWN_MARK

_OPENING = re.compile(r"(?:[ \t>]|(?:[-*+]|[0-9]{1,9}[.)])[ \t])*(`{3,}(?=[^`]*$)|~{3,})")
_CLOSING = re.compile(rf"[ \t>]*(`{{3,}}|~{{3,}})((?:[ \t]*{SHOWN_MARK})*)[ \t\r]*$")
_RULE = re.compile(r"[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$")
_PIPE = re.compile(r"\\.|(\|)")
_TICKS = re.compile(r"\\`|(`+)")
# The end of a sentence after its last word: citation marks, punctuation, closing quotes, the end of bold or italics.
_TAIL = re.compile(r"(?: ?\[[0-9]+\]|[.!?…]|[ \u00a0\u202f]?»|[”’\"')]|[*_]+(?![\w*_]))*")
_PREFIX = re.compile(r"[ \t>]*")

Kind = Literal["prose", "blank", "code", "row"]


@dataclass(frozen=True, slots=True)
class MarkdownLine:
    """A line of a text, end exclusive, without its line break. `columns` is the number of columns of a row's table."""

    start: int
    end: int
    kind: Kind
    columns: int = 0


class NotePlaces:
    """The lines of one text, and the positions where a note or mark may go."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.lines = _classify_lines(text)
        self._starts = [line.start for line in self.lines]
        self._spans = list(_find_code_spans(text, self.lines))

    def note(self, start: int, end: int) -> int | None:
        """Return the position for the note on a sentence, or None if there is no suitable one."""
        place = self._tail(min(max(end, 0), len(self._text)))
        number = self._number(place)
        if self.lines[number].kind == "row":
            return self._cell(self.lines[number])
        while self.lines[number].kind in ("code", "blank"):
            number -= 1
            if number < 0 or self.lines[number].end < start:
                return None
            place = self.lines[number].end
        line = self.lines[number]
        if line.kind == "row":
            return self._cell(line)
        return self._tail(self._outside(self._trimmed(place, line.start)))

    def mark(self, start: int, end: int) -> tuple[int, str] | None:
        """Return the position for a citation mark and the text to put before it, or None for a mark inside code.

        A mark after the end of a code block would keep the block open; one after a table row would be a new cell.
        """
        line = self.lines[self._number(start)]
        if line.kind == "row":
            return min(start, self._cell(line)), ""
        if line.kind == "code":
            return self._below(line, start)
        return None if any(first < start < last for first, last in self._spans) else (start, "")

    def _below(self, line: MarkdownLine, start: int) -> tuple[int, str] | None:
        closing = _CLOSING.match(self._text, line.start, line.end)
        if closing is None or not closing.start(2) <= start < closing.end(2):
            return None
        if "[" in self._text[closing.start(2) : start]:
            return start, ""
        prefix = _PREFIX.match(self._text, line.start, line.end)
        margin = prefix[0] if prefix else ""
        return start, f"\n{margin.rstrip()}\n{margin}"

    def _cell(self, line: MarkdownLine) -> int:
        """Return the end of the last displayed cell of a row."""
        pipes = [found.start(1) for found in _PIPE.finditer(self._text, line.start, line.end) if found[1]]
        lead = self._text[line.start : pipes[0]].strip(" \t\r>") if pipes else "x"
        ends = pipes[1:] if not lead else pipes
        end = ends[line.columns - 1] if len(ends) >= line.columns else line.end
        # A row with too few cells ends with its own last pipe.
        if len(ends) < line.columns and ends and not self._text[ends[-1] + 1 : line.end].strip():
            end = ends[-1]
        return self._trimmed(end, line.start)

    def _trimmed(self, place: int, least: int) -> int:
        while place > least and self._text[place - 1] in " \t\r\\":
            place -= 1
        return place

    def _outside(self, place: int) -> int:
        return next((last for first, last in self._spans if first < place < last), place)

    def _tail(self, place: int) -> int:
        found = _TAIL.match(self._text, place)
        return found.end() if found else place

    def _number(self, place: int) -> int:
        return bisect_right(self._starts, place) - 1


def _classify_lines(text: str) -> list[MarkdownLine]:
    found: list[MarkdownLine] = []
    at, fence = 0, ""
    columns = 0
    for piece in text.split("\n"):
        end = at + len(piece)
        if fence:
            closing = _CLOSING.match(piece)
            if closing and closing[1][0] == fence[0] and len(closing[1]) >= len(fence):
                fence = ""
            found.append(MarkdownLine(at, end, "code"))
        elif opening := _OPENING.match(piece):
            fence, columns = opening[1], 0
            found.append(MarkdownLine(at, end, "code"))
        elif not piece.strip(" \t\r>"):
            columns = 0
            found.append(MarkdownLine(at, end, "blank"))
        elif columns:
            found.append(MarkdownLine(at, end, "row", columns))
        else:
            above = found[-1] if found else None
            if above and above.kind == "prose" and _is_table_head(text, above, piece):
                columns = _count_cells(piece)
                found[-1] = MarkdownLine(above.start, above.end, "row", columns)
                # Nothing may be put into the separator line below the headings.
                found.append(MarkdownLine(at, end, "code"))
            else:
                found.append(MarkdownLine(at, end, "prose"))
        at = end + 1
    return found


def _is_table_head(text: str, above: MarkdownLine, rule: str) -> bool:
    """Return whether two lines begin a table: as many headings as columns."""
    return "|" in rule and bool(_RULE.match(rule)) and _count_cells(text[above.start : above.end]) == _count_cells(rule)


def _count_cells(row: str) -> int:
    """Return the number of cells of a row."""
    bare = row.strip(" \t\r>")
    pipes = [found.start(1) for found in _PIPE.finditer(bare) if found[1]]
    count = len(pipes) + 1
    if pipes and pipes[0] == 0:
        count -= 1
    if pipes and pipes[-1] == len(bare) - 1 and len(bare) > 1:
        count -= 1
    return count


def _find_code_spans(text: str, lines: Sequence[MarkdownLine]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of inline code, in each run of lines of prose."""
    for start, end in _find_prose_runs(lines):
        ticks = list(_TICKS.finditer(text, start, end))
        number = 0
        while number < len(ticks):
            opening = ticks[number]
            number += 1
            if not opening[1]:
                continue
            for later in range(number, len(ticks)):
                run = ticks[later]
                # A backslash does not escape in code: the backtick after it may end the code.
                closing = run[1] or "`"
                if len(closing) == len(opening[1]):
                    yield opening.start(), run.end()
                    number = later + 1
                    break


def _find_prose_runs(lines: Sequence[MarkdownLine]) -> Iterator[tuple[int, int]]:
    start: int | None = None
    last = 0
    for line in lines:
        if line.kind == "prose":
            start = line.start if start is None else start
            last = line.end
        elif start is not None:
            yield start, last
            start = None
    if start is not None:
        yield start, last
