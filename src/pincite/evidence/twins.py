"""Every place where exactly the letters of a passage stand: how often it is there, and where else."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pincite.evidence.concordance import Concordance, Reading
from pincite.evidence.locate import WHOLE_WORDS
from pincite.evidence.quotation import Quotation, plain, quotation

_MOST = 1000  # places that are counted
_LOOKED_AT = 10 * _MOST


@dataclass(frozen=True, slots=True)
class Twins:
    """Where in the document's text a passage begins; `more` says that there are more places than were counted."""

    places: tuple[int, ...]
    more: bool = False


def twins(concordance: Concordance, text: str) -> Twins:
    """The places of a passage, in the first of the document's orders that has it, none of them in another."""
    for asked in (quotation(text), quotation(plain(text))):
        if not asked.letters or not concordance.may_hold(asked.squeezed.codes):
            continue
        for reading in concordance.readings():
            starts = _whole(concordance, reading, asked) if len(asked.letters) < WHOLE_WORDS else _all(reading, asked)
            found, more = list[int](), False
            for looked_at, at in enumerate(starts):
                if len(found) == _MOST or looked_at == _LOOKED_AT:
                    more = True
                    break
                if asked.numbers.stand(concordance.document.text, reading.letters, reading.where, at):
                    found.append(int(reading.where[at]))
            if found:
                return Twins(tuple(found), more)
    return Twins(())


def _all(reading: Reading, asked: Quotation) -> Iterator[int]:
    at = reading.letters.find(asked.letters)
    while at >= 0:
        yield at
        at = reading.letters.find(asked.letters, at + len(asked.letters))


def _whole(concordance: Concordance, reading: Reading, asked: Quotation) -> Iterator[int]:
    # All at once: a letter or two stand in a long document a million times, and hardly ever as a word.
    begins, codes = concordance.begins_in(reading, 0, len(reading.source))[0], asked.squeezed.codes
    found = np.flatnonzero(begins[: max(len(begins) - len(codes), 0)])
    for i, code in enumerate(codes):
        found = found[reading.codes[found + i] == code]
    yield from found[begins[found + len(codes)]].tolist()
