"""Answers are measured by what they cite, and beside the simplest answer there is."""

from pathlib import Path

import pytest

from pincite.errors import Misuse
from pincite.evaluate.answers import BASELINE, evaluate
from pincite.settings import Settings, load_settings
from tests.evaluate import sets

LEASE = "This is a lease. It was signed in the town hall. The rent of the house is 900 euros a month."
PENGUINS = "Penguins live in the southern hemisphere and cannot fly."


@pytest.fixture
def words_alone(tmp_path: Path) -> Settings:
    return load_settings(data=tmp_path / "data", owner="somebody", embedding={"provider": "none"})


def silent(_: str) -> None:
    return None


def marked(folder: Path, answer: str = "900 euros a month", document: str = "d1") -> Path:
    """Two documents, and the stretch of one that answers a question."""
    sets.lines(folder / "corpus.jsonl", {"_id": "d1", "text": LEASE}, {"_id": "d2", "text": PENGUINS})
    spans = [{"answer_start": LEASE.find(answer), "text": answer}]
    sets.lines(
        folder / "answer_spans.jsonl",
        {"doc": document, "question": "How much is the rent of the house?", "answers": spans},
    )
    return folder


def test_a_citation_of_what_people_marked_is_counted_and_the_first_sentence_stands_beside_it(
    tmp_path: Path, words_alone: Settings
) -> None:
    figures = evaluate(marked(tmp_path / "tiny"), words_alone, None, silent)
    ours, first = figures["rows"]["extractive"], figures["rows"][BASELINE]
    assert (figures["questions"], list(figures["rows"])) == (1, ["extractive", BASELINE])
    assert (ours["overlap"], ours["recall"], ours["right document first"], ours["refused"]) == (1, 1, 1, 0)
    assert 0 < ours["precision"] < 1
    assert 0 < ours["token F1"] < 1
    assert (first["overlap"], first["right document first"], first["citations"]) == (0, 1, 1)


def test_a_citation_beside_what_people_marked_is_not_counted(tmp_path: Path, words_alone: Settings) -> None:
    figures = evaluate(marked(tmp_path / "tiny", "the town hall"), words_alone, None, silent)
    ours = figures["rows"]["extractive"]
    # The passage is shown whole; what is lit of it is something else.
    assert (ours["overlap"], ours["gold shown first"], ours["gold lit"], ours["right document"]) == (1, 1, 0, 1)


def test_words_of_any_file_are_looked_for_in_what_is_shown_and_absent_ones_must_be_refused(
    tmp_path: Path, words_alone: Settings
) -> None:
    folder = tmp_path / "tiny"
    (folder / "documents").mkdir(parents=True)
    (folder / "documents" / "lease.txt").write_text(LEASE)
    (folder / "documents" / "penguins.txt").write_text(PENGUINS)
    sets.lines(
        folder / "questions.jsonl",
        {"question": "How much is the rent of the house?", "document": "lease.txt", "gold": ["900 euros"]},
        {"question": "How much is the rent of the house?", "document": "penguins.txt", "gold": ["900 euros"]},
        {"question": "What was the profit of Zalando?", "document": None, "gold": [], "absent": True},
    )
    figures = evaluate(folder, words_alone, None, silent)
    ours = figures["rows"]["extractive"]
    assert (ours["gold shown first"], ours["gold shown in three"], ours["gold lit"]) == (0.5, 0.5, 0.5)
    assert (ours["present refused"], ours["absent refused"]) == (0, 1)
    assert figures["set"] == "tiny"

    others = folder / "others.jsonl"
    sets.lines(others, {"question": "How much is the rent of the house?", "document": "lease.txt", "gold": ["euros"]})
    figures = evaluate(others, words_alone, None, silent)
    assert (figures["set"], figures["questions"]) == ("tiny/others.jsonl", 1)
    assert figures["rows"]["extractive"]["gold shown first"] == 1


@pytest.mark.parametrize("line", ['{"question": "a"}', '{"question": "a", "gold": []}', "no"])
def test_a_question_without_its_words_is_told(tmp_path: Path, words_alone: Settings, line: str) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "questions.jsonl").write_text(line)
    with pytest.raises(Misuse, match="line 1"):
        evaluate(tmp_path, words_alone, None, silent)


def test_the_gold_page_is_cited_from_all_documents_and_from_the_right_one(
    tmp_path: Path, words_alone: Settings
) -> None:
    figures = evaluate(sets.pages(tmp_path / "tiny"), words_alone, None, silent)
    assert set(figures["rows"]) == {
        "extractive",
        BASELINE,
        "extractive, document given",
        f"{BASELINE}, document given",
    }
    ours = figures["rows"]["extractive, document given"]
    assert (ours["page cited first"], ours["page cited"]) == (1, 1)
    assert figures["rows"][BASELINE]["ms p95"] > 0


@pytest.mark.parametrize(
    ("line", "said"),
    [("", "no marked answers"), ("{}", "line 1 is not"), ('{"doc": 1, "question": 2, "answers": []}', "1")],
)
def test_a_set_that_is_not_right_is_told_where(tmp_path: Path, words_alone: Settings, line: str, said: str) -> None:
    folder = marked(tmp_path / "tiny")
    (folder / "answer_spans.jsonl").write_text(line)
    with pytest.raises(Misuse, match=said) as caught:
        evaluate(folder, words_alone, None, silent)
    assert caught.value.hint


def test_a_document_that_is_marked_but_not_there_is_named(tmp_path: Path, words_alone: Settings) -> None:
    with pytest.raises(Misuse, match="no document d9"):
        evaluate(marked(tmp_path / "tiny", document="d9"), words_alone, None, silent)


def test_a_folder_of_neither_kind_is_refused(tmp_path: Path, words_alone: Settings) -> None:
    with pytest.raises(Misuse, match="not a set of questions"):
        evaluate(tmp_path, words_alone, None, silent)
