from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.embedding.unit_vectors import UnitEmbedder, scale_to_unit


class Lengthy:
    """Gives vectors as long as the text."""

    name, dimension = "lengthy", 2

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[len(text), 0] for text in texts], np.float32)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[0, len(text)] for text in texts], np.float32)


def test_rows_have_length_one_and_nothing_stays_nothing() -> None:
    assert np.allclose(scale_to_unit(np.array([[3, 4], [0, 0]], np.float32)), [[0.6, 0.8], [0.0, 0.0]])


def test_an_embedder_that_keeps_lengths_can_be_compared_by_direction_alone() -> None:
    wrapped = UnitEmbedder(Lengthy())
    assert (wrapped.name, wrapped.dimension) == ("lengthy", 2)
    assert np.allclose(wrapped.queries(["a", "bbbb"]), [[1, 0], [1, 0]])
    assert np.allclose(wrapped.passages(["a", "bbbb"]), [[0, 1], [0, 1]])
