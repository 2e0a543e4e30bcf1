import math
from typing import Any

import numpy as np
import pytest

from pincite.embedding.numpy_forward import _gelu, forward
from pincite.embedding.tokenizer import LookupTokenizer, fold_text
from pincite.embedding.weights import Weights
from tests.thorough import keep_some

from .conftest import TEXTS


@pytest.mark.parametrize("text", keep_some(TEXTS, one_in=4))
def test_a_question_has_the_vector_of_the_wheels_engine(weights: Weights, wheel: Any, text: str) -> None:
    ids = [0, *LookupTokenizer(weights.pieces)(fold_text("query: " + text, weights.pieces.folds)), 2]
    vector = forward(weights, ids)
    assert vector.dtype == np.float32
    assert float(vector @ wheel.query(text)) >= 0.999


def test_the_activation_is_the_exact_one() -> None:
    x = np.linspace(-6, 6, 241, dtype=np.float32)
    exact = [value * 0.5 * (1 + math.erf(value / math.sqrt(2))) for value in x.tolist()]
    assert np.allclose(_gelu(x), exact, atol=1e-6)
