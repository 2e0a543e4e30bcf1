from pathlib import Path
from typing import Any

import pytest

from pincite.embedding import create_embedder
from pincite.embedding.e5 import E5Embedder
from pincite.embedding.endpoint import EndpointEmbedder
from pincite.embedding.vector_names import make_vector_name
from pincite.errors import Misuse
from pincite.settings import EmbeddingSettings, load_settings


def test_none_means_searching_by_words_alone(tmp_path: Path) -> None:
    assert create_embedder(EmbeddingSettings(provider="none"), tmp_path) is None


def test_with_no_settings_the_built_in_model_is_used(tmp_path: Path) -> None:
    made = create_embedder(EmbeddingSettings(), tmp_path)
    assert isinstance(made, E5Embedder)
    assert (made.name, made.dimension) == ("multilingual-e5-small", 384)
    assert list(tmp_path.iterdir()) == [], "nothing is built before it is needed"


@pytest.mark.parametrize("provider", ["openai", "tei"])
def test_an_endpoint_needs_an_address(tmp_path: Path, provider: Any) -> None:
    with pytest.raises(Misuse, match=r"needs embedding\.url"):
        load_settings(embedding={"provider": provider})
    assert isinstance(
        create_embedder(EmbeddingSettings(provider=provider, url="http://host/v1"), tmp_path), EndpointEmbedder
    )


def test_vectors_that_may_not_be_compared_have_different_names() -> None:
    variants: list[dict[str, Any]] = [
        {},
        {"provider": "openai"},
        {"provider": "tei"},
        {"provider": "hub"},
        {"query_prefix": ""},
        {"passage_prefix": ""},
        {"provider": "openai", "model": "bge-m3"},
        {"provider": "openai", "model": "bge-m3", "similarity": "dot"},
        {"provider": "openai", "model": "bge-m3", "query_prefix": "query: ", "passage_prefix": "passage: "},
    ]
    assert len({make_vector_name(EmbeddingSettings(url="http://host/v1", **given)) for given in variants}) == len(
        variants
    )


def test_how_vectors_are_asked_for_does_not_change_their_name() -> None:
    plain = EmbeddingSettings(provider="openai", url="http://one/v1")
    other = EmbeddingSettings(provider="openai", url="http://two/v1", batch=64, timeout=5, threads=3)
    assert make_vector_name(plain) == make_vector_name(other) == "openai:multilingual-e5-small"


def test_the_built_in_model_needs_no_new_vectors_for_another_similarity() -> None:
    assert make_vector_name(EmbeddingSettings(similarity="dot")) == make_vector_name(EmbeddingSettings())
