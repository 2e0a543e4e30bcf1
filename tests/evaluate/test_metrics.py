import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.evaluate.metrics import ndcg, recall, shared_characters, token_f1

ITEMS = [f"d{number}" for number in range(130)]
RUNS = st.lists(st.sampled_from(ITEMS), unique=True, max_size=130)
JUDGEMENTS = st.dictionaries(st.sampled_from(ITEMS), st.integers(-1, 3), min_size=1, max_size=130)


@given(RUNS, JUDGEMENTS)
def test_the_metrics_are_those_of_the_field(ranked: list[str], relevant: dict[str, int]) -> None:
    run = {"q": {item: float(len(ranked) - place) for place, item in enumerate(ranked)}}
    measures = [ir_measures.nDCG @ 10, ir_measures.R @ 100]
    expected = ir_measures.calc_aggregate(measures, {"q": relevant}, run)
    assert ndcg(ranked, relevant, 10) == pytest.approx(expected[measures[0]], abs=1e-9)
    assert recall(ranked, relevant, 100) == pytest.approx(expected[measures[1]], abs=1e-9)


def test_a_perfect_ranking_is_one_and_an_empty_one_is_nothing() -> None:
    assert ndcg(["a", "b"], {"a": 2, "b": 1}, 10) == recall(["a", "b"], {"a": 2, "b": 1}, 100) == 1
    assert ndcg([], {"a": 1}, 10) == recall([], {"a": 1}, 100) == 0


def test_texts_agree_by_their_words_whatever_their_order_and_case() -> None:
    assert token_f1("The lease ends", "ends the LEASE") == 1
    assert token_f1("the lease ends in May", "in May") == pytest.approx(4 / 7)
    assert token_f1("", "in May") == token_f1("a", "b") == 0


STRETCHES = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=5)


@given(STRETCHES, STRETCHES)
def test_shared_characters_are_counted_once_and_the_same_both_ways(
    found: list[tuple[int, int]], wanted: list[tuple[int, int]]
) -> None:
    shared = shared_characters(found, wanted)
    assert shared == shared_characters(wanted, found)
    assert shared == sum(any(a <= i < b for a, b in found) and any(a <= i < b for a, b in wanted) for i in range(40))
