import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.evaluate.metrics import ndcg, recall

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
