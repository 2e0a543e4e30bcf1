import pytest

from pincite.embedding.e5 import MODEL
from pincite.embedding.language_gap import BUILT_IN, measure_language_gap


def test_the_gap_is_that_of_the_built_in_model() -> None:
    assert BUILT_IN == MODEL
    assert measure_language_gap(MODEL, "fr", "en") == measure_language_gap(MODEL, "en", "fr") > 0


@pytest.mark.parametrize(
    ("model", "asked", "spoken"), [(MODEL, "fr", "fr"), (MODEL, "", "en"), (MODEL, "fr", ""), ("another", "fr", "en")]
)
def test_no_gap_is_assumed_without_two_known_languages_and_the_built_in_model(
    model: str, asked: str, spoken: str
) -> None:
    assert measure_language_gap(model, asked, spoken) == 0.0
