"""Measure whether the boxes of our own spans cover exactly their characters, for all passages and sentences.

Each letter or digit with a box is a point: the middle of that box. It is covered if it lies in a rectangle grown by
half a point in x and one in y, as in the scoring of foreign passages. This module shares no code with the one that
makes the boxes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.locate.boxes import find_boxes
from pincite.passages import split_passages
from pincite.reading.packed_boxes import unpack_boxes
from pincite.text.sentences import split_sentences
from pincite.types import Document, PageBoxes

RIGHT = 0.98  # the least overlap of right boxes

_SLACK = np.array([-0.5, -1.0, 0.5, 1.0])
_TWINS = 0.1  # points at most between two characters drawn at the same position


@dataclass(frozen=True, slots=True)
class _Points:
    """A document's letters and digits that have a box: their offsets in its text, in order, and their middles.

    `pages` maps a page number to the range of its points.
    """

    places: NDArray[np.intp]
    middles: NDArray[np.float64]
    pages: dict[int, tuple[int, int]]


def measure_own_spans(documents: Iterable[tuple[str, Document]]) -> dict[str, Any]:
    """Count the passages and sentences of documents whose boxes are right, and list the others."""
    kinds = ("passages", "sentences")
    right, total = dict.fromkeys(kinds, 0), dict.fromkeys(kinds, 0)
    worst = 1.0
    failures: list[dict[str, Any]] = []
    for name, document in documents:
        points = _make_points(document)
        spans = {kinds[0]: [(passage.start, passage.end) for passage in split_passages(document)]}
        spans[kinds[1]] = split_sentences(document.text)
        for kind in kinds if points.pages else ():
            for start, end in spans[kind]:
                found = find_boxes(document, [(start, end)])
                overlap = _measure_overlap(points, start, end, found)
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


def _make_points(document: Document) -> _Points:
    places, middles = [np.empty(0, np.intp)], [np.empty((0, 2))]
    pages: dict[int, tuple[int, int]] = {}
    count = 0
    for page in document.pages:
        found = unpack_boxes(page.boxes).astype(np.float64)
        text = document.text[page.start : page.end]
        letters = np.fromiter(map(str.isalnum, text), np.bool_, len(text))[: len(found)]
        known = np.flatnonzero(letters & ~np.isnan(found[: len(letters), 0]))
        if len(known):
            places.append(known + page.start)
            middles.append((found[known, :2] + found[known, 2:]) / 2)
            pages[page.number] = count, count + len(known)
            count += len(known)
    return _Points(np.concatenate(places), np.concatenate(middles), pages)


def _measure_overlap(points: _Points, start: int, end: int, found: list[PageBoxes]) -> float:
    """Return the share of common points among all points of a span and its rectangles; 1 if there are none."""
    first, last = (int(i) for i in np.searchsorted(points.places, (start, end)))
    shared = extra = 0
    for page in found:
        a, b = points.pages.get(page.page, (0, 0))
        covered = np.flatnonzero(_find_covered(points.middles[a:b], np.array(page.rects))) + a
        own = (covered >= first) & (covered < last)
        shared += int(own.sum())
        extra += _count_foreign_points(points.middles[covered[~own]], points.middles[max(a, first) : min(b, last)])
    whole = last - first + extra
    return shared / whole if whole else 1.0


def _find_covered(middles: NDArray[np.float64], rects: NDArray[np.float64]) -> NDArray[np.bool_]:
    x0, y0, x1, y1 = (rects + _SLACK).T[:, :, None]
    x, y = middles.T
    covered: NDArray[np.bool_] = np.logical_or.reduce((x >= x0) & (x <= x1) & (y >= y0) & (y <= y1), axis=0)
    return covered


def _count_foreign_points(extra: NDArray[np.float64], own: NDArray[np.float64]) -> int:
    """Count the points that are not at the position of one of the span's own; text drawn twice counts once."""
    return sum(not (np.abs(own - point).max(axis=1, initial=0.0) <= _TWINS).any() for point in extra)
