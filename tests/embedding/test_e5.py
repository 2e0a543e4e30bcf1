import logging
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pincite.embedding.atomic_folder import is_intact
from pincite.embedding.e5 import E5Embedder
from pincite.embedding.numpy_forward import forward_batch
from pincite.errors import EmbeddingError
from pincite.settings import EmbeddingSettings

from .conftest import TEXTS

Cosines = Callable[[np.ndarray, np.ndarray], np.ndarray]


def test_passages_have_the_vectors_of_the_wheels_engine(e5: E5Embedder, wheel: Any, cosines: Cosines) -> None:
    assert cosines(e5.passages(TEXTS), wheel.passage(TEXTS)).min() >= 0.999


def test_questions_have_the_vectors_of_the_wheels_engine(e5: E5Embedder, wheel: Any, cosines: Cosines) -> None:
    assert cosines(e5.queries(TEXTS), wheel.query(TEXTS)).min() >= 0.999


def test_the_graph_agrees_with_the_model_in_plain_numpy(e5: E5Embedder, cosines: Cosines) -> None:
    plain = forward_batch(e5._weights, e5._tokenize(["passage: " + text for text in TEXTS]))
    assert cosines(e5.passages(TEXTS), plain).min() >= 0.9995


def test_the_first_question_has_the_same_vector_as_the_next(data: Path, e5: E5Embedder, cosines: Cosines) -> None:
    e5.passages(["built"])
    fresh = E5Embedder(EmbeddingSettings(), data)
    first, next_ = fresh.queries(TEXTS[:1]), fresh.queries(TEXTS[:1])
    assert first.shape == next_.shape == (1, 384)
    assert cosines(first, next_).min() >= 0.9995


def test_a_command_that_embeds_little_never_starts_openvino(
    data: Path, e5: E5Embedder, cosines: Cosines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    fresh = E5Embedder(EmbeddingSettings(), data)
    sentences = ["The dam is 44 metres high.", "Le bail est conclu pour neuf ans."]
    question, passages = fresh.queries(["How high is the dam?"]), fresh.passages(sentences)
    assert fresh._engine is None
    assert cosines(question, e5.queries(["How high is the dam?"])).min() >= 0.9995
    assert cosines(passages, e5.passages(sentences)).min() >= 0.9995


@pytest.mark.slow
def test_much_text_starts_openvino_and_a_server_starts_it_at_once(
    data: Path, e5: E5Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    e5.passages(["built"])
    much, served = E5Embedder(EmbeddingSettings(), data), E5Embedder(EmbeddingSettings(), data)
    much.passages(["The dam is 44 metres high. " * 100])
    served.load()
    assert much._engine is not None
    assert served._engine is not None


def test_rows_are_unit_vectors_in_the_order_of_the_texts(e5: E5Embedder, cosines: Cosines) -> None:
    texts = [text * times for times in (1, 9, 3) for text in TEXTS]
    together = e5.passages(texts)
    assert together.shape == (len(texts), e5.dimension)
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    alone = np.concatenate([e5.passages([text]) for text in texts[::5]])
    assert cosines(together[::5], alone).min() >= 0.9995


def test_a_question_is_nearest_to_the_passage_that_answers_it(e5: E5Embedder) -> None:
    passages = e5.passages(
        [
            "Les données sont conservées trois ans, puis effacées.",
            "Le musée est fermé le mardi.",
            "Glaciers lose mass when summer melt exceeds winter snowfall.",
        ]
    )
    questions = e5.queries(["How long is data kept?", "Quand le musée est-il fermé ?", "pourquoi les glaciers fondent"])
    assert (questions @ passages.T).argmax(axis=1).tolist() == [0, 1, 2]


def test_nothing_in_gives_nothing_out(e5: E5Embedder) -> None:
    assert e5.passages([]).shape == e5.queries([]).shape == (0, 384)


def test_empty_odd_and_very_long_texts_have_vectors(e5: E5Embedder, cosines: Cosines) -> None:
    long = "mot " * 600
    vectors = e5.passages(["", "\0\ud800", " \n\t", long, long + "suite " * 10_000])
    assert np.isfinite(vectors).all()
    assert cosines(vectors[3:4], vectors[4:5]).min() >= 0.9999


@pytest.mark.slow
def test_questions_from_many_threads_get_their_own_vectors(e5: E5Embedder, cosines: Cosines) -> None:
    expected = e5.queries(TEXTS)
    found: dict[int, np.ndarray] = {}

    def ask(number: int) -> None:
        found[number] = e5.queries([TEXTS[number]]) if number % 2 else e5.queries(TEXTS)[number : number + 1]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(len(TEXTS))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cosines(np.concatenate([found[number] for number in range(len(TEXTS))]), expected).min() >= 0.9995


@pytest.mark.slow
def test_a_harmed_model_is_made_anew(e5: E5Embedder, data: Path, tmp_path: Path) -> None:
    expected = e5.passages(TEXTS[:2])
    shutil.copytree(data / "models", tmp_path / "models")
    (folder,) = (tmp_path / "models").iterdir()
    with (folder / "graph.blob").open("r+b") as file:
        file.seek(50_000_000)
        file.write(bytes(64))
    assert not is_intact(folder)
    assert np.allclose(E5Embedder(EmbeddingSettings(), tmp_path).passages(TEXTS[:2]), expected, atol=1e-3)
    assert is_intact(folder)


def test_the_number_of_threads_is_obeyed_by_a_model_that_was_kept(e5: E5Embedder, data: Path) -> None:
    e5.passages(["built"])
    one = E5Embedder(EmbeddingSettings(threads=1), data)
    one.passages(["text"])
    assert one._engine is not None
    assert one._engine._compiled.get_property("INFERENCE_NUM_THREADS") == 1
    assert len(list((data / "models").iterdir())) == 1


@pytest.mark.slow
def test_without_a_folder_to_write_to_it_still_works(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "models").write_text("a file stands where the folder should be")
    with caplog.at_level(logging.WARNING):
        assert E5Embedder(EmbeddingSettings(threads=1), tmp_path).passages(["text"]).shape == (1, 384)
    assert "cannot be cached" in caplog.text


def test_another_model_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError) as caught:
        E5Embedder(EmbeddingSettings(model="bge-m3"), tmp_path)
    assert "bge-m3" in caught.value.message
    assert "embedding.provider" in caught.value.hint


def test_words_that_are_spelt_well_are_known_and_misspelt_ones_are_not(e5: E5Embedder) -> None:
    assert all(map(e5.knows, ("Apple", "finland", "Slovenia", "government", "garantie")))
    assert not any(map(e5.knows, ("finlnd", "populaton", "netflx", "goverment", "assurence")))
