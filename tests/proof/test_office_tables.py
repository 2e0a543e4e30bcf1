"""Rows of tables in office files have their heads, units and labels, as they were laid out there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests import files

from pincite.proof.tables import describe_row, find_tables, read_tables
from pincite.reading import merged_labels
from pincite.types import Block

ROWS = [
    ("Europe", 10, 4, 9, 3),
    ("France", 6, 2, 5, 2),
    ("Germany", 4, 2, 4, 1),
    ("Asia", 7, 3, 6, 2),
    ("Total", 17, 7, 15, 5),
]
INDENTED = ("France", "Germany")
BOTTOM = ("Sales", "Cost", "Sales", "Cost")


def word() -> bytes:
    from docx.shared import Pt

    def build(document: Any) -> None:
        document.add_paragraph("Results by region (in millions of euros)")
        table = document.add_table(2 + len(ROWS), 5)
        for column, text in ((1, "Year 2023"), (3, "Year 2022")):
            table.cell(0, column).merge(table.cell(0, column + 1)).text = text
        for column, text in enumerate(BOTTOM, 1):
            table.cell(1, column).text = text
        for number, row in enumerate(ROWS, 2):
            for column, value in enumerate(row):
                table.cell(number, column).text = str(value)
            if row[0] in INDENTED:
                table.cell(number, 0).paragraphs[0].paragraph_format.left_indent = Pt(12)

    return files.word(build)


def workbook() -> bytes:
    from openpyxl.styles import Alignment

    def build(book: Any) -> None:
        sheet = book.active
        sheet.append(["Results by region"])
        sheet.append(["(in millions of euros)"])
        sheet.append([])
        sheet.append([None, "Year 2023", None, "Year 2022"])
        sheet.merge_cells("B4:C4")
        sheet.merge_cells("D4:E4")
        sheet.append([None, *BOTTOM])
        for row in ROWS:
            sheet.append(list(row))
            if row[0] in INDENTED:
                sheet.cell(sheet.max_row, 1).alignment = Alignment(indent=1)

    return files.workbook(build)


def open_text() -> bytes:
    def cell(text: object, more: str = "", style: str = "") -> str:
        return f'<table:table-cell {more}><text:p text:style-name="{style}">{text}</text:p></table:table-cell>'

    wide, covered = 'table:number-columns-spanned="2"', "<table:covered-table-cell/>"
    rows = [
        "<table:table-cell/>" + "".join(cell(text, wide) + covered for text in ("Year 2023", "Year 2022")),
        "<table:table-cell/>" + "".join(map(cell, BOTTOM)),
        *(cell(row[0], style="P1" * (row[0] in INDENTED)) + "".join(map(cell, row[1:])) for row in ROWS),
    ]
    made = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    styles = '<style:style style:name="P1"><style:paragraph-properties fo:margin-left="0.4cm"/></style:style>'
    caption = "<text:p>Results by region (in millions of euros)</text:p>"
    return files.open_text(f"{caption}<table:table>{made}</table:table>", styles)


@pytest.mark.parametrize(("name", "make"), [("a.docx", word), ("a.xlsx", workbook), ("a.odt", open_text)])
def test_heads_on_two_levels_units_and_indented_labels_reach_each_row(
    tmp_path: Path, name: str, make: Callable[[], bytes]
) -> None:
    document = files.read_bytes(tmp_path, name, make())
    (table,) = find_tables(document.text, document.blocks, 0, len(document.text))
    assert [row.label for row in table.rows] == ["Europe", "Europe › France", "Europe › Germany", "Asia", "Total"]
    assert describe_row(table, table.rows[1]) == (
        "Europe › France | Year 2023 Sales: 6 | Year 2023 Cost: 2 | Year 2022 Sales: 5 | Year 2022 Cost: 2"
        " (in millions of euros)"
    )


def test_a_long_table_keeps_its_heads_to_its_last_row(tmp_path: Path) -> None:
    def build(book: Any) -> None:
        book.active.append(["Port (in thousands)", "Arrivals", "Departures"])
        for number in range(1, 100):
            book.active.append([f"Port {number}", 1000 + number, 900 + number])

    document = files.read_bytes(tmp_path, "a.xlsx", files.workbook(build))
    at = document.text.index("Port 99")
    (table,) = find_tables(document.text, document.blocks, at, len(document.text))
    assert describe_row(table, table.rows[0]) == "Port 99 | Arrivals: 1099 | Departures: 999 (in thousands)"


def test_a_label_without_figures_holds_for_what_is_indented_below_it_and_no_further(tmp_path: Path) -> None:
    def build(book: Any) -> None:
        for row in ([None, 2023, 2022], ["Assets"], ["  Cash", 10, 9], ["  Stock", 5, 4], ["Equity", 15, 13]):
            book.active.append(row)

    document = files.read_bytes(tmp_path, "a.xlsx", files.workbook(build))
    (table,) = find_tables(document.text, document.blocks, 0, len(document.text))
    assert [row.label for row in table.rows] == ["Assets › Cash", "Assets › Stock", "Equity"]


def test_a_head_over_two_rows_is_that_of_its_column(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        table = document.add_table(3, 4)
        for place, text in {(0, 1): "2023", (1, 1): "Sales", (1, 2): "Cost", (2, 0): "Asia"}.items():
            table.cell(*place).text = text
        table.cell(0, 1).merge(table.cell(0, 2))
        table.cell(0, 3).merge(table.cell(1, 3)).text = "Change"
        for column, value in enumerate(("7", "3", "1"), 1):
            table.cell(2, column).text = value

    document = files.read_bytes(tmp_path, "a.docx", files.word(build))
    (table,) = find_tables(document.text, document.blocks, 0, len(document.text))
    assert describe_row(table, table.rows[0]) == "Asia | 2023 Sales: 7 | 2023 Cost: 3 | Change: 1"


def test_a_head_merged_downwards_beside_a_merged_head_takes_no_head_of_the_line_below(tmp_path: Path) -> None:
    page = files.page(
        "<table><tr><th rowspan=2>Edition<th colspan=2>Queues<th rowspan=2>Price<tr><th>Standard<th>Priority"
        "<tr><td>Team<td>50<td>10<td>29</table>"
    )

    def build(document: Any) -> None:
        table = document.add_table(3, 4)
        for place, text in {(0, 0): "Edition", (1, 1): "Standard", (1, 2): "Priority", (2, 0): "Team"}.items():
            table.cell(*place).text = text
        table.cell(0, 1).merge(table.cell(0, 2)).text = "Queues"
        table.cell(0, 3).merge(table.cell(1, 3)).text = "Price"
        for column, value in enumerate(("50", "10", "29"), 1):
            table.cell(2, column).text = value

    def fill(book: Any) -> None:
        sheet = book.active
        for row in (
            ["Edition", "Queues", None, "Price"],
            [None, "Standard", "Priority"],
            ["Team", 50, 10, 29],
        ):
            sheet.append(row)
        for merged in ("A1:A2", "B1:C1", "D1:D2"):
            sheet.merge_cells(merged)

    for name, data in (("a.html", page), ("a.docx", files.word(build)), ("a.xlsx", files.workbook(fill))):
        document = files.read_bytes(tmp_path, name, data)
        (table,) = find_tables(document.text, document.blocks, 0, len(document.text))
        written = describe_row(table, table.rows[0])
        assert written == "Team | Queues Standard: 50 | Queues Priority: 10 | Price: 29", name
        assert table.label_head == "Edition"


STOPS = [
    ("North", "Amber quay", "11"),
    ("", "Birch quay", "12"),
    ("", "Cedar quay", "13"),
    ("South", "Dune quay", "14"),
]
STOPS += [("", "Elder quay", "15"), ("Both", "Far quay", "29")]
MERGED = {"North": 3, "South": 2}  # rows that a label is merged over


def write_merged_page() -> bytes:
    def cell(text: str) -> str:
        return f"<td rowspan={MERGED.get(text, 1)}>{text}</td>" if text else ""

    rows = "".join(f"<tr>{cell(region)}<td>{quay}</td><td>{trips}</td></tr>" for region, quay, trips in STOPS)
    return files.page(f"<table><tr><th>Region</th><th>Quay</th><th>Trips</th></tr>{rows}</table>")


def write_merged_word() -> bytes:
    def build(document: Any) -> None:
        table = document.add_table(0, 3)
        for number, row in enumerate([("Region", "Quay", "Trips"), *STOPS]):
            table.add_row()
            for column, text in enumerate(row):
                table.cell(number, column).text = text
        for number, (region, _, _) in enumerate(STOPS, 1):
            if region in MERGED:
                table.cell(number, 0).merge(table.cell(number + MERGED[region] - 1, 0)).text = region

    return files.word(build)


def write_merged_workbook() -> bytes:
    def build(book: Any) -> None:
        for number, (region, quay, trips) in enumerate([("Region", "Quay", "Trips"), *STOPS], 3):
            for column, value in ((2, region), (3, quay), (4, int(trips) if trips.isdigit() else trips)):
                book.active.cell(number, column, value or None)
            if region in MERGED:
                book.active.merge_cells(f"B{number}:B{number + MERGED[region] - 1}")

    return files.workbook(build)


def write_merged_open_text(kind: str = "text") -> bytes:
    def cell(text: str) -> str:
        spanned = f'table:number-rows-spanned="{MERGED.get(text, 1)}"'
        made = f"<table:table-cell {spanned}><text:p>{text}</text:p></table:table-cell>"
        return made if text else "<table:covered-table-cell/>"

    rows = ("".join(map(cell, row)) for row in [("Region", "Quay", "Trips"), *STOPS])
    made = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    return files.open_text(f'<table:table table:name="S">{made}</table:table>', kind=kind)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("a.html", write_merged_page),
        ("a.docx", write_merged_word),
        ("a.xlsx", write_merged_workbook),
        ("a.odt", write_merged_open_text),
        ("a.ods", lambda: write_merged_open_text("spreadsheet")),
    ],
)
def test_a_label_merged_over_rows_is_the_label_of_each_and_stands_in_the_text_once(
    tmp_path: Path, name: str, make: Callable[[], bytes]
) -> None:
    document = files.read_bytes(tmp_path, name, make())
    (table,) = find_tables(document.text, document.blocks, 0, len(document.text))
    assert [row.label for row in table.rows] == ["North", "North", "North", "South", "South", "Both"]
    assert describe_row(table, table.rows[2]) == "North | Quay: Cedar quay | Trips: 13"
    assert [document.text.count(label) for label in ("North", "South")] == [1, 1]
    row = table.rows[2]
    assert document.text[row.start : row.end].split() == ["Cedar", "quay", "13"]
    (last,) = find_tables(document.text, document.blocks, row.start, row.end)
    assert [each.label for each in last.rows] == ["North"]


CARE = [
    ("Machine", "Person", "Tool", "Room"),
    ("Lathe", "O. Diallo", "gun", "B2"),
    ("Mill", "", "wrench", ""),
    ("Press", "", "gauge", "B3"),
    ("Saw", "S. Weiss", "brush", ""),
]
SPANS = {"O. Diallo": 3, "B2": 2, "B3": 2}


def write_care_page() -> bytes:
    rows = ("".join(f"<td rowspan={SPANS.get(text, 1)}>{text}</td>" for text in row if text) for row in CARE)
    return files.page(f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>")


def merge_care_cells(table: Any) -> None:
    for number, row in enumerate(CARE):
        for column, text in enumerate(row):
            if text:
                table.cell(number, column).text = text
            if text in SPANS:
                table.cell(number, column).merge(table.cell(number + SPANS[text] - 1, column))


def write_care_slides() -> bytes:
    from pptx.util import Inches

    def build(deck: Any) -> None:
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        shape = slide.shapes.add_table(len(CARE), 4, Inches(1), Inches(1), Inches(6), Inches(3))
        merge_care_cells(shape.table)

    return files.slides(build)


def write_care_workbook() -> bytes:
    def build(book: Any) -> None:
        for number, row in enumerate(CARE, 3):
            for column, text in enumerate(row):
                book.active.cell(number, column + 2, text or None)
                if text in SPANS:
                    letter = "BCDE"[column]
                    book.active.merge_cells(f"{letter}{number}:{letter}{number + SPANS[text] - 1}")

    return files.workbook(build)


def write_care_open_text(kind: str = "text") -> bytes:
    def cell(text: str) -> str:
        spanned = f'table:number-rows-spanned="{SPANS.get(text, 1)}"'
        made = f"<table:table-cell {spanned}><text:p>{text}</text:p></table:table-cell>"
        return made if text else "<table:covered-table-cell/>"

    made = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in CARE)
    return files.open_text(f'<table:table table:name="S">{made}</table:table>', kind=kind)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("a.html", write_care_page),
        ("a.docx", lambda: files.word(lambda document: merge_care_cells(document.add_table(len(CARE), 4)))),
        ("a.xlsx", write_care_workbook),
        ("a.pptx", write_care_slides),
        ("a.odt", write_care_open_text),
        ("a.ods", lambda: write_care_open_text("spreadsheet")),
    ],
)
def test_a_cell_merged_over_rows_holds_for_each_of_them(tmp_path: Path, name: str, make: Callable[[], bytes]) -> None:
    document = files.read_bytes(tmp_path, name, make())
    (table,) = find_tables(document.text, document.blocks, 0, len(document.text))
    assert [describe_row(table, row) for row in table.rows] == [
        "Lathe | Person: O. Diallo | Tool: gun | Room: B2",
        "Mill | Person: O. Diallo | Tool: wrench | Room: B2",
        "Press | Person: O. Diallo | Tool: gauge | Room: B3",
        "Saw | Person: S. Weiss | Tool: brush | Room: B3",
    ]
    row = table.rows[2]
    assert document.text[row.start : row.end].split() == ["Press", "gauge", "B3"]


def test_a_row_whose_cells_are_all_merged_with_those_above_is_a_row(tmp_path: Path) -> None:
    table = "<table><tr><th>Code<th>Cause<th>Fine<tr><td>E2<td rowspan=2>Low<td rowspan=2>7<tr><td>Echo"
    document = files.read_bytes(tmp_path, "a.html", files.page(table))
    (found,) = find_tables(document.text, document.blocks, 0, len(document.text))
    assert describe_row(found, found.rows[1]) == "Echo | Cause: Low | Fine: 7"


def test_a_row_under_a_rule_has_no_label_of_the_row_above(tmp_path: Path) -> None:
    rows = "<tr><th><th>2023<tr><td>Cash<td>5<tr><td>Stock<td>6<tr><td><td>11"
    document = files.read_bytes(tmp_path, "a.html", files.page(f"<table>{rows}</table>"))
    (table,) = find_tables(document.text, document.blocks, 0, len(document.text))
    assert [row.label for row in table.rows] == ["Cash", "Stock", ""]


def test_a_row_below_a_merged_label_says_nothing_of_the_indentation_of_the_others() -> None:
    below = f"{merged_labels.MERGED}\tQ2\t20"
    text = f"Region\tQuarter\tTrips\n  Europe\n  North\tQ1\t10\n{below}\n  South\tQ1\t30\n{below}"
    (table,) = find_tables(text, [Block("table", 0, len(text))], 0, len(text))
    assert [row.label for row in table.rows] == ["Europe › North", "Europe › North", "Europe › South", "Europe › South"]


def test_a_label_merged_over_more_rows_than_a_block_has_holds_to_its_end(tmp_path: Path) -> None:
    rows = "".join(f"<tr><td>Quay {number}<td>{number}" for number in range(2, 100))
    table = f"<table><tr><th>Region<th>Quay<th>Trips<tr><td rowspan=99>North<td>Quay 1<td>1{rows}</table>"
    document = files.read_bytes(tmp_path, "a.html", files.page(table))
    found = find_tables(document.text, document.blocks, 0, len(document.text))
    assert [row.label for table in found for row in table.rows] == ["North"] * 99


def test_a_cell_merged_over_more_rows_than_a_block_has_holds_to_its_end(tmp_path: Path) -> None:
    rows = "".join(f"<tr><td>Quay {number}<td>{number}" for number in range(2, 100))
    table = f"<table><tr><th>Quay<th>Trips<th>Line<tr><td>Quay 1<td>1<td rowspan=99>North{rows}</table>"
    document = files.read_bytes(tmp_path, "a.html", files.page(table))
    found = find_tables(document.text, document.blocks, 0, len(document.text))
    assert [row.cells[1].text for table in found for row in table.rows] == ["North"] * 99


def test_a_label_merged_over_very_many_rows_costs_few_looks_at_them() -> None:
    text = "Region\tQuay\tTrips\nNorth\tQuay 0\t7"
    blocks = [Block("table", 0, len(text))]
    for number in range(400):
        part = f"{merged_labels.MERGED}\tQuay {number}\t{number}"
        blocks.append(Block("table", len(text) + 1, len(text) + 1 + len(part)))
        text += f"\n{part}"
    looks: list[int] = []

    def read(start: int, end: int) -> str:
        looks.append(start)
        return text[start:end]

    for block, label in ((blocks[200], "North"), (blocks[-1], "")):
        looks.clear()
        (found,) = read_tables(read, blocks, block.start, block.end)
        assert found.rows[0].label == label
        assert len(looks) < 300
