"""A sentence that a page's end or a column's end breaks is one sentence of the document's text."""

from pathlib import Path

from fpdf import FPDF
from tests import pdfs

from pincite.locate.boxes import find_page_boxes
from pincite.passages import split_passages
from pincite.reading import Source, read
from pincite.text.display import put_on_one_line
from pincite.text.sentences import split_sentences
from pincite.types import Document

_BEFORE = (
    "The airline had flown the same aircraft for many years and its crews knew the route well. On the last morning of "
    "October the crew left the gate in good weather, and the aircraft took off on time from Soekarno-"
)
_AFTER = (
    "Hatta International Airport towards the islands, where it was lost with 189 fatalities. The search for the "
    "recorders began on the same day and went on for several weeks in shallow water near the coast."
)
_WHOLE = (
    "On the last morning of October the crew left the gate in good weather, and the aircraft took off on time from "
    "Soekarno-Hatta International Airport towards the islands, where it was lost with 189 fatalities."
)


def _told(document: Document) -> list[str]:
    return [put_on_one_line(document.text[start:end]) for start, end in split_sentences(document.text)]


def _pages(path: Path, halves: list[tuple[str, str]]) -> Document:
    """Pages with a running head, these words at the top and at the bottom, and a page number at the foot."""

    def draw(pdf: FPDF) -> None:
        for number, (top, bottom) in enumerate(halves, 1):
            pdf.add_page()
            pdf.set_xy(60, 20)
            pdf.cell(0, 12, "Annual report of the safety board")
            pdfs.paragraph(pdf, top, y=60)
            pdfs.paragraph(pdf, bottom, y=600)
            pdf.set_xy(290, 815)
            pdf.cell(20, 12, str(number))

    return read(Source(pdfs.make(path / "report.pdf", draw), "report.pdf"))


def test_a_sentence_goes_on_over_a_page_break_without_head_and_foot(tmp_path: Path) -> None:
    document = _pages(tmp_path, [(pdfs.WORDS_EN, _BEFORE), (_AFTER, pdfs.WORDS_EN), (pdfs.WORDS_FR, pdfs.WORDS_EN)])
    assert _WHOLE in _told(document)
    start = document.text.index("On the\nlast morning")
    end = document.text.index("189 fatalities.") + len("189 fatalities.")
    assert "safety board" not in document.text[start:end]
    # Nothing is lost, and every character is still where its page shows it.
    assert document.text.count("safety board") == 3
    for page in document.pages[:2]:
        words = document.text[page.start : page.end]
        placed = find_page_boxes(page, words, [(max(start, page.start), min(end, page.end))])
        assert placed
        assert all((rect[1] > 590) == (page.number == 1) for rect in placed.rects)
        head = document.text.index("Annual report", page.start)
        above = find_page_boxes(page, words, [(head, head + 13)])
        assert above
        assert all(rect[3] < 40 for rect in above.rects)


def test_a_passage_never_cuts_the_sentence_over_the_page_break(tmp_path: Path) -> None:
    document = _pages(tmp_path, [(pdfs.WORDS_EN, _BEFORE), (_AFTER, pdfs.WORDS_EN), (pdfs.WORDS_FR, pdfs.WORDS_EN)])
    for size in (500, 900):
        told = [put_on_one_line(document.text[each.start : each.end]) for each in split_passages(document, size, 0)]
        assert any(_WHOLE in each for each in told)


def test_a_word_broken_by_the_page_end_is_whole(tmp_path: Path) -> None:
    first = "Visitors may see the old maps of the town, which are the best part of the whole museum and of its col-"
    document = _pages(tmp_path, [(pdfs.WORDS_EN, first), ("lection of early prints.", "End."), ("More.", "End.")])
    assert "of its collection of early prints." in " ".join(_told(document))


def test_a_finished_paragraph_and_a_new_one_stay_apart(tmp_path: Path) -> None:
    document = _pages(tmp_path, [(pdfs.WORDS_EN, pdfs.WORDS_EN), (pdfs.WORDS_FR, "Fin."), ("Encore.", "Fin.")])
    assert any(each.endswith("meet again in spring.") for each in _told(document))
    assert not any("spring. Le conseil" in each for each in _told(document))
    assert len([block for block in document.blocks if block.kind == "paragraph"]) == 6


def test_a_sentence_goes_on_in_the_next_column_under_a_figure(tmp_path: Path) -> None:
    filler = " ".join(f"Plain sentence number {i} is here to fill the column of the page." for i in range(14))

    first = "The first half of this sentence stands at the foot of the column and is not yet quite completely"
    second = "understood when the second half follows in the next one."

    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        pdfs.paragraph(pdf, f"{filler} {first}", 60, 60, 225)
        pdf.set_font("Helvetica", size=8)
        for row, words in enumerate(("Client", "Master server", "100", "Chunk data")):
            pdf.set_xy(330 + 40 * (row % 2), 60 + 30 * row)
            pdf.cell(60, 10, words)
        pdf.set_xy(330, 190)
        pdf.cell(150, 10, "Figure 1: A drawing of it")
        pdf.set_font("Helvetica", size=11)
        pdfs.paragraph(pdf, f"{second} {filler}", 310, 230, 225)

    document = read(Source(pdfs.make(tmp_path / "paper.pdf", draw), "paper.pdf"))
    assert f"{first} {second}" in _told(document)


def test_words_in_a_drawing_are_told_from_sentences(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        pdfs.paragraph(pdf, pdfs.WORDS_EN, y=60)
        pdf.set_font("Helvetica", size=8)
        for row, words in enumerate(("90000", "Throughput", "3 servers", "0\t20\t40")):
            for column, word in enumerate(words.split("\t")):
                pdf.set_xy(100 + 80 * column, 200 + 25 * row)
                pdf.cell(60, 10, word)
        pdf.set_xy(100, 310)
        pdf.cell(200, 10, "Figure 2: Throughput of the service.")
        pdf.set_font("Helvetica", size=11)
        pdfs.paragraph(pdf, pdfs.WORDS_FR, y=350)

    document = read(Source(pdfs.make(tmp_path / "figure.pdf", draw), "figure.pdf"))
    labels = " ".join(document.text[b.start : b.end] for b in document.blocks if b.kind == "figure")
    assert set(labels.split()) == {"90000", "Throughput", "3", "servers", "0", "20", "40"}
