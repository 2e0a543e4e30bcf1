from pathlib import Path
from typing import Any

import pytest

from pincite.errors import Misuse
from pincite.evaluate.rewritten_questions import evaluate as measure
from pincite.settings import load_settings
from tests.evaluate import sets


def evaluate(folder: Path) -> dict[str, Any]:
    settings = load_settings(data=folder / "data", embedding={"provider": "none"})
    return measure(folder, settings, None, lambda _: None)


def turn(question: str, gold: str, *before: str, year: int = 1) -> dict[str, object]:
    return {"year": year, "question": question, "gold_rewrite": gold, "history": [{"user": user} for user in before]}


def test_the_words_of_each_way_are_compared_with_the_persons(tmp_path: Path) -> None:
    sets.lines(
        tmp_path / "turns.jsonl",
        turn("What is dry rot?", "What is dry rot?"),
        turn("Is it harmful?", "Is dry rot harmful?", "What is dry rot?"),
    )
    found = evaluate(tmp_path)
    ways = found["groups"]["all"]["ways"]
    assert ways["with its subject"]["need_rewriting"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert ways["as asked"]["need_rewriting"] == {"precision": 1.0, "recall": 0.3333, "f1": 0.5}
    assert ways["as asked"]["all"]["f1"] == 0.75
    assert ways["last question in front"]["all"]["f1"] == 1.0
    assert (found["turns"], found["groups"]["all"]["need_rewriting"]) == (2, 1)


def test_words_that_were_not_wanted_cost_precision(tmp_path: Path) -> None:
    sets.lines(
        tmp_path / "turns.jsonl",
        turn("What is the capital of Peru?", "What is the capital of Peru?", "What is a lease?"),
    )
    ways = evaluate(tmp_path)["groups"]["all"]["ways"]
    assert ways["as asked"]["all"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert ways["last question in front"]["all"]["precision"] < 1
    assert ways["with its subject"]["need_rewriting"]["f1"] == 0


def test_each_year_is_told_apart(tmp_path: Path) -> None:
    sets.lines(
        tmp_path / "turns.jsonl",
        turn("Is it harmful?", "Is dry rot harmful?", "What is dry rot?", year=2001),
        turn("What is Peru?", "What is Peru?", "What is a lease?", year=2002),
    )
    groups = evaluate(tmp_path)["groups"]
    assert list(groups) == ["all", "2001", "2002"]
    assert evaluate(tmp_path)["found"] == {}


def test_questions_are_searched_for_among_the_answers_of_the_conversations(tmp_path: Path) -> None:
    rot, harm = "Dry rot is a fungus that eats timber.", "The fungus of dry rot is harmful to floors."
    lease, end = "A lease is a contract on a house.", "A lease on a house ends after three years."
    said = [
        ("1_1", [], "What is dry rot?", rot),
        ("1_2", [("What is dry rot?", rot)], "Is it harmful?", harm),
        ("1_3", [("What is dry rot?", rot), ("Is it harmful?", harm)], "And to walls?", ""),
        ("2_1", [], "What is a lease?", lease),
        ("2_2", [("What is a lease?", lease)], "When does it end?", end),
        ("2_3", [("What is a lease?", lease), ("When does it end?", end)], "Who signs it?", ""),
    ]
    sets.lines(
        tmp_path / "turns.jsonl",
        *(
            {
                "id": id,
                "year": 1,
                "question": question,
                "gold_rewrite": question,
                "history": [{"user": user, "assistant": answer} for user, answer in history],
            }
            for id, history, question, _ in said
        ),
    )
    found = evaluate(tmp_path)["found"]
    assert (found["follow-ups"]["turns"], found["stand alone"]["turns"]) == (2, 2)
    assert found["follow-ups"]["ways"]["with the subject beside"]["hit@3"] == 1.0
    assert found["stand alone"]["ways"]["with the subject beside"]["hit@1"] == 1.0
    assert found["stand alone"]["question_changed"] == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "There is no .jsonl file"),
        ("\n", "no turns"),
        ("no json\n", "line 1 is not a turn"),
        ('{"question": "a", "history": []}\n', "line 1 is not a turn"),
        ('{"question": "a", "gold_rewrite": "b", "history": ["c"]}\n', "line 1 is not a turn"),
    ],
)
def test_a_set_that_is_not_right_is_told_where(tmp_path: Path, content: str | None, said: str) -> None:
    if content is not None:
        (tmp_path / "turns.jsonl").write_text(content)
    with pytest.raises(Misuse, match=said) as caught:
        evaluate(tmp_path)
    assert caught.value.hint
