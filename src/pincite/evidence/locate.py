"""Any passage to the characters it stands for, or an honest "not found"."""

import logging
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from pincite.evidence.concordance import Concordance
from pincite.evidence.squeeze import squeeze

# Every step, told as it is taken: `[PDF] …` lines at DEBUG, for whoever asks why a passage is lit or is not.
log = logging.getLogger("pincite.locate")

How = Literal["exact", "normalised", "approximate"]
Refusal = Literal["empty", "short", "repeated", "numbers", "different", "absent"]
Stretch = tuple[int, int]  # of the document's text, end exclusive


@dataclass(frozen=True, slots=True)
class BlockMatch:
    """A block of a passage (a paragraph or a line of it): the characters that stand for it, and how alike they are."""

    text: str
    spans: tuple[Stretch, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Location:
    """Where a passage stands in a document: spans of its text in order; none when it was not found.

    `refusal` says why not, and `nearest` then is the place that was most alike, to be looked at and never lit.
    """

    spans: tuple[Stretch, ...]
    score: float
    blocks: tuple[BlockMatch, ...]
    how: How | None = None
    refusal: Refusal | None = None
    nearest: tuple[Stretch, ...] = ()

    @property
    def found(self) -> bool:
        return bool(self.spans)


def locate(concordance: Concordance, text: str, pages: Collection[int] = ()) -> Location:
    """The characters a passage stands for. `pages` say where to look first, and never where not to look."""
    asked = squeeze(text)
    if not len(asked.codes):
        return Location((), 0.0, (), refusal="empty")
    reading = concordance.reading(0)
    assert reading
    at = reading.text.find(asked.text)
    if at < 0:
        return Location((), 0.0, (BlockMatch(text, (), 0.0),), refusal="absent")
    places = concordance.squeezed.places
    spans = ((int(places[at]), int(places[at + len(asked.codes) - 1]) + 1),)
    return Location(spans, 1.0, (BlockMatch(text, spans, 1.0),), how="normalised")
