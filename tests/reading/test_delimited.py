from pathlib import Path

import pytest
from tests.files import of_kind, read_bytes


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_and_cells_stand_between_tabs(tmp_path: Path, delimiter: str) -> None:
    rows = [["nom", "ville", "note"], ["Zoé", "Aix", "une, deux; trois"], ["Éric", "", "12,5"]]
    data = "\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)
    document = read_bytes(tmp_path, "a.csv", data.encode())
    assert document.text == "nom\tville\tnote\nZoé\tAix\tune, deux; trois\nÉric\t\t12,5"
    assert document.metadata == {"columns": "nom, ville, note", "rows": "2"}


def test_a_french_export_from_excel_is_read(tmp_path: Path) -> None:
    data = "sep=;\r\nDate;Montant\r\n01/02/2023;1 234,50\r\n".encode("cp1252")
    assert read_bytes(tmp_path, "a.csv", data).text == "Date\tMontant\n01/02/2023\t1 234,50"


def test_a_large_table_is_several_blocks_that_lose_no_row(tmp_path: Path) -> None:
    lines = [f"ligne {n},{n}" for n in range(100)]
    document = read_bytes(tmp_path, "a.csv", "\n".join(lines).encode())
    tables = of_kind(document, "table")
    assert [table.count("\n") + 1 for table in tables] == [40, 40, 20]
    assert document.text.split("\n") == [line.replace(",", "\t") for line in lines]


def test_a_line_end_in_a_cell_does_not_break_its_row(tmp_path: Path) -> None:
    assert read_bytes(tmp_path, "a.csv", b'a,b\n"un\ndeux",3\n').text == "a\tb\nun deux\t3"


def test_a_quote_that_never_closes_does_not_swallow_the_file(tmp_path: Path) -> None:
    data = 'a,b\n5" pipe,"x\n' + "".join(f"row,{n}\n" for n in range(400))
    assert read_bytes(tmp_path, "a.csv", data.encode()).text.count("\n") == 401


def test_numbers_in_the_first_row_are_not_called_columns(tmp_path: Path) -> None:
    assert read_bytes(tmp_path, "a.csv", b"1,2\n3,4\n").metadata == {}
