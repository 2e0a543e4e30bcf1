import json
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2
import numpy as np
import pytest
import stamina
from pydantic import SecretStr

from pincite.embedding.endpoint import EndpointEmbedder
from pincite.errors import EmbeddingError, Unreachable
from pincite.settings import EmbeddingSettings
from tests.tei import TeiServer, make_vector, serving_tei

KEY = "sk-very-secret-key"


@pytest.fixture(autouse=True)
def _no_waiting() -> Iterator[None]:
    with stamina.set_testing(True, attempts=4, cap=True):
        yield


def _vector(text: str) -> list[float]:
    return [float(len(text)), 1.0, 2.0]


def _openai(**changes: Any) -> EmbeddingSettings:
    given = {"provider": "openai", "url": "http://host/v1", "model": "e5", "key": SecretStr(KEY), **changes}
    return EmbeddingSettings(**given)


def _answering(answer: Callable[[httpx2.Request], httpx2.Response], **changes: Any) -> EndpointEmbedder:
    return EndpointEmbedder(_openai(**changes), httpx2.MockTransport(answer), sleep=lambda seconds: None)


def _data(rows: list[Any]) -> httpx2.Response:
    return httpx2.Response(200, json={"data": [{"index": i, "embedding": row} for i, row in enumerate(rows)]})


class _Server(BaseHTTPRequestHandler):
    """A server of both kinds that remembers what it was asked."""

    asked: list[tuple[str, str | None, Any]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).asked.append((self.path, self.headers.get("Authorization"), body))
        if self.path == "/embed":
            answer: Any = [_vector(text) for text in body["inputs"]]
        else:
            data = [{"index": i, "embedding": _vector(text)} for i, text in enumerate(body["input"])]
            answer = {"object": "list", "data": data[::-1]}
        raw = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: object) -> None:
        return None


@pytest.fixture
def server() -> Iterator[tuple[str, type[_Server]]]:
    class Handler(_Server):
        asked: list[tuple[str, str | None, Any]] = []  # noqa: RUF012

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{listening.server_port}", Handler
        listening.shutdown()
        thread.join()


def _check(vectors: np.ndarray, texts: list[str]) -> None:
    expected = np.array([_vector(text) for text in texts], np.float32)
    assert np.allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True))
    assert vectors.dtype == np.float32


def test_an_openai_compatible_server_is_asked_in_batches(server: tuple[str, type[_Server]]) -> None:
    url, handler = server
    made = EndpointEmbedder(_openai(url=url + "/v1/", batch=2, parallel=1))
    _check(made.passages(["a", "bbb", "cc"]), ["passage: a", "passage: bbb", "passage: cc"])
    assert handler.asked == [
        (
            "/v1/embeddings",
            f"Bearer {KEY}",
            {"model": "e5", "input": ["passage: a", "passage: bbb"], "encoding_format": "float"},
        ),
        ("/v1/embeddings", f"Bearer {KEY}", {"model": "e5", "input": ["passage: cc"], "encoding_format": "float"}),
    ]
    assert made.dimension == 3


def test_a_tei_server_is_asked_its_own_way(server: tuple[str, type[_Server]]) -> None:
    url, handler = server
    made = EndpointEmbedder(EmbeddingSettings(provider="tei", url=url, model="e5", query_prefix=""))
    _check(made.queries(["one", "three"]), ["one", "three"])
    assert handler.asked == [("/embed", None, {"inputs": ["one", "three"], "truncate": True})]


def test_the_dimension_is_asked_for_where_nothing_was_embedded_yet(server: tuple[str, type[_Server]]) -> None:
    made = EndpointEmbedder(_openai(url=server[0]))
    assert made.dimension == 3
    assert made.passages([]).shape == (0, 3)
    assert len(server[1].asked) == 1


def test_a_lost_connection_is_tried_again() -> None:
    tries = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        tries.append(request)
        if len(tries) < 3:
            raise httpx2.ConnectError("refused")
        return _data([[3.0, 4.0]])

    assert np.allclose(_answering(answer).queries(["x"]), [[0.6, 0.8]])
    assert len(tries) == 3


def test_a_server_that_is_not_there_is_said_to_be_so() -> None:
    made = EndpointEmbedder(_openai(url="http://127.0.0.1:9/v1"))
    with pytest.raises(EmbeddingError) as caught:
        made.queries(["x"])
    assert "127.0.0.1:9" in caught.value.message
    assert "embedding.url" in caught.value.hint


def test_a_time_out_is_said_at_once_and_not_tried_again() -> None:
    tries = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        tries.append(request)
        raise httpx2.ReadTimeout("too slow")

    with pytest.raises(EmbeddingError, match="within 7 seconds") as caught:
        _answering(answer, timeout=7).queries(["x"])
    assert "embedding.timeout" in caught.value.hint
    assert len(tries) == 1


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (401, "embedding.key"),
        (403, "embedding.key"),
        (404, "embedding.url"),
        (413, "embedding.batch"),
        (422, "embedding.model"),
        (500, "server's own log"),
        (307, "server's own log"),
    ],
)
def test_a_refusal_says_what_to_do_and_is_not_tried_again(status: int, advice: str) -> None:
    tries = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        tries.append(request)
        return httpx2.Response(status, text="the reason")

    with pytest.raises(EmbeddingError, match="the reason") as caught:
        _answering(answer).queries(["x"])
    assert str(status) in caught.value.message
    assert advice in caught.value.hint
    assert len(tries) == 1


@pytest.mark.parametrize(
    ("response", "said"),
    [
        (httpx2.Response(200, text="<html>hello</html>"), "not JSON"),
        (httpx2.Response(200, json={"object": "list"}), "without embeddings"),
        (httpx2.Response(200, json={"data": "none"}), "without embeddings"),
        (httpx2.Response(200, json=[1, 2]), "without embeddings"),
        (_data([[1.0, 2.0]]), "1 vectors for 2 texts"),
        (_data([[1.0], [2.0], [3.0]]), "3 vectors for 2 texts"),
        (_data([[1.0, 2.0], [1.0]]), "one length"),
        (_data([["a"], ["b"]]), "lists of numbers"),
        (_data([1.0, 2.0]), "2 vectors for 2 texts"),
        (_data([[None, 1.0], [1.0, 1.0]]), "not finite"),
        (_data([[1e300, 1.0], [1.0, 1.0]]), "not finite"),
        (httpx2.Response(200, text='{"data": [{"embedding": [NaN]}, {"embedding": [1]}]}'), "not finite"),
    ],
)
def test_an_odd_answer_is_refused(response: httpx2.Response, said: str) -> None:
    with pytest.raises(EmbeddingError, match=said) as caught:
        _answering(lambda request: response).queries(["x", "y"])
    assert caught.value.hint


def test_vectors_may_not_change_their_length() -> None:
    made = _answering(lambda request: _data([[1.0] * len(json.loads(request.content)["input"][0])]), query_prefix="")
    assert made.queries(["abc"]).shape == (1, 3)
    with pytest.raises(EmbeddingError, match="of 4 numbers, after vectors of 3"):
        made.queries(["abcd"])


def test_the_key_is_never_said(caplog: pytest.LogCaptureFixture) -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(401, text=f"bad key {request.headers['Authorization']}")

    made = _answering(answer)
    with caplog.at_level(logging.DEBUG), pytest.raises(EmbeddingError) as caught:
        made.queries(["x"])
    assert KEY not in caught.value.message + caught.value.hint + caplog.text + repr(made)
    assert "***" in caught.value.message


def test_half_a_character_does_not_stop_a_batch(server: tuple[str, type[_Server]]) -> None:
    assert EndpointEmbedder(_openai(url=server[0])).passages(["half \ud800"]).shape == (1, 3)


def test_with_the_dot_product_vectors_keep_the_length_that_the_server_gives_them() -> None:
    assert np.allclose(_answering(lambda request: _data([[3.0, 4.0]])).queries(["x"]), [[0.6, 0.8]])
    assert np.allclose(_answering(lambda request: _data([[3.0, 4.0]]), similarity="dot").queries(["x"]), [[3.0, 4.0]])


def test_a_vector_too_large_to_be_kept_is_refused() -> None:
    with pytest.raises(EmbeddingError, match="65,504"):
        _answering(lambda request: _data([[70_000.0, 1.0]]), similarity="dot").passages(["x"])
    assert np.allclose(_answering(lambda request: _data([[70_000.0, 0.0]])).passages(["x"]), [[1.0, 0.0]])


@contextmanager
def _connected(tei: TeiServer, provider: str = "tei", **changes: Any) -> Iterator[EndpointEmbedder]:
    url = tei.url if provider == "tei" else f"{tei.url}/v1"
    made = EndpointEmbedder(
        EmbeddingSettings(**{"provider": provider, "url": url, "passage_prefix": "", "query_prefix": "", **changes})
    )
    yield made
    made.close()


def _check_order(made: EndpointEmbedder, texts: list[str]) -> None:
    expected = np.array([make_vector(text) for text in texts], np.float32)
    assert np.allclose(made.passages(texts), expected / np.linalg.norm(expected, axis=1, keepdims=True))


@pytest.mark.parametrize("provider", ["tei", "openai"])
def test_many_texts_are_asked_for_in_several_requests_at_once_and_come_in_order(provider: str) -> None:
    with serving_tei(seconds=0.05) as tei, _connected(tei, provider, parallel=3) as made:
        _check_order(made, [f"text {number}" for number in range(150)])
    assert sorted(tei.batches) == [22, 32, 32, 32, 32]
    assert tei.most_running == 3


def test_a_tei_server_says_how_many_texts_it_takes() -> None:
    with serving_tei(max_client_batch_size=10) as tei, _connected(tei, batch=64) as made:
        _check_order(made, [f"text {number}" for number in range(25)])
    assert sorted(tei.batches) == [5, 10, 10]
    assert tei.refused == []


def test_a_server_that_refuses_a_batch_for_its_size_gets_smaller_ones() -> None:
    with serving_tei(max_client_batch_size=10) as tei, _connected(tei, "openai", batch=32, parallel=1) as made:
        _check_order(made, [f"text {number}" for number in range(32)])
        assert tei.refused == [413, 413, 413]
        _check_order(made, [f"text {number}" for number in range(32)])
    assert tei.refused == [413, 413, 413]
    assert tei.batches == [8] * 8


def test_a_single_text_that_is_too_large_is_an_error() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(413, json={"error": "too long"})

    with pytest.raises(EmbeddingError, match="413"):
        _answering(answer).passages(["x", "y"])


def test_an_overloaded_server_is_asked_again_after_the_time_that_it_names() -> None:
    pauses: list[float] = []
    answers = [httpx2.Response(429, headers={"Retry-After": "7"}), httpx2.Response(503), _data([[3.0, 4.0]])]
    made = EndpointEmbedder(_openai(), httpx2.MockTransport(lambda request: answers.pop(0)), sleep=pauses.append)
    assert np.allclose(made.passages(["x"]), [[0.6, 0.8]])
    assert pauses == [7.0, 2.0]


def test_a_tei_server_with_too_many_requests_answers_all_of_them_in_the_end() -> None:
    busy = {"seconds": 0.05, "max_concurrent_requests": 1, "retry_after": "0.1"}
    with serving_tei(**busy) as tei, _connected(tei, batch=4, parallel=2) as made:
        _check_order(made, [f"text {number}" for number in range(12)])
    assert 429 in tei.refused


def test_a_server_that_stays_overloaded_is_not_asked_for_the_next_document() -> None:
    with pytest.raises(Unreachable, match="503"):
        _answering(lambda request: httpx2.Response(503)).passages(["x"])


def test_a_tei_server_with_another_model_is_refused_before_its_vectors_are_stored() -> None:
    refused = pytest.raises(EmbeddingError)
    with serving_tei(model_id="BAAI/bge-m3") as tei, _connected(tei) as made, refused as caught:
        made.passages(["x"])
    assert "BAAI/bge-m3" in caught.value.message
    assert "embedding.model" in caught.value.hint
    assert tei.batches == []


def test_a_tei_server_that_serves_a_folder_is_trusted_about_its_model() -> None:
    with serving_tei(model_id="/data/model") as tei, _connected(tei) as made:
        assert made.passages(["x"]).shape == (1, 8)
