"""Find every place where exactly the letters of a passage stand."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pincite.locate.concordance import Concordance, ReadingOrder
from pincite.locate.locate import WHOLE_WORDS
from pincite.locate.quotation import PreparedQuotation, prepare_quotation, strip_passage_markup

_MOST = 1000  # places that are counted
_LOOKED_AT = 10 * _MOST


@dataclass(frozen=True, slots=True)
class Repeats:
    """The offsets at which a passage begins; `more` says that there are more places than were counted."""

    places: tuple[int, ...]
    more: bool = False


def find_repeats(concordance: Concordance, text: str) -> Repeats:
    """Return the places of a passage in the first reading order that has it; no two places overlap."""
    for asked in (prepare_quotation(text), prepare_quotation(strip_passage_markup(text))):
        if not asked.letters or not concordance.may_hold(asked.squeezed.codes):
            continue
        for reading in concordance.readings():
            starts = (
                _find_whole_words(concordance, reading, asked)
                if len(asked.letters) < WHOLE_WORDS
                else _find_all(reading, asked)
            )
            found, more = list[int](), False
            for looked_at, at in enumerate(starts):
                if len(found) == _MOST or looked_at == _LOOKED_AT:
                    more = True
                    break
                if asked.numbers.has_same_numbers(concordance.document.text, reading.letters, reading.where, at):
                    found.append(int(reading.where[at]))
            if found:
                return Repeats(tuple(found), more)
    return Repeats(())


def _find_all(reading: ReadingOrder, asked: PreparedQuotation) -> Iterator[int]:
    at = reading.letters.find(asked.letters)
    while at >= 0:
        yield at
        at = reading.letters.find(asked.letters, at + len(asked.letters))


def _find_whole_words(concordance: Concordance, reading: ReadingOrder, asked: PreparedQuotation) -> Iterator[int]:
    # In one step: one or two letters occur a million times in a long document, and hardly ever as a word.
    begins, codes = concordance.find_starts(reading, 0, len(reading.source))[0], asked.squeezed.codes
    found = np.flatnonzero(begins[: max(len(begins) - len(codes), 0)])
    for i, code in enumerate(codes):
        found = found[reading.codes[found + i] == code]
    yield from found[begins[found + len(codes)]].tolist()
