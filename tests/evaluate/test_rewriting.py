from pathlib import Path

import pytest

from pincite.errors import Misuse
from pincite.evaluate.rewriting import evaluate
from tests.evaluate import sets


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
    assert ways["rules"]["need_rewriting"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
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
    assert ways["rules"]["all"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert ways["last question in front"]["all"]["precision"] < 1
    assert ways["rules"]["need_rewriting"]["f1"] == 0


def test_each_year_is_told_apart_and_decisions_are_counted(tmp_path: Path) -> None:
    sets.lines(
        tmp_path / "turns.jsonl",
        turn("Is it harmful?", "Is dry rot harmful?", "What is dry rot?", year=2001),
        turn("Is it so?", "Is it so?", "What is dry rot?", year=2002),
        turn("What of Peru?", "What of the lease in Peru?", "What is a lease?", year=2002),
        turn("What is Peru?", "What is Peru?", "What is a lease?", year=2002),
    )
    groups = evaluate(tmp_path)["groups"]
    assert list(groups) == ["all", "2001", "2002"]
    assert groups["2002"]["decisions"] == {
        "rightly_rewritten": 0,
        "wrongly_rewritten": 1,
        "rightly_left": 1,
        "wrongly_left": 1,
    }
    assert groups["2001"]["decisions"]["rightly_rewritten"] == 1


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
