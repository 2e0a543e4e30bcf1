"""Draw the highlighted rows of a table as a list, each cell on a line with its head, where the table does not fit."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pincite.cli.growing_text import strip_controls, wrap_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from pincite.events import ShownPassage

_CUT = "…"  # stands for rows that are left out


def draw_row_list(passage: "ShownPassage", console: "Console", style: str, indent: str) -> bool:
    """Draw the highlighted rows of a table, or else its first row. Return whether other rows were left out."""
    from rich.text import Text

    chosen = sorted(place for place in passage.lit_rows if place < len(passage.rows)) or [0]
    before = -1
    for place in chosen:
        if place > before + 1:
            console.print(Text(indent + _CUT, "dim"))
        before = place
        is_lit = place in passage.lit_rows
        for depth, line in _write_cells(passage, place):
            margin = indent + "  " * depth
            line.stylize(style if is_lit else "")
            for row in wrap_line(line, console, max(console.width - len(margin) - 1, 20)):
                console.print(Text(margin) + row, no_wrap=True, overflow="ignore", crop=False)
    if before + 1 < len(passage.rows):
        console.print(Text(indent + _CUT, "dim"))
    return len(chosen) < len(passage.rows)


def _write_cells(passage: "ShownPassage", place: int) -> "Iterator[tuple[int, Text]]":
    """Yield the lines of a row, each with its depth: the label, and below it each cell with its head."""
    from rich.text import Text

    heads = passage.heads[-1] if passage.heads else []
    label, *cells = map(strip_controls, passage.rows[place])
    head, *others = [*map(strip_controls, heads), *[""] * (len(cells) + 1)]
    # The head of the labels may be a note on the unit, which stands behind the label.
    title = f"{label} {head}" if head.startswith("(") else f"{head}: {label}" if head else label
    if label:
        yield 0, Text(title)
    for head, cell in zip(others, cells, strict=False):
        if cell:
            yield 1 if label else 0, Text(f"{head}: {cell}" if head else cell)
