"""Write the indentation of a table's row labels as spaces before them."""

import re
from collections.abc import Sequence

DEEPEST = 8  # levels
STEP = "  "
TOTAL = re.compile(r"(?:sub-?|sous-)?total", re.IGNORECASE)  # begins the label of the last row of a group


def indent_labels(rows: Sequence[Sequence[str]], lengths: Sequence[float]) -> list[list[str]]:
    """Indent the labels of rows by rank: the smallest length is no indentation, the next one is one step.

    `lengths` has one indentation for each row, in any unit.
    """
    filled = [length for row, length in zip(rows, lengths, strict=True) if row and row[0].strip()]
    ranks = {length: min(rank, DEEPEST) for rank, length in enumerate(sorted(set(filled)))}
    return [
        [STEP * ranks.get(length, 0) + row[0].strip(), *row[1:]] if row and row[0].strip() else list(row)
        for row, length in zip(rows, lengths, strict=True)
    ]
