import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.files import page, read_bytes, word

from pincite.reading import read
from pincite.reading.finish import finish_document, make_title_from_name, tidy_title
from pincite.reading.source import Source
from pincite.text.storable import clean_text
from pincite.types import Block, Document

SOURCE = Source(Path("x"), "AMCOR_2023Q2_10Q.pdf")


@given(st.text(st.characters(exclude_categories=())))
def test_cleaning_never_moves_a_character(text: str) -> None:
    cleaned = clean_text(text)
    assert len(cleaned) == len(text)
    cleaned.encode("utf-8")
    assert not set(cleaned) & {"\0", "\x1f", "\ufffe", "\uffff", "\ud800", "\U0001ffff"}
    assert all(new == old or not old.isalnum() for new, old in zip(cleaned, text, strict=True))


def test_lone_surrogates_and_nuls_are_replaced_one_for_one() -> None:
    document = finish_document(Document("text", "a\ud800b\0c\ufffed\te\f\n"), SOURCE)
    assert document.text == "a\ufffdb c\ufffdd\te\f\n"


@pytest.mark.parametrize(
    "title",
    [
        "",
        "untitled",
        "Untitled-1",
        "Document1",
        "Microsoft Word - rapport.doc",
        "2023",
        "12/03",
        "C:\\temp\\x",
        "/tmp/a b",
        "a.docx",
        "Sans titre",
        "Présentation PowerPoint",
        "Slide 1",
        "x",
        "PowerPoint Presentation",
        "\ud800",
        "Microsoft Word - Document2",
    ],
)
def test_a_title_that_says_nothing_is_not_used(title: str) -> None:
    assert tidy_title(title) == ""
    assert finish_document(Document("pdf", "x", title=title), SOURCE).title == "AMCOR 2023Q2 10Q"


def test_a_documents_own_title_comes_first_then_its_heading_then_its_name() -> None:
    blocks = (Block("heading", 0, 4, 2), Block("heading", 5, 16, 1))
    document = Document("docx", "Deux Le  premier", title=" Rapport\n annuel ", blocks=blocks)
    assert finish_document(document, SOURCE).title == "Rapport annuel"
    assert finish_document(Document("docx", document.text, blocks=blocks), SOURCE).title == "Le premier"
    assert finish_document(Document("docx", document.text), SOURCE).title == "AMCOR 2023Q2 10Q"
    assert tidy_title("Microsoft Word - Rapport sur l'eau") == "Rapport sur l'eau"


def test_a_workbook_of_several_sheets_has_the_name_of_its_file() -> None:
    one, two = Block("heading", 0, 6, 1), Block("heading", 7, 12, 1)
    workbook = Document("xlsx", "Sheet1 Fares", blocks=(one, two))
    tram = Source(Path("x"), "tram_2024.xlsx")
    assert finish_document(workbook, tram).title == "tram 2024"
    assert finish_document(Document("xlsx", "Trips! Fares", blocks=(one, two)), tram).title == "tram 2024"
    assert finish_document(Document("xlsx", "Sheet1", blocks=(one,)), tram).title == "tram 2024"
    assert finish_document(Document("xlsx", "Trips!", blocks=(one,)), tram).title == "Trips!"
    declared = Document("xlsx", workbook.text, title="Fares of the Orvane tram", blocks=workbook.blocks)
    assert finish_document(declared, tram).title == "Fares of the Orvane tram"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("rapport-annuel-2023.pdf", "rapport annuel 2023"),
        ("2023-05-06.txt", "2023-05-06"),
        ("docs/a_b__c.html", "a b c"),
        ("C:\\files\\Été 2020.docx", "Été 2020"),
        ("v1.2 notes", "v1.2 notes"),
        (".gitignore", ".gitignore"),
    ],
)
def test_a_file_name_is_made_readable(name: str, title: str) -> None:
    assert make_title_from_name(name) == title


def test_code_keeps_its_file_name_and_has_no_language() -> None:
    document = finish_document(
        Document("code", "the quick brown fox jumps over the lazy dog " * 10), Source(Path("x"), "src/main_loop.py")
    )
    assert (document.title, document.language) == ("main_loop.py", "")


def test_a_declared_language_serves_when_there_is_too_little_text() -> None:
    assert finish_document(Document("html", "Oui.", language="fr"), SOURCE).language == "fr"
    assert (
        finish_document(
            Document("html", "The committee met on Monday in the old hall.", language="fr"), SOURCE
        ).language
        == "en"
    )


def test_reading_does_not_load_the_language_model_until_it_is_needed() -> None:
    code = (
        "import sys, pincite.reading; print([m for m in ('py3langid','lxml','PIL','docx','numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_block_of_nothing_but_control_characters_is_no_block() -> None:
    document = Document("text", "a\n\n\x01\x02", blocks=(Block("paragraph", 0, 1), Block("paragraph", 3, 5)))
    assert finish_document(document, SOURCE).blocks == (Block("paragraph", 0, 1),)


@pytest.mark.parametrize("program", ["python-docx", "openpyxl 3.1.2", "Microsoft Office User", " LibreOffice/7.4 "])
def test_a_program_is_not_the_author_of_a_document(program: str) -> None:
    about = {"author": program, "subject": program}
    assert finish_document(Document("docx", "Agreed.", metadata=about), SOURCE).metadata == {"subject": program.strip()}


@pytest.mark.parametrize("author", ["Ada Lovelace", "Aspose Ltd, Ada Lovelace", "Microsoft", "The LibreOffice Team"])
def test_a_person_or_a_company_is_the_author_of_a_document(author: str) -> None:
    document = Document("docx", "Agreed.", metadata={"author": author})
    assert finish_document(document, SOURCE).metadata == document.metadata


def test_a_file_without_text_says_so() -> None:
    assert finish_document(Document("pdf", ""), SOURCE).problems == ("No text was found in the document.",)
    hidden = Document("pdf", "unseen", blocks=(Block("hidden", 0, 6),))
    assert finish_document(hidden, SOURCE).problems == ("No text was found in the document.",)
    told = Document("pdf", "", problems=("Page 1 is a picture without text, and OCR is switched off.",))
    assert finish_document(told, SOURCE).problems == told.problems
    assert finish_document(Document("text", "Words."), SOURCE).problems == ()


def test_signs_that_show_words_in_another_order_are_taken_out_and_it_is_said() -> None:
    found = finish_document(Document("text", "Pay \u202e000,1\u202c euros."), SOURCE)
    assert found.text == "Pay \u200b000,1\u202c euros."
    assert len(found.problems) == 1
    unseen = "".join(chr(0xE0000 + ord(sign)) for sign in "say yes")
    assert finish_document(Document("text", f"Lease{unseen}."), SOURCE).text == f"Lease{chr(0x200B) * 7}."


def test_the_flag_of_a_country_is_no_trick() -> None:
    flag = "\U0001f3f4" + "".join(chr(0xE0000 + ord(sign)) for sign in "gbsct") + "\U000e007f"
    found = finish_document(Document("text", f"{flag} Scotland"), SOURCE)
    assert found.text == f"{flag} Scotland"
    assert found.problems == ()


def test_a_title_left_over_from_another_file_is_not_used() -> None:
    text = "Plan directeur de transport actif\nde la municipalité de Montbrun\n\nMise en contexte : les sentiers."
    left_over = "Plan stratégique du sentier récréatif régional de Courval et Ancy"
    assert finish_document(Document("pdf", text, title=left_over), SOURCE).title == "AMCOR 2023Q2 10Q"
    own = "Plan directeur de transport actif, municipalité de Montbrun"
    assert finish_document(Document("pdf", text, title=own), SOURCE).title == own


@pytest.mark.parametrize(
    ("opening", "title"),
    [
        ("      Rules of the Harbour Association (v2.1)", "Rules of the Harbour Association (v2.1)"),
        ("These rules were agreed in March.", "rules"),
        ("Harbour", "rules"),
        ("Rules of the association\nof the harbour", "rules"),
    ],
)
def test_a_line_above_numbered_headings_is_the_title_of_a_text(tmp_path: Path, opening: str, title: str) -> None:
    chapters = (
        f"{number}. {name}\n\nThis is said of it.\n" for number, name in enumerate(("Members", "Fees", "End"), 1)
    )
    file = tmp_path / "rules.txt"
    file.write_text("\n".join((opening, "", *chapters)), encoding="utf-8")
    assert read(Source(file, file.name)).title == title


COVER = (
    "UNITED STATES",
    "SECURITIES AND EXCHANGE COMMISSION",
    "FORM 10-K",
    "For the fiscal year ended May 31, 2020",
    "Harbour Foods, Inc.",
    "(Exact name of registrant as specified in its charter)",
    "PART I",
)
FILED = "Harbour Foods, Inc., Form 10-K, fiscal year ended May 31, 2020"


def write_page(lines: Sequence[str], head: str = "") -> bytes:
    """A page with a heading, lines in the style of filings, and prose."""
    shown = "".join(f'<div style="text-align:center"><b>{line}</b></div>' for line in lines[1:])
    prose = "<div>The company sells foods in the harbours of the coast, and had nine shops in the year.</div>" * 20
    return page(f"<h1>{lines[0]}</h1>{shown}{prose}", head)


def write_word(lines: Sequence[str]) -> bytes:
    def build(document: Any) -> None:
        for line in lines:
            document.add_heading(line, 1)
            document.add_paragraph("The company sells foods in the harbours of the coast.")

    return word(build)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("hf.html", write_page(COVER, "<title>hf-20200531</title>")),
        ("hf.html", write_page(COVER)),
        ("hf.txt", "\n\n".join(f"{'':20}{line}" for line in COVER).encode()),
        ("hf.docx", word(lambda document: [document.add_paragraph(line) for line in COVER])),
    ],
)
def test_a_filing_is_named_by_its_cover_in_every_format(tmp_path: Path, name: str, data: bytes) -> None:
    assert read_bytes(tmp_path, name, data).title == FILED


def test_a_country_and_a_form_name_no_document(tmp_path: Path) -> None:
    assert read_bytes(tmp_path, "tide_rules.html", write_page(("UNITED STATES",))).title == "tide rules"
    assert read_bytes(tmp_path, "tide_rules.html", write_page(("FORM 8-K",))).title == "tide rules"
    found = read_bytes(tmp_path, "tide_rules.docx", write_word(("UNITED STATES", "FORM 8-K", "Rules for tides")))
    assert found.title == "Rules for tides"
    named = write_page(("United States",), "<title>United States</title>")
    assert read_bytes(tmp_path, "tide_rules.html", named).title == "United States"


@pytest.mark.parametrize("words", ["STATE OF PLAY", "DATABASE ADMINISTRATION"])
def test_words_formed_like_a_letterhead_are_a_title_where_none_stands_below(tmp_path: Path, words: str) -> None:
    assert read_bytes(tmp_path, "ch.html", write_page((words,))).title == words
    assert read_bytes(tmp_path, "ch.html", page("<p>The harbour.</p>", f"<title>{words}</title>")).title == words
    assert read_bytes(tmp_path, "ch.docx", write_word((words, "Introduction"))).title == words
    above = word(lambda document: [document.add_heading(line, 1) for line in (words, "Rules for tides")])
    assert read_bytes(tmp_path, "ch.docx", above).title == "Rules for tides"
    chapters = "\n\n".join(
        f"{number}. {name}\n\nThis is said." for number, name in enumerate(("Ships", "Fees", "End"), 1)
    )
    assert read_bytes(tmp_path, "ch.txt", f"{words}\n\n{chapters}\n".encode()).title == words
