import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.search.fuse import fuse_scores, rank_scores, weigh_meaning

_bm25 = st.dictionaries(st.integers(0, 50), st.floats(0, 40), max_size=20)
_cosines = st.dictionaries(st.integers(0, 50), st.floats(-1, 1), max_size=20)
_weight = st.floats(0, 1)
_ALONE = {id: f"document {id}" for id in range(51)}
_TOGETHER = {id: f"document {id // 5}" for id in range(51)}


@given(_bm25, _cosines, _weight, st.integers(1, 30))
def test_every_passage_of_either_side_is_there_with_a_score_from_0_to_1(
    lexical: dict[int, float], dense: dict[int, float], weight: float, depth: int
) -> None:
    fused = fuse_scores(lexical, dense, weight, depth, _TOGETHER)
    assert fused.keys() == lexical.keys() | dense.keys()
    assert all(0 <= score <= 1 for score in fused.values())


@given(_bm25, _cosines, _weight, st.integers(0, 2**32))
def test_the_order_in_which_passages_are_given_does_not_matter(
    lexical: dict[int, float], dense: dict[int, float], weight: float, seed: int
) -> None:
    shuffle = random.Random(seed)
    mixed = [dict(shuffle.sample(sorted(side.items()), len(side))) for side in (lexical, dense)]
    one = fuse_scores(mixed[0], mixed[1], weight, 10, _TOGETHER)
    assert one == pytest.approx(fuse_scores(lexical, dense, weight, 10, _TOGETHER))


@given(_bm25, _cosines, _weight)
def test_a_passage_that_is_better_on_both_sides_is_not_placed_lower(
    lexical: dict[int, float], dense: dict[int, float], weight: float
) -> None:
    fused = fuse_scores(lexical, dense, weight, 10, _ALONE)
    both = sorted(lexical.keys() & dense.keys())
    for one in both:
        for other in both:
            if lexical[one] >= lexical[other] and dense[one] >= dense[other]:
                assert fused[one] >= fused[other] - 1e-12


def order(*given: Any) -> list[int]:
    return [id for id, _ in rank_scores(fuse_scores(*given))]


def test_each_side_counts_as_much_as_its_weight() -> None:
    words, near = {1: 10.0, 2: 5.0, 3: 1.0}, {3: 0.9, 2: 0.8, 1: 0.7}
    assert order(words, near, 0.0, 10, _ALONE) == [1, 2, 3]
    assert order(words, near, 1.0, 10, _ALONE) == [3, 2, 1]
    assert order(words, near, 0.3, 10, _ALONE)[0] == 1
    assert order(words, near, 0.7, 10, _ALONE)[0] == 3


def test_a_document_that_answers_on_both_sides_is_lifted_as_a_whole() -> None:
    # Passages 5 and 6 are of one document: one has the words, the other the meaning. 10 and 20 stand alone.
    words = {5: 9.0, 10: 9.0, 20: 1.0, 6: 1.0}
    near = {6: 0.9, 20: 0.9, 10: 0.5, 5: 0.5}
    assert set(order(words, near, 0.5, 10, _TOGETHER)[:2]) == {5, 6}
    alone = fuse_scores(words, near, 0.5, 10, _ALONE)
    assert alone[5] == pytest.approx(alone[10])


def test_a_passage_without_a_vector_is_taken_for_an_average_one() -> None:
    fused = fuse_scores({1: 8.0, 2: 8.0, 3: 8.0}, {1: 0.9, 2: 0.7}, 0.5, 10, _ALONE)
    assert fused[1] > fused[3] > fused[2]


def test_passages_beyond_the_best_do_not_stretch_the_scale() -> None:
    near = {1: 0.90, 2: 0.89, 3: 0.88, 4: 0.2}
    assert fuse_scores({}, near, 1.0, 3, _ALONE)[1] == pytest.approx(
        fuse_scores({}, {1: 0.90, 2: 0.89, 3: 0.88}, 1.0, 3, _ALONE)[1]
    )


def test_equal_scores_stay_equal() -> None:
    fused = fuse_scores({1: 3.0, 2: 3.0}, {1: 0.5, 2: 0.5}, 0.5, 10, _ALONE)
    assert fused[1] == fused[2]


def test_one_side_alone_keeps_its_order() -> None:
    assert order({1: 1.0, 2: 3.0}, {}, 0.5, 10, _ALONE) == [2, 1]
    assert order({}, {1: 0.1, 2: 0.3}, 0.5, 10, _ALONE) == [2, 1]
    assert fuse_scores({}, {}, 0.5, 10, _ALONE) == {}


def _cosines_around(spread: float) -> dict[int, float]:
    return {id: 0.85 - spread * id / 50 for id in range(50)}


def test_words_count_more_where_they_find_what_is_near_in_meaning_too() -> None:
    near = _cosines_around(0.05)
    agreeing = {0: 12.0, **dict.fromkeys(range(1, 30), 3.0)}
    elsewhere = {49: 12.0, **dict.fromkeys(range(1, 30), 3.0)}
    assert weigh_meaning(agreeing, near, 50) < weigh_meaning(elsewhere, near, 50)


def test_meaning_counts_more_where_it_tells_passages_apart() -> None:
    words = {0: 5.0, 1: 4.0, 2: 3.0}
    flat, peaked = (weigh_meaning(words, _cosines_around(spread), 50) for spread in (0.01, 0.1))
    assert flat < peaked


def test_a_side_that_found_nothing_has_no_weight() -> None:
    assert weigh_meaning({}, {1: 0.9}, 10) == 1.0
    assert weigh_meaning({1: 3.0}, {}, 10) == 0.0


@given(_bm25.filter(bool), st.dictionaries(st.integers(0, 50), st.floats(-1e4, 1e4), min_size=1, max_size=20))
def test_neither_side_is_ever_left_out_where_both_found_something(
    lexical: dict[int, float], dense: dict[int, float]
) -> None:
    assert 0.2 < weigh_meaning(lexical, dense, 10) < 0.95
