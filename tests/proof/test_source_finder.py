"""Code finds the source of a sentence that cites none, where a few sentences of one have most of its words."""

from pincite.proof.source_finder import SourceFinder
from pincite.text.sentences import split_sentences
from pincite.types import Evidence, Span

REPORT = "Revenue rose 12 % in 2023. The board met on 3 March 2024 in Paris."
RAPPORT = "Les effectifs comptaient 4 500 personnes. Le dividende proposé est de 1,20 € par action."


def evidence(number: int, text: str, start: int = 100) -> Evidence:
    spans = tuple((start + a, start + b) for a, b in split_sentences(text))
    return Evidence(number, Span(f"d{number}", start, start + len(text)), "Report", "text", text, sentences=spans)


def find(sentence: str, *texts: str) -> tuple[int, str] | None:
    """The number of the source that is found among some texts, and its words."""
    sources = [evidence(number, text) for number, text in enumerate(texts, 1)]
    pin = SourceFinder().find(sentence, sources)
    return (pin.evidence, sources[pin.evidence - 1].quote(pin.span.start, pin.span.end)) if pin else None


def test_the_source_has_most_words_of_the_sentence_and_all_of_its_figures() -> None:
    assert find("The board proposes to pay 1,20 € for each share.", REPORT, RAPPORT) is None
    assert find("Le dividende proposé est de 1,30 € par action.", REPORT, RAPPORT) is None
    found = find("Le dividende est de 1,20 € pour une action.", REPORT, RAPPORT)
    assert found == (2, "Le dividende proposé est de 1,20 € par action.")


def test_words_that_stand_there_as_they_are_are_found_before_others() -> None:
    other = "The board met on 3 March 2024 in Paris, and dined."
    assert find("The board met on 3 March 2024 in Paris.", other, REPORT) == (
        2,
        "The board met on 3 March 2024 in Paris.",
    )


def test_small_words_and_a_single_other_find_nothing() -> None:
    source = "The dam was built in stone. It was opened by the mayor."
    assert find("It was the dam.", source) is None
    assert find("The mayor opened it.", source) == (1, "It was opened by the mayor.")


def test_the_source_with_most_of_a_sentence_is_found_before_one_with_less() -> None:
    less, more = (
        "The lake holds trout, perch, pike and carp.",
        "In summer the lake holds trout, perch, pike, carp and eels.",
    )
    assert find("Trout, perch, pike, carp and eels live in the lake.", less, more) == (2, more)


def test_words_of_far_sentences_do_not_make_a_source() -> None:
    scattered = "A mayor came. He saw stone. He spoke of dams. He left at noon. The opening was late. It rained."
    assert find("At noon the mayor saw the late opening of stone dams in the rain.", scattered) is None


def test_what_was_read_of_one_sentence_serves_the_next() -> None:
    finder, sources = SourceFinder(), [evidence(1, REPORT), evidence(2, RAPPORT)]
    for _ in range(2):
        for sentence, number in (("In 2023 revenue rose 12 %.", 1), ("Les effectifs comptaient 4 500 personnes.", 2)):
            pin = finder.find(sentence, sources)
            assert pin
            assert pin.evidence == number
