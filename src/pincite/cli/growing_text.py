"""Show a growing text at the bottom of a terminal. Changed rows are redrawn, so words can also disappear again."""

import re
from typing import TYPE_CHECKING

from pincite.text.citation_marks import SHOWN_MARK

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_INLINE = re.compile(rf"\*\*(?P<bold>[^*\n]+)\*\*|(?P<mark>{SHOWN_MARK})|(?P<doubt>[◌◐▲○])")
_HEADING = re.compile(r"#{1,6} +")
_LEAD = re.compile(rf"\s*(?:(?:[-*•·●◐◌▲○]|\d{{1,3}}[.)]|{SHOWN_MARK}) +)?")
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_STYLES = {"bold": "bold", "mark": "cyan", "◌": "red", "◐": "yellow", "▲": "bold red", "○": "dim"}
_SIGN = re.compile(" [◌◐▲○]")


def strip_controls(text: str) -> str:
    """Return the text without control characters, so that the words of a source cannot control the terminal."""
    return _UNSEEN.sub("", text.replace("\t", " "))


def wrap_text(text: str, console: "Console", width: int) -> "list[Text]":
    """Return a Markdown text as terminal rows, wrapped between words."""
    return [row for line in strip_controls(text).split("\n") for row in _wrap_markdown_line(line, console, width)]


def _wrap_markdown_line(line: str, console: "Console", width: int) -> "list[Text]":
    return wrap_line(_style_line(line), console, width)


def wrap_line(line: "Text", console: "Console", width: int) -> "list[Text]":
    """Return a line as rows. Rows after the first are indented past the list mark that the line begins with."""
    from rich.text import Text

    lead = _LEAD.match(line.plain)
    margin = lead.end() if lead and lead.end() < width // 2 else 0
    rows = [*line[margin:].wrap(console, width - margin, overflow="fold", tab_size=1)] if line.plain[margin:] else []
    for row in rows:
        row.rstrip()
    return [(Text(" " * margin) if number else line[:margin]) + row for number, row in enumerate(rows)] or [line]


def _make_status_row(below: str, width: int) -> "list[Text]":
    """Return an empty row and a dim status row, truncated to the width."""
    from rich.text import Text

    row = Text(strip_controls(below), "dim")
    row.truncate(width, overflow="ellipsis")
    return [Text(), row]


def _style_line(line: str) -> "Text":
    from rich.text import Text

    heading = _HEADING.match(line)
    text, at = Text(style="bold" if heading else ""), heading.end() if heading else 0
    for found in _INLINE.finditer(line, at):
        kind = found.lastgroup or ""
        text.append(line[at : found.start()])
        text.append(found[kind], _STYLES[found[kind] if kind == "doubt" else kind])
        at = found.end()
    return text.append(line[at:])


class TerminalRows:
    """The last rows of a terminal. The cursor is at their end."""

    def __init__(self, console: "Console") -> None:
        self._console = console
        self._shown: list[Text] = []
        self._lines: list[tuple[str, list[Text]]] = []  # each line of the text with its rows

    @property
    def has_words(self) -> bool:
        """Whether any text is shown."""
        return any(row.plain for row in self._shown)

    def show(self, text: str, below: str = "") -> None:
        """Redraw the rows so that they show this text, with a temporary status row `below` it."""
        # One column stays free: after a full row, the position of the cursor depends on the terminal.
        width = max(self._console.width - 1, 10)
        self._lines = self._wrap_lines(strip_controls(text.rstrip("\n") if below else text).split("\n"), width)
        rows = [row for _, laid in self._lines for row in laid]
        if below:
            rows += _make_status_row(below, width)
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
            # Rows that have scrolled off the screen cannot be overwritten, so the text is printed again below.
            out_of_reach = up >= self._console.height - 1
            self._write("\n\n" if out_of_reach else f"\r\x1b[{up}A\x1b[J" if up else "\r\x1b[J")
        with self._console:
            for number, row in enumerate(rows[same:]):
                self._console.print(row, end="" if number == len(rows) - same - 1 else "\n", no_wrap=True, crop=False)
        self._shown = rows

    def end(self) -> None:
        """Leave the rows as they are and move the cursor to the next line."""
        if self.has_words:
            self._write("\n")
        self._shown, self._lines = [], []

    def _wrap_lines(self, lines: list[str], width: int) -> "list[tuple[str, list[Text]]]":
        """Return each line with its rows. A line off the screen keeps its old rows if only a verdict sign changed.

        Verdicts arrive late. Without this rule, a late verdict would print all of the following text again.
        """
        first = len(self._shown) - self._console.height + 1  # first row that can be overwritten
        found: list[tuple[str, list[Text]]] = []
        at = 0
        for number, line in enumerate(lines):
            old = self._lines[number] if number < len(self._lines) else None
            if old and at < first and _SIGN.sub("", old[0]) == _SIGN.sub("", line):
                found.append(old)
            else:
                found.append((line, _wrap_markdown_line(line, self._console, width)))
            at += len(found[-1][1])
        return found

    def _write(self, codes: str) -> None:
        self._console.file.write(codes)
        self._console.file.flush()
