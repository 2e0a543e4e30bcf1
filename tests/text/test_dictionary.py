"""Words that people spell correctly are known, in English and French, and misspelt ones are not."""

import pytest

from pincite.text.dictionary import is_dictionary_word


@pytest.mark.parametrize("word", ["tomorrow", "Tenant", "lion", "demain", "École", "loyers", "ecole", "Redige"])
def test_words_are_known_in_both_languages_and_any_case(word: str) -> None:
    assert is_dictionary_word(word)


@pytest.mark.parametrize("word", ["populaton", "netlfix", "assurence", "bial", "", 'a": 5, "b', "42"])
def test_misspelt_words_and_other_signs_are_not(word: str) -> None:
    assert not is_dictionary_word(word)
