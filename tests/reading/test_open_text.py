from pathlib import Path

import pytest
from tests.files import headings, of_kind, open_text, read_bytes, zipped

from pincite.errors import Locked, TooLarge, Unreadable


def test_headings_lists_notes_and_properties_are_read(tmp_path: Path) -> None:
    body = """<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>
    <text:p text:style-name="Title">La marée</text:p>
    <text:h text:outline-level="2">Causes</text:h>
    <text:p>La lune<text:s text:c="2"/>attire<office:annotation><text:p>comment</text:p></office:annotation> les
    eaux<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Newton.</text:p>
    </text:note-body></text:note>.</text:p>
    <text:list text:style-name="L1"><text:list-item><text:p>lune</text:p>
      <text:list><text:list-item><text:p>pleine</text:p></text:list-item></text:list></text:list-item>
      <text:list-item><text:p>soleil</text:p></text:list-item></text:list>"""
    styles = """<text:list-style style:name="L1"><text:list-level-style-number text:level="1"/>
    <text:list-level-style-bullet text:level="2"/></text:list-style>"""
    meta = "<dc:title>Les marées de France</dc:title><dc:creator>Zoé</dc:creator>"
    document = read_bytes(tmp_path, "a.odt", open_text(body, styles, meta))
    assert (document.kind, document.title, document.metadata["author"]) == ("odt", "Les marées de France", "Zoé")
    assert headings(document) == [(1, "La marée"), (2, "Causes")]
    assert "La lune  attire les eaux[1]." in document.text
    assert document.text.endswith("[1] Newton.")
    assert of_kind(document, "list") == ["1. lune\n  - pleine\n2. soleil"]
    assert "gone" not in document.text
    assert "comment" not in document.text


def test_a_table_keeps_merged_heads_repeated_cells_and_indentation(tmp_path: Path) -> None:
    def cell(text: str, more: str = "", style: str = "") -> str:
        return f'<table:table-cell {more}><text:p text:style-name="{style}">{text}</text:p></table:table-cell>'

    covered = "<table:covered-table-cell/>"
    rows = [
        "<table:table-cell/>" + cell("2023", 'table:number-columns-spanned="2"') + covered,
        "<table:table-cell/>" + cell("Sales") + cell("Cost"),
        cell("Europe") + cell("10") + cell("4"),
        cell("France", style="P1") + cell("6", 'table:number-columns-repeated="2"'),
    ]
    body = "<table:table>" + "".join(f"<table:table-row>{row}</table:table-row>" for row in rows) + "</table:table>"
    styles = '<style:style style:name="P1"><style:paragraph-properties fo:margin-left="0.5cm"/></style:style>'
    document = read_bytes(tmp_path, "a.odt", open_text(body, styles))
    assert of_kind(document, "table") == ["\t2023\n\tSales\tCost\nEurope\t10\t4\n  France\t6\t6"]


NOTE = "<text:note><text:note-body><text:p>By law.</text:p></text:note-body></text:note>"
COMMENT = "<office:annotation><text:p>Is it?</text:p></office:annotation>"


@pytest.mark.parametrize(
    ("beside", "text"),
    [("<text:p>10</text:p>", "Rent[1]\t10\n\n[1] By law."), ("<text:h>Ten</text:h>", "Rent[1]\n\nTen\n\n[1] By law.")],
)
def test_a_note_in_a_table_stands_once_whether_the_table_lays_out_the_page_or_not(
    tmp_path: Path, beside: str, text: str
) -> None:
    cells = f"<table:table-cell><text:p>Rent{NOTE}{COMMENT}</text:p></table:table-cell><table:table-cell>{beside}"
    table = f"<table:table><table:table-row>{cells}</table:table-cell></table:table-row></table:table>"
    assert read_bytes(tmp_path, "a.odt", open_text(table)).text == text


def test_a_cell_that_is_repeated_a_million_times_costs_nothing(tmp_path: Path) -> None:
    row = (
        '<table:table-row table:number-rows-repeated="999999"><table:table-cell table:number-columns-repeated="99999">'
    )
    row += "<text:p>x</text:p></table:table-cell></table:table-row>"
    document = read_bytes(tmp_path, "a.odt", open_text(f"<table:table>{row}</table:table>"))
    assert len(document.text) < 20_000


def test_text_boxes_and_sections_are_read_where_they_stand(tmp_path: Path) -> None:
    body = """<text:section><text:p>one<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame>
    </text:p></text:section><text:p>two</text:p>"""
    assert of_kind(read_bytes(tmp_path, "a.odt", open_text(body)), "paragraph") == ["one", "boxed", "two"]


def test_a_locked_or_empty_or_swollen_file_is_refused_with_a_reason(tmp_path: Path) -> None:
    manifest = "<manifest:encryption-data/>"
    with pytest.raises(Locked, match="password"):
        read_bytes(tmp_path, "a.odt", open_text("", more={"META-INF/manifest.xml": manifest}))
    with pytest.raises(Unreadable, match="no text inside"):
        read_bytes(tmp_path, "a.odt", zipped({"mimetype": "application/vnd.oasis.opendocument.text"}))
    with pytest.raises(TooLarge):
        read_bytes(tmp_path, "a.odt", open_text("", more={"content.xml": b" " * (300 * 2**20)}))


def test_deep_nesting_ends_with_a_reason_or_a_document(tmp_path: Path) -> None:
    deep = "<text:section>" * 200 + "<text:p>x</text:p>" + "</text:section>" * 200
    assert read_bytes(tmp_path, "a.odt", open_text(f"{deep}<text:p>after</text:p>")).text.endswith("after")
    with pytest.raises(Unreadable):
        read_bytes(tmp_path, "a.odt", open_text("<text:section>" * 100_000))
