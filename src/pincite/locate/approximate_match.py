"""Find the place in a document that is most like a passage, when no place is the same.

The sheets that share most with the passage are tried first, each in the reading orders in which the passage is most
contiguous.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pincite.locate.alignment import Alignment, LetterStretch, align_passage
from pincite.locate.concordance import Concordance, ReadingOrder, Shares
from pincite.locate.displaced_pieces import Agreement, DisplacedPieces
from pincite.locate.matching_runs import LONG, Runs, find_equal_runs, measure_contiguity, measure_coverage
from pincite.locate.quotation import PreparedQuotation
from pincite.text.squeeze import Places

log = logging.getLogger("pincite.locate")

_SURE = 0.93  # a likeness that ends the search
_AS_LIKELY = 0.9  # share of the best sheet's common text that another sheet needs to be tried too
_HOPE = 0.3  # share of a passage that long equal runs must cover at a place
_LEAST_EQUAL = 0.45  # share of a passage that equal runs of any length must cover
_AS_EQUAL = 0.05  # a place with this much less than the best so far is not compared closely
_LEAST_SHARED = 0.06  # share of a passage's sequences that a sheet needs to be tried
_WORTH = 0.3  # share of the best sheet's common text that a sheet needs to be tried
_NEAR_BEST = 0.05  # a place this much less alike than the best so far is given up
_NEARLY = 0.8  # likeness from which on displaced pieces are searched for
_AS_CONTIGUOUS = 0.8  # share of the best order's contiguity that another order needs to be tried too
_BESIDE = 0.05  # share of a sheet's common text that a neighbour needs for the passage to span both
_TRIES = 3  # sheets


@dataclass(frozen=True, slots=True)
class MatchCandidate:
    """A place that may stand for a passage: its reading order, and the alignment of the passage with it."""

    reading: ReadingOrder
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
    def is_in_one_piece(self) -> bool:
        return self.found.score > _SURE and not self.found.leaps


def find_most_alike(concordance: Concordance, asked: PreparedQuotation) -> MatchCandidate | None:
    """Return the best place for a passage, good enough or not."""
    return max(_find_candidates(concordance, asked), key=_rank_candidate, default=None)


def compute_required_likeness(count: int, leaps: int) -> float:
    """Return the likeness that a place needs: more for a short passage and for an alignment with many leaps."""
    least = 0.72 if count >= 120 else 0.76 if count >= 60 else 0.78 if count >= 35 else 0.82
    return min(least + 0.01 * leaps, 0.9)


def _rank_candidate(candidate: MatchCandidate) -> float:
    """Return the rank of a place: likeness first, then numbers that agree, then the pages given."""
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


def _find_candidates(concordance: Concordance, asked: PreparedQuotation) -> Iterator[MatchCandidate]:
    """Yield the likeliest places, until one is sure and no other is as likely."""
    sure = least = 0.0
    floor = _LEAST_EQUAL
    settled: set[int] = set()
    votes = concordance.score_sheets(asked.squeezed.codes)
    for sheet, likely in _rank_sheets(votes, asked.sheets):
        if likely < sure:
            return
        if sheet in settled:
            continue
        for first, last in _list_windows(concordance.edges, votes, sheet, len(asked.letters)):
            best: MatchCandidate | None = None
            for reading, runs in _choose_orders(concordance, asked, first, last, floor):
                candidate = _make_candidate(concordance, asked, reading, runs, (first, last), least)
                if candidate is None:
                    continue
                yield candidate
                if candidate.alike > least:
                    least = candidate.alike
                    slack = _AS_EQUAL if candidate.agrees else _AS_EQUAL + 0.1
                    floor = max(floor, measure_coverage(runs, len(asked.letters)) - slack)
                best = max(best or candidate, candidate, key=_rank_candidate)
                if best.agrees and best.is_in_one_piece:
                    break
            if best and best.is_in_one_piece:
                if best.numbers == "another":
                    return
                settled.update(concordance.sheet_at(at) for piece in best.found.pieces for at in piece)
                sure = max(sure, _AS_LIKELY * likely if best.agrees else 0.0)
                break


def _choose_orders(
    concordance: Concordance, asked: PreparedQuotation, first: int, last: int, floor: float
) -> Iterator[tuple[ReadingOrder, Runs]]:
    """Yield the orders in which the passage is most contiguous on these sheets, the text's own order first."""
    a, b = int(concordance.edges[first]), int(concordance.edges[last])
    seen: list[Places] = []
    others: list[tuple[float, ReadingOrder, Runs]] = []
    best = 0.0
    for reading in concordance.readings():
        source = reading.source[a:b]
        if any(np.array_equal(source, other) for other in seen):
            continue
        seen.append(source)
        runs = find_equal_runs(asked.squeezed.codes, reading.codes[a:b])
        count = len(asked.letters)
        if measure_coverage(runs, count, LONG) < _HOPE or measure_coverage(runs, count) < floor:
            continue
        best = max(best, measure_contiguity(runs))
        if len(seen) == 1:
            yield reading, runs
        else:
            others.append((measure_contiguity(runs), reading, runs))
    for contiguous, reading, runs in sorted(others, key=lambda other: -other[0]):
        if contiguous >= _AS_CONTIGUOUS * best:
            yield reading, runs


def _make_candidate(
    concordance: Concordance,
    asked: PreparedQuotation,
    reading: ReadingOrder,
    runs: Runs,
    sheets: tuple[int, int],
    least: float,
) -> MatchCandidate | None:
    """Align the passage with these sheets (the last is exclusive) in one order; None if they have nothing in common."""
    a, b = (int(concordance.edges[sheet]) for sheet in sheets)
    found = align_passage(
        asked.squeezed.codes, LetterStretch(reading.codes[a:b], *concordance.find_starts(reading, a, b)), runs
    )
    if found is None:
        return None
    agrees = asked.numbers.agree(concordance.document.text, reading.letters[a:b], reading.where[a:b], found)
    numbers: Agreement = "same" if agrees else "missing"
    pieces = len(found.pieces)
    promising = found.score >= _NEARLY and float(found.equal.mean()) > least - _NEAR_BEST
    if promising and (not agrees or found.score < _SURE):
        numbers = DisplacedPieces(concordance, reading, a, b, found).gather(asked.numbers)
    strays = len(found.pieces) - pieces
    found.places = np.where(found.places >= 0, found.places + a, -1)
    found.pieces = [(start + a, end + a) for start, end in found.pieces]
    hinted = concordance.sheet_at(found.pieces[0][0]) in asked.sheets
    log.debug(
        "[PDF] sheets %d to %d, %s: score %.3f, %d leaps, numbers %s",
        sheets[0] + 1, sheets[1], reading.order, found.score, found.leaps, numbers,
    )  # fmt: skip
    return MatchCandidate(reading, found, hinted, numbers, strays)


def _rank_sheets(votes: Shares, sheets: frozenset[int]) -> list[tuple[int, float]]:
    """Return the sheets that share most with the passage, alone or with a neighbour, and how much they share."""
    if not len(votes) or votes.max() < _LEAST_SHARED:
        return []
    beside = np.maximum(np.append(votes[1:], 0), np.insert(votes[:-1], 0, 0))
    shared = votes + np.minimum(beside, votes)
    for sheet in sheets:
        if 0 <= sheet < len(shared):
            shared[sheet] *= 1.25
    order = np.argsort(-shared, kind="stable")[:_TRIES].tolist()
    return [(sheet, float(shared[sheet])) for sheet in order if shared[sheet] >= _WORTH * shared[order[0]]]


def _list_windows(edges: Places, votes: Shares, sheet: int, need: int) -> Iterator[tuple[int, int]]:
    """Yield a sheet alone, then with as many sheets around it as the passage may span, if they share text with it."""
    yield sheet, sheet + 1
    first = max(int(np.searchsorted(edges, edges[sheet] - need, "right")) - 1, 0)
    last = min(int(np.searchsorted(edges, edges[sheet + 1] + need, "left")), len(edges) - 1)
    around = np.append(votes[first:sheet], votes[sheet + 1 : last])
    if len(around) and around.max() >= _BESIDE * votes[sheet]:
        yield first, last
