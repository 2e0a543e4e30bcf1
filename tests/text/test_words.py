import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.words import LETTERS, LETTERS_OR_DIGITS, WORD, blank_elisions, split_inversions, strip_word


def test_words_letters_and_digits_are_found() -> None:
    text = "L'été_2020: R2-D2, ½"
    assert LETTERS.findall(text) == ["L", "été", "R", "D", "½"]
    assert WORD.findall(text) == ["L", "été", "2020", "R2", "D2", "½"]
    assert LETTERS_OR_DIGITS.findall(text) == ["L", "été", "2020", "R", "2", "D", "2", "½"]


@pytest.mark.parametrize(
    ("word", "stripped"),
    [("l'eau", "eau"), ("qu’elle", "elle"), ("dog's", "dog"), ("a-t-il", "a"), ("peut-on", "peut"), ("l'", "l")],
)
def test_a_word_loses_what_grammar_adds_to_it(word: str, stripped: str) -> None:
    assert strip_word(word) == stripped


def test_a_verb_and_its_pronoun_are_two_words() -> None:
    assert split_inversions("Peut-on payer ? Où va-t-elle ?") == "Peut on payer ? Où va elle ?"


@given(st.text("aàl'’dqu -t1"))
def test_elisions_are_blanked_and_nothing_else(text: str) -> None:
    blanked = blank_elisions(text)
    assert not re.search(r"\bl['’](?=\w)", blanked)
    assert WORD.findall(blanked)[-1:] == WORD.findall(text)[-1:]
