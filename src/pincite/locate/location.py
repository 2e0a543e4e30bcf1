"""The result of locating a passage: the characters of the document, block by block, or the reason for a refusal."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pincite.locate.approximate_match import MatchCandidate
from pincite.locate.concordance import Concordance
from pincite.locate.quotation import PreparedQuotation, split_blocks
from pincite.text.squeeze import Places

How = Literal["exact", "normalised", "approximate"]
NotFoundReason = Literal["empty", "short", "repeated", "numbers", "different", "absent"]
Span = tuple[int, int]  # of the document's text, end exclusive


_MARKS = 20  # marks around a passage that are compared
_BLANKS = (" ", "\u00a0", "\u202f")


@dataclass(frozen=True, slots=True)
class LocatedBlock:
    """A block of a passage (a paragraph or a line of it), the characters that stand for it, and how alike they are."""

    text: str
    spans: tuple[Span, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Location:
    """The place of a passage in a document, as spans of its text in order; no spans when it was not found.

    `refusal` then gives the reason, and `nearest` is the most similar place, which is shown but never highlighted.
    """

    spans: tuple[Span, ...]
    score: float
    blocks: tuple[LocatedBlock, ...]
    how: How | None = None
    refusal: NotFoundReason | None = None
    nearest: tuple[Span, ...] = ()

    @property
    def found(self) -> bool:
        return bool(self.spans)


def make_location(concordance: Concordance, asked: PreparedQuotation, candidate: MatchCandidate, how: How) -> Location:
    found, source = candidate.found, candidate.reading.source
    spans = list(_make_spans(concordance, np.concatenate([source[start:end] for start, end in found.pieces])))
    if found.equal[0] and found.equal[-1]:
        where = candidate.reading.where[found.places[[0, -1]]].tolist()
        spans = _add_marks(concordance.document.text, asked, where[0], where[1] + 1, spans)
    matched = []
    for a, b in split_blocks(asked.text):
        i, j = np.searchsorted(asked.squeezed.places, (a, b))
        places = found.places[i:j]
        share = float(found.equal[i:j].mean()) if j > i else 0.0
        matched.append(
            LocatedBlock(asked.text[a:b], tuple(_make_spans(concordance, source[places[places >= 0]])), share)
        )
    return Location(tuple(spans), found.score, tuple(matched), how=how)


def _make_spans(concordance: Concordance, letters: Places) -> Iterator[Span]:
    """Yield the spans of the text for compared characters, given by their numbers in any order."""
    if not len(letters):
        return
    letters = np.unique(letters)
    ends = np.flatnonzero(np.diff(letters, append=-1) != 1)
    starts = np.concatenate([[0], ends[:-1] + 1])
    places = concordance.squeezed.places
    yield from zip(places[letters[starts]].tolist(), (places[letters[ends]] + 1).tolist(), strict=True)


def _add_marks(text: str, asked: PreparedQuotation, start: int, end: int, spans: list[Span]) -> list[Span]:
    """Extend the spans by the marks around the passage that the document has too: a full stop, a bracket, a "%"."""
    marked = asked.text.strip()
    letters = asked.squeezed.places - (len(asked.text) - len(asked.text.lstrip()))
    first, last = start, end
    for mark in marked[int(letters[-1]) + 1 :][:_MARKS]:
        at = last + (text[last : last + 1] in _BLANKS)
        last = at + 1 if text[at : at + 1] == mark else last
    for mark in reversed(marked[: int(letters[0])][-_MARKS:]):
        at = first - (first > 0 and text[first - 1] in _BLANKS)
        first = at - 1 if at > 0 and text[at - 1] == mark else first
    return [(first if a == start else a, last if b == end else b) for a, b in spans]


def make_unmatched_blocks(asked: PreparedQuotation) -> tuple[LocatedBlock, ...]:
    return tuple(LocatedBlock(asked.text[a:b], (), 0.0) for a, b in split_blocks(asked.text))
