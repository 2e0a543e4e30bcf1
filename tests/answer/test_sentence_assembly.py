"""An answer put together: each sentence with its own marks, shown before it is said, in whatever pieces it comes."""

from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.sentence_assembly import CompleteSentence, SentenceAssembler, VisibleText
from pincite.text.marker_parser import CitationMark, MarkerParser, TextItem
from tests.text.test_citation_marks import answers


def assembled(text: str, size: int = 1) -> list[VisibleText | CompleteSentence]:
    markers, assembly, found = MarkerParser(), SentenceAssembler(), list[VisibleText | CompleteSentence]()
    pieces = [markers.feed(text[first : first + size]) for first in range(0, len(text), size)]
    for item in (item for piece in [*pieces, markers.end()] for item in piece):
        if isinstance(item, TextItem | CitationMark):
            found += assembly.feed(item)
    return [*found, *assembly.end()]


def said(text: str, size: int = 1) -> list[tuple[str, tuple[tuple[int, int | None], ...]]]:
    return [(each.text, each.cited) for each in assembled(text, size) if isinstance(each, CompleteSentence)]


def test_a_mark_belongs_to_its_sentence_before_or_after_the_stop() -> None:
    expected = [("It is high.", ((1, 2),)), ("It is old.", ((2, None), (3, None))), ("It leaks.", ())]
    assert said("It is high [1.2]. It is old. [2][3] It leaks.") == expected


def test_a_mark_that_begins_a_line_belongs_to_what_follows() -> None:
    assert said("[1] It is high.\n[2] It is old.") == [("It is high.", ((1, None),)), ("It is old.", ((2, None),))]


def test_a_mark_after_an_abbreviation_ends_the_sentence() -> None:
    assert said("It belongs to Dupont & Co. [1] The dam leaks.")[0] == ("It belongs to Dupont & Co.", ((1, None),))


def test_items_of_a_list_are_sentences() -> None:
    text = "Needed:\n- a passport [1]\n- a photo [2.1]\n\nThat is all."
    assert [each for each, _ in said(text)] == ["Needed:", "- a passport", "- a photo", "That is all."]
    assert said(text)[1:3] == [("- a passport", ((1, None),)), ("- a photo", ((2, 1),))]


def test_french_sentences_are_whole() -> None:
    text = "M. Dupont a payé 1 234,5 € le 3 mars [1]. « C’est fini ! » dit-il [2]."
    assert [each for each, _ in said(text)] == ["M. Dupont a payé 1 234,5 € le 3 mars.", "« C’est fini ! » dit-il."]


@given(answers, st.integers(1, 9))
def test_the_text_shown_equals_the_text_said_and_is_never_ahead(text: str, size: int) -> None:
    shown = complete = ""
    for each in assembled(text, size):
        if isinstance(each, VisibleText):
            shown += each.text
        else:
            complete += each.lead + each.text
            assert shown == complete
    assert shown == complete


@given(answers)
def test_every_mark_before_some_words_belongs_to_one_sentence(text: str) -> None:
    markers = MarkerParser()
    items = [item for item in [*markers.feed(text), *markers.end()] if isinstance(item, TextItem | CitationMark)]
    marks = {cited for item in items if isinstance(item, CitationMark) for cited in item.cited}
    found = said(text)
    if found:
        assert {cited for _, each in found for cited in each} <= marks
