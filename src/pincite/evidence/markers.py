"""A model's words as they come, a few letters at a time, to what is shown, what is cited and what is commanded.

Nothing that may yet become a citation (`[2]`, `[2.3]`, `[1, 4]`) or a command on a line of its own is let through
before it is known: half a mark is never shown, and no command fires before its line is complete.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.evidence.commands import Highlight, Navigate, command, may_be_command

Cited = tuple[int, int | None]  # an evidence, and perhaps a sentence of it

_MOST = 60  # characters of a mark
_NUMBER = r"\d{1,3}(?:\.\d{1,3})?"
_ONE = rf"{_NUMBER}(?:[ ]?[-–][ ]?{_NUMBER})?"
_WORD = r"(?:(?:sources?|evidence|refs?|citations?|preuves?|documents?|doc)\.?[ ]?:?[ ]?|\^|#)?"
_MARK = re.compile(
    rf"[\[【]{_WORD}{_ONE}(?:[ ]?(?:[,;&]|and|et)[ ]?{_WORD}{_ONE})*(?:†[^\]】\n]{{0,20}})?[\]】]", re.IGNORECASE
)
# An index, as in `rows[2]`, is no mark; a list, as in `[2, 3]`, looks like one.
_CODE_MARK = re.compile(rf"(?<![\w)\]])(?:{_MARK.pattern})", re.IGNORECASE)
_ORDER = re.compile(r"\b(navigate|highlight):", re.IGNORECASE)
_LINK = re.compile(r"\([^()\s]{0,300}\)")
_LINK_BEGUN = re.compile(r"\([^()\s]{0,300}$")
_BEGUN = re.compile(r"[\[【][\w\s.,;:&^#†–-]*$")
_RANGE = re.compile(r"(\d{1,3})(?:\.(\d{1,3}))?(?:[ ]?[-–][ ]?(?:(\d{1,3})\.)?(\d{1,3}))?")
_CUT = re.compile(r"(?:(?<!\s)\s+)?[\[【]\d[\d.,;\s–-]*$")
_TOLD = re.compile(r" ?\[(\d+)\]")
_TOLD_ROW = re.compile(r"(?:\s?\[\d+\])*")
CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]*`)", re.DOTALL)
_SPACES = " \t\u00a0\u202f"
_SPACED_MARK = re.compile(rf"(?<![{_SPACES}])[{_SPACES}]*(?:{_MARK.pattern})(?!\()", re.IGNORECASE)
_STOPS = re.compile(r"[\[【`\n]")


@dataclass(frozen=True, slots=True)
class Words:
    """Text that may be shown."""

    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """What is cited here."""

    cited: tuple[Cited, ...]


Item = Words | Mark | Navigate | Highlight


def shielded(source: str) -> str:
    """A source's words as they may be quoted to or by a model: nothing in them is taken for a mark or a command."""
    return _ORDER.sub(r"\1 :", _MARK.sub(lambda mark: f"({mark[0][1:-1]})", source))


def shield_code(source: str) -> str:
    """Source code as it may be shown to a model: brackets that could be taken for a mark are kept, with a space."""
    return _ORDER.sub(r"\1 :", _CODE_MARK.sub(lambda mark: f"{mark[0][0]} {mark[0][1:]}", source))


def unmarked(answer: str) -> str:
    """The words of a whole answer, without its marks; code keeps its brackets."""
    pieces = CODE.split(answer)
    return "".join(piece if number % 2 else _SPACED_MARK.sub("", piece) for number, piece in enumerate(pieces))


def told(answer: str) -> Iterator[tuple[int, int, int]]:
    """The marks of an answer as people see it: where each begins (with the space before it) and ends, its number."""
    at = 0
    for number, piece in enumerate(CODE.split(answer)):
        for match in () if number % 2 else _TOLD.finditer(piece):
            yield at + match.start(), at + match.end(), int(match[1])
        at += len(piece)


def after_marks(answer: str, at: int) -> int:
    """Where the marks end that follow this place of an answer as people see it."""
    found = _TOLD_ROW.match(answer, at)
    return found.end() if found else at


class Markers:
    """Reads one answer; what cannot be told yet is held until it can."""

    def __init__(self) -> None:
        self._held = ""
        self._at_line_start = True
        self._fence = self._code = False
        self._space = ""  # stood before a mark that was taken out
        self._marked = False  # just now
        self._last = "\n"  # shown

    def feed(self, text: str) -> list[Item]:
        """What some more of the answer makes certain."""
        self._held += text
        return list(self._items(final=False))

    def end(self) -> list[Item]:
        """What is left when no more comes; a mark that was cut off is no text."""
        if not (self._fence or self._code):
            self._held = _CUT.sub("", self._held)
        return list(self._items(final=True))

    def _items(self, final: bool) -> Iterator[Item]:
        while self._held:
            if self._at_line_start and not self._fence:
                line, newline, rest = self._held.partition("\n")
                if not newline and not final and may_be_command(line):
                    return
                found = command(line) if newline or final else None
                if found:
                    yield found
                    self._held = rest
                    continue
            step = self._step(final)
            if step is None:
                return
            yield from step

    def _step(self, final: bool) -> list[Item] | None:
        """The next thing that is certain, taken off what is held; None when there is none yet."""
        stop = _STOPS.search(self._held)
        at = stop.start() if stop else len(self._held)
        before = self._held[:at].rstrip(_SPACES) if not final or stop else self._held[:at]
        if not stop:
            return self._take(len(before)) or None
        if at > len(before) and before:
            return self._take(len(before))
        sign = self._held[at]
        if sign == "`":
            ticks = re.compile("`+").match(self._held, at)
            assert ticks
            if ticks.end() == len(self._held) and not final:
                return self._take(at) or None
            taken = self._take(ticks.end())
            if len(ticks[0]) >= 3:
                self._fence = not self._fence
            elif not self._fence:
                self._code = not self._code
            return taken
        if sign == "\n":
            taken = self._take(at + 1)
            self._code = False
            return taken
        if self._fence or self._code:
            return self._take(at + 1)
        mark = _MARK.match(self._held, at)
        if mark is None:
            left = len(self._held) - at
            if not final and left < _MOST and _BEGUN.match(self._held, at):
                return self._take(len(before)) or None
            return self._take(at + 1)
        end = mark.end()
        if link := _LINK.match(self._held, end):
            end = link.end()
        elif not final and (end == len(self._held) or _LINK_BEGUN.match(self._held, end)):
            return self._take(len(before)) or None
        taken = self._take(len(before))
        spaces = at - len(before)
        self._space = self._space or self._held[:spaces]
        self._held = self._held[end - len(before) :]
        self._marked = True
        return [*taken, Mark(_cited(mark[0]))]

    def _take(self, count: int) -> list[Item]:
        """Show the first characters that are held, with the space back that a mark took, if it is needed there."""
        text, self._held = self._held[:count], self._held[count:]
        if not text:
            return []
        if self._space and (text[0].isalnum() or text[0] in "«“\"'([*_"):
            text = self._space + text
        elif self._marked and (self._last.isspace()):
            text = text.lstrip(_SPACES)
        self._space, self._marked = "", False
        if not text:
            return []
        self._last = text[-1]
        self._at_line_start = self._last == "\n"
        return [Words(text)]


def _cited(mark: str) -> tuple[Cited, ...]:
    """The evidence that a mark names, each once; a range names all between."""
    found: dict[Cited, None] = {}
    for first, sentence, _, last in _RANGE.findall(mark):
        if sentence:
            numbers = range(int(sentence), int(last or sentence) + 1)
            found.update(dict.fromkeys((int(first), number) for number in numbers[:20]))
        else:
            found.update(dict.fromkeys((number, None) for number in range(int(first), int(last or first) + 1)[:20]))
    return tuple(found)
