"""Merged cells of HTML tables: every figure stands under its own heads."""

from pathlib import Path

import pytest
from tests.files import of_kind, page, read_bytes
from tests.thorough import keep_some

from pincite.proof.tables import find_tables
from pincite.reading.merged_labels import MERGED

PHASES = (
    "<table><thead><tr><th rowspan=2>Phase</th><th colspan=2>Inbound</th><th colspan=2>Outbound</th></tr>"
    "<tr><th>soft</th><th>hard</th><th>soft</th><th>hard</th></tr></thead>"
    "<tr><td>Initial</td><td>11</td><td>12</td><td>13</td><td>14</td></tr>"
    "<tr><td rowspan=2>Late</td><td>21</td><td>22</td><td>23</td><td>24</td></tr>"
    "<tr><td>31</td><td>32</td><td>33</td><td>34</td></tr></table>"
)
ALONE = "{}"
LINKS = "".join(f"<li><a href='/{n}'>Section number {n} of the site</a></li>" for n in range(90))
PROSE = "".join(f"<p>In the year {n} the masters of harbour {n} printed {n * 7} tables.</p>" for n in range(1900, 1920))
WITH_MENUS = f"<ul>{LINKS}</ul><article><h1>Phases</h1>{{}}{PROSE}</article>"


def read_table(folder: Path, table: str) -> list[str]:
    (text,) = of_kind(read_bytes(folder, "a.html", page(table)), "table")
    return text.split("\n")


@pytest.mark.parametrize("around", [ALONE, WITH_MENUS])
def test_merged_heads_stand_above_all_columns_that_they_cover(tmp_path: Path, around: str) -> None:
    document = read_bytes(tmp_path, "a.html", page(around.format(PHASES)))
    assert "Section number" not in document.text
    (table,) = find_tables(document.text, document.blocks, 0, len(document.text))
    heads = ["Inbound soft", "Inbound hard", "Outbound soft", "Outbound hard"]
    figures = [[(cell.head, cell.text) for cell in row.cells] for row in table.rows]
    assert figures == [list(zip(heads, map(str, range(n, n + 4)), strict=True)) for n in (11, 21, 31)]


def test_a_cell_merged_downwards_leaves_a_mark_in_the_rows_below(tmp_path: Path) -> None:
    rows = "<tr><td>a<td rowspan=2>b<td>c</tr><tr><td>d<td>e</tr><tr><td>f<td>g<td>h</tr>"
    assert read_table(tmp_path, f"<table>{rows}</table>") == ["a\tb\tc", f"d\t{MERGED}\te", "f\tg\th"]


def test_a_cell_merged_downwards_ends_with_its_group_of_rows(tmp_path: Path) -> None:
    groups = "<tbody><tr><td rowspan={}>a<td>b<tr><td>c</tbody><tbody><tr><td>d<td>e</tbody>"
    for span in ("0", "9", "65534"):
        assert read_table(tmp_path, f"<table>{groups.format(span)}</table>") == ["a\tb", f"{MERGED}\tc", "d\te"]


def test_a_span_that_is_no_number_covers_one_place(tmp_path: Path) -> None:
    row = "<tr><td colspan='100%'>a<td colspan=-3>b<td colspan=''>c<td colspan=²>d<td rowspan=x>e"
    assert read_table(tmp_path, f"<table>{row}<tr><td>f</table>") == ["a\tb\tc\td\te", "f"]


def test_labels_keep_their_indentation_beside_merged_cells(tmp_path: Path) -> None:
    rows = (
        "<tr><td>Europe<td>1<td>2<tr><td>&nbsp;&nbsp;France<td rowspan=2>3<td>4<tr><td>&nbsp;&nbsp;Spain<td>5"
        "<tr><td rowspan=2>Asia<td>6<td>7<tr><td>&nbsp;8<td>9"
    )
    lines = read_table(tmp_path, f"<table>{rows}</table>")
    assert lines == ["Europe\t1\t2", "  France\t3\t4", f"  Spain\t{MERGED}\t5", "Asia\t6\t7", f"{MERGED}\t8\t9"]


HOSTILE = {
    "wide cells": "<tr><td colspan=1000000 rowspan=65534>a<td>b" * 20_000,
    "cells above every row": "<tr>" + "<td colspan=64 rowspan=65534>a" * 15 + "<tr><td>b" * 60_000,
    "cells beside every row": "<tr><td>a" + "<td rowspan=65534>a" * 990 + "<tr><td>b" * 60_000,
    "nested tables": "<tr><td colspan=1000000 rowspan=65534>a<td>b<td><table>" * 20,
    "one long row": "<tr>" + "<td colspan=64 rowspan=9>a" * 60_000 + "<tr><td>b<td>c",
    "digits without end": f"<tr><td colspan={'9' * 5000}>a<td>b<tr><td rowspan={'9' * 5000}>c<td>d",
}


@pytest.mark.parametrize("rows", keep_some(HOSTILE.values(), one_in=5), ids=HOSTILE.keys())
def test_a_table_cannot_claim_more_places_than_it_has_cells_for(tmp_path: Path, rows: str) -> None:
    html = page(f"<table>{rows}</table>")
    document = read_bytes(tmp_path, "a.html", html)
    assert len(document.text) < 2 * len(html)
    assert document.text.count("a") >= rows.count(">a")


def test_a_table_that_claims_too_much_is_reported(tmp_path: Path) -> None:
    rows = HOSTILE["cells above every row"]
    document = read_bytes(tmp_path, "a.html", page(f"<table>{rows}</table>"))
    assert any("merged cells" in problem for problem in document.problems)
    assert document.text.count("b") == rows.count(">b")
