"""Slides as they look: every run stands where its words are in the text, and nothing of a file reaches a style."""

import io
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from PIL import Image
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import PP_ALIGN
from pptx.util import Inches, Pt
from tests.files import read_bytes, repacked, slides
from tests.thorough import scale_examples

from pincite.errors import Unreadable
from pincite.reading.drawing import DrawnShape, DrawnSlide, ReadSlide, list_shape_runs
from pincite.reading.slide_drawing import draw_slides
from pincite.reading.source import Source

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def drawn(folder: Path, data: bytes) -> list[ReadSlide]:
    """The slides of a deck; their texts are those that the reader reads."""
    path = folder / "deck.pptx"
    path.write_bytes(data)
    made = [ReadSlide.model_validate_json(each) for each in draw_slides(Source(path, "deck.pptx"))]
    document = read_bytes(folder, "deck.pptx", data)
    assert [each.text for each in made] == [
        document.text[page.start : page.end].lstrip("\n") for page in document.pages
    ]
    return made


def first(folder: Path, build: Any) -> tuple[str, DrawnSlide]:
    slide = drawn(folder, slides(build))[0]
    assert slide.drawing
    return slide.text, slide.drawing


def words(text: str, shape: DrawnShape) -> list[str]:
    return [text[run.start : run.end] for run in list_shape_runs(shape) if run.start is not None]


def blank(deck: Any) -> Any:
    return deck.slides.add_slide(deck.slide_layouts[6]).shapes


def picture(kind: str = "PNG") -> io.BytesIO:
    data = io.BytesIO()
    Image.new("RGB", (8, 4), "red").save(data, kind)
    data.seek(0)
    return data


_CHARACTERS = st.characters(exclude_categories=("Cs", "Cc", "Cn"), exclude_characters="\ufffe\uffff")
_RUNS = st.lists(st.text(st.one_of(_CHARACTERS, st.sampled_from(" -\t\u00a0\u202e🦦")), max_size=12), max_size=4)
_PARAGRAPHS = st.lists(st.tuples(_RUNS, st.integers(0, 3), st.booleans()), max_size=4)


def _fill(frame: Any, paragraphs: list[tuple[list[str], int, bool]]) -> None:
    for at, (runs, level, breaks) in enumerate(paragraphs):
        paragraph = frame.paragraphs[0] if not at else frame.add_paragraph()
        paragraph.level = level
        for each in runs:
            paragraph.add_run().text = each
            if breaks:
                paragraph.add_line_break()


def _bare(text: str) -> str:
    """The characters that are seen, without those that reading replaces."""
    return "".join(char for char in text if not char.isspace() and char not in "\u202d\u202e\u200b")


@settings(max_examples=scale_examples(60), deadline=None)
@given(title=_PARAGRAPHS, body=_PARAGRAPHS, boxes=st.lists(_PARAGRAPHS, max_size=3), cells=st.lists(_RUNS, max_size=4))
def test_every_word_of_a_slide_is_drawn_once_and_its_range_has_its_characters(
    tmp_path_factory: pytest.TempPathFactory, title: Any, body: Any, boxes: Any, cells: Any
) -> None:
    written: list[str] = []

    def build(deck: Any) -> None:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        _fill(slide.shapes.title.text_frame, title)
        _fill(slide.placeholders[1].text_frame, body)
        for at, paragraphs in enumerate(boxes):
            box = slide.shapes.add_textbox(Inches(1), Inches(at), Inches(3), Inches(1))
            _fill(box.text_frame, paragraphs)
        if cells:
            table = slide.shapes.add_table(1, len(cells), Inches(1), Inches(5), Inches(6), Inches(1)).table
            for at, runs in enumerate(cells):
                _fill(table.cell(0, at).text_frame, [(runs, 0, False)])
        written.extend(str(each.text or "") for each in slide._element.iter(f"{A}t"))

    text, drawing = first(tmp_path_factory.mktemp("deck"), build)
    runs = [run for shape in drawing.shapes for run in list_shape_runs(shape) if run.start is not None]
    ranges = [(run.start or 0, run.end or 0) for run in runs]
    assert all(start < end for start, end in ranges)
    assert all(before[1] <= after[0] for before, after in pairwise(ranges))
    found = [_bare(text[start:end]) for start, end in ranges]
    # The runs are in the order of the text, and those of the file are in that of the shapes.
    assert sorted(filter(None, found)) == sorted(filter(None, map(_bare, written)))
    # Only the signs before the paragraphs of a list and white space are not drawn.
    kept = [char for at, char in enumerate(text) if not any(start <= at < end for start, end in ranges)]
    assert set(kept) <= {*" \n\t-\u00a0\u200b\v", *filter(str.isspace, text)}


def test_shapes_stand_where_they_are_with_what_their_layout_and_master_say(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = "Otters"
        frame = slide.placeholders[1].text_frame
        frame.text = "First"
        more = frame.add_paragraph()
        more.text, more.level = "Second", 1

    text, drawing = first(tmp_path, build)
    title, body = drawing.shapes
    assert (drawing.width, drawing.height, drawing.background) == (720, 540, "#ffffff")
    assert words(text, title) == ["Otters"]
    assert words(text, body) == ["First", "Second"]
    assert (title.left, title.top, title.width) == (36, 21.63, 648)  # of the master
    assert (title.anchor, title.paragraphs[0].align, title.paragraphs[0].runs[0].size) == ("middle", "center", 44)
    assert [(each.bullet, each.margin, each.runs[0].size) for each in body.paragraphs] == [
        ("•", 27, 32),
        ("–", 58.5, 28),
    ]


def test_a_run_has_its_look_and_a_shape_its_colours(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        shapes = blank(deck)
        box = shapes.add_textbox(Inches(1), Inches(1), Inches(4), Inches(1)).text_frame
        run = box.paragraphs[0].add_run()
        run.text = "loud"
        run.font.bold, run.font.italic, run.font.size, run.font.name = True, True, Pt(30), "Courier New"
        run.font.color.rgb = RGBColor(0x12, 0x34, 0x56)
        box.paragraphs[0].alignment = PP_ALIGN.RIGHT
        oval = shapes.add_shape(MSO_SHAPE.OVAL, Inches(1), Inches(3), Inches(2), Inches(1))
        oval.text_frame.text = "white"
        oval.fill.solid()
        oval.fill.fore_color.theme_color = MSO_THEME_COLOR.ACCENT_2
        oval.fill.fore_color.brightness = 0.4
        oval.rotation = 30

    _, drawing = first(tmp_path, build)
    box, oval = drawing.shapes
    run = box.paragraphs[0].runs[0]
    assert (run.bold, run.italic, run.size, run.font, run.colour) == (True, True, 30, "mono", "#123456")
    assert box.paragraphs[0].align == "right"
    assert (oval.form, oval.fill, oval.turn, oval.paragraphs[0].runs[0].colour) == ("ellipse", "#d99694", 30, "#ffffff")


def test_groups_lines_numbers_tables_pictures_and_charts_are_in_their_places(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        shapes = blank(deck)
        group = shapes.add_group_shape()
        inner = group.shapes.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1))
        inner.text_frame.text = "in a group"
        group.left, group.width = Inches(2), Inches(4)
        table = shapes.add_table(2, 2, Inches(1), Inches(3), Inches(4), Inches(1)).table
        for place, text in enumerate("abcd"):
            table.cell(place // 2, place % 2).text = text
        table.cell(0, 0).merge(table.cell(0, 1))
        shot = shapes.add_picture(picture(), Inches(6), Inches(1), Inches(2), Inches(1))
        shot.crop_left = 0.25
        data = CategoryChartData()
        data.categories = ["2022"]
        data.add_series("Ventes", (1.5,))
        shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(5), Inches(4), Inches(2), data)

    text, drawing = first(tmp_path, build)
    shot, inner, table, chart = drawing.shapes
    assert (inner.left, inner.width, words(text, inner)) == (144, 288, ["in a group"])
    assert shot.picture
    assert (shot.picture.left, shot.left, shot.width) == (0.25, 432, 144)
    assert table.table
    assert table.table.widths == [144, 144]
    assert [[(cell.columns, cell.rows) for cell in row] for row in table.table.rows] == [[(2, 1)], [(1, 1), (1, 1)]]
    assert words(text, table) == ["a", "b", "c", "d"]
    assert chart.table
    assert words(text, chart) == ["Ventes", "2022", "1.5"]


def test_a_numbered_list_counts_by_level(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        frame = blank(deck).add_textbox(Inches(1), Inches(1), Inches(4), Inches(1)).text_frame
        for at, level in enumerate((0, 0, 1, 1, 0, 1)):
            paragraph = frame.paragraphs[0] if not at else frame.add_paragraph()
            paragraph.text, paragraph.level = f"item {at}", level
            form = "arabicPeriod" if level == 0 else "alphaLcParenR"
            etree.SubElement(paragraph._p.get_or_add_pPr(), f"{A}buAutoNum", type=form)

    _, drawing = first(tmp_path, build)
    assert [each.bullet for each in drawing.shapes[0].paragraphs] == ["1.", "2.", "a)", "b)", "3.", "a)"]


def test_words_off_the_slide_hidden_or_upright_are_left_to_the_text(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        shapes = blank(deck)
        for text, left in (("off", 40), ("hidden", 1), ("upright", 3), ("seen", 5)):
            box = shapes.add_textbox(Inches(left), Inches(1), Inches(1), Inches(1))
            box.text_frame.text = text
            if text == "hidden":
                next(box._element.iter("{*}cNvPr")).set("hidden", "1")
            if text == "upright":
                box.text_frame._txBody.bodyPr.set("vert", "vert270")

    text, drawing = first(tmp_path, build)
    assert [words(text, each) for each in drawing.shapes] == [["seen"]]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'sz="3000"', b'sz="1e999"'),
        (b'sz="3000"', b'sz="-5"'),
        (b'x="914400"', b'x="99999999999999"'),
        (b'cx="3657600"', b'cx="-3657600"'),
        (b'val="123456"', b'val="red;background:url(//evil)"'),
        (b'rot="1800000"', b'rot="NaN"'),
        (b'algn="r"', b'algn="x;position:fixed"'),
        (b'typeface="Courier New"', b'typeface="x;}body{display:none"'),
        (b"<a:bodyPr", b'<a:bodyPr lIns="inf"'),
    ],
)
def test_no_value_of_a_file_leaves_its_bounds(tmp_path: Path, old: bytes, new: bytes) -> None:
    def build(deck: Any) -> None:
        box = blank(deck).add_textbox(Inches(1), Inches(1), Inches(4), Inches(1))
        box.rotation = 30
        run = box.text_frame.paragraphs[0].add_run()
        run.text = "words"
        run.font.size, run.font.name = Pt(30), "Courier New"
        run.font.color.rgb = RGBColor(0x12, 0x34, 0x56)
        box.text_frame.paragraphs[0].alignment = PP_ALIGN.RIGHT

    changed = []

    def change(name: str, data: bytes) -> bytes:
        if name == "ppt/slides/slide1.xml":
            changed.append(old in data)
            return data.replace(old, new)
        return data

    path = tmp_path / "deck.pptx"
    path.write_bytes(repacked(slides(build), change))
    assert changed == [True]
    for each in draw_slides(Source(path, "deck.pptx")):
        told = ReadSlide.model_validate(json.loads(each))  # checks every bound again
        assert not re.search(r"evil|fixed|display|Courier", each.decode())
        assert told.text in ("words", "")


def test_a_picture_elsewhere_is_not_named(tmp_path: Path) -> None:
    data = slides(lambda deck: blank(deck).add_picture(picture(), 0, 0))

    def change(name: str, data: bytes) -> bytes:
        if name == "ppt/slides/_rels/slide1.xml.rels":
            return re.sub(rb'Target="[^"]*\.png"', b'Target="http://evil.example/x.png" TargetMode="External"', data)
        return data

    path = tmp_path / "deck.pptx"
    path.write_bytes(repacked(data, change))
    (told,) = draw_slides(Source(path, "deck.pptx"))
    assert b"evil" not in told
    slide = ReadSlide.model_validate_json(told)
    assert slide.drawing is None or not any(each.picture for each in slide.drawing.shapes)


def test_a_damaged_deck_is_refused_and_another_format_has_no_drawing(tmp_path: Path) -> None:
    path = tmp_path / "deck.pptx"
    path.write_bytes(repacked(slides(), lambda name, data: b"<" if name == "ppt/presentation.xml" else data))
    with pytest.raises(Unreadable):
        list(draw_slides(Source(path, "deck.pptx")))
