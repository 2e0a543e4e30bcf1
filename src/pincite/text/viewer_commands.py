"""Parse the commands to the viewer that some models write, each on a line of its own.

`NAVIGATE: 4` opens a page. `HIGHLIGHT: 4,100,200,500,250` highlights a rectangle of a page, in points from its top
left. `HIGHLIGHT: [2.3]` highlights a sentence of the evidence, whose rectangles are known. A word after it gives the
importance.
"""

import re
from dataclasses import dataclass
from typing import Literal

from pincite.text.citation_marks import EVIDENCE_NUMBER, parse_mark

Importance = Literal["high", "medium", "low"]

_NUMBER = r"\d+(?:\.\d+)?"
_NAVIGATE = re.compile(r"[ \t]*NAVIGATE:[ \t]*(?:page[ \t]*)?(\d{1,6})[ \t\r]*", re.IGNORECASE)
_BOX = re.compile(
    rf"[ \t]*HIGHLIGHT:[ \t]*(?:page[ \t]*)?(\d{{1,6}})((?:[ \t]*,[ \t]*{_NUMBER}){{4}})"
    r"(?:[ \t]*(?:,[ \t]*)?(high|medium|low))?[ \t\r]*",
    re.IGNORECASE,
)
_EVIDENCE = re.compile(
    rf"[ \t]*HIGHLIGHT:[ \t]*(\[{EVIDENCE_NUMBER}\])(?:[ \t]*(?:,[ \t]*)?(high|medium|low))?[ \t\r]*",
    re.IGNORECASE,
)
_BEGINNINGS = ("navigate:", "highlight:")
_REST = re.compile(r"[\d\s.,\[\]a-z]*", re.IGNORECASE)
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class NavigateCommand:
    """Open this page; pages count from 1."""

    page: int


@dataclass(frozen=True, slots=True)
class HighlightCommand:
    """Highlight a rectangle of a page, a piece of evidence, or one sentence of it."""

    page: int = 0
    rect: tuple[float, float, float, float] | None = None
    evidence: int = 0
    sentence: int | None = None
    importance: Importance = "high"


def parse_command(line: str) -> NavigateCommand | HighlightCommand | None:
    """Return the command that a whole line is, if it is one."""
    if found := _NAVIGATE.fullmatch(line):
        return NavigateCommand(int(found[1]))
    if found := _EVIDENCE.fullmatch(line):
        [(evidence, sentence)] = parse_mark(found[1])
        return HighlightCommand(evidence=evidence, sentence=sentence, importance=_parse_importance(found[2]))
    if found := _BOX.fullmatch(line):
        x0, y0, x1, y1 = (float(number) for number in re.findall(_NUMBER, found[2]))
        return HighlightCommand(int(found[1]), (x0, y0, x1, y1), importance=_parse_importance(found[3]))
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


def _parse_importance(word: str | None) -> Importance:
    words: dict[str, Importance] = {"high": "high", "medium": "medium", "low": "low"}
    return words.get((word or "").lower(), "high")
