"""Text that grows at the bottom of a terminal: what has changed is written anew, so that words may also go again."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_INLINE = re.compile(r"\*\*(?P<bold>[^*\n]+)\*\*|(?P<mark>\[\d+\])|(?P<doubt>[○◐◆◌])")
_HEADING = re.compile(r"#{1,6} +")
_LEAD = re.compile(r"\s*(?:(?:[-*•·●◐○◆◌]|\d{1,3}[.)]|\[\d+\]) +)?")
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_STYLES = {"bold": "bold", "mark": "cyan", "○": "red", "◐": "yellow", "◆": "bold red", "◌": "dim"}
_SIGN = re.compile(" [○◐◆◌]")


def harmless(text: str) -> str:
    """The text without characters that steer a terminal: what a source says is shown, never obeyed."""
    return _UNSEEN.sub("", text.replace("\t", " "))


def laid(text: str, console: "Console", width: int) -> "list[Text]":
    """A text with Markdown's marks in it as rows of a terminal, broken between words."""
    return [row for line in harmless(text).split("\n") for row in _laid_line(line, console, width)]


def _laid_line(line: str, console: "Console", width: int) -> "list[Text]":
    return broken(_styled(line), console, width)


def broken(line: "Text", console: "Console", width: int) -> "list[Text]":
    """A line as rows; those after the first stand under its words, not under the mark it begins with."""
    from rich.text import Text

    lead = _LEAD.match(line.plain)
    margin = lead.end() if lead and lead.end() < width // 2 else 0
    rows = [*line[margin:].wrap(console, width - margin, overflow="fold", tab_size=1)] if line.plain[margin:] else []
    for row in rows:
        row.rstrip()
    return [(Text(" " * margin) if number else line[:margin]) + row for number, row in enumerate(rows)] or [line]


def _row(below: str, width: int) -> "list[Text]":
    """A faint row after an empty one, cut where it is too long."""
    from rich.text import Text

    row = Text(harmless(below), "dim")
    row.truncate(width, overflow="ellipsis")
    return [Text(), row]


def _styled(line: str) -> "Text":
    from rich.text import Text

    heading = _HEADING.match(line)
    text, at = Text(style="bold" if heading else ""), heading.end() if heading else 0
    for found in _INLINE.finditer(line, at):
        kind = found.lastgroup or ""
        text.append(line[at : found.start()])
        text.append(found[kind], _STYLES[found[kind] if kind == "doubt" else kind])
        at = found.end()
    return text.append(line[at:])


class Rows:
    """The last rows of a terminal; the cursor stands at the end of them."""

    def __init__(self, console: "Console") -> None:
        self._console = console
        self._shown: list[Text] = []
        self._lines: list[tuple[str, list[Text]]] = []  # the text by its lines, each with its rows

    @property
    def has_words(self) -> bool:
        """Whether anything stands there."""
        return any(row.plain for row in self._shown)

    def show(self, text: str, below: str = "") -> None:
        """Make the rows say this text, and what is under way below it, which is one row and goes again."""
        # One column is left free: a full row would leave it to the terminal where the cursor stands.
        width = max(self._console.width - 1, 10)
        self._lines = self._laid(harmless(text.rstrip("\n") if below else text).split("\n"), width)
        rows = [row for _, laid in self._lines for row in laid]
        if below:
            rows += _row(below, width)
        same = 0
        while same < min(len(rows), len(self._shown)) and rows[same] == self._shown[same]:
            same += 1
        if same == len(rows) == len(self._shown):
            return
        if same == len(self._shown):
            if self._shown:
                self._write("\n")
        else:
            same = min(same, len(rows) - 1)
            up = len(self._shown) - 1 - same
            # What has left the screen cannot be written over: it is said again below.
            out_of_reach = up >= self._console.height - 1
            self._write("\n\n" if out_of_reach else f"\r\x1b[{up}A\x1b[J" if up else "\r\x1b[J")
        with self._console:
            for number, row in enumerate(rows[same:]):
                self._console.print(row, end="" if number == len(rows) - same - 1 else "\n", no_wrap=True, crop=False)
        self._shown = rows

    def end(self) -> None:
        """Leave the rows as they are, the cursor at the beginning of the next."""
        if self.has_words:
            self._write("\n")
        self._shown, self._lines = [], []

    def _laid(self, lines: list[str], width: int) -> "list[tuple[str, list[Text]]]":
        """The rows of each line. One that has left the screen keeps them if only a sign was put to it or taken off.

        Verdicts settle late: without this, all that follows a sentence would be said again below.
        """
        first = len(self._shown) - self._console.height + 1  # that can be written over
        found: list[tuple[str, list[Text]]] = []
        at = 0
        for number, line in enumerate(lines):
            old = self._lines[number] if number < len(self._lines) else None
            if old and at < first and _SIGN.sub("", old[0]) == _SIGN.sub("", line):
                found.append(old)
            else:
                found.append((line, _laid_line(line, self._console, width)))
            at += len(found[-1][1])
        return found

    def _write(self, codes: str) -> None:
        self._console.file.write(codes)
        self._console.file.flush()
