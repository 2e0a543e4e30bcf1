import io
import re
import zipfile
from typing import Any
from xml.etree import ElementTree

import docx
import pypdfium2
import pytest

from pincite.conversations.export.safe_markdown import is_harmless
from pincite.events import Citation, Sentence
from pincite.notebooks.export.exported_notebook import ExportedNotebook, read_notebook
from pincite.notebooks.export.notebook_export import NotebookFormat, export_html, export_markdown, export_notebook
from pincite.store import notebook_items, notebooks
from pincite.store.database import Database
from pincite.store.notebook_items import NewItem

OWNER = "ada"


def _cite(n: int, quote: str, **more: Any) -> dict[str, Any]:
    given = {"n": n, "evidence": 1, "document": "d", "title": "Lakes <b>", "kind": "pdf", "url": None, "page": 3}
    given |= {"quote": quote, "start": 9, "end": 38, "score": 1.0, "boxes": [], **more}
    return Citation.model_validate(given).model_dump(mode="json")


def _judge(text: str, *cited: int, **verdict: Any) -> dict[str, Any]:
    given = {"text": text, "citations": list(cited), "start": 0, "end": len(text), **verdict}
    return Sentence.model_validate(given).model_dump(mode="json")


@pytest.fixture
def notebook(either: Database) -> ExportedNotebook:
    """A notebook with one thing of each kind."""
    verified = _judge("Ness is deep.", 1, support="verified", basis="quote")
    doubted = _judge("It is warm.", support="unsupported")
    with either.writing() as connection:
        made = notebooks.create(connection, OWNER, "Deep | lakes")
        for item in (
            NewItem(
                "sentence",
                "Ness is deep. [1]",
                "Check the year.",
                "How deep?",
                proof={"sentences": [verified], "citations": [_cite(1, "Loch Ness is 230 m.")]},
            ),
            NewItem("sentence", "It is warm.", proof={"sentences": [doubted], "citations": []}),
            NewItem(
                "passage", "310 <i>metres</i>\nof water", proof={"citations": [_cite(1, "310 metres", label="iv")]}
            ),
            NewItem("text", "My **own** words: ![x](http://evil.example/x.png) <script>alert(1)</script>"),
            NewItem("answer", "- One [1]\n- Two [2]\n", proof={"citations": [_cite(1, "1"), _cite(2, "2")]}),
        ):
            notebook_items.add(connection, OWNER, made.id, item)
    return read_notebook(either, OWNER, made.id)


def test_markdown_has_a_footnote_for_each_pin_and_nothing_that_loads(notebook: ExportedNotebook) -> None:
    text = export_markdown(notebook)
    assert is_harmless(text)
    assert "Ness is deep.[^1-1]" in text.replace(" [^", "[^")
    assert "(not found in the sources)" in text
    assert "page 3: “Loch Ness is 230 m.” *(quoted)*" in text
    assert "page iv (page 3)" in text
    assert "> 310 &#60;i&#62;metres&#60;/i&#62;\n> of water[^3-1]" in text
    assert "Comment: Check the year." in text
    marks = {"[^1-1]", "[^3-1]", "[^5-1]", "[^5-2]"}
    assert all(text.count(mark) == 2 for mark in marks)  # in the text, and before the note
    assert "evil.example" not in text or "![" not in text


def test_a_page_numbers_the_footnotes_of_the_whole_notebook(notebook: ExportedNotebook) -> None:
    page = export_html(notebook, "fr")
    assert '<html lang="fr">' in page
    assert [f'id="note-{n}"' in page and f'href="#note-{n}"' in page for n in range(1, 5)] == [True] * 4
    assert "introuvable dans les sources" in page
    assert "<script>" not in page
    assert "<img" not in page
    assert "<i>metres" not in page


def test_a_word_document_has_real_footnotes(notebook: ExportedNotebook) -> None:
    content = export_notebook(notebook, "docx")
    assert isinstance(content, bytes)
    opened = docx.Document(io.BytesIO(content))
    texts = [paragraph.text for paragraph in opened.paragraphs]
    assert texts[0] == "Deep | lakes"
    assert "It is warm. (not found in the sources)" in texts
    assert any(text.startswith("My own words") for text in texts)
    assert opened.core_properties.title == "Deep | lakes"
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            ElementTree.fromstring(archive.read(name))
        body = archive.read("word/document.xml").decode()
        notes = archive.read("word/footnotes.xml").decode()
    assert [f'<w:footnoteReference w:id="{n}"/>' in body for n in range(1, 5)] == [True] * 4
    assert [notes.count(f'<w:footnote w:id="{n}">') for n in range(1, 5)] == [1] * 4
    assert "Lakes &lt;b&gt;, page 3" in notes
    assert "Loch Ness is 230 m." in notes


def test_a_pdf_has_all_words_and_notes(notebook: ExportedNotebook) -> None:
    content = export_notebook(notebook, "pdf")
    assert isinstance(content, bytes)
    pdf = pypdfium2.PdfDocument(content)
    text = " ".join(" ".join(page.get_textpage().get_text_range() for page in pdf).split())
    for words in ("Deep | lakes", "Ness is deep.", "not found in the sources", "310 <i>metres", "Check the year."):
        assert words in text
    assert "Loch Ness is 230 m." in text


def test_a_kept_table_has_its_head_in_every_format(either: Database) -> None:
    table = "| Port | 1990 |\n| --- | --- |\n| Oslo | 20 |"
    with either.writing() as connection:
        made = notebooks.create(connection, OWNER, "Ports")
        item = NewItem("passage", table, proof={"citations": [_cite(1, "Oslo\t20")]})
        notebook_items.add(connection, OWNER, made.id, item)
    found = read_notebook(either, OWNER, made.id)
    assert "| Port | 1990 |\n| --- | --- |\n| Oslo | 20[^1-1] |" in export_markdown(found).replace(" [^", "[^")
    page = export_html(found)
    assert "<th>Port</th>" in page
    assert 'href="#note-1"' in page
    word, pdf = export_notebook(found, "docx"), export_notebook(found, "pdf")
    assert isinstance(word, bytes)
    assert isinstance(pdf, bytes)
    (drawn,) = docx.Document(io.BytesIO(word)).tables
    assert "footnoteReference" in drawn.rows[1]._tr.xml
    assert [[cell.text for cell in row.cells] for row in drawn.rows] == [["Port", "1990"], ["Oslo", "20"]]
    assert "1990" in pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_range()


def test_a_word_that_a_line_end_of_a_source_broke_is_whole_in_every_format(either: Database) -> None:
    quote, answer = "a col\u00ad\nlection of well-\nknown herons", "It has a collection of well-known herons."
    judged = _judge(answer, 1, support="verified", basis="quote")
    items = (
        NewItem("answer", f"{answer} [1]", "", "What?", proof={"sentences": [judged], "citations": [_cite(1, quote)]}),
        NewItem("passage", quote, proof={"citations": [_cite(1, quote)]}),
    )
    with either.writing() as connection:
        made = notebooks.create(connection, OWNER, "Birds")
        for item in items:
            notebook_items.add(connection, OWNER, made.id, item)
    found = read_notebook(either, OWNER, made.id)
    word = export_notebook(found, "docx")
    assert isinstance(word, bytes)
    with zipfile.ZipFile(io.BytesIO(word)) as archive:
        parts = [archive.read(f"word/{name}.xml").decode() for name in ("document", "footnotes")]
    for text in (export_markdown(found), export_html(found), "".join(parts)):
        shown = " ".join(re.sub("<[^>]*>|>", " ", text).split())
        assert shown.count("a collection of well-known herons") == 3
        assert "lection" not in shown.replace("collection", "")


@pytest.mark.parametrize("format", ["md", "html", "pdf", "docx"])
def test_the_footnote_of_words_that_go_over_a_page_end_names_both_pages(
    either: Database, format: NotebookFormat
) -> None:
    boxes = [{"page": page, "width": 1, "height": 1, "rects": [[0, 0, 1, 1]]} for page in (3, 4)]
    with either.writing() as connection:
        made = notebooks.create(connection, OWNER, "Lakes")
        item = NewItem("passage", "Deep water.", proof={"citations": [_cite(1, "Deep water.", boxes=boxes)]})
        notebook_items.add(connection, OWNER, made.id, item)
    for language in ("en", "fr"):
        content = export_notebook(read_notebook(either, OWNER, made.id), format, language)
        if format == "docx":
            assert isinstance(content, bytes)
            content = zipfile.ZipFile(io.BytesIO(content)).read("word/footnotes.xml")
        if format == "pdf":
            content = pypdfium2.PdfDocument(content)[0].get_textpage().get_text_range()
        assert "pages 3–4" in (content.decode() if isinstance(content, bytes) else content)


def test_an_empty_notebook_and_one_with_hostile_characters_are_exported(either: Database) -> None:
    with either.writing() as connection:
        made = notebooks.create(connection, OWNER, "\ufffe\x0b Title")
    empty = made.id
    for words in ("", "\x01\x02 ]]> <w:t> &amp; \u200b" * 3):
        if words:
            with either.writing() as connection:
                notebook_items.add(connection, OWNER, empty, NewItem("text", words, words, words))
        found = read_notebook(either, OWNER, empty)
        for format in ("md", "html", "pdf", "docx"):
            assert export_notebook(found, format)
        with zipfile.ZipFile(io.BytesIO(export_notebook(found, "docx"))) as archive:  # type: ignore[arg-type]
            ElementTree.fromstring(archive.read("word/document.xml"))
