import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.index.code_terms import count_terms, list_query_terms, write_file_terms, write_terms


@pytest.mark.parametrize("written", ["parse_reply", "parseReply", "ParseReply", "PARSE_REPLY", "parse_Reply"])
def test_all_spellings_of_an_identifier_have_the_same_terms(written: str) -> None:
    assert set(write_terms(written).split()) == {"parsereply", "pars", "repli"}


@pytest.mark.parametrize(
    ("written", "terms"),
    [
        ("HTTPServer2", {"httpserver2", "http", "server"}),
        ("sha256", {"sha256", "sha", "256"}),
        ("x", {"x"}),
        ("retries", {"retri"}),
        ("déjà", {"deja"}),
        ("A" * 65, set()),
        ("__init__", {"init"}),
    ],
)
def test_an_identifier_is_found_whole_and_by_its_words(written: str, terms: set[str]) -> None:
    assert set(write_terms(written).split()) == terms


def test_a_question_has_no_words_that_say_nothing() -> None:
    assert list_query_terms("where is the reply of the server parsed?") == ["repli", "server", "pars"]
    assert list_query_terms("où sont les réponses du serveur") == list_query_terms("réponses serveur")
    assert list_query_terms("the") == ["the"]
    assert list_query_terms("?!") == []
    assert len(list_query_terms(" ".join(f"word{number}" for number in range(500)))) <= 64


def test_the_names_that_a_file_defines_are_counted_apart() -> None:
    text, names = write_file_terms("# The shop\nclass Cart:\n    def add_tax(self):\n        return cart.price\n")
    assert text.split().count("cart") == 2
    assert set(names.split()) == {"the", "shop", "cart", "addtax", "add", "tax"}


@given(st.text(max_size=80))
def test_the_terms_of_a_question_are_counted_as_they_are_written(text: str) -> None:
    written = write_terms(text).split()
    wanted = set(written[::2])
    assert count_terms(text, wanted)[0].keys() == wanted
    assert all(written.count(term) <= times for term, times in count_terms(text, wanted)[0].items())


def test_many_different_words_and_many_repeats_are_bounded() -> None:
    assert len(write_terms(" ".join(f"k{number:06x}" for number in range(200_000)))) < 200_000
    assert write_terms("needle " * 100_000).split() == ["needl"] * 8
