"""Where a note on a sentence may stand in a Markdown text: never in code, and in a table's row in its last cell.

The page has the same in `ui/src/conversation/placing.ts`; `tests/conversations/placing_cases.json` is read by the tests
of both. What only looks like Markdown to these lines is left to `annotating`, which asks a reader of Markdown.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

_OPENING = re.compile(r"(?:[ \t>]|(?:[-*+]|[0-9]{1,9}[.)])[ \t])*(`{3,}(?=[^`]*$)|~{3,})")
_CLOSING = re.compile(r"[ \t>]*(`{3,}|~{3,})((?:[ \t]*\[[0-9]+\])*)[ \t\r]*$")
_RULE = re.compile(r"[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$")
_PIPE = re.compile(r"\\.|(\|)")
_TICKS = re.compile(r"\\`|(`+)")
# What belongs to a sentence behind its last word: its marks, its stop, closing quotes, and the end of bold or italics.
_TAIL = re.compile(r"(?: ?\[[0-9]+\]|[.!?…]|[ \u00a0\u202f]?»|[”’\"')]|[*_]+(?![\w*_]))*")
_PREFIX = re.compile(r"[ \t>]*")

Kind = Literal["prose", "blank", "code", "row"]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text, end exclusive and without its break; `columns` are those of the table that a row is in."""

    start: int
    end: int
    kind: Kind
    columns: int = 0


class Places:
    """The lines of one text, and the places in it at which something may be put."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.lines = _lines(text)
        self._starts = [line.start for line in self.lines]
        self._spans = list(_code_spans(text, self.lines))

    def note(self, start: int, end: int) -> int | None:
        """Where the note on a sentence may stand; None where there is no such place."""
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
        """Where a mark of a citation stands best, and what goes before it; None where it stands in code.

        A mark behind the end of a code block would keep the block open, one behind a row would be a cell of its own.
        """
        line = self.lines[self._number(start)]
        if line.kind == "row":
            return min(start, self._cell(line)), ""
        if line.kind == "code":
            return self._below(line, start)
        return None if any(first < start < last for first, last in self._spans) else (start, "")

    def _below(self, line: Line, start: int) -> tuple[int, str] | None:
        closing = _CLOSING.match(self._text, line.start, line.end)
        if closing is None or not closing.start(2) <= start < closing.end(2):
            return None
        if "[" in self._text[closing.start(2) : start]:
            return start, ""
        prefix = _PREFIX.match(self._text, line.start, line.end)
        margin = prefix[0] if prefix else ""
        return start, f"\n{margin.rstrip()}\n{margin}"

    def _cell(self, line: Line) -> int:
        """The end of the last cell of a row that is shown."""
        pipes = [found.start(1) for found in _PIPE.finditer(self._text, line.start, line.end) if found[1]]
        lead = self._text[line.start : pipes[0]].strip(" \t\r>") if pipes else "x"
        ends = pipes[1:] if not lead else pipes
        end = ends[line.columns - 1] if len(ends) >= line.columns else line.end
        # A row that is too short ends with its own last pipe.
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


def _lines(text: str) -> list[Line]:
    found: list[Line] = []
    at, fence = 0, ""
    columns = 0
    for piece in text.split("\n"):
        end = at + len(piece)
        if fence:
            closing = _CLOSING.match(piece)
            if closing and closing[1][0] == fence[0] and len(closing[1]) >= len(fence):
                fence = ""
            found.append(Line(at, end, "code"))
        elif opening := _OPENING.match(piece):
            fence, columns = opening[1], 0
            found.append(Line(at, end, "code"))
        elif not piece.strip(" \t\r>"):
            columns = 0
            found.append(Line(at, end, "blank"))
        elif columns:
            found.append(Line(at, end, "row", columns))
        else:
            above = found[-1] if found else None
            if above and above.kind == "prose" and _heads(text, above, piece):
                columns = _count(piece)
                found[-1] = Line(above.start, above.end, "row", columns)
                # Nothing may be put into the rule under the heads.
                found.append(Line(at, end, "code"))
            else:
                found.append(Line(at, end, "prose"))
        at = end + 1
    return found


def _heads(text: str, above: Line, rule: str) -> bool:
    """Whether these two lines begin a table: as many heads as columns."""
    return "|" in rule and bool(_RULE.match(rule)) and _count(text[above.start : above.end]) == _count(rule)


def _count(row: str) -> int:
    """How many cells a row has."""
    bare = row.strip(" \t\r>")
    pipes = [found.start(1) for found in _PIPE.finditer(bare) if found[1]]
    count = len(pipes) + 1
    if pipes and pipes[0] == 0:
        count -= 1
    if pipes and pipes[-1] == len(bare) - 1 and len(bare) > 1:
        count -= 1
    return count


def _code_spans(text: str, lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """The stretches of code between backticks, in each run of lines of prose."""
    for start, end in _runs(lines):
        ticks = list(_TICKS.finditer(text, start, end))
        number = 0
        while number < len(ticks):
            opening = ticks[number]
            number += 1
            if not opening[1]:
                continue
            for later in range(number, len(ticks)):
                run = ticks[later]
                # A backslash is no escape in code: the backtick behind it may end it.
                closing = run[1] or "`"
                if len(closing) == len(opening[1]):
                    yield opening.start(), run.end()
                    number = later + 1
                    break


def _runs(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
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
