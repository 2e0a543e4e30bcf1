"""Find two short columns of prose, whose lines are too few to tell them from a table by their shape alone."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.reading.packed_boxes import Boxes

_FEWEST = 3  # rows with a line in each column
_MOST = 200  # segments of a page; with more lines, the shape tells
_STEP = 2.0  # line heights from one line to the next at most
_NARROWEST = 80.0  # points
_FILLED = 0.7  # of a column's width that half of its lines have
_HYPHENS = ("-", "\u2010", "\x02", "\u00ad")
_STOPS = (".", "!", "?", "…")


def find_short_columns(segments: Boxes, texts: Sequence[str]) -> tuple[float, float, float] | None:
    """Return the gutter between two columns whose sentences go on from line to line: its x, its top and its bottom."""
    rows = _pair_segments(segments)
    if len(rows) < _FEWEST:
        return None
    left, right = segments[rows[:, 0]], segments[rows[:, 1]]
    edges = float(left[:, 2].max()), float(right[:, 0].min())
    steps = np.diff(left[:, 1])
    if edges[0] >= edges[1] or (steps > _STEP * (left[:-1, 3] - left[:-1, 1])).any():
        return None
    x = sum(edges) / 2
    columns = [_add_lines_below(segments, side, x, float(steps.max())) for side in (rows[:, 0], rows[:, 1])]
    if not all(_is_filled(segments[column]) for column in columns):
        return None
    if not _is_running_text([[texts[i] for i in column] for column in columns]):
        return None
    chosen = segments[np.concatenate(columns)]
    return x, float(chosen[:, 1].min()), float(chosen[:, 3].max())


def _pair_segments(segments: Boxes) -> NDArray[np.intp]:
    """Return the pairs of segments side by side, from top to bottom; none if a row has more than two."""
    nothing = np.empty((0, 2), dtype=np.intp)
    if len(segments) > _MOST:
        return nothing
    middle = (segments[:, 1] + segments[:, 3]) / 2
    level = (middle[:, None] > segments[None, :, 1]) & (middle[:, None] < segments[None, :, 3])
    before = level & (segments[:, None, 2] <= segments[None, :, 0])
    beside = before.sum(axis=0) + before.sum(axis=1)
    pairs = np.argwhere(before)
    return pairs[np.argsort(segments[pairs[:, 0], 1], kind="stable")] if beside.max(initial=0) == 1 else nothing


def _add_lines_below(segments: Boxes, column: NDArray[np.intp], x: float, step: float) -> list[int]:
    """Return a column with the lines below it that have none beside them: one column is longer."""
    found: list[int] = column.tolist()
    on_left = segments[found[0], 0] < x
    for i in np.argsort(segments[:, 1], kind="stable").tolist():
        by = segments[i, 1] - segments[found[-1], 1]
        is_inside = segments[i, 2] < x if on_left else segments[i, 0] > x
        if is_inside and 0 < by <= 1.2 * step:
            found.append(i)
    return found


def _is_filled(column: Boxes) -> bool:
    widths = column[:, 2] - column[:, 0]
    return bool(widths.max() >= _NARROWEST and np.median(widths) >= _FILLED * widths.max())


def _is_running_text(columns: Sequence[Sequence[str]]) -> bool:
    """Return whether the lines of both columns are sentences that go on in the next line.

    The cells of a table's row begin together, and mostly with capitals; those of a list of commands end no sentence.
    """
    begun = [[not line[:1].islower() for line in column] for column in columns]
    if any(map(all, list(zip(*begun, strict=False))[1:])):
        return False
    if any(3 * sum(each[1:]) > len(each) - 1 for each in begun):
        return False
    is_broken = any(
        line.endswith(_HYPHENS) and line[-2:-1].isalpha() and not anew
        for column, each in zip(columns, begun, strict=True)
        for line, anew in zip(column, each[1:], strict=False)
    )
    return is_broken or all(any(line.endswith(_STOPS) for line in column) for column in columns)
