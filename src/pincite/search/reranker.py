"""Call a reranker at a `/rerank` address: a question and texts in, their order with scores out.

Text Embeddings Inference takes `texts` and answers with a list. Cohere, Jina and similar services take `documents` and
answer with `results`. The address gives a first guess, the response decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from pincite.errors import RerankError
from pincite.settings import RerankSettings

if TYPE_CHECKING:
    import httpx2

Style = Literal["texts", "documents"]

_REFUSED = (400, 415, 422)


class Reranker:
    """Holds the connection to the endpoint and the style of requests that it accepts."""

    def __init__(self, settings: RerankSettings, transport: httpx2.BaseTransport | None = None) -> None:
        self._settings = settings
        self._transport = transport
        self._client: httpx2.Client | None = None
        self._address = _make_address(settings.url)
        self._styles: tuple[Style, ...] = _guess_styles(self._address)

    def rerank(self, question: str, texts: Sequence[str]) -> list[tuple[int, float]]:
        """Return places in `texts` with their scores, best first; raise `RerankError` on any failure."""
        import httpx2

        try:
            for style in self._styles:
                answer = self._open_client().post(self._address, json=self._body(style, question, texts))
                if answer.status_code not in _REFUSED or style == self._styles[-1]:
                    break
            answer.raise_for_status()
            found = _read_scores(answer.json(), len(texts))
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, KeyError, TypeError) as error:
            raise RerankError(
                f"The reranker at {self._address} did not answer as expected: {error}",
                "Check `rerank.url`, `rerank.model` and `rerank.key`, or remove the address to search without one.",
            ) from error
        self._styles = (style,)
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))

    def close(self) -> None:
        if self._client:
            self._client.close()

    def _open_client(self) -> httpx2.Client:
        if self._client is None:
            import httpx2

            key = self._settings.key.get_secret_value()
            self._client = httpx2.Client(
                timeout=self._settings.timeout,
                headers={"Authorization": f"Bearer {key}"} if key else None,
                transport=self._transport,
            )
        return self._client

    def _body(self, style: Style, question: str, texts: Sequence[str]) -> dict[str, Any]:
        if style == "texts":
            return {"query": question, "texts": list(texts), "truncate": True}
        return {
            "model": self._settings.model,
            "query": question,
            "documents": list(texts),
            "top_n": len(texts),
        }


def _make_address(url: str) -> str:
    bare = url.rstrip("/")
    return bare if bare.endswith("rerank") else f"{bare}/rerank"


def _guess_styles(address: str) -> tuple[Style, ...]:
    hosted = any(mark in address for mark in ("cohere", "jina", "/v1/", "/v2/"))
    return ("documents", "texts") if hosted else ("texts", "documents")


def _read_scores(answer: Any, count: int) -> list[tuple[int, float]]:
    rows = answer["results"] if isinstance(answer, dict) else answer
    found = {int(row["index"]): float(row.get("relevance_score", row.get("score"))) for row in rows}
    if not found or not all(0 <= place < count for place in found):
        raise ValueError("the indices in the response do not match the texts")
    return list(found.items())
