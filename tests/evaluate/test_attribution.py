import json
from pathlib import Path

import pytest

from pincite.evaluate.attribution import auc, evaluate
from pincite.settings import Settings
from tests.evaluate import sets


def settings(folder: Path, provider: str = "none") -> Settings:
    return Settings.model_validate({"data": folder, "embedding": {"provider": provider}})


def test_auc_counts_how_often_the_better_one_scores_higher() -> None:
    assert auc([0.9, 0.8], [0.1]) == 1.0
    assert auc([0.1], [0.9]) == 0.0
    assert auc([0.5], [0.5]) == 0.5
    assert auc([0.5, 0.1], [0.3]) == 0.5


def test_our_score_stands_beside_the_plain_ones(tmp_path: Path) -> None:
    found = evaluate(sets.attribution(tmp_path / "experts"), settings(tmp_path), lambda said: None)
    judged = found["judged"]["experts"]
    assert (judged["claims"], judged["supported"]) == (2, 1)
    assert judged["auc"]["ours"] == 1.0
    assert judged["auc"]["shared words"] < 1.0
    assert judged["verified"] == {"claims": 1, "precision": 1.0, "recall": 1.0}
    assert "experts" in found["about"]


def test_with_an_embedder_likeness_stands_there_too(tmp_path: Path) -> None:
    found = evaluate(sets.attribution(tmp_path / "experts"), settings(tmp_path, "local"), lambda said: None)
    assert set(found["judged"]["experts"]["auc"]) == {
        "ours",
        "ours, words alone",
        "shared words",
        "cosine of the best sentence",
    }


def test_what_went_wrong_can_be_written_to_a_file(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("The council approved the budget of the city in March 2021.")
    wrong = tmp_path / "wrong.jsonl"
    found = evaluate(tmp_path / "text.txt", settings(tmp_path), lambda said: None, wrong)
    assert "wrong" not in json.dumps(found["made"])
    assert wrong.read_text() == ""


@pytest.mark.parametrize("name", ["kept", "changed"])
def test_texts_alone_are_enough_for_made_pairs(tmp_path: Path, name: str) -> None:
    (tmp_path / "text.txt").write_text("The council approved the budget of the city in March 2021. It was the first.")
    found = evaluate(tmp_path, settings(tmp_path), lambda said: None)
    assert found["judged"] == {}
    assert found["made"]["en"][name]["all"]["of"] > 0
