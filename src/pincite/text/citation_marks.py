"""Find, read and remove citation marks: `[2]`, `[2.3]`, `[1, 4]`, `[2-4]`, `[source 2]`, `【2†source】`.

A mark names a piece of evidence by its number, and perhaps one sentence of it. Models write marks in many forms; in an
answer as people see it, each mark is a number in brackets. Marks in a stream are read by `text.marker_parser`.
"""

import re
from collections.abc import Iterator

Cited = tuple[int, int | None]  # the number of an evidence, and perhaps of a sentence of it

# For patterns of other modules: a mark as people see it, and a mark of numbers as models write it.
SHOWN_MARK = r"\[[0-9]{1,9}\]"
WRITTEN_MARK = r"\[[\d.,; ]+\]"
EVIDENCE_NUMBER = r"\d{1,3}(?:\.\d{1,3})?"

CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]*`)", re.DOTALL)
SPACES = " \t\u00a0\u202f"

_RANGE = rf"{EVIDENCE_NUMBER}(?:[ ]?[-–][ ]?{EVIDENCE_NUMBER})?"
_WORD = r"(?:(?:sources?|evidence|refs?|citations?|preuves?|documents?|doc)\.?[ ]?:?[ ]?|\^|#)?"
MARK = re.compile(
    rf"[\[【]{_WORD}{_RANGE}(?:[ ]?(?:[,;&]|and|et)[ ]?{_WORD}{_RANGE})*(?:†[^\]】\n]{{0,20}})?[\]】]", re.IGNORECASE
)
_RANGE_PARTS = re.compile(r"(\d{1,3})(?:\.(\d{1,3}))?(?:[ ]?[-–][ ]?(?:(\d{1,3})\.)?(\d{1,3}))?")
_LONGEST_RANGE = 20
# An index, as in `rows[2]`, is no mark; a list, as in `[2, 3]`, looks like one.
_CODE_MARK = re.compile(rf"(?<![\w)\]])(?:{MARK.pattern})", re.IGNORECASE)
_COMMAND = re.compile(r"\b(navigate|highlight):", re.IGNORECASE)
_SPACED_MARK = re.compile(rf"(?<![{SPACES}])[{SPACES}]*(?:{MARK.pattern})(?!\()", re.IGNORECASE)
_SIMPLE_MARK = re.compile(rf"(\[{EVIDENCE_NUMBER}\])")
_MARK_GROUP = re.compile(rf"(?:{MARK.pattern})(?:[ \t]*(?:{MARK.pattern}))*(?:[.!?…](?=\s|$))?", re.IGNORECASE)
_SPACED_SHOWN_MARK = re.compile(rf" ?{SHOWN_MARK}")
_SHOWN_MARKS = re.compile(rf"(?:\s?{SHOWN_MARK})*")


def shield_source(source: str) -> str:
    """Return a source's words such that no part of them reads as a mark or a command to the viewer."""
    return _COMMAND.sub(r"\1 :", MARK.sub(lambda mark: f"({mark[0][1:-1]})", source))


def shield_code(source: str) -> str:
    """Return source code with a space in each bracket that would read as a mark; the brackets stay."""
    return _COMMAND.sub(r"\1 :", _CODE_MARK.sub(lambda mark: f"{mark[0][0]} {mark[0][1:]}", source))


def strip_marks(answer: str) -> str:
    """Return an answer without its marks; brackets in code stay."""
    pieces = CODE.split(answer)
    return "".join(piece if number % 2 else _SPACED_MARK.sub("", piece) for number, piece in enumerate(pieces))


def split_at_marks(text: str) -> list[str]:
    """Split a text at its marks of one number, `[2]` or `[2.3]`: every second piece is a mark."""
    return _SIMPLE_MARK.split(text)


def list_cited(text: str) -> list[Cited]:
    """Return the evidence that the marks of a text name, in order and each once."""
    return list(dict.fromkeys(cited for mark in MARK.finditer(text) for cited in parse_mark(mark[0])))


def parse_mark(mark: str) -> tuple[Cited, ...]:
    """Return the evidence that a mark names, each once; a range names all numbers in it."""
    found: dict[Cited, None] = {}
    for first, sentence, _, last in _RANGE_PARTS.findall(mark):
        if sentence:
            numbers = range(int(sentence), int(last or sentence) + 1)[:_LONGEST_RANGE]
            found.update(dict.fromkeys((int(first), number) for number in numbers))
        else:
            numbers = range(int(first), int(last or first) + 1)[:_LONGEST_RANGE]
            found.update(dict.fromkeys((number, None) for number in numbers))
    return tuple(found)


def find_mark_groups(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Yield where marks in a row begin and end, together with the full stop that may follow them."""
    return (match.span() for match in _MARK_GROUP.finditer(text, start))


def find_shown_marks(answer: str, in_code: bool = False) -> Iterator[tuple[int, int, int]]:
    """Yield the marks of an answer as people see it: start (with the space before it), end and number.

    Brackets in code are no marks, unless `in_code` is set.
    """
    at = 0
    for number, piece in enumerate([answer] if in_code else CODE.split(answer)):
        for match in () if number % 2 else _SPACED_SHOWN_MARK.finditer(piece):
            yield at + match.start(), at + match.end(), int(match[0].strip(" []"))
        at += len(piece)


def skip_marks(answer: str, at: int) -> int:
    """Return where the marks end that follow this place of an answer as people see it."""
    found = _SHOWN_MARKS.match(answer, at)
    return found.end() if found else at
