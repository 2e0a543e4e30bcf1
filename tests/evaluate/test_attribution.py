import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from pincite.evaluate import attribution, code_guarantee
from pincite.evaluate.attribution import compare_verdicts, evaluate
from pincite.evaluate.attribution_data import JudgedClaim
from pincite.proof import judge as judging
from pincite.proof.judge import Judgement
from pincite.proof.pin import Cited
from pincite.proof.verdict import CheckedSentence, check_sentence
from pincite.settings import Settings
from tests.evaluate import sets

TEXT = "The council approved the budget of the city in March 2021. It was the first of its kind in the region."


class Trusting:
    """A judge that finds everything supported, and notes the sentences it was asked about."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    @property
    def name(self) -> str:
        return "test:trusting"

    async def judge(self, claims: Sequence[judging.Claim]) -> list[Judgement | None]:
        self.asked += [claim.sentence for claim in claims]
        return [Judgement("supported") for _ in claims]


def settings(folder: Path) -> Settings:
    return Settings.model_validate({"data": folder, "embedding": {"provider": "none"}})


def test_made_sentences_that_went_wrong_can_be_written_to_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check_carelessly(sentence: str, cited: Sequence[Cited]) -> CheckedSentence:
        """Verify a sentence whatever it says: its source is checked in its place."""
        evidence, number = cited[0]
        return check_sentence(evidence.sentence(number or 1), cited)

    monkeypatch.setattr(code_guarantee, "check_sentence", check_carelessly)
    (tmp_path / "text.txt").write_text(TEXT)
    wrong = tmp_path / "wrong.jsonl"
    found = evaluate(tmp_path / "text.txt", settings(tmp_path), lambda said: None, wrong)
    assert "wrong" not in json.dumps(found["made"])
    pairs = [json.loads(line) for line in wrong.read_text().splitlines()]
    made = found["made"]["en"]
    assert len(pairs) == made["fact"]["all"]["of"] + made["meaning"]["all"]["of"] > 0
    assert {pair["change"] for pair in pairs} == {"fact", "meaning"}
    for pair in pairs:
        assert pair["language"] == "en"
        assert pair["support"] == "verified"
        assert pair["source"] in TEXT
        assert pair["sentence"] not in TEXT


def test_where_code_does_its_duty_the_file_of_wrong_sentences_is_empty(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(TEXT)
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text("of an earlier run")
    found = evaluate(tmp_path / "text.txt", settings(tmp_path), lambda said: None, wrong)
    assert found["made"]["en"]["fact"]["all"]["of"] > 0
    assert wrong.read_text() == ""


@pytest.mark.parametrize("name", ["form", "fact"])
def test_texts_alone_are_enough_for_made_sentences(tmp_path: Path, name: str) -> None:
    (tmp_path / "text.txt").write_text(TEXT)
    found = evaluate(tmp_path, settings(tmp_path), lambda said: None)
    assert found["judged"] == {}
    assert found["made"]["en"][name]["all"]["of"] > 0


def test_without_a_judge_the_verdicts_of_people_are_left_alone(tmp_path: Path) -> None:
    found = evaluate(sets.attribution(tmp_path / "experts"), settings(tmp_path), lambda said: None)
    assert (found["judge"], found["judged"]) == (None, {})
    assert "experts" in found["about"]


def test_with_a_judge_verdicts_are_counted_against_those_of_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attribution, "open_judge", lambda models, name, spend, seconds: Trusting())
    folder = sets.attribution(tmp_path / "experts")
    found = evaluate(folder, settings(tmp_path), lambda said: None, judge="test:trusting")
    judged = found["judged"]["experts"]
    assert (judged["claims"], judged["supported"]) == (2, 1)
    counted = {verdict: counts for verdict, counts in judged["verdicts"].items() if any(counts.values())}
    assert counted == {"verified": {"supported": 1, "not": 0}, "contradicted": {"supported": 0, "not": 1}}
    assert judged["verified"] == {"claims": 1, "precision": 1.0, "recall": 1.0}


def test_a_judge_is_asked_only_where_code_cannot_decide_and_cannot_overrule_a_fact() -> None:
    judge = Trusting()
    source = "The lease ends in 2026, on the last day of May."
    claims = [
        JudgedClaim(source, (source,), True),
        JudgedClaim("The lease will be over in 2026.", (source,), True),
        JudgedClaim("The lease ends in 2029, on the last day of May.", (source,), False),
    ]
    found = asyncio.run(compare_verdicts(claims, judge, lambda said: None))
    assert judge.asked == ["The lease will be over in 2026."]
    assert found["verified"] == {"claims": 2, "precision": 1.0, "recall": 1.0}
    assert found["verdicts"]["contradicted"]["not"] + found["verdicts"]["unsupported"]["not"] == 1
