"""A passage as somebody gave it: made ready to be compared, its marks taken off, cut where words were left out."""

import re
from dataclasses import dataclass

from pincite.evidence.numbers import Numbers
from pincite.evidence.squeeze import Squeezed, squeeze

_LINK = re.compile(r"!?\[([^\[\]\n]{0,500})\]\((?:[^()\s]|\([^()\s]*\)){0,2000}(?:\s+\"[^\"\n]*\")?\)")
_TAG = re.compile(
    r"</?(?:a|b|i|u|p|br|hr|em|td|th|tr|li|ul|ol|h[1-6]|div|sub|sup|span|code|table|thead|tbody|strong|mark)\b[^<>\n]{0,200}>",
    re.IGNORECASE,
)
_ELLIPSIS = re.compile(r"\[\s*(?:\.\s?\.\s?\.|…)\s*\]|\(\s*(?:\.\s?\.\s?\.|…)\s*\)|\.{3,}|(?:\.\s){2}\.|…")
_BLOCK = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[#>|*•+–-]|\d{1,2}[.)])[ \t])|(?<=[.!?:])[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Quotation:
    """A passage made ready: its text, its letters and digits, its numbers, and the sheets to look at first."""

    text: str
    squeezed: Squeezed
    letters: str
    numbers: Numbers
    sheets: frozenset[int]


def quotation(text: str, sheets: frozenset[int] = frozenset()) -> Quotation:
    squeezed = squeeze(text)
    letters = squeezed.text
    return Quotation(text, squeezed, letters, Numbers(text, letters, squeezed.places), sheets)


def plain(text: str) -> str:
    """A passage without Markdown's and HTML's marks that have letters in them; the others are never compared."""
    return _TAG.sub(" ", _LINK.sub(r"\1", text))


def pieces(text: str) -> list[str]:
    """What stands between the ellipses of a passage."""
    return [piece.strip() for piece in _ELLIPSIS.split(text) if any(map(str.isalnum, piece))]


def blocks(text: str) -> list[tuple[int, int]]:
    """The paragraphs, list items and rows of a passage, as spans of it."""
    spans = []
    at = 0
    for match in [*_BLOCK.finditer(text), None]:
        end = match.start() if match else len(text)
        if any(map(str.isalnum, text[at:end])):
            spans.append((at, end))
        at = match.end() if match else end
    return spans
