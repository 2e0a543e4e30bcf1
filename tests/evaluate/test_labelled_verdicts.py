"""The verdicts on labelled sentences are counted as an answer would get them, whatever shape the set has."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from pincite.errors import Misuse
from pincite.evaluate.labelled_sentences import LabelledSentence, read_labelled
from pincite.evaluate.labelled_verdicts import LabelJudge, evaluate, make_cited
from pincite.proof.judge import SentenceJudge
from tests.program import run

NOTE = """# The dam

The dam was built in 1950. It is 33 m high, except at the lock.

| Year | Visitors |
|------|----------|
| 2022 | 4,100 |
| 2023 | 5,300 |
"""
LINES: list[dict[str, object]] = [
    {
        "claim": "The dam was built in 1950.",
        "cited": ["The dam was built in 1950."],
        "label": "supported",
        "kind": "quote",
    },
    {"claim": "The wall stands 33 m tall.", "cited": ["It is 33 m high"], "label": "supported", "kind": "paraphrase"},
    {"claim": "The dam was built in 1963.", "cited": ["The dam was built in 1950."], "label": "no", "kind": "year"},
    {"claim": "It is low everywhere.", "cited": ["It is 33 m high"], "label": "not_supported", "kind": "negation"},
]


def make_set(folder: Path, **extra: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "note.md").write_text(NOTE, encoding="utf-8")
    lines = "".join(json.dumps({**line, **extra}) + "\n" for line in LINES)
    (folder / "claims.jsonl").write_text(lines, encoding="utf-8")
    return folder


def no_judge(_: Sequence[LabelledSentence]) -> SentenceJudge | None:
    return None


@pytest.mark.parametrize("extra", [{"document": "note.md"}, {"document": "note"}, {"context": NOTE}, {}])
def test_without_a_judge_only_quotes_are_verified_and_wrong_facts_refused(
    tmp_path: Path, extra: dict[str, object]
) -> None:
    figures = evaluate(make_set(tmp_path / "set", **extra), no_judge, lambda _: None)
    assert figures["supported"] == {"verified": 1, "unchecked": 1}
    refused = figures["kinds"]["year"]
    assert sum(refused.get(support, 0) for support in ("contradicted", "unsupported")) == 1
    assert figures["kinds_by_label"]["not_supported"]["negation"] == {"unchecked": 1}


def test_a_judge_that_knows_the_labels_shows_what_the_checks_by_code_allow(tmp_path: Path) -> None:
    figures = evaluate(make_set(tmp_path / "set", document="note.md"), LabelJudge, lambda _: None)
    assert figures["supported"] == {"verified": 2}
    assert "verified" not in figures["not_supported"]


def test_cited_words_stand_in_a_passage_of_their_document_with_its_tables(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "set", document="note.md", cited=["| 2023 | 5,300 |"])
    [(evidence, number)] = make_cited(read_labelled(folder)[0])
    assert number
    assert "5,300" in evidence.sentence(number)
    assert [row.label for table in evidence.tables for row in table.rows] == ["2022", "2023"]
    assert evidence.name == "note.md"


def test_rows_and_code_are_cited_in_the_pieces_that_an_answer_has(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "set", document="note.md", cited=["| 2023 | 5,300 |", "wide = 5. "])
    code = "```python\nhigh = 33. \nwide = 5. # Metres. As built.\n\nprint(high)\n```\n"
    (folder / "note.md").write_text(f"{NOTE}\n{code}", encoding="utf-8")
    cited = make_cited(read_labelled(folder)[0])
    said = [evidence.sentence(number) for evidence, number in cited if number]
    assert said == ["| 2023 | 5,300 |", "```python\nhigh = 33. \nwide = 5. # Metres. As built."]
    assert all(evidence.code for evidence, _ in cited)


def test_a_set_may_be_one_list_and_name_a_page_or_a_file_elsewhere(tmp_path: Path) -> None:
    folder, other = tmp_path / "set", tmp_path / "papers"
    folder.mkdir()
    other.mkdir()
    (other / "note.md").write_text(NOTE, encoding="utf-8")
    cited = [{"document": "note.md", "quote": "The dam was built in 1950."}]
    entry = {"sentence": "The dam was built in 1950.", "citations": cited, "supported": True, "page": 1}
    (folder / "claims.json").write_text(json.dumps({"claims": [entry]}), encoding="utf-8")
    [labelled] = read_labelled(folder)
    assert (labelled.document, labelled.page, labelled.is_supported) == (other / "note.md", 1, True)
    assert evaluate(folder, no_judge, lambda _: None)["supported"] == {"verified": 1}


def test_a_folder_without_sentences_is_a_mistake_that_says_what_is_wanted(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="no labelled sentences"):
        read_labelled(tmp_path)
    (tmp_path / "bad.jsonl").write_text("not json\n", encoding="utf-8")
    with pytest.raises(Misuse, match="line 1"):
        read_labelled(tmp_path)


def test_the_command_prints_counts_by_label_and_kind(tmp_path: Path) -> None:
    ran = run("evaluate", "verdicts", str(make_set(tmp_path / "set")), "--json", data=tmp_path / "data")
    figures = json.loads(ran.stdout)
    assert set(figures) >= {"supported", "not_supported", "kinds"}
    assert figures["kinds"]["quote"] == {"verified": 1}
