from datetime import date, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from tests.files import headings, of_kind, read_bytes, repacked, workbook

from pincite.reading import sheets
from pincite.reading.merged_labels import MERGED
from pincite.reading.sheet_formulas import count_uncalculated
from pincite.reading.sheets import format_value


def test_every_sheet_has_a_heading_and_hidden_ones_say_so(tmp_path: Path) -> None:
    def build(book: Any) -> None:
        book.active.title = "Ventes"
        book.active.append(["a", 1])
        other = book.create_sheet("Brouillon")
        other.append(["b", 2])
        other.sheet_state = "hidden"

    document = read_bytes(tmp_path, "a.xlsx", workbook(build))
    assert headings(document) == [(1, "Ventes"), (1, "Brouillon (hidden)")]
    assert of_kind(document, "table") == ["a\t1", "b\t2"]


def test_values_are_written_as_a_person_would(tmp_path: Path) -> None:
    def build(book: Any) -> None:
        book.active.append(
            [1234.0, 0.1 + 0.2, 1e20, True, date(2023, 5, 6), datetime(2023, 5, 6, 10, 30), "deux\nlignes", 0.125]
        )
        book.active["H1"].number_format = "0.0%"

    assert of_kind(read_bytes(tmp_path, "a.xlsx", workbook(build)), "table") == [
        "1234\t0.3\t1e+20\tTRUE\t2023-05-06\t2023-05-06 10:30:00\tdeux lignes\t12.5%"
    ]
    assert format_value(None) == ""


def test_a_number_that_its_format_divides_is_written_as_the_sheet_shows_it(tmp_path: Path) -> None:
    def build(book: Any) -> None:
        for row in (["", "Sales", "Trips"], ["North", 1_234_567.0, 5_200], ["South", 7_000_000, 41]):
            book.active.append(row)
        for cell in ("B2", "B3"):
            book.active[cell].number_format = '0.0,," M"'

    document = read_bytes(tmp_path, "a.xlsx", workbook(build))
    assert of_kind(document, "table") == ["\tSales\tTrips\nNorth\t1.2 M\t5200\nSouth\t7.0 M\t41"]


def test_formulas_without_a_result_are_reported(tmp_path: Path) -> None:
    def build(book: Any) -> None:
        book.active.append(["Works", 120_000])
        book.active.append(["Total", "=SUM(B1:B1)", '=IF(B1>1,"x","")'])
        book.create_sheet("Share").append(["=B1/2"])

    told = "formulas have no stored result: open and save the file in a spreadsheet program."
    assert read_bytes(tmp_path, "a.xlsx", workbook(build)).problems == (f"3 {told}",)

    def calculate(name: str, part: bytes) -> bytes:
        part = part.replace(b"SUM(B1:B1)</f><v></v>", b"SUM(B1:B1)</f><v>120000</v>").replace(b"<v></v>", b"<v>7</v>")
        return part.replace(b'<c r="C2"><f>IF(B1&gt;1,"x","")</f><v>7</v>', b'<c r="C2" t="str"><f>B1</f><v></v>')

    calculated = read_bytes(tmp_path, "a.xlsx", repacked(workbook(build), calculate))
    assert calculated.problems == ()
    assert of_kind(calculated, "table") == ["Works\t120000\nTotal\t120000"]


@pytest.mark.parametrize(
    "cells", [b'<c r="A1"><f>1+1</f></c>', b'<x:c r="A1" t="n"><x:f t="shared" si="0"/><x:v/></x:c>']
)
def test_a_formula_without_a_result_is_known_however_it_is_written(cells: bytes) -> None:
    filling = b'<c r="B1"><v>7</v></c><c r="B2"><f>1+1</f><v>2</v></c><c r="B3" s="4"/>' * 20_000
    assert count_uncalculated(BytesIO(filling + cells + filling + cells)) == 2


@pytest.mark.parametrize("place", ["A1", "B1", "C1"])
def test_a_cell_with_a_style_that_is_not_there_is_read(tmp_path: Path, place: str) -> None:
    def damage(name: str, part: bytes) -> bytes:
        cell = f'r="{place}"'.encode()
        return part.replace(cell, cell + b' s="999"') if name.endswith("sheet1.xml") else part

    broken = repacked(workbook(lambda book: book.active.append(["a", 5, 7.5])), damage)
    assert of_kind(read_bytes(tmp_path, "a.xlsx", broken), "table") == ["a\t5\t7.5"]


def test_a_cell_merged_beside_several_tables_takes_no_label_from_those_below(tmp_path: Path) -> None:
    def build(book: Any) -> None:
        book.active.merge_cells("A1:A5")
        for place, text in (("A1", "Ports"), ("C1", "Region"), ("D1", "Trips"), ("C2", "North"), ("D2", 5)):
            book.active[place] = text
        for place, text in (("C4", "Quay"), ("D4", "Trips"), ("C5", "Cedar"), ("D5", 7)):
            book.active[place] = text

    above, below = of_kind(read_bytes(tmp_path, "a.xlsx", workbook(build)), "table")
    assert above == f"Ports\t\tRegion\tTrips\n{MERGED}\t\tNorth\t5"
    assert below == "Quay\tTrips\nCedar\t7"


def test_many_merged_cells_cost_no_more_than_their_places(tmp_path: Path) -> None:
    ranges = "".join(f'<mergeCell ref="A{n}:XFD1048576"/>' for n in range(1, 5_000)).encode()

    def claim(name: str, part: bytes) -> bytes:
        merged = b"</sheetData><mergeCells>" + ranges + b"</mergeCells>"
        return part.replace(b"</sheetData>", merged) if name.endswith("sheet1.xml") else part

    def build(book: Any) -> None:
        for number in range(1, 500):
            book.active.cell(number, 30, f"row {number}")

    document = read_bytes(tmp_path, "a.xlsx", repacked(workbook(build), claim))
    assert "row 499" in document.text


def test_empty_margins_are_trimmed_and_empty_rows_part_tables(tmp_path: Path) -> None:
    def build(book: Any) -> None:
        for cell, value in {"C5": "a", "E5": "b", "C6": "c", "D9": "d"}.items():
            book.active[cell] = value

    document = read_bytes(tmp_path, "a.xlsx", workbook(build))
    assert of_kind(document, "table") == ["a\t\tb\nc"]
    assert of_kind(document, "paragraph") == ["d"]


def test_a_sheet_that_claims_a_million_rows_is_read_at_once(tmp_path: Path) -> None:
    def build(book: Any) -> None:
        book.active["A1"] = "haut"
        book.active["XFD1048576"] = "bas"

    def claim(name: str, part: bytes) -> bytes:
        return part.replace(b'ref="A1"', b'ref="A1:XFD1048576"') if name.endswith("sheet1.xml") else part

    document = read_bytes(tmp_path, "a.xlsx", repacked(workbook(build), claim))
    assert of_kind(document, "paragraph") == ["haut", "bas"]


def test_too_many_cells_are_told_and_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MAX_CELLS", 50)

    def build(book: Any) -> None:
        for number in range(100):
            book.active.append([f"ligne {number}"])

    document = read_bytes(tmp_path, "a.xlsx", workbook(build))
    assert "ligne 10" in document.text
    assert "ligne 99" not in document.text
    assert "first 50 cells" in document.problems[0]
