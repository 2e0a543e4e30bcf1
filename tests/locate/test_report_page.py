import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests import pdfs

from pincite.locate.concordance import build_concordance
from pincite.locate.locate import locate
from pincite.locate.location import LocatedBlock, Location
from pincite.locate.report_page import LocateTrial, list_report_pages, render_report
from pincite.reading import read
from pincite.reading.source import Source
from pincite.types import Document

WANTED = "Part 2 of page 1. The committee reviewed the annual budget"
ABSENT = "Penguins live in the southern hemisphere."


@pytest.fixture
def document(tmp_path: Path) -> Document:
    return read(Source(pdfs.simple(tmp_path / "a.pdf", pages=2), "a.pdf"))


def trial(document: Document, text: str) -> LocateTrial:
    location = locate(build_concordance(document), text)
    pictures = dict.fromkeys(list_report_pages(document, location), b"a picture")
    return LocateTrial("a <name>.pdf", text, document, location, ["Odd & true."], pictures, ["[PDF] a <step>"])


def test_a_found_passage_is_shown_on_its_page_with_every_line_lit_and_its_blocks_numbered(document: Document) -> None:
    made = trial(document, WANTED)
    page = render_report(made)
    assert "Found on page 1, line" in page
    assert page.count("<image ") == 1
    assert 'viewBox="0 0 595.28 841.89"' in page
    lit = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="1" class="lit"', page)
    assert len(lit) == 1
    assert all(0 < float(value) < 842 for rect in lit for value in rect)
    assert re.search(r"<circle [^>]*/><text [^>]*>1</text>", page)
    assert "1/1 (100.0 %)" in page


def test_the_report_is_text_and_loads_nothing_from_outside(document: Document) -> None:
    page = render_report(trial(document, WANTED))
    assert "a &lt;name&gt;.pdf" in page
    assert "<li>Odd &amp; true.</li>" in page
    assert "[PDF] a &lt;step&gt;" in page
    assert not re.search(r"<script|https?://|(?:src|href)=\"(?!data:)|url\(|@import", page)
    assert "default-src 'none'" in page


def test_a_passage_that_is_nowhere_has_no_page_to_show(document: Document) -> None:
    page = render_report(trial(document, ABSENT))
    assert "Not found" in page
    assert "<svg" not in page


def test_the_nearest_place_is_dashed_and_never_lit(document: Document) -> None:
    start = document.text.index("page 2.")
    nearest = ((start, start + 6),)
    blocks = (LocatedBlock("page 3", nearest, 0.8),)
    location = replace(Location((), 0.8, blocks), refusal="numbers", nearest=nearest)
    page = render_report(replace(trial(document, "page 3"), location=location, pictures={2: b"a picture"}))
    assert page.count('class="near"/>') == 1
    assert 'class="lit"' not in page.partition("</style>")[2]
    assert "the nearest place, which was refused" in page


def test_each_block_says_what_stands_there_and_why_it_counts_or_does_not(document: Document) -> None:
    start = document.text.index(WANTED)
    found = ((start, start + len(WANTED)),)
    blocks = (LocatedBlock(WANTED.replace("annual", "annuol"), found, 0.98), LocatedBlock(ABSENT, (), 0.0))
    page = render_report(replace(trial(document, WANTED), location=Location(found, 0.6, blocks, how="approximate")))
    table = page.partition("Block by block")[2]
    assert "the passage has “annuol” where the document has “annual”" in table
    assert "words are not on page 1" in table
    assert "0.980" in table


def test_a_document_without_pictures_shows_the_text_around(document: Document) -> None:
    plain = Document("text", "Before it <b>all</b>.\n" + WANTED + ". After it.")
    page = render_report(trial(plain, WANTED))
    assert "Line 2" in page
    assert f"&lt;b&gt;all&lt;/b&gt;.\n<mark>{WANTED}</mark>. After it." in page
    # Neither does a PDF whose page could not be drawn.
    page = render_report(replace(trial(document, WANTED), pictures={}))
    assert "<svg" not in page
    assert "<mark>Part 2 of page 1." in page
