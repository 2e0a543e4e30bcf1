from pathlib import Path
from typing import Any

import pytest

from pincite.errors import Misuse
from pincite.index.embed import embedder
from pincite.index.embed.e5 import E5
from pincite.index.embed.endpoint import Endpoint
from pincite.index.embed.naming import vector_name
from pincite.settings import EmbeddingSettings, load


def test_none_means_searching_by_words_alone(tmp_path: Path) -> None:
    assert embedder(EmbeddingSettings(provider="none"), tmp_path) is None


def test_with_no_settings_the_built_in_model_is_used(tmp_path: Path) -> None:
    made = embedder(EmbeddingSettings(), tmp_path)
    assert isinstance(made, E5)
    assert (made.name, made.dimension) == ("multilingual-e5-small", 384)
    assert list(tmp_path.iterdir()) == [], "nothing is built before it is needed"


@pytest.mark.parametrize("provider", ["openai", "tei"])
def test_an_endpoint_needs_an_address(tmp_path: Path, provider: Any) -> None:
    with pytest.raises(Misuse, match=r"needs embedding\.url"):
        load(embedding={"provider": provider})
    assert isinstance(embedder(EmbeddingSettings(provider=provider, url="http://host/v1"), tmp_path), Endpoint)


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
    assert len({vector_name(EmbeddingSettings(url="http://host/v1", **given)) for given in variants}) == len(variants)


def test_how_vectors_are_asked_for_does_not_change_their_name() -> None:
    plain = EmbeddingSettings(provider="openai", url="http://one/v1")
    other = EmbeddingSettings(provider="openai", url="http://two/v1", batch=64, timeout=5, threads=3)
    assert vector_name(plain) == vector_name(other) == "openai:multilingual-e5-small"


def test_the_built_in_model_needs_no_new_vectors_for_another_similarity() -> None:
    assert vector_name(EmbeddingSettings(similarity="dot")) == vector_name(EmbeddingSettings())
