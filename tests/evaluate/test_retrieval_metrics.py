import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.evaluate.retrieval_metrics import compute_ndcg, compute_recall, compute_token_f1, count_shared_characters

ITEMS = [f"d{number}" for number in range(130)]
RUNS = st.lists(st.sampled_from(ITEMS), unique=True, max_size=130)
JUDGEMENTS = st.dictionaries(st.sampled_from(ITEMS), st.integers(-1, 3), min_size=1, max_size=130)


def test_a_ranking_has_the_figures_that_are_computed_by_hand() -> None:
    relevant = {"a": 3, "b": 2, "c": 1, "d": -1}
    discounted = 2 / math.log2(2) + 0 + 3 / math.log2(4)
    best = 3 / math.log2(2) + 2 / math.log2(3) + 1 / math.log2(4)
    assert compute_ndcg(["b", "x", "a", "d"], relevant, 10) == pytest.approx(discounted / best)
    assert compute_ndcg(["b", "x", "a"], relevant, 1) == pytest.approx(2 / 3)
    assert compute_recall(["b", "x", "a", "d"], relevant, 100) == pytest.approx(2 / 3)
    assert compute_recall(["b", "x", "a"], relevant, 1) == pytest.approx(1 / 3)


@given(RUNS, JUDGEMENTS)
def test_no_ranking_beats_the_one_by_relevance_and_a_better_swap_never_loses(
    ranked: list[str], relevant: dict[str, int]
) -> None:
    ideal = sorted(relevant, key=lambda item: -relevant[item])
    if max(relevant.values()) > 0:
        assert compute_ndcg(ideal, relevant, 10) == pytest.approx(1)
    assert 0 <= compute_ndcg(ranked, relevant, 10) <= 1 + 1e-9
    for place in range(min(len(ranked) - 1, 12)):
        one, other = ranked[place], ranked[place + 1]
        if relevant.get(other, 0) > relevant.get(one, 0):
            swapped = [*ranked[:place], other, one, *ranked[place + 2 :]]
            assert compute_ndcg(swapped, relevant, 10) >= compute_ndcg(ranked, relevant, 10) - 1e-12


def test_a_perfect_ranking_is_one_and_an_empty_one_is_nothing() -> None:
    assert compute_ndcg(["a", "b"], {"a": 2, "b": 1}, 10) == compute_recall(["a", "b"], {"a": 2, "b": 1}, 100) == 1
    assert compute_ndcg([], {"a": 1}, 10) == compute_recall([], {"a": 1}, 100) == 0


def test_texts_agree_by_their_words_whatever_their_order_and_case() -> None:
    assert compute_token_f1("The lease ends", "ends the LEASE") == 1
    assert compute_token_f1("the lease ends in May", "in May") == pytest.approx(4 / 7)
    assert compute_token_f1("", "in May") == compute_token_f1("a", "b") == 0


STRETCHES = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=5)


@given(STRETCHES, STRETCHES)
def test_shared_characters_are_counted_once_and_the_same_both_ways(
    found: list[tuple[int, int]], wanted: list[tuple[int, int]]
) -> None:
    shared = count_shared_characters(found, wanted)
    assert shared == count_shared_characters(wanted, found)
    assert shared == sum(any(a <= i < b for a, b in found) and any(a <= i < b for a, b in wanted) for i in range(40))
