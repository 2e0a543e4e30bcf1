"""Cells of a table in a PDF stand under their heads: also where a row lacks one, or a head spans several columns."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from fpdf import FPDF
from tests import pdfs

from pincite.passages import make_indexed, split_passages
from pincite.proof.tables import describe_row, find_tables
from pincite.reading import Source, read
from pincite.types import Document

_RIGHT = (330.0, 400.0, 470.0, 540.0)  # where the figures of each column end


def _row(pdf: FPDF, y: float, label: str, *cells: str) -> None:
    pdf.set_xy(60, y)
    pdf.cell(150, 12, label)
    for right, cell in zip(_RIGHT, cells, strict=False):
        if cell:
            width = pdf.get_string_width(cell)
            pdf.text(right - width, y + 10, cell)


def _head(pdf: FPDF, y: float, middle: float, words: str) -> None:
    pdf.text(middle - pdf.get_string_width(words) / 2, y + 10, words)


def _results(pdf: FPDF) -> None:
    pdf.add_page()
    pdfs.paragraph(pdf, "The following table gives the results of the segments (in millions of euros).", y=60)
    _head(pdf, 100, 345, "Year ended June 30, 2023")
    _head(pdf, 100, 485, "Year ended June 30, 2022")
    for middle, words in zip((315, 385, 455, 525), ("Sales", "Profit") * 2, strict=True):
        _head(pdf, 116, middle, words)
    _row(pdf, 132, "Flexible packaging", "11,151", "1,517", "10,940", "1,429")
    _row(pdf, 148, "Rigid packaging", "3,393", "289", "3,540", "265")
    _row(pdf, 164, "Costs of the centre", "", "(105)", "", "(86)")
    _row(pdf, 180, "Whole group", "14,544", "1,701", "14,480", "1,608")


def _read(path: Path, draw: object) -> Document:
    return read(Source(pdfs.make(path / "table.pdf", draw), "table.pdf"))  # type: ignore[arg-type]


def _told(document: Document) -> dict[str, dict[str, str]]:
    tables = find_tables(document.text, document.blocks, 0, len(document.text))
    return {
        row.label: {cell.head: cell.text for cell in row.cells if cell.text} for table in tables for row in table.rows
    }


def test_heads_of_two_levels_stand_over_their_columns(tmp_path: Path) -> None:
    told = _told(_read(tmp_path, _results))
    assert told["Rigid packaging"] == {
        "Year ended June 30, 2023 Sales": "3,393",
        "Year ended June 30, 2023 Profit": "289",
        "Year ended June 30, 2022 Sales": "3,540",
        "Year ended June 30, 2022 Profit": "265",
    }


def test_a_row_that_lacks_cells_keeps_the_others_in_their_columns(tmp_path: Path) -> None:
    document = _read(tmp_path, _results)
    assert _told(document)["Costs of the centre"] == {
        "Year ended June 30, 2023 Profit": "(105)",
        "Year ended June 30, 2022 Profit": "(86)",
    }
    (table,) = find_tables(document.text, document.blocks, 0, len(document.text))
    assert table.note == "in millions of euros"
    assert "Sales: —" not in describe_row(table, table.rows[2])


def test_a_head_in_several_lines_is_one_head(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        _head(pdf, 84, 455, "Net income")
        for middle, words in ((385, "Income"), (455, "of the")):
            _head(pdf, 100, middle, words)
        for middle, words in ((315, "Net sales"), (385, "before tax"), (455, "owners"), (525, "Per share")):
            _head(pdf, 116, middle, words)
        _row(pdf, 132, "As reported", "14,189", "1,797", "1,316", "1.54")
        _row(pdf, 148, "Debt in yen", "", "(191)", "(146)", "(0.17)")
        _row(pdf, 164, "Core measures", "14,805", "2,310", "1,794", "2.09")

    told = _told(_read(tmp_path, draw))
    assert told["Debt in yen"] == {
        "Income before tax": "(191)",
        "Net income of the owners": "(146)",
        "Per share": "(0.17)",
    }


def test_a_currency_sign_belongs_to_the_figure_behind_it(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        for middle, words in ((300, "2021"), (370, "2020")):
            _head(pdf, 100, middle, words)
        _row(pdf, 116, "Net income", "5,079", "4,059")
        pdf.text(275, 126, "$")
        pdf.text(345, 126, "$")
        _row(pdf, 132, "Other", "181", "162")
        _row(pdf, 148, "Comprehensive income", "5,260", "4,221")

    told = _told(_read(tmp_path, draw))
    assert told["Net income"] == {"2021": "$ 5,079", "2020": "$ 4,059"}
    assert told["Other"] == {"2021": "181", "2020": "162"}


def _draw_segments(pdf: FPDF, y: float) -> None:
    for middle, words in ((315, "Domestic"), (385, "Foreign"), (455, "Domestic")):
        _head(pdf, y, middle, words)
    for middle, words in ((315, "Ferries"), (385, "Ferries"), (455, "Barges"), (525, "Group")):
        _head(pdf, y + 16, middle, words)
    _head(pdf, y + 32, 420, "(in thousands)")


_SEGMENTS = ("Domestic Ferries", "Foreign Ferries", "Domestic Barges", "Group")


def test_a_column_without_a_head_above_it_takes_none_from_its_neighbour(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        _draw_segments(pdf, 100)
        _row(pdf, 148, "Passengers carried", "44,738", "30,024", "4,904", "79,666")
        _row(pdf, 164, "Costs of crews", "2,487", "1,780", "323", "4,590")

    figures = ("2,487", "1,780", "323", "4,590")
    assert _told(_read(tmp_path, draw))["Costs of crews"] == dict(zip(_SEGMENTS, figures, strict=True))


def test_a_table_with_one_row_has_its_heads_over_their_columns(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        _draw_segments(pdf, 100)
        _row(pdf, 148, "Passengers carried", "44,738", "30,024", "4,904", "79,666")

    figures = ("44,738", "30,024", "4,904", "79,666")
    assert _told(_read(tmp_path, draw)) == {"Passengers carried": dict(zip(_SEGMENTS, figures, strict=True))}


def test_a_head_over_one_column_is_not_that_of_the_one_beside_it(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        _head(pdf, 84, 350, "Twelve Months Ended June 30,")
        _head(pdf, 84, 525, "Comparable")
        _head(pdf, 100, 450, "Reported")
        _head(pdf, 100, 525, "constant")
        for middle, words in ((305, "2022 $ million"), (385, "2023 $ million"), (450, "%"), (525, "currency %")):
            _head(pdf, 116, middle, words)
        _row(pdf, 132, "Net sales", "11,151", "11,154", "-", "1")
        _row(pdf, 148, "Adjusted profit", "1,517", "1,429", "(6)", "(2)")

    assert _told(_read(tmp_path, draw))["Adjusted profit"] == {
        "Twelve Months Ended June 30, 2022 $ million": "1,517",
        "Twelve Months Ended June 30, 2023 $ million": "1,429",
        "Reported %": "(6)",
        "Comparable constant currency %": "(2)",
    }


def test_a_period_over_three_years_beside_another_head_is_that_of_each_year(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        pdf.set_font("helvetica", size=8)
        _head(pdf, 100, 371, "Year Ended December 31,")
        _head(pdf, 100, 515, "Change")
        for middle, words in ((301, "2015"), (371, "2014"), (441, "2013"), (515, "2015 vs. 2014")):
            _head(pdf, 116, middle, words)
        pdf.set_font("helvetica", size=11)
        _row(pdf, 132, "Revenue", "$ 1,480,339", "$ 1,253,435", "$ 1,145,737", "$ 226,904")
        _row(pdf, 148, "Margin", "32%", "31%", "29%", "1%")

    assert list(_told(_read(tmp_path, draw))["Margin"]) == [
        "Year Ended December 31, 2015",
        "Year Ended December 31, 2014",
        "Year Ended December 31, 2013",
        "Change 2015 vs. 2014",
    ]


def test_a_title_in_the_middle_of_the_page_is_no_head_of_the_first_column(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        _head(pdf, 84, 298, "STATEMENTS OF HARBOUR DUES")
        for middle, words in ((455, "2022"), (525, "2021")):
            _head(pdf, 100, middle, words)
        _row(pdf, 116, "Dues paid by ships", "", "", "5,079", "4,059")
        _row(pdf, 132, "Dues paid by yachts", "", "", "181", "162")

    assert _told(_read(tmp_path, draw))["Dues paid by yachts"] == {"2022": "181", "2021": "162"}


def test_a_column_of_small_losses_is_a_column(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        _head(pdf, 84, 315, "Paid in")
        _head(pdf, 84, 455, "Change")
        for middle, words in ((315, "2022"), (385, "2021"), (455, "in %")):
            _head(pdf, 100, middle, words)
        _row(pdf, 116, "Dues paid by ships", "5,079", "5,259", "(3)")
        _row(pdf, 132, "Dues paid by yachts", "181", "195", "(7)")

    assert _told(_read(tmp_path, draw))["Dues paid by yachts"] == {
        "Paid in 2022": "181",
        "2021": "195",
        "Change in %": "(7)",
    }


def test_a_passage_of_a_table_that_goes_on_carries_the_heads_and_not_more(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        for page in range(3):
            pdf.add_page()
            pdf.set_xy(60, 20)
            pdf.cell(0, 12, "Annual report of the group")
            if not page:
                _head(pdf, 84, 315, "Harbour fees")
                _head(pdf, 84, 385, "Rents")
            for row in range(40):
                _row(pdf, 100 + 16 * row, f"Town number {page}{row:02}", f"{row}.5", f"{row}.25")

    document = _read(tmp_path, draw)
    for passage in split_passages(document, 700, 0):
        found = make_indexed(document, passage)
        assert "Harbour fees" in f"{found.context} {found.body}"
        assert len(found.context) < 700


def _draw_rows(pdf: FPDF, rows: Sequence[Sequence[str]], columns: Sequence[float], top: float, bold: bool) -> None:
    """Draw rows of a table, the first perhaps in bold, with cells that begin at these places."""
    if not pdf.pages:
        pdf.add_page()
    for number, row in enumerate(rows):
        pdf.set_font("helvetica", "B" if bold and not number else "", 10)
        for x, cell in zip(columns, row, strict=True):
            pdf.text(x, top + 15 * number, cell)


def test_columns_with_narrow_gaps_are_columns_where_the_gaps_are_above_each_other(tmp_path: Path) -> None:
    rows = [
        ("Region", "2022", "2023", "2024"),
        ("North", "1,204", "1,310", "1,422"),
        ("South", "980", "1,011", "1,090"),
        ("East", "455", "470", "512"),
    ]
    document = _read(tmp_path, lambda pdf: _draw_rows(pdf, rows, (60, 106, 143, 180), 100, bold=True))
    assert [block.kind for block in document.blocks] == ["table"]
    assert document.text == "\n".join("\t".join(row) for row in rows)


@pytest.mark.parametrize("count", [3, 4, 5])
def test_every_row_has_its_cells_however_few_rows_there_are(tmp_path: Path, count: int) -> None:
    rows = [("Alpha", "1,204", "1,310"), ("Bravo", "1,310", "1,422"), ("Delta", "1,011", "1,090")] * 2
    document = _read(tmp_path, lambda pdf: _draw_rows(pdf, rows[:count], (60, 99, 138), 100, bold=False))
    assert document.text == "\n".join("\t".join(row) for row in rows[:count])


def test_two_rows_with_narrow_gaps_are_text(tmp_path: Path) -> None:
    rows = [("Alpha", "1,204", "1,310"), ("Bravo", "1,310", "1,422")]
    assert "\t" not in _read(tmp_path, lambda pdf: _draw_rows(pdf, rows, (60, 99, 138), 100, bold=False)).text


def test_the_marks_of_a_list_are_no_column(tmp_path: Path) -> None:
    items = ["the vehicle certificate", "a plan of the route", "proof of insurance", "the fee of 40 euros"]
    rows = [(f"({letter})", item) for letter, item in zip("abcd", items, strict=True)]
    assert "\t" not in _read(tmp_path, lambda pdf: _draw_rows(pdf, rows, (60, 84), 100, bold=False)).text
    rows = [(f"Article {number}.", item) for number, item in enumerate(items, 1)]
    assert "\t" not in _read(tmp_path, lambda pdf: _draw_rows(pdf, rows, (60, 112), 100, bold=False)).text


@pytest.mark.parametrize(("between", "size"), [("Table 2. Staff at the end of the year", 10), ("Staff", 14)])
def test_a_caption_or_a_heading_parts_two_tables(tmp_path: Path, between: str, size: float) -> None:
    sales = [("Segment", "Sales 2024", "Sales 2023"), ("Biscuits", "228.4", "219.0"), ("Desserts", "121.7", "103.5")]
    staff = [("Site", "2024", "2023"), ("Leeds", "1,142", "1,098"), ("Leuven", "486", "502")]

    def draw(pdf: FPDF) -> None:
        _draw_rows(pdf, sales, (60, 180, 300), 100, bold=True)
        pdf.set_font("helvetica", size=size)
        pdf.text(60, 150, between)
        _draw_rows(pdf, staff, (60, 230, 400), 165, bold=True)

    document = _read(tmp_path, draw)
    tables = [document.text[block.start : block.end] for block in document.blocks if block.kind == "table"]
    assert tables == ["\n".join("\t".join(row) for row in rows) for rows in (sales, staff)]


def _draw_labels(pdf: FPDF, rows: Sequence[tuple[float, str, str]]) -> None:
    """Draw a table of two years with the same figures, from the indentation, the label and the figure of each row."""
    pdf.add_page()
    _head(pdf, 84, 455, "2024")
    _head(pdf, 84, 525, "2023")
    for number, (indent, label, figure) in enumerate(rows):
        _row(pdf, 100 + 16 * number, "", "", "", figure, figure)
        pdf.text(60 + indent, 110 + 16 * number, label)


def _list_labels(path: Path, rows: Sequence[tuple[float, str, str]]) -> list[str]:
    return list(_told(_read(path, lambda pdf: _draw_labels(pdf, rows))))


def test_rows_are_below_the_labels_that_they_are_indented_under(tmp_path: Path) -> None:
    rows = [
        (0, "Assets", ""),
        (12, "Current assets", ""),
        (24, "Cash", "1,204"),
        (24, "Claims", "310"),
        (36, "Total current assets", "1,514"),
        (12, "Ships", "980"),
        (0, "Commitments and contingencies", ""),
        (0, "Total assets", "2,494"),
    ]
    assert _list_labels(tmp_path, rows) == [
        "Assets › Current assets › Cash",
        "Assets › Current assets › Claims",
        "Assets › Current assets › Total current assets",
        "Assets › Ships",
        "Total assets",
    ]


def test_the_first_lines_of_a_long_label_are_no_group_of_the_rows_below_it(tmp_path: Path) -> None:
    rows = [
        (0, "Equity:", ""),
        (12, "Common stock, 1 crown par value; shares issued on December 31,", ""),
        (12, "2024 and December 31, 2023;", ""),
        (12, "paid up", "1,324"),
        (12, "Change in gains on ships for sale, net of tax of $(156) and", "43"),
        (36, "$(697), respectively", ""),
        (24, "Total equity", "1,367"),
        (24, "Total liabilities and equity", "5,012"),
    ]
    assert _list_labels(tmp_path, rows) == [
        "Equity › Common stock, 1 crown par value; shares issued on December 31, 2024 and December 31, 2023; paid up",
        "Equity › Change in gains on ships for sale, net of tax of $(156) and",
        "Equity › Total equity",
        "Total liabilities and equity",
    ]
