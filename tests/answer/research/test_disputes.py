"""Where sources disagree: what is told as a dispute is one; where it might be none, nothing is told."""

import asyncio
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.ledger import Ledger
from pincite.answer.research.disputes import Dispute, find_disputes, judge_disputes, list_candidates
from pincite.proof.judge import Claim, Judgement, Opinion
from pincite.types import Evidence, Hit, Span

DISPUTED = [
    ("The dam at Vassivière is 33 m high.", "The dam at Vassivière is 41 m high."),
    ("Le lac de Vassivière couvre 9,76 km².", "Le lac de Vassivière couvre 11 km²."),
    ("Corvel Cycles sold 12,400 bicycles in 2023.", "Corvel Cycles sold 13,900 bicycles in 2023."),
    ("The total cost of the Garrow Bridge was £412,000.", "The Garrow Bridge cost £398,000 in total."),
    ("The notice period is three months.", "The notice period is one month."),
]
# Two sentences that differ in a word or a year: only a judge can say whether both may be so.
LEFT_TO_THE_JUDGE = [
    ("The dam at Vassivière was built in 1950.", "The dam at Vassivière was built in 1952."),
    ("Swimming in Lake Vassivière is allowed.", "Swimming in Lake Vassivière is forbidden."),
    ("La circulation est interdite sur le pont de Gravelle.", "La circulation est autorisée sur le pont de Gravelle."),
    ("Aspirin reduces the risk of stroke in women.", "Aspirin does not reduce the risk of stroke in women."),
]
UNDISPUTED = [
    ("Rents in Lund rose by 3.1 percent, says the observatory.", "Rents in Lund rose by 3.1 percent, the union says."),
    ("The dam at Vassivière was built in 1950.", "The dam at Serre-Ponçon was built in 1955."),
    ("It was built in 1950.", "It was built in 1934."),
    ("Revenue of Corvel was 5 million in 2019.", "Revenue of Corvel was 6 million in 2020."),
    ("Revenue of Corvel was 5 million in 2019.", "Revenue of Corvel was 5 million in 2020."),
    ("The festival of Avignon took place in 2019.", "The festival of Avignon took place in 2020."),
    ("The board of Corvel met on 3 May 2023.", "The board of Corvel met on 8 June 2023."),
    ("Swimming in Lake Vassivière is allowed.", "Swimming in Lake Vassivière is not allowed near the dam."),
    ("The dam at Vassivière is 33 m high.", "The dam at Vassivière is 33 metres high."),
    ("The dam at Vassivière is about 30 m high.", "The dam at Vassivière is 33 m high."),
    ("Corvel Cycles sold over 12,000 bicycles in 2023.", "Corvel Cycles sold 12,400 bicycles in 2023."),
    ("The Garrow Bridge has a main span of 218 metres.", "The Garrow Bridge has a side span of 60 metres."),
    ("Paul Oster was elected chair of Corvel in 2012.", "Claire Martin was elected chair of Corvel in 2023."),
    ("Corvel sold 12,400 bicycles in France.", "Corvel sold 3,100 bicycles in Spain."),
    ("In summer the Garrow Bridge is open until 22:00.", "In winter the Garrow Bridge is open until 18:00."),
    ("Le taux de TVA sur les livres est de 5,5 %.", "Le taux de TVA sur la presse est de 2,1 %."),
    ("The tenant may give notice at any time.", "The landlord may not give notice at any time."),
    ("Adults pay 12 euros at the Louvre.", "Children pay 5 euros at the Louvre."),
    ("The first edition of Emma was published in 1815.", "The second edition of Emma was published in 1833."),
    (
        "The notice period for a furnished flat is one month.",
        "The notice period for an unfurnished flat is three months.",
    ),
    ("The east tower of Garrow Castle was built in 1310.", "The west tower of Garrow Castle was built in 1345."),
    ("Corvel saw no rise of its costs in 2023.", "Corvel saw no fall of its costs in 2023."),
    ("Table 2 shows the costs of the Garrow Bridge.", "Table 3 shows the costs of the Garrow Bridge."),
    ("See page 12 of the Garrow report for more.", "See page 14 of the Garrow report for more."),
]


class ScriptedJudge:
    """A judge with one opinion on everything."""

    name = "test:judge"

    def __init__(self, opinion: Opinion) -> None:
        self.opinion = opinion

    async def judge(self, claims: Sequence[Claim]) -> list[Judgement | None]:
        return [Judgement(self.opinion) for _ in claims]


def sources(*told: str, titles: tuple[str, ...] = ()) -> tuple[Evidence, ...]:
    """A ledger with a document for each of these texts."""
    ledger = Ledger()
    for number, text in enumerate(told):
        title = titles[number] if titles else f"Notes {number}"
        ledger.add(Hit(Span(f"d{number}", 0, len(text)), title, "text", text, 1.0))
    return ledger.listed


def found(*told: str, question: str = "", titles: tuple[str, ...] = ()) -> list[Dispute]:
    return find_disputes(question, [(1, None)], sources(*told, titles=titles))


@pytest.mark.parametrize(("one", "other"), DISPUTED)
def test_sources_that_cannot_both_be_right_are_told_with_both_places(one: str, other: str) -> None:
    assert [(each.one.mark, each.other.mark) for each in found(one, other)] == [("[1.1]", "[2.1]")]
    assert len(found(other, one)) == 1


@pytest.mark.parametrize(("one", "other"), UNDISPUTED)
def test_sources_that_can_both_be_right_are_left_in_peace(one: str, other: str) -> None:
    assert found(one, other) == []
    assert found(other, one) == []


@pytest.mark.parametrize(("one", "other"), LEFT_TO_THE_JUDGE)
def test_a_difference_in_meaning_is_told_only_when_a_judge_says_so(one: str, other: str) -> None:
    assert found(one, other) == []
    candidates = list_candidates([(1, None)], sources(one, other))
    assert [(each.one.mark, each.other.mark) for each in candidates] == [("[1.1]", "[2.1]")]
    opinions: list[tuple[Opinion, int]] = [("contradicted", 1), ("supported", 0), ("unsupported", 0)]
    for opinion, told in opinions:
        assert len(asyncio.run(judge_disputes(candidates, ScriptedJudge(opinion)))) == told


def test_a_statement_repeated_in_one_document_is_no_dispute() -> None:
    one, other = DISPUTED[0]
    assert found(f"{one} {other}") == []


def test_a_third_source_is_no_second_dispute_on_the_same_matter() -> None:
    one, other = DISPUTED[0]
    assert len(found(one, other, one)) == 1


def test_the_bridge_of_two_documents_is_one_bridge_only_if_both_are_about_it() -> None:
    one, other = "The total cost of the bridge was £412,000.", "The total cost of the bridge was £398,000."
    assert found(one, other, titles=("The Garrow Bridge", "The Marlow Bridge")) == []
    assert found(one, other, titles=("The Garrow Bridge", "The Marlow Bridge"), question="What did Garrow cost?") == []
    assert len(found(one, other, titles=("The Garrow Bridge", "Garrow and its bridge"))) == 1


def test_a_sentence_that_the_report_does_not_rest_on_is_not_held_against_others() -> None:
    listed = sources("The lake is deep and wide.", *DISPUTED[0])
    assert find_disputes("", [(1, 1)], listed) == []
    assert len(find_disputes("", [(3, 1)], listed)) == 1


@given(st.lists(st.text(max_size=120), min_size=1, max_size=3))
def test_whatever_sources_say_a_dispute_is_between_two_documents(told: list[str]) -> None:
    for each in found(*told):
        assert each.one.evidence.span.document != each.other.evidence.span.document


def test_many_pages_that_say_much_the_same_are_not_compared_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    room = sys.modules[find_disputes.__module__]
    compared: list[object] = []
    monkeypatch.setattr(room, "has_different_figure", lambda *pair: compared.append(pair))
    row = " ".join(f"The lock at Garrow is {place} metres wide at its gate." for place in range(20))
    listed = sources(*(row.replace("lock", f"lock {page}") for page in range(30)))
    marks = [(each.number, None) for each in listed]
    assert find_disputes("How wide is it?", marks, listed) == []
    assert 0 < len(compared) <= 3000
