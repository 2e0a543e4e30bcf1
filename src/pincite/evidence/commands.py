"""Commands for the viewer that some models write, each on a line of its own.

`NAVIGATE: 4` opens a page. `HIGHLIGHT: 4,100,200,500,250` lights a rectangle of a page, in points from its top left;
`HIGHLIGHT: [2.3]` lights a sentence of the evidence, whose rectangles we know. A word after it says how important.
"""

import re
from dataclasses import dataclass
from typing import Literal

Importance = Literal["high", "medium", "low"]

_NUMBER = r"\d+(?:\.\d+)?"
_NAVIGATE = re.compile(r"[ \t]*NAVIGATE:[ \t]*(?:page[ \t]*)?(\d{1,6})[ \t\r]*", re.IGNORECASE)
_BOX = re.compile(
    rf"[ \t]*HIGHLIGHT:[ \t]*(?:page[ \t]*)?(\d{{1,6}})((?:[ \t]*,[ \t]*{_NUMBER}){{4}})"
    r"(?:[ \t]*(?:,[ \t]*)?(high|medium|low))?[ \t\r]*",
    re.IGNORECASE,
)
_EVIDENCE = re.compile(
    r"[ \t]*HIGHLIGHT:[ \t]*\[(\d{1,3})(?:\.(\d{1,3}))?\](?:[ \t]*(?:,[ \t]*)?(high|medium|low))?[ \t\r]*",
    re.IGNORECASE,
)
_BEGINNINGS = ("navigate:", "highlight:")
_REST = re.compile(r"[\d\s.,\[\]a-z]*", re.IGNORECASE)
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class Navigate:
    """Open this page, from 1."""

    page: int


@dataclass(frozen=True, slots=True)
class Highlight:
    """Light a rectangle of a page, or what an evidence says, or one sentence of it."""

    page: int = 0
    rect: tuple[float, float, float, float] | None = None
    evidence: int = 0
    sentence: int | None = None
    importance: Importance = "high"


def command(line: str) -> Navigate | Highlight | None:
    """The command that a whole line is, if it is one."""
    if found := _NAVIGATE.fullmatch(line):
        return Navigate(int(found[1]))
    if found := _EVIDENCE.fullmatch(line):
        return Highlight(
            evidence=int(found[1]), sentence=int(found[2]) if found[2] else None, importance=_importance(found[3])
        )
    if found := _BOX.fullmatch(line):
        x0, y0, x1, y1 = (float(number) for number in re.findall(_NUMBER, found[2]))
        return Highlight(int(found[1]), (x0, y0, x1, y1), importance=_importance(found[3]))
    return None


def may_be_command(begun: str) -> bool:
    """Whether a line that is still being written may yet become a command."""
    begun = begun.lstrip(" \t").lower()
    if not begun or len(begun) > _LONGEST:
        return not begun
    for beginning in _BEGINNINGS:
        if beginning.startswith(begun):
            return True
        if begun.startswith(beginning):
            return bool(_REST.fullmatch(begun, len(beginning)))
    return False


def _importance(word: str | None) -> Importance:
    words: dict[str, Importance] = {"high": "high", "medium": "medium", "low": "low"}
    return words.get((word or "").lower(), "high")
