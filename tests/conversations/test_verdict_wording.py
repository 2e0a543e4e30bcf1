"""Verdicts in words: what a reader is told of a sentence, a footnote and an answer, in both languages."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from pincite.conversations.verdict_wording import (
    ORDER,
    describe_basis,
    describe_citation,
    describe_end,
    describe_sentence,
    summarize_verdicts,
)
from pincite.events import Answer, Cut, Judge, Repair, Sentence, Usage
from pincite.types import Support

CASES = json.loads((Path(__file__).parent / "verdict_cases.json").read_text(encoding="utf-8"))


def said(text: str = "It is deep.", citations: tuple[int, ...] = (), **given: Any) -> Sentence:
    return Sentence(text=text, citations=list(citations), **{"support": "verified", **given})


def whole(*sentences: Sentence, **given: Any) -> Answer:
    usual: dict[str, Any] = {"answer": "", "refused": False, "question": "", "model": "m", "usage": Usage()}
    return Answer(sentences=list(sentences), citations=[], **usual | given)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("case", CASES["sentences"], ids=lambda case: case["name"])
def test_a_sentence_has_a_note_or_a_basis_in_words(case: dict[str, Any], language: str) -> None:
    sentence = said(**case["sentence"])
    assert describe_sentence(sentence, language) == case["note"][language]
    assert describe_basis(sentence, language) == case["basis"][language]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("case", CASES["summaries"], ids=lambda case: case["name"])
def test_an_answer_is_summed_up_with_its_judge(case: dict[str, Any], language: str) -> None:
    judge = Judge(**case["judge"]) if case["judge"] else None
    answer = whole(*(said(support=support, basis=case.get("basis")) for support in case["supports"]), judge=judge)
    assert summarize_verdicts(answer, language) == case["summary"][language]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("case", CASES["ends"], ids=lambda case: case["name"])
def test_a_cut_and_repairs_are_told(case: dict[str, Any], language: str) -> None:
    answer = whole(cut=case["cut"], repairs=[Repair(**each) for each in case["repairs"]])
    assert describe_end(answer, language) == case["told"][language]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_verdict_and_every_cut_has_words(language: str) -> None:
    assert set(ORDER) == set(get_args(Support))
    for support in ORDER[1:]:
        assert describe_sentence(said(support=support), language)
    told = [describe_end(whole(cut=cut), language)[0] for cut in get_args(Cut)]
    assert len(set(told)) == len(get_args(Cut))


def test_a_footnote_tells_each_basis_of_those_that_cite_it_once() -> None:
    sentences = [
        said(citations=(1,), basis="quote"),
        said(citations=(1, 2), basis="judge", judge="m"),
        said(citations=(1,), basis="quote"),
        said(citations=(1,), support="contradicted"),
    ]
    assert describe_citation(sentences, 1, "en") == "quoted, verified by m"
    assert describe_citation(sentences, 2, "en") == "verified by m"
    assert describe_citation(sentences, 3, "en") == ""


def test_long_words_of_a_source_are_cut() -> None:
    note = describe_sentence(said(support="contradicted", source="word " * 200), "en")
    assert len(note) < 260
    assert note.endswith("…”")
