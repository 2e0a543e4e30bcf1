"""Parse the commands to the viewer that some models write, each on a line of its own.

`NAVIGATE: 4` opens a page. `HIGHLIGHT: 4,100,200,500,250` highlights a rectangle of a page, in points from its top
left. `HIGHLIGHT: [2.3]` highlights a sentence of the evidence, whose rectangles are known. A word after it gives the
importance. The line may stand in brackets or in Markdown's signs, such as `**NAVIGATE: 4**`. A line that begins like a
command and cannot be parsed is malformed: it is reported, and not shown.
"""

import re
from dataclasses import dataclass
from string import ascii_letters
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
_NAMES = ("navigate", "highlight")
_BEGUN = re.compile(r"(NAVIGATE|HIGHLIGHT)(:|[ \t]*(?=[\d(\[]))[ \t]*(.*)", re.IGNORECASE)
_WRAPPERS = {"[": "]", "(": ")", "*": "*", "_": "_", "`": "`"}
# The arguments of a command, or of one with errors. Prose after "Highlight:" has other words.
_ARGUMENTS = re.compile(r"(?:\d|[\s.,;:()\[\]*_`-]|page|high|medium|low)*", re.IGNORECASE)
_BEFORE = " \t" + "".join(_WRAPPERS)
_LONGEST = 300  # characters of a line that is waited for
_FORMS = {
    "NAVIGATE": "It takes a page number: `NAVIGATE: 4`.",
    "HIGHLIGHT": "It takes evidence, or a page and four numbers: `HIGHLIGHT: [2.3]`, `HIGHLIGHT: 4,100,200,500,250`.",
}


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


@dataclass(frozen=True, slots=True)
class MalformedCommand:
    """A line that begins like a command and cannot be parsed, and the reason."""

    line: str
    reason: str


def parse_command(line: str) -> NavigateCommand | HighlightCommand | None:
    """Return the command that a whole line is, if it is one."""
    line = _unwrap(line)
    if found := _NAVIGATE.fullmatch(line):
        return NavigateCommand(int(found[1]))
    if found := _EVIDENCE.fullmatch(line):
        [(evidence, sentence)] = parse_mark(found[1])
        return HighlightCommand(evidence=evidence, sentence=sentence, importance=_parse_importance(found[2]))
    if found := _BOX.fullmatch(line):
        x0, y0, x1, y1 = (float(number) for number in re.findall(_NUMBER, found[2]))
        return HighlightCommand(int(found[1]), (x0, y0, x1, y1), importance=_parse_importance(found[3]))
    return None


def find_malformed(line: str) -> MalformedCommand | None:
    """Return the malformed command that a whole line is, if it is one.

    Two of three tell a command from prose such as "Highlight: the rent rises": capitals, a colon, and nothing but
    arguments behind the word.
    """
    found = _BEGUN.fullmatch(_unwrap(line)) if len(line) <= _LONGEST else None
    if not found or parse_command(line):
        return None
    has_arguments = bool(found[3] and _ARGUMENTS.fullmatch(found[3]))
    is_meant = (found[1].isupper(), found[2] == ":", has_arguments).count(True) > 1
    return MalformedCommand(" ".join(line.split()), _FORMS[found[1].upper()]) if is_meant else None


def may_be_command(begun: str) -> bool:
    """Whether a line that is still being written may yet become a command, or a malformed one."""
    if len(begun) > _LONGEST:
        return False
    begun = begun.lstrip(_BEFORE)
    for name in _NAMES:
        if name.startswith(begun.lower()):
            return True
        if begun.lower().startswith(name):
            is_great, rest = begun.startswith(name.upper()), begun[len(name) :]
            if rest.startswith(":"):
                return is_great or _may_be_arguments(rest[1:])
            return is_great and _may_be_arguments(rest)
    return False


def _unwrap(line: str) -> str:
    """Return a line without spaces and pairs of signs around it."""
    line = line.strip(" \t\r")
    while len(line) > 1 and _WRAPPERS.get(line[0]) == line[-1]:
        line = line[1:-1].strip(" \t")
    return line


def _may_be_arguments(begun: str) -> bool:
    """Whether the text after a command in small letters may become its arguments; its last word may be incomplete."""
    complete = begun.rstrip(ascii_letters)
    word = begun[len(complete) :].lower()
    return bool(_ARGUMENTS.fullmatch(complete)) and any(
        each.startswith(word) for each in ("page", "high", "medium", "low")
    )


def _parse_importance(word: str | None) -> Importance:
    words: dict[str, Importance] = {"high": "high", "medium": "medium", "low": "low"}
    return words.get((word or "").lower(), "high")
