from collections.abc import Sequence
from pathlib import Path

import pytest
from fpdf import FPDF
from tests import pdfs

from pincite.reading import read
from pincite.reading.source import Source
from pincite.types import Document

LEFT = (
    "The museum of Tarn keeps a col-",
    "lection of four hundred lamps,",
    "which Elsbeth Raun gave to the",
    "town when she left the valley.",
)
RIGHT = ("The lamps lit the harbour for", "thirty years, and most of them", "come from the ships of Tarn.")


def read_sides(path: Path, left: Sequence[str], right: Sequence[str]) -> Document:
    """A page with a title and these lines side by side."""

    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        pdf.set_font("Helvetica", "B", 16)
        pdf.text(60, 80, "The lamps of Tarn")
        pdf.set_font("Helvetica", "", 11)
        for x, lines in ((60, left), (310, right)):
            for place, line in enumerate(lines):
                pdf.text(x, 120 + 14 * place, line)

    return read(Source(pdfs.make(path, draw), path.name))


@pytest.mark.parametrize("left", [LEFT, ("The museum of Tarn keeps four", *LEFT[1:])])
def test_two_short_columns_of_prose_are_read_one_after_the_other(tmp_path: Path, left: Sequence[str]) -> None:
    document = read_sides(tmp_path / "a.pdf", left, RIGHT)
    broken = "\n".join(left).replace("-\n", "\u00ad\n")
    assert [document.text[block.start : block.end] for block in document.blocks if block.kind == "paragraph"] == [
        broken,
        "\n".join(RIGHT),
    ]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (("Lamp of the harbour", "Lamp of the long bridge", "Lamp of the mill"), ("in use", "in the museum", "sold.")),
        (("show the lamp list", "light every lamp", "put out every lamp"), ("list --all", "light --all", "out --all")),
        (
            ("The lamp of the harbour", "from the year of the", "Great storm in the bay", "of Tarn and its ships."),
            ("Kept in the museum for", "all who come to see.", "Sold to a museum in the", "town beyond the river."),
        ),
    ],
)
def test_the_rows_of_a_short_table_stay_together(tmp_path: Path, left: Sequence[str], right: Sequence[str]) -> None:
    document = read_sides(tmp_path / "a.pdf", left, right)
    (table,) = [block for block in document.blocks if block.kind == "table"]
    assert document.text[table.start : table.end] == "\n".join(map("\t".join, zip(left, right, strict=True)))
