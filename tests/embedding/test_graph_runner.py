from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.embedding import graph_runner
from pincite.embedding.e5 import E5Embedder
from pincite.embedding.graph_runner import group_by_length
from pincite.embedding.numpy_forward import forward_batch
from pincite.embedding.weights import Weights, find_wheel_file

from .conftest import TEXTS


@given(st.lists(st.integers(2, 512), max_size=200), st.integers(1, 64))
def test_every_text_is_in_one_batch_and_no_batch_is_too_large(lengths: list[int], most: int) -> None:
    groups = list(group_by_length(lengths, most))
    assert sorted(row for rows in groups for row in rows) == list(range(len(lengths)))
    for rows in groups:
        assert len(rows) <= most
        assert len(rows) == 1 or len(rows) * max(lengths[row] for row in rows) <= 2048


def test_texts_of_like_length_go_together() -> None:
    assert list(group_by_length([10, 300, 12, 310], 2)) == [[3, 1], [2, 0]]


@given(st.integers(1, 60), st.integers(1, 16))
def test_a_few_short_texts_are_shared_out_to_all_streams(texts: int, streams: int) -> None:
    groups = list(group_by_length([30] * texts, 64, streams))
    assert len(groups) <= streams
    assert max(map(len, groups)) == -(-texts // streams)


@pytest.mark.parametrize("is_quantized", [False, True])
def test_exact_and_rounded_weights_give_the_vectors_of_the_model(
    is_quantized: bool, weights: Weights, e5: E5Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_runner, "gains_by_rounding", lambda core: is_quantized)
    engine = graph_runner.EmbeddingEngine(weights, find_wheel_file(), tmp_path, threads=1)
    texts = e5._tokenize(TEXTS)
    vectors = engine.embed(texts, 8)
    assert (vectors * forward_batch(weights, texts)).sum(axis=1).min() >= 0.9995
    kept = sum(file.stat().st_size for file in tmp_path.rglob("graph.blob"))
    assert (kept < 40e6) == is_quantized


@pytest.mark.parametrize(
    ("machine", "abilities", "expected"),
    [
        ("x86_64", ["FP32", "INT8"], True),
        ("AMD64", ["FP32", "INT8"], True),
        ("x86_64", ["FP32", "INT8", "BF16"], False),
        ("aarch64", ["FP32", "INT8"], False),
    ],
)
def test_weights_are_rounded_only_where_that_is_faster(
    machine: str, abilities: list[str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.machine", lambda: machine)
    core = SimpleNamespace(get_property=lambda device, name: abilities)
    assert graph_runner.gains_by_rounding(core) == expected
