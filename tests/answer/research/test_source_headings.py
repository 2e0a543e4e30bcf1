"""The sections of a report are the headings whose text has most of the question's words."""

from pincite.answer.research.source_headings import find_aspects
from pincite.library.document_structure import OutlineHeading
from pincite.types import Hit, Span

REPORT = {
    "Statement of the chair": "Tarnwick Foods sold more than in any other year, and Tarnwick Foods thanks its staff.",
    "Principal risks": "The board sees four risks: prices, customers, attacks from outside and a lack of engineers.",
    "Financing": "The financing was extended to 2029, and the debt of the company fell by a tenth over the year.",
    "Sustainability": "Emissions of the plants fell by nine percent, and a fifth less of the food was thrown away.",
}


def test_a_heading_counts_by_the_words_that_the_title_does_not_have() -> None:
    text, headings = "", []
    for title, words in REPORT.items():
        headings.append(OutlineHeading(title=title, level=2, start=len(text), page=0))
        text += f"{title}\n\n{words}\n\n"
    hit = Hit(Span("d", 0, len(text)), "Tarnwick Foods", "markdown", text, 0.9)
    found = find_aspects("What are the financial risks of Tarnwick Foods?", [hit], {"d": headings})
    assert [aspect.heading for aspect in found] == ["Principal risks", "Financing"]
