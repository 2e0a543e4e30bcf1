from typing import Any, get_args

from hypothesis import given
from hypothesis import strategies as st

from pincite.cli.proof_output import (
    SIGNS,
    count_verdicts,
    describe_answer_judge,
    describe_proof,
    list_sources,
    mark_doubts,
    name_answer_model,
)
from pincite.events import Answer, Citation, Judge, Nearest, Repair, Sentence, ShownPassage, Usage
from pincite.types import Support


def sentence(text: str, end: int, support: Support | None, *cites: int, reasons: list[str] | None = None) -> Sentence:
    start = end - len(text)
    return Sentence(text=text, citations=list(cites), support=support, start=start, end=end, reasons=reasons or [])


def citation(n: int, **given: Any) -> Citation:
    values: dict[str, Any] = {
        "document": "abc",
        "title": "The dam",
        "kind": "pdf",
        "url": None,
        "page": 3,
        "quote": "It is 33 m high.",
        "start": 0,
        "end": 16,
        "score": 1.0,
        "boxes": [],
    }
    return Citation(n=n, evidence=n, **(values | given))


def answer(text: str, sentences: list[Sentence], citations: list[Citation], **given: Any) -> Answer:
    values: dict[str, Any] = {"refused": False, "question": "How high?", "model": "test", "usage": Usage()}
    return Answer(answer=text, sentences=sentences, citations=citations, **(values | given))


@given(st.text(), st.lists(st.tuples(st.integers(0, 60), st.sampled_from([*SIGNS, None]))))
def test_signs_are_put_in_and_no_word_is_changed(text: str, ends: list[tuple[int, Any]]) -> None:
    signed = mark_doubts(text, [sentence("", end, support) for end, support in ends])
    kept = [letter for letter in text if letter not in " ◌◐▲○"]
    assert [letter for letter in signed if letter not in " ◌◐▲○"] == kept


def test_only_sentences_in_doubt_have_a_sign() -> None:
    text = "One. [1] Two. Three. [2]"
    said = [sentence("One.", 4, "verified", 1), sentence("Two.", 13, "unsupported"), sentence("Three.", 20, "partial")]
    assert mark_doubts(text, said) == "One. [1] Two. ◌ Three. ◐ [2]"


def test_a_source_shows_the_verdicts_of_all_that_cite_it_in_signs_and_words() -> None:
    said = [sentence("One.", 4, "verified", 1), sentence("Two.", 9, "partial", 1, 2)]
    first, _, second, _ = (line.plain for line in list_sources(answer("", said, [citation(1), citation(2, page=None)])))
    assert first == "[1] The dam, p. 3   ● verified, ◐ partial"
    assert second == "[2] The dam   ◐ partial"


def test_a_document_that_the_answer_only_lists_is_not_named_a_second_time() -> None:
    listed = answer("- **The dam** [1]", [sentence("The dam", 17, None, 1)], [citation(1, quote="", page=None)])
    assert list(describe_proof(listed)) == []


def test_a_file_of_a_project_is_named_by_its_lines_and_quoted_with_their_numbers() -> None:
    code = citation(1, path="src/cart.py", lines=(9, 10), quote="def add(prices):\n\treturn sum(prices)\n", page=None)
    said = [sentence("One.", 4, "verified", 1)]
    assert [line.plain for line in list_sources(answer("", said, [code]))] == [
        "[1] src/cart.py:9–10   ● verified",
        "     9  def add(prices):",
        "    10      return sum(prices)",
    ]


def test_a_long_quote_of_a_file_is_cut_after_some_lines() -> None:
    code = citation(1, path="a.py", lines=(1, 500), quote="\n".join(["x"] * 500), page=None)
    lines = [line.plain for line in list_sources(answer("", [sentence("One.", 4, "verified", 1)], [code]))]
    assert lines[-2:] == ["     8  x", "        …"]


def test_a_web_page_shows_its_address_and_the_day_it_was_kept_and_leads_to_the_words_as_they_are_today() -> None:
    page = citation(1, url="https://example.org/dam", page=None, kind="html")
    said = [sentence("It is 33 m high.", 16, "verified", 1)]
    known, unknown = (list(list_sources(answer("", said, [page]), days)) for days in ({"abc": "2026-11-15"}, {}))
    assert known[-1].plain == "    https://example.org/dam, as it was on 2026-11-15"
    assert unknown[-1].plain == "    https://example.org/dam"
    assert any(
        "https://example.org/dam#:~:text=It%20is%2033%20m%20high." in str(span.style) for span in known[-1].spans
    )


def test_those_without_support_are_named_before_those_with_some_and_all_have_a_reason() -> None:
    said = [
        sentence("- **Two.**", 10, "partial", reasons=["1960 is not in the source"]),
        sentence("One.", 20, "unsupported"),
    ]
    lines = [line.plain for line in describe_proof(answer("", said, []))]
    assert lines == [
        "",
        "◌ unsupported: “One.” (no source says this)",
        "◐ partial: “Two.” (1960 is not in the source)",
    ]


def test_the_nearest_passages_are_introduced_in_the_language_of_the_question() -> None:
    near = Nearest(document="d" * 32, title="Bail", page=None, start=0, end=4, text="Le bail.")
    for question, said in (
        ("Quelle est la durée du bail ?", "Ce qui s’en approche le plus\u00a0:"),
        ("How long is the lease?", "What comes nearest:"),
    ):
        refused = answer("", [], [], refused=True, nearest=[near]).model_copy(update={"question": question})
        assert said in [line.plain for line in describe_proof(refused)]


def test_a_refusal_shows_the_part_of_a_passage_that_comes_nearest() -> None:
    passage = "Nothing of it here. " * 40 + "How high the tower is, nobody knows. " + "Nor here. " * 40
    near = Nearest(document="abcdefghij", title="The tower", page=2, start=0, end=9, text=passage)
    lines = [line.plain for line in describe_proof(answer("", [], [], refused=True, nearest=[near]))]
    assert lines[2] == "  The tower, p. 2   abcdefgh"
    assert "How high the tower is" in lines[3]
    assert len(lines[3]) < 300


def test_invented_citations_are_told() -> None:
    assert [line.plain for line in describe_proof(answer("", [], [], invented=2))] == [
        "2 citations of sources that do not exist: removed."
    ]


def test_verdicts_are_counted_in_words() -> None:
    said = [sentence("", 1, "verified"), sentence("", 2, "verified"), sentence("", 3, None), sentence("", 4, "partial")]
    assert count_verdicts(answer("", said, [])) == "● 2 verified, ◐ 1 partial"


def test_an_answer_of_quotations_alone_says_that_they_are_quoted() -> None:
    said = [sentence("", n, "verified").model_copy(update={"basis": "quote"}) for n in (1, 2)]
    assert count_verdicts(answer("", said, [])) == "● 2 quoted"
    french = answer("", said, [], question="Quelle est la hauteur de la tour ?")
    assert count_verdicts(french) == "● 2 citées mot pour mot"
    assert count_verdicts(answer("", [*said, sentence("", 3, "partial")], [])) == "● 2 verified, ◐ 1 partial"


def test_quoted_passages_are_counted_in_the_language_of_the_question() -> None:
    passages = [ShownPassage(n=1, document="d", title="T", start=0, end=4, text="Haut")]
    asked = {"model": "extractive", "passages": passages}
    parts = [each.model_copy(update={"part_of": 7, "start": start}) for start, each in enumerate(passages * 2)]
    together = answer("", [sentence("", 1, "verified")], [], model="extractive", passages=parts)
    assert count_verdicts(together) == "● 1 passage quoted"
    english = answer("", [sentence("", 1, "verified")], [], **asked)
    french = answer("", [sentence("", 1, "verified")], [], **asked, question="Quelle est la hauteur de la tour ?")
    assert (count_verdicts(english), name_answer_model(english)) == ("● 1 passage quoted", "without a model")
    assert (count_verdicts(french), name_answer_model(french)) == ("● 1 passage cité", "sans modèle")
    assert name_answer_model(answer("", [], [])) == "test"


def test_the_proof_of_a_french_answer_is_in_french() -> None:
    said = [
        sentence("Une.", 4, "verified", 1),
        sentence("Deux.", 9, "verified", 1),
        sentence("Trois.", 15, "unsupported"),
        sentence("Quatre.", 22, "contradicted").model_copy(update={"source": "cinq"}),
    ]
    french = answer("", said, [citation(1)], question="Quelle est la hauteur de la tour ?", invented=2)
    assert count_verdicts(french) == "● 2 vérifiées, ▲ 1 contredite, ◌ 1 introuvable dans les sources"
    lines = [line.plain for line in describe_proof(french)]
    assert lines[1:4] == [
        "▲ contredite\u00a0: «\u00a0Quatre.\u00a0»",
        "  la source dit «\u00a0cinq\u00a0»",
        "◌ introuvable dans les sources\u00a0: «\u00a0Trois.\u00a0» (aucune source ne le dit)",
    ]
    assert "[1] The dam, p. 3   ● vérifiée" in lines
    assert lines[-1] == "2 citations de sources qui n’existent pas\u00a0: retirées."


def test_every_verdict_has_a_sign_of_its_own_form() -> None:
    assert set(SIGNS) == set(get_args(Support))
    assert len(set(SIGNS.values())) == len(SIGNS)


def test_a_sentence_that_is_being_checked_has_no_sign_yet_and_one_that_nobody_checked_has() -> None:
    waiting = sentence("One.", 4, "unchecked").model_copy(update={"checking": True})
    assert mark_doubts("One. Two.", [waiting, sentence("Two.", 9, "unchecked")]) == "One. Two. ○"


def test_the_words_of_the_source_stand_below_a_contradicted_sentence() -> None:
    said = [
        sentence("Two.", 9, "partial").model_copy(update={"unsupported": ["since 1950", "all"]}),
        sentence("It is 35 m high.", 30, "contradicted").model_copy(update={"source": "It is\n33 m high."}),
    ]
    assert [line.plain for line in describe_proof(answer("", said, []))] == [
        "",
        "▲ contradicted: “It is 35 m high.”",
        "  the source says “It is 33 m high.”",
        "◐ partial: “Two.” (“since 1950”, “all” are not in the source)",
    ]


def test_a_source_shows_what_verified_sentences_rest_on() -> None:
    said = [
        sentence("One.", 4, "verified", 1).model_copy(update={"basis": "quote"}),
        sentence("Two.", 9, "verified", 1).model_copy(update={"basis": "judge", "judge": "openai:gpt-5"}),
        sentence("Three.", 20, "unsupported").model_copy(update={"suggested": [2]}),
    ]
    first, _, second, _ = (line.plain for line in list_sources(answer("", said, [citation(1), citation(2)])))
    assert first == "[1] The dam, p. 3   ● verified (quoted, by openai:gpt-5)"
    assert second == "[2] The dam, p. 3   not cited, may support it"


def test_the_judge_is_named_with_how_far_it_can_be_trusted() -> None:
    judge = Judge(model="openai:gpt-5", sentences=3, agreed=74, passed=2, total=80)
    assert describe_answer_judge(answer("", [], [], judge=judge)) == (
        "judged by openai:gpt-5 (agreed with readers on 74 of 80, let 2 false sentences pass)"
    )
    assert describe_answer_judge(answer("", [], [])) == ""


def test_a_cut_and_repairs_are_told_under_the_answer() -> None:
    repair = Repair(before="It is blue.", support="unsupported")
    assert [line.plain for line in describe_proof(answer("", [], [], cut="length", repairs=[repair]))] == [
        "",
        "The answer ends early: the model reached its limit of length.",
        "Withdrawn: “It is blue.” (not found in the sources).",
    ]
