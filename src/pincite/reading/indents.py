"""The indentation of a table's row labels, kept as spaces in front of them."""

from collections.abc import Sequence

DEEPEST = 8  # levels
STEP = "  "


def indent_labels(rows: Sequence[Sequence[str]], lengths: Sequence[float]) -> list[list[str]]:
    """Return the rows with their labels indented by rank: the smallest length of all is none, the next one step.

    `lengths` holds one indentation for each row, in any unit.
    """
    filled = [length for row, length in zip(rows, lengths, strict=True) if row and row[0].strip()]
    ranks = {length: min(rank, DEEPEST) for rank, length in enumerate(sorted(set(filled)))}
    return [
        [STEP * ranks.get(length, 0) + row[0].strip(), *row[1:]] if row and row[0].strip() else list(row)
        for row, length in zip(rows, lengths, strict=True)
    ]
