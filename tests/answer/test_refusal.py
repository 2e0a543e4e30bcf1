"""A refusal is known by its mark, in whatever words it is said."""

import pytest

from pincite.answer.refusal import is_silent, write_refusal


@pytest.mark.parametrize(
    "said",
    [
        "",
        "  ",
        write_refusal("en"),
        write_refusal("fr"),
        "No idea, sorry [0].",
        "Rien là-dessus. [0] Ni sur le reste [0].",
    ],
)
def test_only_silence_is_silent(said: str) -> None:
    assert is_silent(said)


@pytest.mark.parametrize(
    "said",
    [
        "The dam is 33 m high [1.2].",
        "I did not find the toll [0]. The bridge is 31 metres high [1.2].",
        "I did not find it in the sources.",
        "See [0] and [12, 3].",
    ],
)
def test_an_answer_or_an_unmarked_sentence_is_not(said: str) -> None:
    assert not is_silent(said)
