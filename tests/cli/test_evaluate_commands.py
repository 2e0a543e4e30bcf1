from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran
from tests.evaluate import sets
from tests.evaluate.judges import NAME, opening


def test_retrieval_prints_its_figures_as_a_table_or_as_json(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    folder = sets.retrieval(tmp_path / "tiny")
    ran = pincite("evaluate", "retrieval", folder, "--json")
    assert ran.status == 0
    assert {"ndcg@10", "recall@100", "ms"} == set(ran.json["modes"]["lexical"])
    shown = pincite("evaluate", "retrieval", folder).out
    assert "nDCG@10" in shown
    assert "recall@100" in shown
    assert "tiny: 2 queries, 3 documents" in shown


def test_pages_prints_its_figures_as_a_table_or_as_json(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    folder = sets.pages(tmp_path / "tiny")
    ran = pincite("evaluate", "pages", folder, "--json")
    assert ran.status == 0
    assert set(ran.json["modes"]["lexical"]) == {"first 1", "first 5", "first 10", "first 20"}
    assert "first 20" in pincite("evaluate", "pages", folder).out


def test_locate_prints_its_figures_as_a_table_or_as_json(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    folder = sets.locate(tmp_path / "tiny")
    ran = pincite("evaluate", "locate", folder, "--json")
    assert ran.status == 0
    assert ran.json["shares"]["all passages"]["right"] == 2
    shown = pincite("evaluate", "locate", folder, "--failures", tmp_path / "failed.jsonl").out
    assert "3 cases, 1 documents, 2 pages" in shown
    assert "100.00 %" in shown
    assert "false positives: 0 of 1" in shown
    assert "own spans: passages 1 of 1, sentences 2 of 2" in shown
    assert (tmp_path / "failed.jsonl").read_text() == ""


def test_rewriting_prints_its_figures_as_a_table_or_as_json(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    asked = {"question": "Is it harmful?", "gold_rewrite": "Is dry rot harmful?", "year": 2001}
    sets.lines(tmp_path / "turns.jsonl", asked | {"history": [{"user": "What is dry rot?"}]})
    ran = pincite("evaluate", "rewriting", tmp_path, "--json")
    assert ran.status == 0
    assert set(ran.json["groups"]["all"]["ways"]) == {"as asked", "last question in front", "with its subject"}
    shown = pincite("evaluate", "rewriting", tmp_path).out
    assert "1 turns, 1 that need rewriting" in shown
    assert "2001: with its subject" in shown


def test_html_prints_its_figures_as_a_table_or_as_json(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    folder = sets.html(tmp_path / "tiny")
    ran = pincite("evaluate", "html", folder, "--json")
    assert ran.status == 0
    assert ran.json["readers"]["pincite"]["all"]["f1"] == 1.0
    shown = pincite("evaluate", "html", folder).out
    assert "tiny: 2 pages" in shown
    assert "pincite: second half" in shown
    assert "trafilatura" in shown
    assert "titles: 2 found; 2 are among those that 2 pages declare" in shown
    assert "dates: 1 found" in shown


def test_attribution_prints_its_figures_as_a_table_or_as_json(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    folder = sets.attribution(tmp_path / "tiny")
    ran = pincite("evaluate", "attribution", folder, "--json")
    assert ran.status == 0
    assert ran.json["judged"] == {}
    assert ran.json["made"]["en"]["fact"]["all"]["of"] > 0
    shown = pincite("evaluate", "attribution", folder, "--wrong", tmp_path / "wrong.jsonl").out
    assert "en, fact changed: number" in shown
    assert "left to the judge" in shown
    assert (tmp_path / "wrong.jsonl").exists()


def test_the_judge_is_measured_as_a_table_or_as_json_and_the_doctor_knows_it(
    pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "pincite.evaluate.judge_agreement.open_judge", opening(lambda e: "supported" if e.kind == "swap" else e.label)
    )
    monkeypatch.setenv("PINCITE_MODELS__CHAT", NAME)
    asked = [finding for finding in pincite("doctor", "--json").json if finding["name"] == "judge"]
    assert "pincite evaluate judge" in asked[0]["remedy"]
    ran = pincite("evaluate", "judge", "--json")
    assert (ran.status, ran.json["agreed"], ran.json["passed"]) == (0, 76, 4)
    assert ran.json["kinds"]["swap"]["agreed"] == 0
    shown = pincite("evaluate", "judge", "--judge", NAME).out
    assert f"{NAME} agreed with readers on 76 of 80, let 4 false sentences pass and doubted 0 true ones." in shown
    assert "14 requests, 1,400 tokens sent" in shown
    (known,) = [finding for finding in pincite("doctor", "--json").json if finding["name"] == "judge"]
    assert known["state"] == "ok"
    assert f"{NAME}: agreed with readers on 76 of 80, let 4 false sentences pass" in known["detail"]


def test_without_a_model_the_judge_cannot_be_measured(pincite: Callable[..., Ran]) -> None:
    ran = pincite("evaluate", "judge")
    assert (ran.status, ran.out) == (2, "")
    assert "Choose a model" in ran.said


def test_an_evaluation_leaves_the_persons_own_documents_alone(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    pincite("evaluate", "retrieval", sets.retrieval(tmp_path / "tiny"))
    assert pincite("documents", "--json").json == []


@pytest.mark.parametrize("kind", ["retrieval", "pages", "locate", "rewriting", "html"])
def test_a_folder_that_is_no_set_is_a_mistake_of_the_callers(
    pincite: Callable[..., Ran], tmp_path: Path, kind: str
) -> None:
    ran = pincite("evaluate", kind, tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert "There is no" in ran.said


def test_attribution_needs_something_to_verify(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    ran = pincite("evaluate", "attribution", tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert "nothing to verify" in ran.said


def test_reading_prints_the_words_kept_as_a_table_or_as_json(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One two three.")
    ran = pincite("evaluate", "reading", tmp_path, "--json")
    assert ran.status == 0
    assert ran.json["formats"]["txt"]["share"] == 1.0
    shown = pincite("evaluate", "reading", tmp_path).out
    assert "kept" in shown
    assert "100.0 %" in shown
    assert pincite("evaluate", "reading", tmp_path / "none").status == 2
