from hypothesis import given
from hypothesis import strategies as st

from pincite.conversations.search_excerpt import make_excerpt


def test_an_excerpt_is_around_the_word_that_was_looked_for() -> None:
    text = "The lake is long. " * 20 + "Its **dépôt** is cold [3]. " + "The lake is long. " * 20
    found = make_excerpt(text, ["depot"])
    assert "Its dépôt is cold." in found
    assert found.startswith("…")
    assert found.endswith("…")
    assert "[3]" not in found


def test_a_short_text_is_its_own_excerpt() -> None:
    assert make_excerpt("How  deep\nis it? [1.2]", ["deep"]) == "How deep is it?"
    assert make_excerpt("", []) == ""


@given(st.text(alphabet=st.sampled_from("ab é[1]\n"), max_size=600), st.lists(st.text("abe", min_size=1, max_size=5)))
def test_an_excerpt_is_one_line_of_a_length_one_can_show(text: str, sought: list[str]) -> None:
    found = make_excerpt(text, sought)
    assert len(found) <= 122
    assert "\n" not in found
    assert bool(found) == bool(make_excerpt(text, []))
