"""Words that people spell correctly are known, in English and French, and misspelt ones are not."""

import pytest

from pincite.text.dictionary import count_uses, find_dictionary_words, is_dictionary_word

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize("word", ["tomorrow", "Tenant", "lion", "demain", "École", "loyers", "ecole", "Redige"])
def test_words_are_known_in_both_languages_and_any_case(word: str) -> None:
    assert is_dictionary_word(word)


@pytest.mark.parametrize("word", ["populaton", "netlfix", "assurence", "bial", "", 'a": 5, "b', "42"])
def test_misspelt_words_and_other_signs_are_not(word: str) -> None:
    assert not is_dictionary_word(word)


def test_many_words_are_found_like_a_few() -> None:
    few = {"tomorrow", "école", "populaton", "bial", 'a": 5, "b'}
    many = few | {f"{first}{second}{third}qx" for first in LETTERS for second in LETTERS for third in LETTERS}
    assert find_dictionary_words(few) == find_dictionary_words(many) == {"tomorrow", "école"}


def test_a_frequent_word_has_more_uses_than_a_name() -> None:
    assert count_uses("Duration") > count_uses("netflix") > count_uses("populaton") == 0
    assert count_uses("loyer") > 0


def test_the_first_and_the_last_words_of_the_lists_are_known() -> None:
    for word in ("a", "aachen", "zoom", "zéro", "évêque"):
        assert is_dictionary_word(word), word
        assert count_uses(word) > 0, word
    assert not is_dictionary_word("zzzz")
    assert not is_dictionary_word("eeeeeeeeeeeeeeeeeeeeeeee")  # many ways to put accents
