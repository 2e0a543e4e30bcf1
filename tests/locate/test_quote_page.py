from hypothesis import given
from hypothesis import strategies as st

from pincite.events import Boxes, Citation, Sentence
from pincite.locate.quote_page import CitationPage, render_citation_page


def citation(title: str = "The dam", boxes: list[Boxes] | None = None) -> Citation:
    return Citation(
        n=1,
        evidence=1,
        document="abc",
        title=title,
        kind="pdf" if boxes else "markdown",
        url=None,
        page=boxes[0].page if boxes else None,
        quote="33 m",
        start=10,
        end=14,
        score=1,
        boxes=boxes or [],
    )


def quoted(title: str = "The dam", boxes: list[Boxes] | None = None, **given: object) -> CitationPage:
    said = Sentence(text="It is high.", citations=[1], support="partial", reasons=["high is not in the source"])
    values = {"before": "It is ", "quote": "33 m", "after": " high."} | given
    return CitationPage(citation=citation(title, boxes), sentences=[said], **values)  # type: ignore[arg-type]


TWO = [
    Boxes(page=3, width=100, height=200, rects=[(10, 180, 90, 190)]),
    Boxes(page=4, width=100, height=200, rects=[(10, 10, 50, 20), (10, 22, 30, 32)]),
]


def test_without_pages_the_text_stands_with_the_quote_marked_where_the_page_opens() -> None:
    made = render_citation_page(quoted())
    assert 'It is <mark id="quote">33 m</mark> high.' in made
    assert "<svg" not in made


def test_a_quote_over_two_pages_is_marked_on_both_and_the_page_opens_at_the_first() -> None:
    made = render_citation_page(quoted(boxes=TWO, pictures={3: b"png", 4: b"png"}))
    assert made.count("<image ") == 2
    assert made.count('class="quote"') == 3
    assert made.count('id="quote"') == 1
    assert made.index('id="quote"') < made.index('y="10"')
    assert "Page 3 and 4" in made


def test_a_page_that_could_not_be_drawn_is_said_and_the_words_stand_there() -> None:
    made = render_citation_page(quoted(boxes=TWO, missing=["There is no picture of page 3: it needs a password."]))
    assert "it needs a password" in made
    assert '<mark id="quote">33 m</mark>' in made


def test_sentences_that_rest_on_the_quote_are_told_with_their_verdict() -> None:
    made = render_citation_page(quoted())
    assert "◐ partial" in made
    assert "high is not in the source" in made


@given(st.text(), st.text(), st.text())
def test_no_words_of_a_document_become_markup(title: str, before: str, quote: str) -> None:
    hostile = "<script>alert(1)</script>"
    made = render_citation_page(quoted(title + hostile, before=before + hostile, quote=quote + hostile, after=hostile))
    assert "<script" not in made
    assert made.count("<mark") == 1
