"""Score a highlight: each letter of the gold words is a point, compared with the points that the boxes cover.

The words and their boxes come from other programs, independent of our own reader.
"""

import gzip
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.types import PageBoxes

RIGHT = 0.9  # the least share of the points, gold or covered, that are both
WRONG_PLACE = 0.1  # below this the highlight is in the wrong place

Words = tuple[int, int, int]  # a page, and the first and last gold word on it
Rect = tuple[float, float, float, float]

_SLACK = np.array([-0.5, -1.0, 0.5, 1.0])  # points by which a box may be too small


@dataclass(frozen=True, slots=True)
class Points:
    """The letters and digits of a page's words: the position and the word of each."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    word: NDArray[np.intp]

    def find_covered(self, rects: Iterable[Rect]) -> NDArray[np.bool_]:
        """Return which points lie in a rectangle, or invisibly close to one."""
        grown = np.array(list(rects), np.float64).reshape(-1, 4) + _SLACK
        x0, y0, x1, y1 = grown.T[:, :, None]
        inside = (x0 <= self.x) & (self.x <= x1) & (y0 <= self.y) & (self.y <= y1)
        covered: NDArray[np.bool_] = np.logical_or.reduce(inside, axis=0)
        return covered


class GoldPages:
    """The words of a document as another program read them; the points of a page are made on first use."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._points: dict[int, Points] = {}

    @cached_property
    def _pages(self) -> list[dict[str, Any]]:
        with gzip.open(self._path, "rt", encoding="utf-8") as stream:
            found: list[dict[str, Any]] = json.load(stream)
            return found

    def __len__(self) -> int:
        return len(self._pages)

    def points(self, page: int) -> Points:
        """Return the points of a page, counted from 1."""
        if page not in self._points:
            self._points[page] = _make_points(self._pages[page - 1]["words"])
        return self._points[page]

    def rects(self, words: Words) -> list[Rect]:
        """Return the boxes of some words."""
        page, first, last = words
        return [
            (float(x0), float(y0), float(x1), float(y1))
            for _, x0, y0, x1, y1, *_ in self._pages[page - 1]["words"][first : last + 1]
        ]


def measure_overlap(gold: GoldPages, alternatives: Iterable[Sequence[Words]], found: Iterable[PageBoxes]) -> float:
    """Return |gold and covered| / |gold or covered|, in points, for the best alternative."""
    rects: dict[int, list[Rect]] = {}
    for lit in found:
        if 0 < lit.page <= len(gold):
            rects.setdefault(lit.page, []).extend(lit.rects)
    covered = {page: gold.points(page).find_covered(given) for page, given in rects.items()}
    total = sum(int(points.sum()) for points in covered.values())
    best = 0.0
    for alternative in alternatives:
        wanted: dict[int, NDArray[np.bool_]] = {}
        for page, first, last in alternative:
            word = gold.points(page).word
            meant = (first <= word) & (word <= last)
            wanted[page] = wanted[page] | meant if page in wanted else meant
        count = sum(int(points.sum()) for points in wanted.values())
        shared = sum(int((points & covered[page]).sum()) for page, points in wanted.items() if page in covered)
        best = max(best, shared / max(1, count + total - shared))
    return best


def _make_points(words: Sequence[Sequence[Any]]) -> Points:
    xs, ys, owners = list[float](), list[float](), list[int]()
    for number, (text, x0, y0, x1, y1, *_) in enumerate(words):
        # A long word in a tall box is vertical.
        vertical = len(text) > 2 and (y1 - y0) > 2.0 * (x1 - x0)
        for i, character in enumerate(text):
            if character.isalnum():
                share = (i + 0.5) / len(text)
                xs.append((x0 + x1) / 2 if vertical else x0 + (x1 - x0) * share)
                ys.append(y0 + (y1 - y0) * share if vertical else (y0 + y1) / 2)
                owners.append(number)
    return Points(np.array(xs, np.float64), np.array(ys, np.float64), np.array(owners, np.intp))
