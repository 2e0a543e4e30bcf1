import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.retrieval.fuse import convex, ranked, reciprocal

_bm25 = st.dictionaries(st.integers(0, 50), st.floats(0, 40), max_size=20)
_cosines = st.dictionaries(st.integers(0, 50), st.floats(-1, 1), max_size=20)
_weight = st.floats(0, 1)


@given(_bm25, _cosines, _weight, st.integers(1, 30))
def test_every_passage_of_either_side_is_there_with_a_score_from_0_to_1(
    lexical: dict[int, float], dense: dict[int, float], weight: float, depth: int
) -> None:
    fused = convex(lexical, dense, weight, depth)
    assert fused.keys() == lexical.keys() | dense.keys()
    assert all(0 <= score <= 1 for score in fused.values())


@given(_bm25, _cosines, _weight, st.integers(0, 2**32))
def test_the_order_in_which_passages_are_given_does_not_matter(
    lexical: dict[int, float], dense: dict[int, float], weight: float, seed: int
) -> None:
    shuffle = random.Random(seed)
    mixed = [dict(shuffle.sample(sorted(side.items()), len(side))) for side in (lexical, dense)]
    assert ranked(convex(mixed[0], mixed[1], weight, 10)) == ranked(convex(lexical, dense, weight, 10))
    assert ranked(reciprocal(*mixed)) == ranked(reciprocal(lexical, dense))


@given(_bm25, _cosines, _weight)
def test_a_passage_that_is_better_on_both_sides_is_not_placed_lower(
    lexical: dict[int, float], dense: dict[int, float], weight: float
) -> None:
    fused = convex(lexical, dense, weight, 10)
    both = sorted(lexical.keys() & dense.keys())
    for one in both:
        for other in both:
            if lexical[one] >= lexical[other] and dense[one] >= dense[other]:
                assert fused[one] >= fused[other] - 1e-12


def test_each_side_counts_as_much_as_its_weight() -> None:
    fused = convex({1: 10.0, 2: 5.0}, {2: 0.9, 3: 0.7, 1: 0.8}, 0.25, 3)
    assert fused == pytest.approx({1: 0.75 + 0.125, 2: 0.375 + 0.25, 3: 0.0})


def test_a_cosine_beyond_the_best_counts_nothing_and_does_not_stretch_the_scale() -> None:
    assert convex({9: 1.0}, {1: 0.9, 2: 0.8, 9: 0.1}, 0.5, 2) == pytest.approx({1: 0.5, 2: 0.0, 9: 0.5})


def test_equal_scores_stay_equal() -> None:
    assert convex({1: 3.0, 2: 3.0}, {1: 0.5, 2: 0.5}, 0.5, 10) == {1: 1.0, 2: 1.0}


def test_one_side_alone_keeps_its_order() -> None:
    assert [id for id, _ in ranked(convex({1: 1.0, 2: 3.0}, {}, 0.5, 10))] == [2, 1]
    assert [id for id, _ in ranked(convex({}, {1: 0.1, 2: 0.3}, 0.5, 10))] == [2, 1]
    assert convex({}, {}, 0.5, 10) == {}


def test_reciprocal_ranks_add_up() -> None:
    assert reciprocal({1: 9.0, 2: 8.0}, {2: 0.9}) == pytest.approx({1: 1 / 61, 2: 1 / 62 + 1 / 61})
