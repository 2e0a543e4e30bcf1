"""Links that open a page at the words that are cited."""

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.web.text_fragments import LONGEST, WORDS, make_directive, make_fragment_link

PAGE = "https://example.org/dam"


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("It is 33 m high.", "It%20is%2033%20m%20high."),
        ("  It is\u00a033 m  high. ", "It%20is%2033%20m%20high."),
        ("re-used, bought & sold", "re%2Dused%2C%20bought%20%26%20sold"),
        ("À 50 % près", "%C3%80%2050%20%25%20pr%C3%A8s"),
        ("- an item of a list", "an%20item%20of%20a%20list"),
        ("12. the twelfth", "the%20twelfth"),
        ("-5 degrees", "%2D5%20degrees"),
        ("Built in 1952. It is - still - high.", "Built%20in%201952.%20It%20is%20%2D%20still%20%2D%20high."),
        ("Height\t33 m", "Height,33%20m"),
        ("The first line\nand the last", "The%20first%20line,and%20the%20last"),
        ("湖" * 40, "%E6%B9%96" * 40),
    ],
)
def test_words_are_written_as_browsers_look_for_them(quote: str, text: str) -> None:
    assert make_fragment_link(PAGE, quote) == f"{PAGE}#:~:text={text}"


def test_of_a_long_quote_the_first_and_the_last_words_are_given() -> None:
    words = [f"word{number}" for number in range(60)]
    start, end = make_directive(" ".join(words)).split(",")
    assert unquote(start).split() == words[:WORDS]
    assert unquote(end).split() == words[-WORDS:]


@pytest.mark.parametrize("quote", ["", " \n\t ", "湖" * 400])
def test_where_no_words_can_be_looked_for_the_page_itself_is_meant(quote: str) -> None:
    assert make_fragment_link(PAGE, quote) == PAGE


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"{PAGE}#height", f"{PAGE}#height:~:text=high"),
        (f"{PAGE}?a=1#", f"{PAGE}?a=1#:~:text=high"),
        (f"{PAGE}#height:~:text=other", f"{PAGE}#height:~:text=high"),
        (f"{PAGE}#:~:text=other", f"{PAGE}#:~:text=high"),
    ],
)
def test_the_place_an_address_names_stays_and_older_words_go(url: str, expected: str) -> None:
    assert make_fragment_link(url, "high") == expected


@given(st.text())
def test_the_link_of_any_quote_is_one_address_with_at_most_two_parts(quote: str) -> None:
    made = make_fragment_link(PAGE, quote)
    assert made == PAGE or made.startswith(f"{PAGE}#:~:text=")
    text = made.removeprefix(PAGE).removeprefix("#:~:text=")
    assert text.isascii()
    assert not set(text) & set(" -&#\"'<>\\\n\t")
    assert text.count(",") <= 1
    assert len(made) < 8000


@given(st.lists(st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1), min_size=1))
def test_the_words_that_are_looked_for_are_those_of_the_quote_in_their_order(words: list[str]) -> None:
    quote = " ".join(["The", *words])  # with this first word it is no item of a list
    start, _, end = make_directive(quote).partition(",")
    if end or len(quote) > LONGEST:
        assert quote.startswith(unquote(start))
        assert quote.endswith(unquote(end))
    else:
        assert unquote(start) == quote
