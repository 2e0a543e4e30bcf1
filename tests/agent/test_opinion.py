"""A second opinion: asked about doubts alone, and never stronger than what the rules found."""

from pathlib import Path

import pytest

from pincite.evidence.pin import Pinned
from pincite.types import Pin, Span, Verdict
from tests.turns import ask, final, open_test_house, searching


def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verdict: Verdict, reply: str, wanted: bool = True) -> str:
    """The support of a sentence on which the rules say this and the system model that."""
    asked: list[str] = []

    def system(prompt: str) -> str:
        asked.append(prompt)
        return reply

    def rules(text: str, cited: object, others: list[object], meaning: object) -> Pinned:
        return Pinned((Pin(1, Span("d", 0, 10), verdict),), verdict)

    monkeypatch.setattr("pincite.agent.telling.pin", rules)
    house = open_test_house(
        tmp_path, script=searching("dam", "It is high [1]."), system=system, answers={"second_opinion": wanted}
    )
    (sentence,) = final(ask(house, "How high is the dam?")).sentences
    house.close()
    assert bool(asked) == (wanted and verdict.support == "partial")
    return str(sentence.support)


def test_a_doubt_is_settled_either_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    doubt = Verdict("partial", 0.5)
    assert judged(tmp_path / "a", monkeypatch, doubt, "Yes.") == "verified"
    assert judged(tmp_path / "b", monkeypatch, doubt, "no") == "unsupported"
    assert judged(tmp_path / "c", monkeypatch, doubt, "partly") == "partial"
    assert judged(tmp_path / "d", monkeypatch, doubt, "I cannot say that.") == "partial"


def test_what_stands_against_a_sentence_is_not_overruled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    against = Verdict("partial", 0.5, ("34 is not in the source",))
    assert judged(tmp_path, monkeypatch, against, "yes") == "partial"


def test_nothing_is_asked_where_there_is_no_doubt_or_no_wish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged(tmp_path / "a", monkeypatch, Verdict("verified", 1.0), "no") == "verified"
    assert judged(tmp_path / "b", monkeypatch, Verdict("unsupported", 0.0), "yes") == "unsupported"
    assert judged(tmp_path / "c", monkeypatch, Verdict("partial", 0.5), "yes", wanted=False) == "partial"


def test_a_model_that_fails_leaves_the_verdict_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pydantic_ai.exceptions import ModelHTTPError

    def failing(_: str) -> str:
        raise ModelHTTPError(500, "test", "trouble")

    doubt = Pinned((Pin(1, Span("d", 0, 10), Verdict("partial", 0.5)),), Verdict("partial", 0.5))
    monkeypatch.setattr("pincite.agent.telling.pin", lambda *_: doubt)
    house = open_test_house(
        tmp_path, script=searching("dam", "It is high [1]."), system=failing, answers={"second_opinion": True}
    )
    assert final(ask(house, "How high is the dam?")).sentences[0].support == "partial"
