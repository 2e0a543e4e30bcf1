"""Code decides quotes and facts; a judge decides meaning; without one nothing but a quote is verified."""

import pytest
from tests.proof.test_pin import evidence

from pincite.proof.facts import Facts
from pincite.proof.judge import Claim, Judgement, Opinion, Quotation
from pincite.proof.pin import PinnedSentence
from pincite.proof.reasons import describe_reason
from pincite.proof.verdict import CheckedSentence, apply_judgement, check_sentence
from pincite.types import Cell, Evidence, Reason, Row, Span, Table

DAM = evidence(1, "The dam was built in 1950. It is 33 m high. Swimming is allowed, except near the dam.")


def support(sentence: str, judgement: Judgement | None = None, *, number: int | None = None) -> tuple[str, str | None]:
    checked = check_sentence(sentence, [(DAM, number)])
    verdict = apply_judgement(checked, judgement, "test:judge" if judgement else "")
    assert verdict
    return verdict.support, verdict.basis


def test_a_whole_quote_is_verified_without_a_judge() -> None:
    assert support("It is 33 m high.") == ("verified", "quote")


def test_a_second_source_that_says_otherwise_wins_over_a_quote() -> None:
    verdict = check_sentence("It is 33 m high.", [(DAM, 2), (evidence(2, "It is 41 m high."), 1)]).verdict
    assert verdict
    assert verdict.support == "contradicted"
    verdict = check_sentence("It is 33 m high.", [(DAM, 2), (evidence(2, "The lake is deep."), 1)]).verdict
    assert verdict
    assert verdict.support == "verified"


def test_no_word_of_a_judge_takes_the_mark_off_a_cited_sentence() -> None:
    opinions: tuple[Opinion, ...] = ("silent", "no_claim")
    for opinion in opinions:
        assert support("Swimming is allowed near the dam.", Judgement(opinion)) == ("unsupported", None)


def test_a_paraphrase_without_a_judge_is_unchecked_and_never_verified() -> None:
    assert support("The dam stands 33 m tall.") == ("unchecked", None)
    assert support("Swimming is allowed.") == ("unchecked", None)


@pytest.mark.parametrize(
    ("opinion", "expected"),
    [
        ("supported", ("verified", "judge")),
        ("partial", ("partial", None)),
        ("contradicted", ("contradicted", None)),
        ("unsupported", ("unsupported", None)),
    ],
)
def test_the_judge_decides_a_paraphrase(opinion: Opinion, expected: tuple[str, str | None]) -> None:
    assert support("The dam stands 33 m tall.", Judgement(opinion)) == expected


def test_a_judge_cannot_verify_what_facts_veto() -> None:
    assert support("The dam stands 41 m tall.", Judgement("supported"))[0] in ("contradicted", "unsupported")
    assert support("The dam dates from 1963.", Judgement("supported"))[0] in ("contradicted", "unsupported")


def test_a_judge_cannot_lend_a_source_to_a_sentence_that_cites_none() -> None:
    checked = check_sentence("The dam is old.", [])
    verdict = apply_judgement(checked, Judgement("supported"), "test:judge")
    assert verdict
    assert verdict.support == "unsupported"
    assert apply_judgement(checked, Judgement("no_claim"), "test:judge") is None
    assert apply_judgement(checked, Judgement("silent"), "test:judge") is None


def test_a_computed_figure_is_verified_as_computed_only_after_the_judge() -> None:
    facts = Facts(computed="3,991 / 5,506 − 1 = −27.5 %")
    checked = CheckedSentence(PinnedSentence(), facts, Claim("It fell 27.5 %.", (Quotation("…"),)), None)
    alone, judged = apply_judgement(checked, None, ""), apply_judgement(checked, Judgement("supported"), "test:judge")
    assert alone
    assert judged
    assert (alone.support, alone.computed) == ("unchecked", facts.computed)
    assert (judged.support, judged.basis, judged.computed) == ("verified", "computed", facts.computed)


def test_a_figure_that_the_calculator_gave_rests_on_its_inputs() -> None:
    source = evidence(1, "Net revenue was 3,991 in 2015 and 5,506 in 2014, as all accounts of these years show.")
    made = [("a / b − 1 = 3,991 [1.1] / 5,506 [1.1] − 1 = −0.2752 = −27.5 %", -0.27515)]
    sentence = "Sales shrank by some 4.1 points in all."
    assert check_sentence(sentence, [(source, 1)], calculations=made).verdict is not None
    sentence = "Per head that makes 11.6 in all, and 27.5 % less."
    checked = check_sentence(sentence, [(source, 1)], calculations=[*made, ("x / y = 23.2 [1.1] / 2 = 11.6", 11.6)])
    assert checked.verdict is None
    assert "23.2 / 2 = 11.6" in checked.facts.computed


def test_a_result_of_the_calculator_gives_no_other_scale() -> None:
    source = evidence(1, "The bridge cost 3 million euros.")
    made = [("a + b = 0.000001 + 0.000001 = 0.000002", 2e-6)]
    verdict = check_sentence("The bridge cost 2 million euros.", [(source, 1)], calculations=made).verdict
    assert verdict
    assert verdict.support in ("contradicted", "unsupported")


def test_a_judge_reads_a_table_row_with_its_heads_and_the_words_around() -> None:
    text = "Sales by year\nNet revenue\t3,991\t5,506\nThat was less than planned."
    start = text.index("Net")
    row = Row(start, text.index("\nThat"), "Net revenue", (Cell(0, 0, "3,991", "2015"), Cell(0, 0, "5,506", "2014")))
    source = Evidence(
        1,
        Span("d", 0, len(text)),
        "Report",
        "pdf",
        text,
        page=7,
        headings=("Results",),
        sentences=((0, 13), (row.start, row.end), (row.end + 1, len(text))),
        tables=(Table((row,), note="in millions"),),
    )
    [quotation] = check_sentence("Net revenue was 3,991 million in 2015.", [(source, 2)]).claim.cited
    assert quotation.words == "Net revenue | 2015: 3,991 | 2014: 5,506 (in millions)"
    assert "less than planned" in quotation.around
    assert quotation.where == "Report › Results, p. 7"


def test_reasons_are_words_in_the_readers_language() -> None:
    differs = Reason("fact_differs", "41 m", "33 m")
    assert describe_reason(differs, "en") == "the source says 33 m, the sentence says 41 m"
    assert describe_reason(differs, "fr") == "la source dit 33 m, la phrase dit 41 m"
    assert describe_reason(Reason("judge_differs"), "fr") == "la source dit autre chose"
