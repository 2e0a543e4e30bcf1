"""Prepare a passage for comparison: strip its markup, split it at ellipses and into blocks."""

import re
from dataclasses import dataclass

from pincite.locate.number_agreement import Numbers
from pincite.text.squeeze import SqueezedText, squeeze

_LINK = re.compile(r"!?\[([^\[\]\n]{0,500})\]\((?:[^()\s]|\([^()\s]*\)){0,2000}(?:\s+\"[^\"\n]*\")?\)")
_TAG = re.compile(
    r"</?(?:a|b|i|u|p|br|hr|em|td|th|tr|li|ul|ol|h[1-6]|div|sub|sup|span|code|table|thead|tbody|strong|mark)\b[^<>\n]{0,200}>",
    re.IGNORECASE,
)
_ELLIPSIS = re.compile(r"\[\s*(?:\.\s?\.\s?\.|…)\s*\]|\(\s*(?:\.\s?\.\s?\.|…)\s*\)|\.{3,}|(?:\.\s){2}\.|…")
_BLOCK = re.compile(r"\n\s*\n|\n(?=[ \t]*(?:[#>|*•+–-]|\d{1,2}[.)])[ \t])|(?<=[.!?:])[ \t]*\n")


@dataclass(frozen=True, slots=True)
class PreparedQuotation:
    """A prepared passage: its text, its letters and digits, its numbers, and the sheets to search first."""

    text: str
    squeezed: SqueezedText
    letters: str
    numbers: Numbers
    sheets: frozenset[int]


def prepare_quotation(text: str, sheets: frozenset[int] = frozenset()) -> PreparedQuotation:
    squeezed = squeeze(text)
    letters = squeezed.text
    return PreparedQuotation(text, squeezed, letters, Numbers(text, letters, squeezed.places), sheets)


def strip_passage_markup(text: str) -> str:
    """Return a passage without Markdown links and HTML tags; other marks have no letters and are never compared."""
    return _TAG.sub(" ", _LINK.sub(r"\1", text))


def split_at_ellipses(text: str) -> list[str]:
    """Return the pieces of a passage between its ellipses."""
    return [piece.strip() for piece in _ELLIPSIS.split(text) if any(map(str.isalnum, piece))]


def split_blocks(text: str) -> list[tuple[int, int]]:
    """Return the paragraphs, list items and rows of a passage, as spans of it."""
    spans = []
    at = 0
    for match in [*_BLOCK.finditer(text), None]:
        end = match.start() if match else len(text)
        if any(map(str.isalnum, text[at:end])):
            spans.append((at, end))
        at = match.end() if match else end
    return spans
