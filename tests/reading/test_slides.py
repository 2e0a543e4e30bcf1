from pathlib import Path
from typing import Any

from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches
from tests.files import headings, of_kind, read_bytes, repacked, slides

from pincite.reading.merged_labels import MERGED


def blank(deck: Any) -> Any:
    return deck.slides.add_slide(deck.slide_layouts[6]).shapes


def box(shapes: Any, text: str, left: float, top: float) -> None:
    shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(0.5)).text_frame.text = text


def test_a_slide_is_a_page_with_title_list_and_notes(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, "a.pptx", slides())
    assert [document.text[page.start : page.end].split("\n\n") for page in document.pages] == [
        ["Stratégie", "- Un\n- Deux", "Parler lentement."],
        ["", "Merci"],
    ]
    assert headings(document) == [(1, "Stratégie"), (1, "Merci")]
    assert document.title == "Stratégie"


def test_shapes_are_read_as_they_are_seen_and_groups_in_their_place(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        shapes = blank(deck)
        box(shapes, "bas", 1, 5)
        box(shapes, "droite", 5, 1)
        box(shapes, "gauche", 1, 1.05)
        group = shapes.add_group_shape()
        box(group.shapes, "groupe deux", 1, 3.5)
        box(group.shapes, "groupe un", 1, 3)

    assert read_bytes(tmp_path, "a.pptx", slides(build)).text.split("\n\n") == [
        "gauche",
        "droite",
        "groupe un",
        "groupe deux",
        "bas",
    ]


def test_tables_and_charts_are_tables(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        shapes = blank(deck)
        table = shapes.add_table(4, 2, Inches(1), Inches(1), Inches(4), Inches(1)).table
        for place, text in enumerate("abcdef"):
            table.cell(place // 2, place % 2).text = text
        table.cell(0, 0).merge(table.cell(0, 1))
        table.cell(3, 1).text = "g"
        table.cell(2, 0).merge(table.cell(3, 0))
        data = CategoryChartData()
        data.categories = ["2022", "2023"]
        data.add_series("Ventes", (1.5, 2))
        shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(3), Inches(4), Inches(3), data)

    first, second = of_kind(read_bytes(tmp_path, "a.pptx", slides(build)), "table")
    assert first == f"a b\nc\td\ne\tf\n{MERGED}\tg"
    assert second == "\tVentes\n2022\t1.5\n2023\t2"


def test_a_slide_show_is_read_too(tmp_path: Path) -> None:
    show = b"application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml"
    plain = b"application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
    data = repacked(slides(), lambda _, part: part.replace(plain, show))
    assert "Stratégie" in read_bytes(tmp_path, "a.ppsx", data).text


def test_one_bad_slide_does_not_lose_the_others(tmp_path: Path) -> None:
    def damage(name: str, part: bytes) -> bytes:
        return part.replace(b"<p:ph ", b"<p:ph idx='x' ", 1) if name == "ppt/slides/slide1.xml" else part

    document = read_bytes(tmp_path, "a.pptx", repacked(slides(), damage))
    assert "Merci" in document.text
    assert document.problems
    assert len(document.pages) == 2


def test_an_empty_slide_is_still_a_page(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        blank(deck)
        box(blank(deck), "deux", 1, 1)

    document = read_bytes(tmp_path, "a.pptx", slides(build))
    assert [document.text[page.start : page.end] for page in document.pages] == ["", "deux"]
