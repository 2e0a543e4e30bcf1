from pathlib import Path

import pytest

from pincite.errors import Misuse
from pincite.evaluate.retrieval import evaluate
from pincite.settings import PassageSettings, Settings, load_settings
from tests.evaluate import sets


@pytest.fixture
def words_alone(tmp_path: Path) -> Settings:
    return load_settings(data=tmp_path / "data", embedding={"provider": "none"})


def silent(_: str) -> None:
    return None


@pytest.mark.slow
def test_each_mode_is_measured_on_the_questions_that_were_judged(tmp_path: Path, home: Path) -> None:
    said: list[str] = []
    figures = evaluate(sets.retrieval(tmp_path / "tiny"), load_settings(data=home), None, said.append)
    assert (figures["set"], figures["documents"], figures["queries"]) == ("tiny", 3, 2)
    assert set(figures["modes"]) == {"lexical", "dense", "hybrid"}
    assert figures["modes"]["hybrid"]["ndcg@10"] == figures["modes"]["hybrid"]["recall@100"] == 1
    assert said


def test_without_an_embedder_words_are_measured_alone(tmp_path: Path, words_alone: Settings) -> None:
    figures = evaluate(sets.retrieval(tmp_path / "tiny"), words_alone, None, silent)
    assert set(figures["modes"]) == {"lexical"}
    assert figures["model"] is None


def test_a_kept_store_is_not_filled_twice_and_the_figures_stay(tmp_path: Path, words_alone: Settings) -> None:
    folder = sets.retrieval(tmp_path / "tiny")
    first, second = (evaluate(folder, words_alone, tmp_path / "kept", silent) for _ in range(2))
    assert first["documents"] == second["documents"] == 3
    assert first["modes"]["lexical"]["ndcg@10"] == second["modes"]["lexical"]["ndcg@10"]


def test_the_owner_in_the_settings_does_not_change_the_figures(tmp_path: Path) -> None:
    settings = load_settings(data=tmp_path / "data", owner="somebody", embedding={"provider": "none"})
    assert evaluate(sets.retrieval(tmp_path / "tiny"), settings, None, silent)["modes"]["lexical"]["ndcg@10"] > 0


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("corpus.jsonl", None, "There is no"),
        ("queries.jsonl", None, "There is no"),
        ("qrels/test.tsv", None, "There is no"),
        ("corpus.jsonl", "no json\n", "line 1 is not an entry"),
        ("corpus.jsonl", '{"_id": "d1"}\n', "line 1 is not an entry"),
        ("queries.jsonl", '["q1"]\n', "line 1 is not an entry"),
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\n", "None of the queries"),
        ("qrels/test.tsv", "other\td1\t1\n", "None of the queries"),
    ],
)
def test_a_set_that_is_not_right_is_told_where(
    tmp_path: Path, words_alone: Settings, name: str, content: str | None, said: str
) -> None:
    folder = sets.retrieval(tmp_path / "tiny")
    (folder / name).unlink()
    if content is not None:
        (folder / name).write_text(content)
    with pytest.raises(Misuse, match=said) as caught:
        evaluate(folder, words_alone, None, silent)
    assert caught.value.hint


def test_a_kept_store_is_not_taken_for_one_of_other_settings(tmp_path: Path, words_alone: Settings) -> None:
    folder, kept = sets.retrieval(tmp_path / "tiny"), tmp_path / "kept"
    other = words_alone.model_copy(update={"passages": PassageSettings(size=100, overlap=0)})
    for settings in (words_alone, words_alone, other):
        evaluate(folder, settings, kept, silent)
    assert len(list(kept.iterdir())) == 2
