"""A follow-up is searched with and without the last question's subject, and loses none of its own best passages."""

from collections.abc import Sequence
from typing import cast

import pytest

from pincite.search.follow_up import FollowUp, needs_subject, search_follow_up
from pincite.search.search import PassageSearch
from pincite.types import Hit, Scope, Span

SCOPE = Scope("local")


def hit(name: str, score: float) -> Hit:
    return Hit(Span(name, 0, 4), name, "markdown", "Text", score)


class TwoSearches:
    """Returns some passages for a question alone, and others with the subject added to it."""

    def __init__(self, question: str, alone: Sequence[Hit], beside: Sequence[Hit]) -> None:
        self._question, self._alone, self._beside = question, alone, beside

    def search(self, question: str, scope: Scope, limit: int) -> list[Hit]:
        return list(self._alone if question == self._question else self._beside)[:limit]


@pytest.mark.parametrize(
    ("limit", "keep_first", "expected"),
    [
        (7, False, ["v", "w", "x", "y", "a", "b", "c"]),
        (7, True, ["a", "v", "w", "x", "y", "b", "c"]),
        (5, False, ["v", "w", "x", "a", "b"]),
        (2, False, ["v", "a"]),
        (1, False, ["v"]),
        (1, True, ["a"]),
    ],
)
def test_the_best_passages_of_the_question_alone_are_always_found(
    limit: int, keep_first: bool, expected: list[str]
) -> None:
    alone = [hit(name, score) for name, score in (("a", 0.9), ("b", 0.8), ("c", 0.7), ("d", 0.6))]
    beside = [hit(name, score) for name, score in (("v", 0.99), ("w", 0.98), ("x", 0.97), ("y", 0.96), ("z", 0.95))]
    question = "How much?"
    search = cast(PassageSearch, TwoSearches(question, alone, beside))
    found = search_follow_up(search, question, "the bridge", SCOPE, limit, keep_first)
    assert [each.span.document for each in found.hits] == expected
    assert found.loses_best


def test_a_passage_that_both_searches_find_comes_first() -> None:
    alone, beside = [hit("a", 0.6), hit("b", 0.5)], [hit("v", 0.7), hit("b", 0.6)]
    search = cast(PassageSearch, TwoSearches("How much?", alone, beside))
    found = search_follow_up(search, "How much?", "the bridge", SCOPE, 3)
    assert [each.span.document for each in found.hits] == ["b", "v", "a"]
    assert found.changes_best


@pytest.mark.parametrize(
    ("question", "best", "needs"),
    [
        ("What law governs the agreement?", "The fee is paid each month.", True),
        ("What law governs the agreement?", "This Agreement is governed by French law.", False),
        ("What is the population of Norway?", "The fee is paid each month.", False),  # it has a name
        ("What was the turnover in 2022?", "The fee is paid each month.", True),  # a year is no subject
        ("What salary does the CEO get?", "The fee is paid each month.", True),
        ("Where was Charles Babbage born?", "The fee is paid each month.", False),
        ("And the fee?", "The fee is paid each month.", True),  # one word of its own
    ],
)
def test_a_question_whose_best_passage_is_lost_needs_the_subject_unless_it_stands_alone(
    question: str, best: str, needs: bool
) -> None:
    found = Hit(Span("a", 0, len(best)), "Contract", "markdown", best, 0.9)
    assert needs_subject(question, FollowUp((found,), True, True, found), "en") is needs


def test_a_question_whose_best_passage_is_found_beside_the_subject_does_not_need_it() -> None:
    found = hit("a", 0.9)
    assert not needs_subject("What law governs the agreement?", FollowUp((found,), True, False, found), "en")


@pytest.mark.parametrize(
    ("question", "needs"),
    [("asdf qwer", False), ("And the profit in 2019?", True), ("2019?", True), ("Et alors ?", True)],
)
def test_a_question_without_any_known_word_takes_no_subject(question: str, needs: bool) -> None:
    assert needs_subject(question, FollowUp((hit("a", 1.0),), True, True, None), "en") is needs


def test_a_question_that_stands_alone_and_finds_nothing_is_not_answered_from_the_last_subject() -> None:
    searches = cast("PassageSearch", TwoSearches("asdf qwer", [], [hit("a", 1.0)]))
    assert search_follow_up(searches, "asdf qwer", "revenue", SCOPE, 5, keep_first=True).hits == ()
    assert search_follow_up(searches, "asdf qwer", "revenue", SCOPE, 5).hits
