from types import SimpleNamespace
from typing import Any

import pytest

import pincite.library
from pincite.cli import options, patient_opening
from pincite.cli.patient_opening import open_library_patiently
from pincite.errors import DatabaseAway
from pincite.settings import load_settings


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock that moves only while somebody sleeps."""
    clock = SimpleNamespace(now=0.0)

    def sleep(seconds: float) -> None:
        clock.now += seconds

    monkeypatch.setattr(patient_opening, "time", SimpleNamespace(monotonic=lambda: clock.now, sleep=sleep))
    return clock


def test_a_database_that_starts_later_is_waited_for_and_told_of_once(
    clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def open_later(_: Any) -> str:
        if clock.now < 20:
            raise DatabaseAway
        return "the library"

    monkeypatch.setattr(pincite.library, "open_library", open_later)
    assert open_library_patiently(load_settings(), options.make_console(stderr=True)) == "the library"  # type: ignore[comparison-overlap]
    assert capsys.readouterr().err.count("Waiting up to 60 s for it.") == 1


def test_a_database_that_never_starts_is_an_error_after_a_minute(
    clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never_open(_: Any) -> None:
        raise DatabaseAway

    monkeypatch.setattr(pincite.library, "open_library", never_open)
    with pytest.raises(DatabaseAway):
        open_library_patiently(load_settings(), options.make_console(stderr=True))
    assert 60 <= clock.now < 65
