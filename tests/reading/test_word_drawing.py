"""Word documents as they look: every run stands where its words are in the text, and a flaw leaves them as text."""

import io
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_COLOR_INDEX
from docx.shared import Inches, Pt, RGBColor
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from tests.files import read_bytes, repacked, word
from tests.thorough import scale_examples

from pincite.errors import Unreadable
from pincite.reading.drawing import PART_HEAD, DrawnBlock, ReadStretch, list_block_runs
from pincite.reading.source import Source
from pincite.reading.word_drawing import draw_word

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_CHARACTERS = st.characters(exclude_categories=("Cs", "Cc", "Cn"), exclude_characters="\ufffe\uffff")
_RUNS = st.lists(st.text(st.one_of(_CHARACTERS, st.sampled_from(" -\t\n\u00a0\u202e🦦")), max_size=12), max_size=4)
_STYLES = st.sampled_from(["Normal", "Heading 2", "List Bullet", "List Number", "Quote"])


def drawn(folder: Path, data: bytes) -> tuple[str, list[DrawnBlock]]:
    """The text that the reader reads and the blocks that are drawn; the parts cover the text."""
    path = folder / "a.docx"
    path.write_bytes(data)
    text = read_bytes(folder, "a.docx", data).text
    blocks, end = [], 0
    for part in draw_word(Source(path, "a.docx")):
        first, last = PART_HEAD.unpack_from(part)
        stretch = ReadStretch.model_validate_json(part[PART_HEAD.size :])
        assert (first, stretch.start, stretch.text) == (end, end, text[first:last])
        blocks += stretch.blocks
        end = last
    return text, blocks


def words(text: str, block: DrawnBlock) -> list[str]:
    return [text[run.start : run.end] for run in list_block_runs(block)]


def _bare(text: str) -> str:
    return "".join(char for char in text if not char.isspace() and char not in "\u202d\u202e\u200b")


@settings(max_examples=scale_examples(60), deadline=None)
@given(
    paragraphs=st.lists(st.tuples(_RUNS, _STYLES), max_size=6),
    cells=st.lists(st.tuples(_RUNS, _RUNS), max_size=3),
)
def test_every_word_of_a_document_is_drawn_once_and_its_range_has_its_characters(
    tmp_path_factory: pytest.TempPathFactory, paragraphs: Any, cells: Any
) -> None:
    written: list[str] = []

    def build(document: Any) -> None:
        for runs, style in paragraphs:
            paragraph = document.add_paragraph(style=style)
            for at, each in enumerate(runs):
                paragraph.add_run(each).bold = at % 2 == 1  # so that two of them are not joined
        if cells:
            table = document.add_table(len(cells), 2)
            for row, both in enumerate(cells):
                for column, runs in enumerate(both):
                    for at, each in enumerate(runs):
                        table.cell(row, column).paragraphs[0].add_run(each).bold = at % 2 == 1
        written.extend(str(each.text or "") for each in document.element.body.iter(f"{W}t"))

    text, blocks = drawn(tmp_path_factory.mktemp("word"), word(build))
    ranges = [(run.start or 0, run.end or 0) for block in blocks for run in list_block_runs(block)]
    assert all(start < end for start, end in ranges)
    assert all(before[1] <= after[0] for before, after in pairwise(ranges))
    labels = {
        (block.paragraph.label.start or 0)
        for block in blocks
        if block.paragraph is not None and block.paragraph.label is not None
    }
    found = "".join(_bare(text[start:end]) for start, end in ranges if start not in labels)
    assert found == "".join(map(_bare, written))
    kept = {char for at, char in enumerate(text) if not any(start <= at < end for start, end in ranges)}
    assert kept <= {"-", "\u200b", *filter(str.isspace, text)}


def test_runs_paragraphs_lists_and_tables_have_their_look(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        document.add_heading("Otters", 1)
        paragraph = document.add_paragraph("plain ")
        paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
        run = paragraph.add_run("loud")
        run.bold, run.italic, run.underline, run.font.size = True, True, True, Pt(20)
        run.font.color.rgb, run.font.name = RGBColor(0x12, 0x34, 0x56), "Georgia"
        run.font.highlight_color, run.font.superscript = WD_COLOR_INDEX.YELLOW, True
        document.add_paragraph("first", style="List Number")
        document.add_paragraph("second", style="List Number")
        document.add_paragraph("any", style="List Bullet")
        table = document.add_table(4, 3, style="Table Grid")
        for place in range(12):
            table.cell(place // 3, place % 3).text = f"c{place}"
        table.cell(0, 0).merge(table.cell(0, 1))
        table.cell(1, 2).merge(table.cell(2, 2))
        table.cell(2, 0).merge(table.cell(3, 0))

    text, (title, paragraph, first, second, any_, table) = drawn(tmp_path, word(build))
    assert (title.level, words(text, title)) == (1, ["Otters"])
    assert paragraph.paragraph
    run = paragraph.paragraph.runs[1]
    assert paragraph.paragraph.align == "right"
    assert (run.bold, run.italic, run.underline, run.size, run.shift) == (True, True, True, 20, 1)
    assert (run.colour, run.ground, run.font) == ("#123456", "#ffff00", "serif")
    assert [words(text, each) for each in (first, second, any_)] == [["1.", "first"], ["2.", "second"], ["any"]]
    assert first.paragraph
    assert any_.paragraph
    assert (first.paragraph.margin, first.paragraph.indent, first.paragraph.after) == (18, -18, 0)
    assert any_.paragraph.bullet == "•"
    assert table.table
    assert [[(cell.columns, cell.rows) for cell in row] for row in table.table.rows] == [
        [(2, 1), (1, 1)],
        [(1, 1), (1, 1), (1, 2)],
        [(1, 2), (1, 1)],
        [(1, 1), (1, 1)],
    ]
    assert words(text, table) == ["c0", "c1", "c2", "c3", "c4", "c5", "c8", "c6", "c9", "c7", "c10", "c11"]
    assert table.table.line == "#808080"


def test_pictures_are_in_their_place_and_one_elsewhere_is_not_named(tmp_path: Path) -> None:
    shot = io.BytesIO()
    Image.new("RGB", (8, 4), "red").save(shot, "PNG")

    def build(document: Any) -> None:
        document.add_paragraph("before")
        document.add_picture(shot, Inches(2))
        document.add_paragraph("after")

    data = word(build)
    text, (before, picture, after) = drawn(tmp_path, data)
    assert (words(text, before), words(text, after)) == (["before"], ["after"])
    assert before.end <= picture.start <= after.start
    assert picture.paragraph
    assert [(each.width, each.height) for each in picture.paragraph.figures] == [(144, 72)]

    def change(name: str, member: bytes) -> bytes:
        if name == "word/_rels/document.xml.rels":
            return re.sub(rb'Target="media[^"]*"', b'Target="http://evil.example/x.png" TargetMode="External"', member)
        return member

    assert len(drawn(tmp_path, repacked(data, change))[1]) == 2


def test_a_white_word_without_a_known_ground_is_not_drawn_white(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        table = document.add_table(1, 2)
        for cell in table.rows[0].cells:
            run = cell.paragraphs[0].add_run("white")
            run.font.color.rgb = RGBColor(255, 255, 255)

    _, (table,) = drawn(tmp_path, word(build))
    assert [run.colour for run in list_block_runs(table)] == [None, None]


@pytest.mark.slow
def test_a_long_document_comes_in_parts_and_a_list_is_in_one(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        for at in range(300):
            document.add_paragraph(f"{at} " + "words " * 40)
        for at in range(300):
            document.add_paragraph(f"item {at} " + "words " * 40, style="List Bullet")

    path = tmp_path / "a.docx"
    path.write_bytes(word(build))
    parts = [ReadStretch.model_validate_json(each[PART_HEAD.size :]) for each in draw_word(Source(path, "a.docx"))]
    assert len(parts) > 3
    assert len(parts[-1].blocks) >= 300
    assert drawn(tmp_path, path.read_bytes())[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'w:val="40"', b'w:val="1e999"'),
        (b'w:val="123456"', b'w:val="red;background:url(//evil)"'),
        (b'w:left="720"', b'w:left="99999999999999999"'),
        (b'w:val="right"', b'w:val="x;position:fixed"'),
        (b'w:ascii="Georgia"', b'w:ascii="x;}body{display:none"'),
    ],
)
def test_no_value_of_a_file_leaves_its_bounds(tmp_path: Path, old: bytes, new: bytes) -> None:
    def build(document: Any) -> None:
        paragraph = document.add_paragraph()
        paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
        paragraph.paragraph_format.left_indent = Inches(0.5)
        run = paragraph.add_run("words")
        run.font.size, run.font.name, run.font.color.rgb = Pt(20), "Georgia", RGBColor(0x12, 0x34, 0x56)

    changed = []

    def change(name: str, data: bytes) -> bytes:
        if name == "word/document.xml":
            changed.append(old in data)
            return data.replace(old, new)
        return data

    path = tmp_path / "a.docx"
    path.write_bytes(repacked(word(build), change))
    assert changed == [True]
    for part in draw_word(Source(path, "a.docx")):
        ReadStretch.model_validate_json(part[PART_HEAD.size :])
        assert not re.search(rb"evil|fixed|display|Georgia", part)


def test_a_damaged_document_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(repacked(word(), lambda name, data: b"<" if name == "word/document.xml" else data))
    with pytest.raises(Unreadable):
        list(draw_word(Source(path, "a.docx")))
