from dataclasses import replace

from pincite.store.calibrations import CalibrationResult, get_calibration, save_calibration
from pincite.store.database import Database

FIRST = CalibrationResult("test:judge", 74, 80, 2, 4, 0, "abc", 1.5)


def test_the_latest_measurement_of_a_model_is_kept(either: Database) -> None:
    with either.writing() as connection:
        save_calibration(connection, FIRST)
        save_calibration(connection, replace(FIRST, model="test:other", agreed=40))
        save_calibration(connection, replace(FIRST, agreed=76, when=2.5))
    assert get_calibration(either, "test:judge") == replace(FIRST, agreed=76, when=2.5)
    assert get_calibration(either, "test:none") is None


def test_sentences_without_a_verdict_are_said() -> None:
    assert FIRST.describe() == "agreed with readers on 74 of 80, let 2 false sentences pass"
    assert replace(FIRST, unjudged=6).describe().endswith("gave no verdict on 6")
