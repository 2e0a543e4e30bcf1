"""A word that a line's end broke is shown whole, wherever words of a document are shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.display import join_broken_words, join_in_place, put_on_one_line


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("a col\u00ad\nlection of\nmaps", "a collection of maps"),
        ("a col\u00ad\n\nlection", "a collection"),
        ("a col\u00adlection", "a collection"),
        ("from Soekarno-\nHatta airport", "from Soekarno-Hatta airport"),
        ("well-\n  known", "well-known"),
        ("one – \ntwo -\nthree", "one – two - three"),
        ("une pré\u00ad\nsentation\u00a0: l’œuvre", "une présentation : l’œuvre"),
    ],
)
def test_broken_words_are_whole_on_one_line(stored: str, shown: str) -> None:
    assert put_on_one_line(stored) == shown


def test_other_line_ends_stay() -> None:
    assert join_broken_words("first\nsec\u00ad\nond\n\n\tthird") == "first\nsecond\n\n\tthird"


@given(st.text(alphabet="aé \n\t-\u00ad1", max_size=40))
def test_in_place_every_character_keeps_its_offset(text: str) -> None:
    joined = join_in_place(text)
    assert len(joined) == len(text)
    assert all(own == other or own.isspace() for own, other in zip(text, joined, strict=True))
    assert "\u00ad\n" not in joined
