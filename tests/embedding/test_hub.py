import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from pydantic import SecretStr

from pincite.embedding import create_embedder
from pincite.errors import EmbeddingError
from pincite.settings import EmbeddingSettings

SETTINGS = EmbeddingSettings(provider="hub", model="some/e5", key=SecretStr("token"), batch=4)


class _Model:
    def __init__(self, name: str, cache_folder: str, token: str | None) -> None:
        if name == "no/such":
            raise OSError("no/such is not a model\nmany lines")
        self.given = (name, cache_folder, token)

    def get_sentence_embedding_dimension(self) -> int:
        return 2

    def encode(self, texts: list[str], **options: Any) -> np.ndarray:
        assert options["batch_size"] == 4
        return np.array([[len(text), 1] for text in texts], np.float64)


@pytest.fixture
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("sentence_transformers")
    module.SentenceTransformer = _Model  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)


@pytest.mark.usefixtures("_installed")
def test_a_hub_model_gives_unit_vectors_with_the_prefixes_of_the_settings(tmp_path: Path) -> None:
    made = create_embedder(SETTINGS, tmp_path)
    assert made is not None
    assert (made.name, made.dimension) == ("hub:some/e5", 2)
    vectors = made.queries(["abc", ""])
    expected = np.array([[10, 1], [7, 1]], np.float32)
    assert np.allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True))
    assert vectors.dtype == np.float32
    assert made.passages([]).shape == (0, 2)


@pytest.mark.usefixtures("_installed")
def test_a_model_that_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match=r"no/such is not a model$") as caught:
        create_embedder(SETTINGS.model_copy(update={"model": "no/such"}), tmp_path)
    assert "embedding.model" in caught.value.hint


def test_without_the_extra_it_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(EmbeddingError) as caught:
        create_embedder(SETTINGS, tmp_path)
    assert "pip install pincite[hub]" in caught.value.hint
