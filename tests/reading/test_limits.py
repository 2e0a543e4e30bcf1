"""A limit that is reached leaves a document that is ready with what was read, and says so."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import files, pdfs
from tests.hostile.messages import HEAD
from tests.hostile.office import paragraph, word
from tests.hostile.sheets import workbook

from pincite.passages import limit_passages, split_passages
from pincite.reading import read
from pincite.reading.document_draft import Draft
from pincite.reading.limits import DocumentLimits, enforce_limits, read_limits
from pincite.reading.source import Source
from pincite.settings import load_settings
from pincite.types import Block, Document, Page

FEW = DocumentLimits(characters=2000, passages=3, pages=3, blocks=10, attributes=1000)


def read_few(folder: Path, name: str, data: bytes, limits: DocumentLimits = FEW) -> Document:
    document = files.read_bytes(folder, name, data, limits=limits, ocr="")
    files.assert_sound(document)
    return document


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt", b"some words\n" * 1000),
        ("a.md", b"# Title\n\n" + b"some words\n" * 1000),
        ("a.py", b"some = words\n" * 1000),
        ("a.csv", b"a,b\n" + b"some,words\n" * 1000),
        ("a.json", b'["some", "words"]\n' * 1000),
        ("a.html", files.page("<p>" + "some words " * 1000 + "</p>")),
        ("a.eml", HEAD + b"Subject: a\n\n" + b"some words\n" * 1000),
        ("a.rtf", b"{\\rtf1 " + b"some words " * 1000 + b"}"),
        ("a.docx", word(paragraph("some words " * 1000))),
        ("a.odt", files.open_text(f"<text:p>{'some words ' * 1000}</text:p>")),
        ("a.ipynb", files.notebook([{"cell_type": "markdown", "source": "some words " * 1000}])),
        ("a.epub", files.book({"OEBPS/text/b.xhtml": f"<html><body><p>{'some words ' * 1000}</p></body></html>"})),
    ],
)
def test_a_long_document_is_read_up_to_its_limit_of_characters(tmp_path: Path, name: str, data: bytes) -> None:
    document = read_few(tmp_path, name, data, replace(FEW, blocks=500))
    assert 1000 < len(document.text) <= FEW.characters
    assert any("Read up to character 2,000" in problem for problem in document.problems), document.problems
    assert "reading.max_characters" in document.problems[-1]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt", b"words\n\n" * 50),
        ("a.md", b"words\n\n" * 50),
        ("a.html", files.page("<p>words</p>" * 50)),
        ("a.docx", word(paragraph("words") * 50)),
    ],
)
def test_a_document_of_many_blocks_is_read_up_to_its_limit(tmp_path: Path, name: str, data: bytes) -> None:
    document = read_few(tmp_path, name, data)
    assert len(document.blocks) == FEW.blocks
    assert document.text.count("words") == FEW.blocks
    assert any("Read up to block 10," in problem for problem in document.problems), document.problems


def test_a_document_of_many_pages_is_read_up_to_its_limit(tmp_path: Path) -> None:
    text = read_few(tmp_path, "a.txt", b"words\f" * 9 + b"words")
    assert (len(text.pages), text.text.count("words")) == (3, 3)
    assert text.problems == ("Read up to page 3 of 10, the limit reading.max_pages; the rest is left out.",)
    path = pdfs.simple(tmp_path / "a.pdf", pages=5)
    long = read(Source(path, "a.pdf", limits=replace(FEW, characters=100_000, blocks=1000)))
    assert len(long.pages) == 3
    assert "of page 3" in long.text
    assert "Read up to page 3 of 5, the limit reading.max_pages; the rest is left out." in long.problems


def test_markup_is_read_up_to_its_limit_of_tags_and_attributes(tmp_path: Path) -> None:
    limits = replace(FEW, characters=100_000, blocks=100_000)
    for name, data in (
        ("a.html", files.page("<p class='a'>words</p>" * 2000)),
        ("a.docx", word(paragraph("words") * 2000)),
        ("a.odt", files.open_text("<text:p text:style-name='a'>words</text:p>" * 2000)),
    ):
        document = read_few(tmp_path, name, data, limits)
        assert 50 < document.text.count("words") < 500, name
        assert any("1,000 tags and attributes" in problem for problem in document.problems), name


def test_a_document_of_many_passages_is_cut_behind_the_last_one() -> None:
    text = "A sentence of some words. " * 400
    document = Document("text", text, blocks=(Block("paragraph", 0, len(text)),))
    short = limit_passages(document, 300, 0, 3)
    assert len(split_passages(short, 300, 0)) == 3
    assert short.text == text[: len(short.text)]
    assert "3 passages" in short.problems[0]
    assert limit_passages(document, 300, 0, 1000) is document


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text, blocks, starts = "", [], [0]
    for piece in draw(st.lists(st.text(st.sampled_from("ab \n."), min_size=1, max_size=60), max_size=12)):
        if draw(st.booleans()):
            starts.append(len(text))
        if piece.strip():
            blocks.append(Block("paragraph", len(text), len(text) + len(piece)))
        text += piece
    ends = [*starts[1:], len(text)]
    pages = tuple(Page(i, a, b) for i, (a, b) in enumerate(zip(starts, ends, strict=True), 1))
    return Document("text", text, pages=draw(st.sampled_from([(), pages])), blocks=tuple(blocks))


@given(documents(), st.integers(1, 200), st.integers(1, 8), st.integers(1, 8))
def test_the_kept_part_is_sound_the_beginning_and_within_every_limit(
    document: Document, characters: int, pages: int, blocks: int
) -> None:
    limits = DocumentLimits(characters=characters, pages=pages, blocks=blocks)
    cut = enforce_limits(document, limits)
    files.assert_sound(cut)
    assert document.text.startswith(cut.text)
    assert (len(cut.text), len(cut.pages), len(cut.blocks)) <= (len(document.text), pages, len(document.blocks))
    assert len(cut.text) <= characters
    assert len(cut.pages) <= pages
    assert len(cut.blocks) <= blocks
    assert bool(cut.problems) == (cut.text != document.text or cut.pages != document.pages)


def test_a_draft_takes_no_more_than_it_may_and_says_so_once() -> None:
    draft = Draft(DocumentLimits(characters=30))
    for _ in range(5):
        draft.add("ten letters")
    assert draft.is_full
    document = draft.document("text")
    assert document.text == "ten letters\n\nten letters\n\nten"
    assert len(document.problems) == 1


def test_the_settings_have_the_same_limits_as_a_source_without_any(tmp_path: Path) -> None:
    assert read_limits(load_settings(data=tmp_path).reading) == DocumentLimits()


def test_parts_left_out_of_a_message_are_told(tmp_path: Path) -> None:
    long = read_few(tmp_path, "a.eml", HEAD + b"Subject: " + b"word " * 9000 + b"\n\nThe body.\n", DocumentLimits())
    assert "The body." in long.text
    assert any("headers are long" in problem for problem in long.problems)
    deep = read_few(
        tmp_path, "b.eml", HEAD + b"Content-Type: message/rfc822\n\nSubject: a\n" * 9 + b"\nword\n", DocumentLimits()
    )
    assert any("to a depth of 5" in problem for problem in deep.problems)


def test_a_page_nested_too_deeply_for_the_parser_keeps_its_words(tmp_path: Path) -> None:
    body = "<div>" * 400 + "the innermost &amp; words<script>no words</script>" + "</div>" * 400 + "<p>the last words"
    document = read_few(tmp_path, "a.html", files.page(body), DocumentLimits())
    assert "the innermost & words" in document.text
    assert "the last words" in document.text
    assert "no words" not in document.text
    assert any("nested too deeply" in problem for problem in document.problems)


def test_a_tag_of_many_attributes_keeps_its_words_and_is_told(tmp_path: Path) -> None:
    attributes = " ".join(f"a{place}=1" for place in range(5000))
    document = read_few(
        tmp_path, "a.html", files.page(f"<p {attributes}>the words</p><p>more words</p>"), DocumentLimits()
    )
    assert document.text.split("\n\n") == ["the words", "more words"]
    assert any("1,000 attributes" in problem for problem in document.problems)
    picture = f'<p><img src="data:image/png;base64,{"A" * 50_000}">the words</p>'
    assert read_few(tmp_path, "b.html", files.page(picture), DocumentLimits()).problems == ()


def test_words_that_many_cells_share_are_written_as_often_as_there_is_room(tmp_path: Path) -> None:
    rows = '<row><c t="s"><v>0</v></c><c><v>1</v></c></row>' * 3000
    document = read_few(tmp_path, "a.xlsx", workbook([rows], f"<si><t>{'word ' * 4000}</t></si>"), DocumentLimits())
    assert len(document.text) < 2_000_000
    assert any("same words fill many cells" in problem for problem in document.problems)
    wide = read_few(tmp_path, "b.xlsx", workbook([f"<row>{'<c><v>1</v></c>' * 1500}</row>" * 2]), DocumentLimits())
    assert any("1,500 columns: the first 1,000" in problem for problem in wide.problems)


def test_the_words_of_a_rich_row_with_too_many_cells_are_kept(tmp_path: Path) -> None:
    cells = b"".join(b"w%d\\cell " % place for place in range(600))
    document = read_few(tmp_path, "a.rtf", b"{\\rtf1\\trowd\\intbl " + cells + b"\\row}", DocumentLimits())
    assert document.text.count("\t") == 499
    assert "w598 w599" in document.text
    assert any("more than 500 cells" in problem for problem in document.problems)


def test_an_opendocument_cell_that_is_repeated_a_million_times_stays_short(tmp_path: Path) -> None:
    row = (
        '<table:table-row table:number-rows-repeated="1000000"><table:table-cell '
        f'table:number-columns-repeated="16384"><text:p>{"word " * 50}</text:p></table:table-cell></table:table-row>'
    )
    document = read_few(tmp_path, "a.odt", files.open_text(f"<table:table>{row * 2}</table:table>"), DocumentLimits())
    assert 250 < len(document.text) < 10_000


def test_json_does_not_grow_by_its_indentation(tmp_path: Path) -> None:
    data = b"[" * 20_000 + b"1" + b"]" * 20_000
    assert len(read_few(tmp_path, "a.json", data, DocumentLimits()).text) < 4 * len(data)
