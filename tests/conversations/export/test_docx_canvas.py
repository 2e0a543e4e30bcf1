"""A Word document numbers its footnotes as a reader counts them, however often one is referred to."""

import io
import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import docx

from pincite.conversations.export.docx_canvas import DocxCanvas
from pincite.conversations.export.text_canvas import TextRun
from pincite.reading import read
from pincite.reading.source import Source


def _mark(note: int) -> TextRun:
    return TextRun(str(note), raised=True, link=note)


def _export(*paragraphs: list[TextRun], notes: int) -> tuple[str, bytes]:
    canvas = DocxCanvas("Notes", "en", datetime(2026, 5, 1, tzinfo=UTC))
    places = [canvas.place() for _ in range(notes)]
    for runs in paragraphs:
        canvas.paragraph(runs)
    for place in places:
        canvas.here(place)
        canvas.paragraph([TextRun(f"source {place}")])
    content = canvas.make_bytes()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.read("word/document.xml").decode(), content


def test_a_footnote_that_is_cited_again_keeps_its_number() -> None:
    body, content = _export(
        [TextRun("Rain."), _mark(2)], [TextRun("Snow."), _mark(1)], [TextRun("Rain again."), _mark(2)], notes=2
    )
    assert re.findall(r'<w:footnoteReference w:id="(\d)"/>', body) == ["2", "1"]
    again = re.findall(r'<w:fldSimple w:instr=" NOTEREF (\w+) [^"]*">.*?<w:t>(\d+)</w:t>', body)
    assert again == [("_RefNote2", "1")]
    assert body.count('w:name="_RefNote2"') == 1
    assert docx.Document(io.BytesIO(content)).paragraphs[0].text == "Rain."


def test_a_repeated_mark_is_read_as_a_mark_and_not_as_a_digit_of_the_text(tmp_path: Path) -> None:
    _, content = _export([TextRun("The rent is 40"), _mark(1), TextRun(" euros; 40"), _mark(1), TextRun(".")], notes=1)
    (tmp_path / "notes.docx").write_bytes(content)
    assert "The rent is 40[1] euros; 40[1]." in read(Source(tmp_path / "notes.docx", "notes.docx")).text


def test_each_bookmark_of_a_footnote_begins_and_ends_once() -> None:
    body, _ = _export([TextRun("A"), _mark(1), _mark(2), _mark(3), _mark(1), _mark(3)], notes=3)
    begun = re.findall(r'<w:bookmarkStart w:id="(\d)"', body)
    assert begun == re.findall(r'<w:bookmarkEnd w:id="(\d)"', body) == ["1", "2", "3"]
