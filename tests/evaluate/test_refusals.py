"""Refusals are counted of questions that are answered, whose document is left out, and that come from another field."""

from pathlib import Path

import pytest

from pincite.errors import Misuse
from pincite.evaluate.refusals import MISSING, OTHER_LANGUAGE, PRESENT, SAME_LANGUAGE, evaluate, read_set
from pincite.settings import Settings, load_settings
from tests.evaluate import sets

LEASES = {
    "rent": "The rent of the house is 900 euros a month and is due on the fifth.",
    "pets": "Dogs and cats are allowed if the neighbours agree.",
}
BIRDS = {"penguin": "Penguins live in the southern hemisphere and cannot fly."}
OISEAUX = {"manchot": "Les manchots vivent dans l'hémisphère sud et ne volent pas."}


@pytest.fixture
def words_alone(tmp_path: Path) -> Settings:
    return load_settings(data=tmp_path / "data", owner="somebody", embedding={"provider": "none"})


def silent(_: str) -> None:
    return None


def make_set(folder: Path, texts: dict[str, str], questions: dict[str, str]) -> Path:
    """A set in BEIR form; each question is named after the document that answers it."""
    sets.lines(folder / "corpus.jsonl", *({"_id": id, "text": text} for id, text in texts.items()))
    sets.lines(folder / "queries.jsonl", *({"_id": f"q-{id}", "text": text} for id, text in questions.items()))
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text("".join(f"q-{id}\t{id}\t1\n" for id in questions))
    return folder


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    return [
        make_set(tmp_path / "leases", LEASES, {"rent": "How much is the rent of the house?"}),
        make_set(tmp_path / "birds", BIRDS, {"penguin": "Where do penguins live?"}),
        make_set(tmp_path / "oiseaux", OISEAUX, {"manchot": "Où vivent les manchots ?"}),
    ]


def test_each_set_has_its_share_of_refusals_by_kind(folders: list[Path], words_alone: Settings) -> None:
    figures = evaluate(folders, words_alone, None, silent)
    assert figures["rows"] == {
        "leases": {PRESENT: 0, MISSING: 1, SAME_LANGUAGE: 1, OTHER_LANGUAGE: 1},
        "birds": {PRESENT: 0, MISSING: 1, SAME_LANGUAGE: 1, OTHER_LANGUAGE: 1},
        "oiseaux": {PRESENT: 0, MISSING: 1, OTHER_LANGUAGE: 1},
    }
    asked = {(each["set"], each["kind"], each["question"]) for each in figures["details"]}
    assert ("leases", SAME_LANGUAGE, "Where do penguins live?") in asked


def test_of_a_large_set_some_documents_are_taken_and_all_that_answer(tmp_path: Path) -> None:
    texts = {f"d{number}": f"Text number {number}." for number in range(50)}
    folder = make_set(tmp_path / "many", texts, {f"d{number}": f"What is {number}?" for number in range(0, 50, 5)})
    chosen = read_set(folder, questions=4, most=10)
    held = {entry["_id"] for entry in chosen.corpus}
    assert (len(chosen.questions), len(held)) == (4, 10)
    assert all(gold <= held for _, gold in chosen.questions)
    assert read_set(folder, questions=4, most=10) == chosen


def test_a_set_whose_questions_nobody_judged_is_refused_with_advice(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "none", LEASES, {})
    with pytest.raises(Misuse, match="None of the queries"):
        read_set(folder, 5)
