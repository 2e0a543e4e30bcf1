"""A sentence is pinned to the smallest stretch that supports it, and to nothing that does not."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pincite.evidence.pin import pin
from pincite.evidence.sentences import sentences
from pincite.types import Evidence, Span

REPORT = (
    "Revenue rose 12 % to €1,234.5 million in 2023. Operating costs fell to €800 million. "
    "The board met on 3 March 2024 in Paris. The company had 4,500 employees at the end of the year."
)
RAPPORT = "Les effectifs comptaient 4 500 personnes. Le dividende proposé est de 1,20 € par action."


def evidence(number: int, text: str, start: int = 100) -> Evidence:
    spans = tuple((start + a, start + b) for a, b in sentences(text))
    return Evidence(number, Span(f"d{number}", start, start + len(text)), "Report", "text", text, sentences=spans)


ONE, TWO = evidence(1, REPORT), evidence(2, RAPPORT)


def quotes(sentence: str, *cited: tuple[Evidence, int | None]) -> list[str]:
    found = pin(sentence, cited, (ONE, TWO))
    by_number = {1: ONE, 2: TWO}
    return [by_number[each.evidence].quote(each.span.start, each.span.end) for each in found.pins]


def support(sentence: str, *cited: tuple[Evidence, int | None]) -> str:
    return pin(sentence, cited, (ONE, TWO)).verdict.support


@pytest.mark.parametrize("number", range(4))
def test_a_quoted_sentence_is_pinned_to_itself(number: int) -> None:
    sentence = ONE.sentence(number + 1)
    found = pin(sentence, [(ONE, None)])
    assert found.verdict.support == "verified"
    assert [(each.span.start, each.span.end) for each in found.pins] == [ONE.sentences[number]]


def test_a_paraphrase_is_pinned_to_the_one_sentence_that_says_it() -> None:
    assert quotes("The board met in Paris on 2024-03-03.", (ONE, None)) == ["The board met on 3 March 2024 in Paris."]
    assert support("The board met in Paris on 2024-03-03.", (ONE, None)) == "verified"


def test_the_wrong_sentence_number_does_not_lose_the_right_sentence() -> None:
    assert quotes("The board met on 3 March 2024 in Paris.", (ONE, 1)) == ["The board met on 3 March 2024 in Paris."]


def test_a_sentence_without_a_mark_is_pinned_where_a_source_clearly_supports_it() -> None:
    assert quotes("Le dividende proposé est de 1,20 € par action.") == [TWO.sentence(2)]


def test_a_sentence_that_cites_the_wrong_source_gets_the_right_one() -> None:
    found = pin("Operating costs fell to €800 million.", [(TWO, None)], (ONE, TWO))
    assert found.verdict.support == "verified"
    assert found.pins[0].evidence == 1


def test_a_sentence_that_no_source_speaks_of_has_no_pin() -> None:
    assert quotes("Penguins breed on the ice of Antarctica.", (ONE, None)) == []
    assert support("Penguins breed on the ice of Antarctica.", (ONE, None)) == "unsupported"


def test_a_contradicted_sentence_shows_what_the_source_says_instead() -> None:
    found = pin("Operating costs rose to €800 million.", [(ONE, 2)])
    assert found.verdict.support != "verified"
    assert found.verdict.reasons
    assert quotes("Operating costs rose to €800 million.", (ONE, 2)) == [ONE.sentence(2)]


def test_a_neighbour_does_not_lend_a_sentence_what_its_own_source_denies() -> None:
    source = evidence(1, "The Karun dam was built in 1976. The Karun dam holds 3 km³ of water and is 205 metres high.")
    found = pin("The Karun dam was built in 1975.", [(source, None)])
    assert found.verdict.support == "unsupported"
    assert [source.quote(each.span.start, each.span.end) for each in found.pins] == ["The Karun dam was built in 1976."]


def test_a_sentence_may_rest_on_two_sources_together() -> None:
    sentence = "Operating costs fell to €800 million and the proposed dividend is €1.20 per share."
    other = evidence(3, "The proposed dividend is €1.20 per share.")
    found = pin(sentence, [(ONE, None), (other, None)])
    assert {each.evidence for each in found.pins} == {1, 3}


def test_words_torn_from_a_sentence_that_denies_them_are_not_verified() -> None:
    source = evidence(4, "It is not true that the drug is safe for children under six.")
    assert pin("The drug is safe for children under six.", [(source, None)]).verdict.support != "verified"


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        (
            "All of the subsidiaries were audited in Paris last year.",
            "Not all of the subsidiaries were audited in Paris last year.",
        ),
        ("Audited results were published in the spring.", "Unaudited results were published in the spring."),
        ("234 employees were hired at the plant in Lyon.", "1,234 employees were hired at the plant in Lyon."),
        ("Growth was 5 % in the last quarter of the year.", "Growth was -5 % in the last quarter of the year."),
        ("Growth was 15 % in the last quarter of the year.", "Growth was 1.5 % in the last quarter of the year."),
    ],
)
def test_the_same_letters_with_another_figure_or_beginning_are_not_the_same(sentence: str, source: str) -> None:
    assert pin(sentence, [(evidence(1, source), None)]).verdict.support != "verified"


def test_a_sentence_in_another_language_is_held_against_the_one_that_means_the_same() -> None:
    source = evidence(1, "Le directeur a démissionné. Le lac gèle chaque hiver.")

    def meaning(texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [[1.0, 0.0] if "lac" in text or "lake" in text else [0.0, 1.0] for text in texts]
        return np.array(rows, np.float32)

    found = pin("Every winter the lake freezes.", [(source, None)], (), meaning)
    assert found.verdict.reasons != ("no source was found for it",)


def test_a_row_of_a_table_is_pinned_alone() -> None:
    source = evidence(1, "Item\t2023\t2022\nNet sales\t14,694\t14,544\nCost of sales\t(11,969)\t(11,724)")
    found = pin("Net sales 14,694 14,544", [(source, None)])
    assert found.verdict.support == "verified"
    assert [source.quote(each.span.start, each.span.end) for each in found.pins] == ["Net sales\t14,694\t14,544"]
    assert pin("Net sales 14,694 14,545", [(source, None)]).verdict.support != "verified"


def test_meaning_is_asked_once_for_each_source_and_never_where_the_words_settle_it() -> None:
    asked: list[int] = []

    def meaning(texts: Sequence[str]) -> NDArray[np.float32]:
        asked.append(len(texts))
        return np.ones((len(texts), 1), np.float32)

    pin("The board met on 3 March 2024 in Paris.", [(ONE, None)], (TWO,), meaning)
    assert not asked
    pin("The board convened for a gathering in spring.", [(ONE, None)], (TWO,), meaning)
    assert len(asked) == 1


def test_line_ends_and_hyphens_of_a_page_do_not_hide_a_quotation() -> None:
    source = evidence(5, "The conces\u00ad\nsion ends in\n2031. It may be renewed.")
    found = pin("The concession ends in 2031.", [(source, None)])
    assert found.verdict.support == "verified"
    assert source.quote(found.pins[0].span.start, found.pins[0].span.end) == "The conces\u00ad\nsion ends in\n2031."


@given(st.text(max_size=200), st.text(max_size=200), st.integers(0, 4))
def test_whatever_is_said_a_pin_lies_inside_its_evidence(sentence: str, text: str, number: int) -> None:
    source = evidence(1, text)
    for each in pin(sentence, [(source, number or None)], (source,)).pins:
        assert source.span.start <= each.span.start < each.span.end <= source.span.end
        assert 0 <= each.verdict.score <= 1
