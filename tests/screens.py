"""A screen for the tests: what a person sees of what a program wrote to a terminal."""

import io
import re

from rich.console import Console

_PIECE = re.compile(
    r"\x1b\][^\x1b]*\x1b\\|\x1b\[(?P<number>\d*)(?P<code>[A-Za-z])|\x1b\[[?\d;]*[A-Za-z]|(?P<plain>[^\x1b])", re.DOTALL
)


def seen(written: str) -> list[str]:
    """The rows that stand there in the end, those that were scrolled away among them."""
    rows, row, column = [""], 0, 0
    for piece in _PIECE.finditer(written):
        if piece["plain"] == "\n":
            row, column = row + 1, 0
            rows += [""] * (row + 1 - len(rows))
        elif piece["plain"] == "\r":
            column = 0
        elif piece["plain"]:
            rows[row] = rows[row][:column].ljust(column) + piece["plain"] + rows[row][column + 1 :]
            column += 1
        elif piece["code"] == "A":
            row = max(row - int(piece["number"] or 1), 0)
        elif piece["code"] == "J":
            rows = [*rows[:row], rows[row][:column]]
        elif piece["code"] == "K":
            rows[row] = ""
    return [each.rstrip() for each in rows]


def terminal(width: int = 60, height: int = 24) -> Console:
    """A console that believes it is one, and keeps what was written to it."""
    return Console(
        file=io.StringIO(),
        force_terminal=True,
        width=width,
        height=height,
        markup=False,
        highlight=False,
        _environ={"TERM": "xterm-256color"},
    )
