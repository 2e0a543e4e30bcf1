"""A search gives the passages near its best one, and never too few to compare."""

import pytest

from pincite.search.weak_results import FEWEST, drop_weak
from pincite.types import Hit, Span


def kept(*scores: float, dense: float = 0.0) -> list[float]:
    hits = [Hit(Span("d", n, n + 1), "", "text", "x", score, dense=dense) for n, score in enumerate(scores)]
    return [hit.score for hit in drop_weak(hits)]


@pytest.mark.parametrize(
    ("scores", "dense", "number"),
    [((1.0, 0.9, 0.8, 0.7, 0.5, 0.4), 0.0, 4), ((0.99, 0.97, 0.96, 0.95, 0.8, 0.7), 0.8, 4)],
)
def test_passages_clearly_weaker_than_the_best_are_left_out(scores: list[float], dense: float, number: int) -> None:
    assert len(kept(*scores, dense=dense)) == number


def test_passages_as_good_as_the_best_all_stay() -> None:
    assert len(kept(*[0.8] * 8)) == 8


def test_passages_chosen_by_a_reranker_stay_and_the_rest_goes() -> None:
    hits = [Hit(Span("d", n, n + 1), "", "text", "x", 2.0 - n / 4, dense=0.8, chosen=n < 2) for n in range(6)]
    assert drop_weak(hits) == hits[:2]


def test_the_first_few_stay_however_weak() -> None:
    assert len(kept(0.9, 0.1, 0.1, 0.1)) == FEWEST


def test_nothing_found_stays_nothing() -> None:
    assert kept() == []
