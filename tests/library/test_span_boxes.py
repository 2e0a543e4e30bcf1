from pathlib import Path

from pincite.library import Library
from pincite.locate.boxes import cut_out_furniture
from pincite.store import document_layout, document_text
from pincite.types import Block, Span
from tests.turns import keep

REPORT = Path(__file__).parents[2] / "benchmarks" / "questions" / "documents" / "report.pdf"


def test_the_footer_of_a_page_that_a_span_goes_on_over_does_not_belong_to_it(library: Library) -> None:
    report = keep(library, REPORT)
    with library.database.reading() as connection:
        blocks = document_layout.load_blocks(connection, report)
        first = next(block for block in blocks if block.kind == "footer")
        after = next(block for block in blocks if block.start > first.end)
        words = document_text.read_text(connection, report, first.start, first.end)
    footer = library.boxes("local", Span(report, first.start, first.end))
    assert "annual report" in words
    assert [each.page for each in footer] == [1]
    top = min(rect[1] for rect in footer[0].rects)
    whole = library.boxes("local", Span(report, first.start - 40, after.end))
    assert [each.page for each in whole] == [1, 2]
    assert whole[0].rects
    assert max(rect[3] for rect in whole[0].rects) < top


def test_a_span_keeps_a_footer_that_it_begins_or_ends_in() -> None:
    blocks = [Block("paragraph", 0, 10), Block("footer", 11, 20), Block("header", 21, 30), Block("paragraph", 31, 40)]
    assert cut_out_furniture(5, 35, blocks) == [(5, 11), (20, 21), (30, 35)]
    assert cut_out_furniture(11, 20, blocks) == [(11, 20)]
    assert cut_out_furniture(5, 15, blocks) == [(5, 15)]
