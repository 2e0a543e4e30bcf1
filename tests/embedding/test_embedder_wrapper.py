"""An embedder around another has its name, its dimension and its abilities, and no others."""

from copy import copy

import pytest

from pincite.embedding.embedder_wrapper import EmbedderWrapper
from pincite.embedding.unit_vectors import UnitEmbedder
from pincite.embedding.vector_cache import CachingEmbedder
from tests.work import Fake


@pytest.mark.parametrize("wrap", [UnitEmbedder, CachingEmbedder])
def test_a_wrapper_is_as_able_as_the_embedder_in_it(wrap: type[EmbedderWrapper]) -> None:
    wrapped = wrap(Fake("own"))
    assert (wrapped.name, wrapped.dimension, wrapped.embedded) == ("own", 8, [])
    with pytest.raises(AttributeError):
        _ = wrapped.load
    assert copy(wrapped).name == "own"
