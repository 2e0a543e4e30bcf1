"""The place in a document most like a passage, when none is the same.

The sheets that share most with the passage are looked at first, each in the orders in which it is most of one piece.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pincite.evidence.align import Alignment, Stretch, lay
from pincite.evidence.chain import LONG, Runs, contiguity, equal_runs, share
from pincite.evidence.concordance import Concordance, Reading, Shares
from pincite.evidence.quotation import Quotation
from pincite.evidence.squeeze import Places
from pincite.evidence.strays import Agreement, Strays

log = logging.getLogger("pincite.locate")

_SURE = 0.93  # a likeness that ends the search
_AS_LIKELY = 0.9  # of what the surest sheet shares with the passage, that another must share to be looked at too
_HOPE = 0.3  # of a passage, that long equal runs must cover at a place
_LEAST_EQUAL = 0.45  # of a passage, that equal runs of any length must
_AS_EQUAL = 0.05  # less of it than at the best place so far, and a place is not compared closely
_LEAST_SHARED = 0.06  # of a passage's sequences, for a sheet to be looked at
_WORTH = 0.3  # of what the best sheet shares, the same
_NEAR_BEST = 0.05  # less alike than the best place so far, and no longer worth it
_NEARLY = 0.8  # a likeness at which pieces that stand elsewhere are worth looking for
_AS_CONTIGUOUS = 0.8  # of an order's contiguity, that another must have to be tried too
_BESIDE = 0.05  # of what a sheet shares, that one beside it must share for the passage to run over
_TRIES = 3  # sheets


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place that may stand for a passage: in which order it is read, and how the passage's letters lie over it."""

    reading: Reading
    found: Alignment
    hinted: bool = False
    numbers: Agreement = "same"
    strays: int = 0

    @property
    def agrees(self) -> bool:
        return self.numbers == "same"

    @property
    def alike(self) -> float:
        """The share of the passage's letters that stand here."""
        return float(self.found.equal.mean())

    @property
    def in_one_piece(self) -> bool:
        return self.found.score > _SURE and not self.found.leaps


def most_alike(concordance: Concordance, asked: Quotation) -> Candidate | None:
    """The best place for a passage, good enough or not."""
    return max(_candidates(concordance, asked), key=_rank, default=None)


def enough(count: int, leaps: int) -> float:
    """How like a place must be: the shorter the passage and the more leaps it took, the more."""
    least = 0.72 if count >= 120 else 0.76 if count >= 60 else 0.78 if count >= 35 else 0.82
    return min(least + 0.01 * leaps, 0.9)


def _rank(candidate: Candidate) -> float:
    """What makes a place the better one: likeness above all, then numbers that agree, then the pages given."""
    found = candidate.found
    extra = found.covered / max(len(found.places), 1) - 1
    return (
        candidate.alike
        + 0.05 * candidate.agrees
        + 0.02 * candidate.hinted
        - 0.01 * found.leaps
        - 0.1 * max(extra, 0.0)
        - 0.002 * candidate.strays
    )


def _candidates(concordance: Concordance, asked: Quotation) -> Iterator[Candidate]:
    """The likeliest places, until one is sure and no other is as likely."""
    sure = least = 0.0
    floor = _LEAST_EQUAL
    settled: set[int] = set()
    votes = concordance.votes(asked.squeezed.codes)
    for sheet, likely in _likely(votes, asked.sheets):
        if likely < sure:
            return
        if sheet in settled:
            continue
        for first, last in _windows(concordance.edges, votes, sheet, len(asked.letters)):
            best: Candidate | None = None
            for reading, runs in _orders(concordance, asked, first, last, floor):
                candidate = _candidate(concordance, asked, reading, runs, (first, last), least)
                if candidate is None:
                    continue
                yield candidate
                if candidate.alike > least:
                    least = candidate.alike
                    slack = _AS_EQUAL if candidate.agrees else _AS_EQUAL + 0.1
                    floor = max(floor, share(runs, len(asked.letters)) - slack)
                best = max(best or candidate, candidate, key=_rank)
                if best.agrees and best.in_one_piece:
                    break
            if best and best.in_one_piece:
                if best.numbers == "another":
                    return
                settled.update(concordance.sheet_at(at) for piece in best.found.pieces for at in piece)
                sure = max(sure, _AS_LIKELY * likely if best.agrees else 0.0)
                break


def _orders(
    concordance: Concordance, asked: Quotation, first: int, last: int, floor: float
) -> Iterator[tuple[Reading, Runs]]:
    """The orders in which the passage is most of a piece on these sheets: ours first, then the best of the others."""
    a, b = int(concordance.edges[first]), int(concordance.edges[last])
    seen: list[Places] = []
    others: list[tuple[float, Reading, Runs]] = []
    best = 0.0
    for reading in concordance.readings():
        source = reading.source[a:b]
        if any(np.array_equal(source, other) for other in seen):
            continue
        seen.append(source)
        runs = equal_runs(asked.squeezed.codes, reading.codes[a:b])
        count = len(asked.letters)
        if share(runs, count, LONG) < _HOPE or share(runs, count) < floor:
            continue
        best = max(best, contiguity(runs))
        if len(seen) == 1:
            yield reading, runs
        else:
            others.append((contiguity(runs), reading, runs))
    for contiguous, reading, runs in sorted(others, key=lambda other: -other[0]):
        if contiguous >= _AS_CONTIGUOUS * best:
            yield reading, runs


def _candidate(
    concordance: Concordance, asked: Quotation, reading: Reading, runs: Runs, sheets: tuple[int, int], least: float
) -> Candidate | None:
    """The passage over the sheets from the first to before the last, in one order; None where nothing of it is."""
    a, b = (int(concordance.edges[sheet]) for sheet in sheets)
    found = lay(asked.squeezed.codes, Stretch(reading.codes[a:b], *concordance.begins_in(reading, a, b)), runs)
    if found is None:
        return None
    agrees = asked.numbers.agree(concordance.document.text, reading.letters[a:b], reading.where[a:b], found)
    numbers: Agreement = "same" if agrees else "missing"
    pieces = len(found.pieces)
    promising = found.score >= _NEARLY and float(found.equal.mean()) > least - _NEAR_BEST
    if promising and (not agrees or found.score < _SURE):
        numbers = Strays(concordance, reading, a, b, found).gather(asked.numbers)
    strays = len(found.pieces) - pieces
    found.places = np.where(found.places >= 0, found.places + a, -1)
    found.pieces = [(start + a, end + a) for start, end in found.pieces]
    hinted = concordance.sheet_at(found.pieces[0][0]) in asked.sheets
    log.debug(
        "[PDF] sheets %d to %d, %s: score %.3f, %d leaps, numbers %s",
        sheets[0] + 1, sheets[1], reading.order, found.score, found.leaps, numbers,
    )  # fmt: skip
    return Candidate(reading, found, hinted, numbers, strays)


def _likely(votes: Shares, sheets: frozenset[int]) -> list[tuple[int, float]]:
    """The sheets that share most with the passage and how much, by themselves or with the one before or after."""
    if not len(votes) or votes.max() < _LEAST_SHARED:
        return []
    beside = np.maximum(np.append(votes[1:], 0), np.insert(votes[:-1], 0, 0))
    shared = votes + np.minimum(beside, votes)
    for sheet in sheets:
        if 0 <= sheet < len(shared):
            shared[sheet] *= 1.25
    order = np.argsort(-shared, kind="stable")[:_TRIES].tolist()
    return [(sheet, float(shared[sheet])) for sheet in order if shared[sheet] >= _WORTH * shared[order[0]]]


def _windows(edges: Places, votes: Shares, sheet: int, need: int) -> Iterator[tuple[int, int]]:
    """A sheet by itself, then with as many around it as the passage may run over, if they share something with it."""
    yield sheet, sheet + 1
    first = max(int(np.searchsorted(edges, edges[sheet] - need, "right")) - 1, 0)
    last = min(int(np.searchsorted(edges, edges[sheet + 1] + need, "left")), len(edges) - 1)
    around = np.append(votes[first:sheet], votes[sheet + 1 : last])
    if len(around) and around.max() >= _BESIDE * votes[sheet]:
        yield first, last
