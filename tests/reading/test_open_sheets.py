from pathlib import Path

import pytest
from tests.files import headings, of_kind, open_text, read_bytes

from pincite.errors import Locked
from pincite.types import Document


def cell(text: str, more: str = "") -> str:
    return f"<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>"


def row(*cells: str, more: str = "") -> str:
    return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"


EMPTY = '<table:table-cell table:number-columns-repeated="16000"/>'
BLANK_ROW = row(EMPTY, more='table:number-rows-repeated="1048000"')


def read_sheets(tmp_path: Path, body: str, styles: str = "", **more: bytes | str) -> Document:
    return read_bytes(tmp_path, "a.ods", open_text(body, styles, kind="spreadsheet", more=more))


def test_each_sheet_is_a_heading_and_its_tables(tmp_path: Path) -> None:
    first = row(cell("Ville"), cell("2023")) + row(cell("Brest"), cell("1 200,50 €")) + BLANK_ROW
    second = row(cell("Une note sur les ventes."))
    body = (
        f'<table:table table:name="Ventes">{first}</table:table><table:table table:name="Notes">{second}</table:table>'
    )
    document = read_sheets(tmp_path, body)
    assert (document.kind, headings(document)) == ("xlsx", [(1, "Ventes"), (1, "Notes")])
    assert of_kind(document, "table") == ["Ville\t2023\nBrest\t1 200,50 €"]
    assert of_kind(document, "paragraph") == ["Une note sur les ventes."]


def test_columns_stay_in_their_places_behind_empty_merged_and_repeated_cells(tmp_path: Path) -> None:
    merged = cell("Year", 'table:number-columns-spanned="2"') + "<table:covered-table-cell/>"
    twice = cell("5", 'table:number-columns-repeated="2"')
    rows = [
        row(cell("Town"), merged),
        f"<table:table-header-rows>{row('<table:table-cell/>', cell('2023'), cell('2022'))}</table:table-header-rows>",
        f"<table:table-row-group>{row(cell('Brest'), twice)}</table:table-row-group>",
        row(
            cell("Vannes"), "<table:table-cell/>", cell("7<office:annotation><text:p>why</text:p></office:annotation>")
        ),
    ]
    document = read_sheets(tmp_path, f'<table:table table:name="S">{"".join(rows)}</table:table>')
    assert of_kind(document, "table") == ["Town\tYear\n\t2023\t2022\nBrest\t5\t5\nVannes\t\t7"]


def test_a_formula_without_a_result_is_reported(tmp_path: Path) -> None:
    formula = 'table:formula="of:=SUM([.B1])"'
    known = cell("5", f'{formula} office:value-type="float" office:value="5"')
    empty = f'<table:table-cell {formula} office:value-type="string" office:string-value=""/>'
    body = '<table:table table:name="S">{}</table:table>'
    told = "1 formula has no stored result: open and save the file in a spreadsheet program."
    found = read_sheets(tmp_path, body.format(row(cell("Total"), f"<table:table-cell {formula}/>", known, empty)))
    assert found.problems == (told,)
    assert read_sheets(tmp_path, body.format(row(cell("Total"), known, empty))).problems == ()


def test_a_hidden_sheet_is_said_to_be_hidden_and_labels_keep_their_indentation(tmp_path: Path) -> None:
    styles = (
        '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>'
        '<style:style style:name="P1"><style:paragraph-properties fo:margin-left="0.5cm"/></style:style>'
    )
    inner = '<table:table-cell><text:p text:style-name="P1">France</text:p></table:table-cell>'
    rows = row(cell("Europe"), cell("10")) + row(inner, cell("6"))
    document = read_sheets(tmp_path, f'<table:table table:name="S" table:style-name="ta2">{rows}</table:table>', styles)
    assert headings(document) == [(1, "S (hidden)")]
    assert of_kind(document, "table") == ["Europe\t10\n  France\t6"]


def test_a_cell_that_is_repeated_a_million_times_costs_nothing(tmp_path: Path) -> None:
    filled = row(cell("x", 'table:number-columns-repeated="99999"'), more='table:number-rows-repeated="999999"')
    document = read_sheets(tmp_path, f'<table:table table:name="S">{BLANK_ROW * 3}{filled}</table:table>')
    assert len(document.text) < 50_000


def test_a_locked_spreadsheet_is_refused_with_a_reason(tmp_path: Path) -> None:
    locked = open_text("", more={"META-INF/manifest.xml": "<manifest:encryption-data/>"}, kind="spreadsheet")
    with pytest.raises(Locked, match="password"):
        read_bytes(tmp_path, "a.ods", locked)
