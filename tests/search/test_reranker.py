import json
from collections.abc import Callable

import httpx2
import pytest

from pincite.errors import RerankError
from pincite.search.reranker import Reranker
from pincite.settings import RerankSettings

Answer = Callable[[httpx2.Request], httpx2.Response]


def _reranker(answer: Answer, url: str = "http://reranker.test/rerank", key: str = "") -> Reranker:
    return Reranker(RerankSettings(url=url, key=key), httpx2.MockTransport(answer))  # type: ignore[arg-type]


def _tei(request: httpx2.Request) -> httpx2.Response:
    body = json.loads(request.content)
    if "texts" not in body:
        return httpx2.Response(422, json={"error": "missing field `texts`"})
    return httpx2.Response(200, json=[{"index": i, "score": len(text)} for i, text in enumerate(body["texts"])])


def _cohere(request: httpx2.Request) -> httpx2.Response:
    body = json.loads(request.content)
    if "documents" not in body or body["top_n"] != len(body["documents"]):
        return httpx2.Response(400, json={"message": "documents is required"})
    rows = [{"index": i, "relevance_score": len(text)} for i, text in enumerate(body["documents"])]
    return httpx2.Response(200, json={"results": rows})


@pytest.mark.parametrize("server", [_tei, _cohere])
@pytest.mark.parametrize("url", ["http://reranker.test", "http://reranker.test/rerank", "http://jina.test/v1/rerank"])
def test_both_styles_of_server_are_understood_whatever_the_address(server: Answer, url: str) -> None:
    asked: list[str] = []

    def counting(request: httpx2.Request) -> httpx2.Response:
        asked.append(str(request.url))
        return server(request)

    reranker = _reranker(counting, url)
    for _ in range(3):
        assert reranker.rerank("q", ["a", "ccc", "bb"]) == [(1, 3.0), (2, 2.0), (0, 1.0)]
    reranker.close()
    assert len(asked) <= 4
    assert all(address.endswith("/rerank") for address in asked)


def test_the_key_is_sent() -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        assert request.headers["Authorization"] == "Bearer sesame"
        return _tei(request)

    reranker = _reranker(answer, key="sesame")
    assert reranker.rerank("q", ["a"])
    reranker.close()


def _refuse(_: httpx2.Request) -> httpx2.Response:
    raise httpx2.ConnectError("connection refused")


@pytest.mark.parametrize(
    "answer",
    [
        _refuse,
        lambda _: httpx2.Response(503),
        lambda _: httpx2.Response(422),
        lambda _: httpx2.Response(200, text="<html>not json</html>"),
        lambda _: httpx2.Response(200, json={"error": "overloaded"}),
        lambda _: httpx2.Response(200, json=[]),
        lambda _: httpx2.Response(200, json=[{"index": 7, "score": 1.0}]),
        lambda _: httpx2.Response(200, json=[{"index": 0, "score": None}]),
        lambda _: httpx2.Response(200, json=["nonsense"]),
        lambda _: httpx2.Response(200, json="nonsense"),
    ],
)
def test_every_failure_is_one_that_callers_fall_back_from(answer: Answer) -> None:
    reranker = _reranker(answer)
    with pytest.raises(RerankError) as caught:
        reranker.rerank("q", ["a", "b"])
    assert caught.value.hint
    reranker.close()
