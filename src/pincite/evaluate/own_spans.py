"""Do the boxes of our own spans cover exactly their characters? Asked of every passage and sentence of a document.

Each letter or digit with a box is a point: the middle of that box. It is covered when it lies in a rectangle grown by
half a point in x and one in y, as in the scoring of foreign passages. Nothing here is taken from what makes the boxes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.evidence.boxes import boxes
from pincite.evidence.sentences import sentences
from pincite.passages import split
from pincite.reading.boxes import unpack
from pincite.types import Document, PageBoxes

RIGHT = 0.98  # the overlap from which boxes are right

_SLACK = np.array([-0.5, -1.0, 0.5, 1.0])
_TWINS = 0.1  # points at most between two characters that are drawn at the same place


@dataclass(frozen=True, slots=True)
class _Points:
    """A document's letters and digits that have a box: their places in its text, in order, and their middles.

    `pages` says from which to which of them stand on a page, by its number.
    """

    places: NDArray[np.intp]
    middles: NDArray[np.float64]
    pages: dict[int, tuple[int, int]]


def own_spans(documents: Iterable[tuple[str, Document]]) -> dict[str, Any]:
    """From named documents, how many of their passages and sentences have the right boxes, and those that do not."""
    kinds = ("passages", "sentences")
    right, total = dict.fromkeys(kinds, 0), dict.fromkeys(kinds, 0)
    worst = 1.0
    failures: list[dict[str, Any]] = []
    for name, document in documents:
        points = _points(document)
        spans = {kinds[0]: [(passage.start, passage.end) for passage in split(document)]}
        spans[kinds[1]] = sentences(document.text)
        for kind in kinds if points.pages else ():
            for start, end in spans[kind]:
                found = boxes(document, [(start, end)])
                overlap = _overlap(points, start, end, found)
                total[kind] += 1
                right[kind] += overlap >= RIGHT
                worst = min(worst, overlap)
                if overlap < RIGHT:
                    page = next((page.number for page in document.pages if page.end > start), 0)
                    place = {"document": name, "kind": kind, "start": start, "end": end, "page": page}
                    failures.append({**place, "overlap": overlap})
    return {
        **{kind: {"right": right[kind], "total": total[kind]} for kind in kinds},
        "worst": worst,
        "failures": failures,
    }


def _points(document: Document) -> _Points:
    places, middles = [np.empty(0, np.intp)], [np.empty((0, 2))]
    pages: dict[int, tuple[int, int]] = {}
    count = 0
    for page in document.pages:
        found = unpack(page.boxes).astype(np.float64)
        text = document.text[page.start : page.end]
        letters = np.fromiter(map(str.isalnum, text), np.bool_, len(text))[: len(found)]
        known = np.flatnonzero(letters & ~np.isnan(found[: len(letters), 0]))
        if len(known):
            places.append(known + page.start)
            middles.append((found[known, :2] + found[known, 2:]) / 2)
            pages[page.number] = count, count + len(known)
            count += len(known)
    return _Points(np.concatenate(places), np.concatenate(middles), pages)


def _overlap(points: _Points, start: int, end: int, found: list[PageBoxes]) -> float:
    """What the span and its rectangles share of the points that either has; one where neither has any."""
    first, last = (int(i) for i in np.searchsorted(points.places, (start, end)))
    shared = extra = 0
    for page in found:
        a, b = points.pages.get(page.page, (0, 0))
        covered = np.flatnonzero(_covered(points.middles[a:b], np.array(page.rects))) + a
        own = (covered >= first) & (covered < last)
        shared += int(own.sum())
        extra += _strangers(points.middles[covered[~own]], points.middles[max(a, first) : min(b, last)])
    whole = last - first + extra
    return shared / whole if whole else 1.0


def _covered(middles: NDArray[np.float64], rects: NDArray[np.float64]) -> NDArray[np.bool_]:
    x0, y0, x1, y1 = (rects + _SLACK).T[:, :, None]
    x, y = middles.T
    covered: NDArray[np.bool_] = np.logical_or.reduce((x >= x0) & (x <= x1) & (y >= y0) & (y <= y1), axis=0)
    return covered


def _strangers(extra: NDArray[np.float64], own: NDArray[np.float64]) -> int:
    """How many points stand elsewhere than any of the span's own; text drawn twice is one point."""
    return sum(not (np.abs(own - point).max(axis=1, initial=0.0) <= _TWINS).any() for point in extra)
