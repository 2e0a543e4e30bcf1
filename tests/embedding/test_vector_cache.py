"""The vectors of short texts are computed once, whoever asks; they are those of the embedder."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pincite.embedding.vector_cache import CachingEmbedder
from tests.work import Fake

TEXTS = st.lists(st.sampled_from(["", "a", "b", "c", "d", "x" * 600]), max_size=8)


@given(st.lists(TEXTS, max_size=8), st.integers(1, 4))
def test_vectors_are_those_of_the_embedder_in_the_order_of_the_texts(calls: list[list[str]], most: int) -> None:
    cached = CachingEmbedder(Fake(), most)
    for texts in calls:
        expected = Fake().passages(texts) if texts else np.empty((0, 8), np.float32)
        assert (cached.passages(texts) == expected).all()


def test_a_text_is_embedded_again_when_others_were_used_since_or_it_is_long() -> None:
    embedder = Fake()
    cached = CachingEmbedder(embedder, most=2)
    long = "x" * 600
    for texts in (["a", "b"], ["a"], ["c"], ["a", "b"], [long], [long]):
        cached.passages(texts)
    assert embedder.embedded == ["a", "b", "c", "b", long, long]


def test_changing_a_result_changes_no_later_one() -> None:
    cached = CachingEmbedder(Fake())
    first = cached.passages(["a"])
    first[:] = 0
    assert (cached.passages(["a"]) == Fake().passages(["a"])).all()


def test_threads_may_share_it() -> None:
    cached = CachingEmbedder(Fake(), most=3)
    texts = [[chr(97 + (number + step) % 7) for step in range(3)] for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(cached.passages, texts))
    assert all((rows == Fake().passages(given)).all() for rows, given in zip(found, texts, strict=True))
