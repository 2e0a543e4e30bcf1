from dataclasses import replace

from pincite.store.calibrations import Measured, keep_measured, measured
from pincite.store.database import Database

FIRST = Measured("test:judge", 74, 80, 2, 4, 0, "abc", 1.5)


def test_the_latest_measurement_of_a_model_is_kept(either: Database) -> None:
    with either.writing() as connection:
        keep_measured(connection, FIRST)
        keep_measured(connection, replace(FIRST, model="test:other", agreed=40))
        keep_measured(connection, replace(FIRST, agreed=76, when=2.5))
    assert measured(either, "test:judge") == replace(FIRST, agreed=76, when=2.5)
    assert measured(either, "test:none") is None


def test_sentences_without_a_verdict_are_said() -> None:
    assert FIRST.describe() == "agreed with readers on 74 of 80, let 2 false sentences pass"
    assert replace(FIRST, unjudged=6).describe().endswith("gave no verdict on 6")
