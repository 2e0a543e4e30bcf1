"""Convert between positions in a text and line numbers. Lines end with \\n, \\r\\n or \\r and are counted from 1."""

import re
from bisect import bisect_right

_LINE_END = re.compile(r"\r\n|\n|\r")


class LineNumbers:
    """The starts of the lines of one text."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
        self._length = len(text)

    def find_line(self, position: int) -> int:
        """Return the line of a position."""
        return bisect_right(self.starts, position)

    def find_lines(self, start: int, end: int) -> tuple[int, int]:
        """Return the first and the last line of a span; a line end at its end belongs to the line before it."""
        return self.find_line(start), self.find_line(max(start, end - 1))

    def find_start(self, line: int) -> int:
        """Return where a line starts; the end of the text for a line after the last one."""
        return self.starts[line - 1] if line <= len(self.starts) else self._length
