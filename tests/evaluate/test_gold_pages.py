from pathlib import Path

import pytest

from pincite.errors import Misuse
from pincite.evaluate.gold_pages import evaluate
from pincite.settings import Settings, load_settings
from tests.evaluate import sets


@pytest.fixture
def words_alone(tmp_path: Path) -> Settings:
    # Small passages, so that each page has its own; another owner, for whom nothing may be different.
    passages = {"size": 100, "overlap": 0}
    return load_settings(data=tmp_path / "data", owner="somebody", embedding={"provider": "none"}, passages=passages)


def silent(_: str) -> None:
    return None


def test_the_gold_page_is_looked_for_among_the_first_pages(tmp_path: Path, words_alone: Settings) -> None:
    figures = evaluate(sets.pages(tmp_path / "tiny"), words_alone, None, silent)
    assert (figures["questions"], figures["documents"]) == (1, 1)
    assert figures["modes"]["lexical"] == {"first 1": 1.0, "first 5": 1.0, "first 10": 1.0, "first 20": 1.0}
    assert "lexical, document given" in figures["modes"]


def test_a_page_that_nothing_leads_to_counts_as_not_found(tmp_path: Path, words_alone: Settings) -> None:
    folder = sets.pages(tmp_path / "tiny")
    evidence = [{"evidence_page_num": 2}]
    sets.lines(
        folder / "questions.jsonl", {"question": "conservation", "doc_name": "REPORT_2024", "evidence": evidence}
    )
    figures = evaluate(folder, words_alone, None, silent)
    assert figures["modes"]["lexical"]["first 20"] == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "There is no"),
        ("", "no questions"),
        ("no json\n", "line 1 is not a question"),
        ('{"question": "a", "doc_name": "REPORT_2024"}\n', "line 1 is not a question"),
        ('{"question": "a", "doc_name": "OTHER", "evidence": [{"evidence_page_num": 1}]}\n', "No PDF of OTHER"),
        (
            '{"question": "a", "doc_name": "REPORT_2024", "evidence": [{"evidence_page_num": 1, "doc_name": "B"}]}\n',
            "No PDF of B",
        ),
    ],
)
def test_a_set_that_is_not_right_is_told_where(
    tmp_path: Path, words_alone: Settings, content: str | None, said: str
) -> None:
    folder = sets.pages(tmp_path / "tiny")
    (folder / "questions.jsonl").unlink()
    if content is not None:
        (folder / "questions.jsonl").write_text(content)
    with pytest.raises(Misuse, match=said) as caught:
        evaluate(folder, words_alone, None, silent)
    assert caught.value.hint
