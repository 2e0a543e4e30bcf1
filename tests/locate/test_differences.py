from hypothesis import given
from hypothesis import strategies as st

from pincite.locate.differences import Difference, compare_words, list_block_excerpts
from pincite.locate.location import LocatedBlock, Location
from pincite.types import Document

TEXT = "The lease may not be renewed.\n\nThe roof will never be mended again."


def spans(*words: str) -> tuple[tuple[int, int], ...]:
    return tuple((TEXT.index(word), TEXT.index(word) + len(word)) for word in words)


def test_each_block_is_shown_with_the_lit_words_it_lacks() -> None:
    blocks = (
        LocatedBlock("The lease may be renewed", spans("The lease may", "be renewed"), 1.0),
        LocatedBlock("roof will be mended", spans("roof will", "be mended"), 1.0),
    )
    lit = Location(((0, len(TEXT)),), 0.9, blocks, how="approximate")
    assert list_block_excerpts(Document("text", TEXT), lit) == [
        "The lease may not be renewed",
        "The roof will never be mended again.",
    ]


def test_words_that_are_not_lit_are_shown_as_left_out() -> None:
    blocks = (LocatedBlock("The lease may be renewed", spans("The lease may", "be renewed"), 1.0),)
    assert list_block_excerpts(Document("text", TEXT), Location(blocks[0].spans, 0.9, blocks)) == [
        "The lease may … be renewed"
    ]


def test_a_refused_passage_is_shown_beside_the_nearest_place() -> None:
    blocks = (LocatedBlock("The lease may be renewed", spans("The lease may", "be renewed"), 1.0),)
    refused = Location((), 0.9, blocks, refusal="numbers", nearest=((0, 29),))
    assert list_block_excerpts(Document("text", TEXT), refused) == ["The lease may not be renewed"]


def test_a_difference_far_into_a_long_passage_is_found_and_nothing_beside_it() -> None:
    words = [f"word{number}" for number in range(3000)]
    changed = [*words[:2500], "other", *words[2501:]]
    assert compare_words(" ".join(changed), " ".join(words)).differences == (Difference("other", "word2500"),)
    assert compare_words(" ".join(words[:7] + words[8:]), " ".join(words)).differences == (Difference("", "word7"),)


def test_where_more_words_are_given_than_are_compared_the_end_is_no_difference() -> None:
    words = [f"word{number}" for number in range(4500)]
    assert compare_words(" ".join(words[:7] + words[8:]), " ".join(words)).differences == (Difference("", "word7"),)


@given(
    st.text(max_size=60),
    st.lists(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)), max_size=4), max_size=3),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 30)), max_size=3),
)
def test_whatever_is_lit_every_block_is_shown_beside_something(
    text: str, blocks: list[list[tuple[int, int]]], lit: list[tuple[int, int]]
) -> None:
    def cut(given: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        return tuple((a, min(a + n, len(text))) for a, n in given if a < min(a + n, len(text)))

    location = Location(cut(lit), 1.0, tuple(LocatedBlock("a", cut(own), 1.0) for own in blocks))
    shown = list_block_excerpts(Document("text", text), location)
    assert len(shown) == len(blocks)
    for own, words in zip(blocks, shown, strict=True):
        assert all(text[a:b].strip() in words for a, b in cut(own)[:1]) or " … " in words
