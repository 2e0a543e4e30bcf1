"""Read a model's answer as it streams: the text to show, the citation marks, and the commands to the viewer.

A mark (`[2]`, `[2.3]`, `[1, 4]`) or a command on a line of its own may arrive in pieces. The parser holds back any text
that may still become one, so that half a mark is never shown and no command runs before its line is complete.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pincite.text.citation_marks import MARK, SPACES, Cited, parse_mark
from pincite.text.viewer_commands import (
    HighlightCommand,
    MalformedCommand,
    NavigateCommand,
    find_malformed,
    may_be_command,
    parse_command,
)

_LONGEST_MARK = 60  # characters
_LINK = re.compile(r"\([^()\s]{0,300}\)")
_LINK_BEGUN = re.compile(r"\([^()\s]{0,300}$")
_BEGUN = re.compile(r"[\[【][\w\s.,;:&^#†–-]*$")
_CUT = re.compile(r"(?:(?<!\s)\s+)?[\[【]\d[\d.,;\s–-]*$")
_STOPS = re.compile(r"[\[【`\n]")
_TICKS = re.compile("`+")


@dataclass(frozen=True, slots=True)
class TextItem:
    """Text to show."""

    text: str


@dataclass(frozen=True, slots=True)
class CitationMark:
    """A citation mark, as the evidence it names."""

    cited: tuple[Cited, ...]


Item = TextItem | CitationMark | NavigateCommand | HighlightCommand | MalformedCommand


class MarkerParser:
    """Reads one answer piece by piece. Text that may still become a mark or a command is held back."""

    def __init__(self, is_text: Callable[[str], bool] | None = None) -> None:
        """`is_text` says whether brackets that look like a mark are words, such as the references of a source."""
        self._is_text = is_text
        self._held = ""
        self._at_line_start = True
        self._fence = self._code = False
        self._space = ""  # before a mark that was removed
        self._marked = False  # whether a mark was removed just now
        self._last = "\n"  # the last character that was emitted

    def feed(self, text: str) -> list[Item]:
        """Read some more of the answer and return the items that are now certain."""
        self._held += text
        return list(self._items(final=False))

    def end(self) -> list[Item]:
        """Return the remaining items at the end of the answer; a mark that was cut off is dropped."""
        if not (self._fence or self._code):
            self._held = _CUT.sub("", self._held)
        return list(self._items(final=True))

    def _items(self, final: bool) -> Iterator[Item]:
        while self._held:
            if self._at_line_start and not self._fence:
                line, newline, rest = self._held.partition("\n")
                if not newline and not final and may_be_command(line):
                    return
                found = (parse_command(line) or find_malformed(line)) if newline or final else None
                if found:
                    yield found
                    self._held = rest
                    continue
            step = self._step(final)
            if step is None:
                return
            yield from step

    def _step(self, final: bool) -> list[Item] | None:
        """Take the next certain items off the held text; None when more text is needed."""
        stop = _STOPS.search(self._held)
        at = stop.start() if stop else len(self._held)
        before = self._held[:at].rstrip(SPACES) if not final or stop else self._held[:at]
        if not stop:
            return self._take(len(before)) or None
        if at > len(before) and before:
            return self._take(len(before))
        sign = self._held[at]
        if sign == "`":
            ticks = _TICKS.match(self._held, at)
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
        mark = MARK.match(self._held, at)
        if mark is None:
            left = len(self._held) - at
            if not final and left < _LONGEST_MARK and _BEGUN.match(self._held, at):
                return self._take(len(before)) or None
            return self._take(at + 1)
        end = mark.end()
        if link := _LINK.match(self._held, end):
            end = link.end()
        elif not final and (end == len(self._held) or _LINK_BEGUN.match(self._held, end)):
            return self._take(len(before)) or None
        if self._is_text and self._is_text(mark[0]):
            return self._take(mark.end())
        taken = self._take(len(before))
        spaces = at - len(before)
        self._space = self._space or self._held[:spaces]
        self._held = self._held[end - len(before) :]
        self._marked = True
        return [*taken, CitationMark(parse_mark(mark[0]))]

    def _take(self, count: int) -> list[Item]:
        """Emit the first held characters; the space before a removed mark comes back where a word follows."""
        text, self._held = self._held[:count], self._held[count:]
        if not text:
            return []
        if self._space and (text[0].isalnum() or text[0] in "«“\"'([*_"):
            text = self._space + text
        elif self._marked and (self._last.isspace()):
            text = text.lstrip(SPACES)
        self._space, self._marked = "", False
        if not text:
            return []
        self._last = text[-1]
        self._at_line_start = self._last == "\n"
        return [TextItem(text)]
