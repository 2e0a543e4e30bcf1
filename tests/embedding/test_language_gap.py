import pytest

from pincite.embedding.e5 import MODEL
from pincite.embedding.language_gap import get_language_gap


@pytest.mark.parametrize("model", [MODEL, "intfloat/multilingual-e5-large"])
def test_english_and_french_are_a_gap_apart_in_both_directions(model: str) -> None:
    assert get_language_gap(model, "fr", "en") == get_language_gap(model, "en", "fr") > 0


@pytest.mark.parametrize(
    ("model", "asked", "spoken"),
    [(MODEL, "fr", "fr"), (MODEL, "", "en"), (MODEL, "fr", ""), (MODEL, "en", "de"), ("another", "fr", "en")],
)
def test_no_gap_is_assumed_of_other_languages_and_models(model: str, asked: str, spoken: str) -> None:
    assert get_language_gap(model, asked, spoken) == 0.0
