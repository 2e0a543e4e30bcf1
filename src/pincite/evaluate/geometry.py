"""Is a highlight right? Every letter of the gold words is a point; the points that boxes cover are compared with them.

It owes nothing to our own reader: the words and their boxes come from other programs.
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

RIGHT = 0.9  # of the points that are gold or covered, at least so many are both
WRONG_PLACE = 0.1  # under this an answer lights something else

Words = tuple[int, int, int]  # a page, and the first and the last of the words on it that are meant
Rect = tuple[float, float, float, float]

_SLACK = np.array([-0.5, -1.0, 0.5, 1.0])  # points by which a box may be too small


@dataclass(frozen=True, slots=True)
class Points:
    """The letters and digits of a page's words: where each stands, and in which word."""

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    word: NDArray[np.intp]

    def covered(self, rects: Iterable[Rect]) -> NDArray[np.bool_]:
        """Which points lie in a rectangle, or so near that nobody would see the difference."""
        grown = np.array(list(rects), np.float64).reshape(-1, 4) + _SLACK
        x0, y0, x1, y1 = grown.T[:, :, None]
        inside = (x0 <= self.x) & (self.x <= x1) & (y0 <= self.y) & (self.y <= y1)
        covered: NDArray[np.bool_] = np.logical_or.reduce(inside, axis=0)
        return covered


class GoldPages:
    """The words of a document as another program read them; a page's points are made when first asked for."""

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
        """The points of a page, counted from 1."""
        if page not in self._points:
            self._points[page] = _points(self._pages[page - 1]["words"])
        return self._points[page]

    def rects(self, words: Words) -> list[Rect]:
        """The boxes of some words."""
        page, first, last = words
        return [
            (float(x0), float(y0), float(x1), float(y1))
            for _, x0, y0, x1, y1, *_ in self._pages[page - 1]["words"][first : last + 1]
        ]


def overlap(gold: GoldPages, alternatives: Iterable[Sequence[Words]], found: Iterable[PageBoxes]) -> float:
    """|gold and covered| / |gold or covered|, in points, for the alternative that fits best."""
    rects: dict[int, list[Rect]] = {}
    for lit in found:
        if 0 < lit.page <= len(gold):
            rects.setdefault(lit.page, []).extend(lit.rects)
    covered = {page: gold.points(page).covered(given) for page, given in rects.items()}
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


def _points(words: Sequence[Sequence[Any]]) -> Points:
    xs, ys, owners = list[float](), list[float](), list[int]()
    for number, (text, x0, y0, x1, y1, *_) in enumerate(words):
        # A long word in a tall box runs up or down.
        vertical = len(text) > 2 and (y1 - y0) > 2.0 * (x1 - x0)
        for i, character in enumerate(text):
            if character.isalnum():
                share = (i + 0.5) / len(text)
                xs.append((x0 + x1) / 2 if vertical else x0 + (x1 - x0) * share)
                ys.append(y0 + (y1 - y0) * share if vertical else (y0 + y1) / 2)
                owners.append(number)
    return Points(np.array(xs, np.float64), np.array(ys, np.float64), np.array(owners, np.intp))
