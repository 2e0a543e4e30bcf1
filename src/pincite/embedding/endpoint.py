"""Embed with a server: an OpenAI-compatible `/embeddings`, or text-embeddings-inference's `/embed`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import numpy as np
import stamina
from numpy.typing import NDArray

from pincite.embedding.unit_vectors import scale_to_unit
from pincite.embedding.vector_names import make_vector_name
from pincite.errors import EmbeddingError, Unreachable
from pincite.settings import EmbeddingSettings

# Report only the final failure, not each retry.
stamina.instrumentation.set_on_retry_hooks([])

_ATTEMPTS = 4
_PAUSES = (1.0, 2.0, 4.0, 8.0)  # seconds before a server that has too much to do is asked again
_LONGEST_PAUSE = 60.0  # of those that a server may ask for with Retry-After
_OVERLOADED = (429, 503)
_TOO_LARGE = 413  # text-embeddings-inference answers so to more texts than it takes in one request
_LOST = (httpx2.NetworkError, httpx2.RemoteProtocolError)  # the connection was refused, broken or already closed
_ADVICE = {
    401: "Check embedding.key.",
    403: "Check embedding.key and what it may do.",
    404: "Check embedding.url (for OpenAI-compatible servers it ends in /v1) and embedding.model.",
    413: "Make embedding.batch or passages.size smaller.",
    422: "Check embedding.model, and make embedding.batch or passages.size smaller.",
    429: "The server limits the number of requests: wait, or make embedding.parallel or embedding.batch smaller.",
}


class EndpointEmbedder:
    """Request vectors from a server in batches, some at the same time; learn the dimension from the first reply.

    A server that takes fewer texts at once gets fewer, and one that is overloaded is asked again after a pause.
    """

    def __init__(
        self,
        settings: EmbeddingSettings,
        transport: httpx2.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = make_vector_name(settings)
        self._settings = settings
        self._url = settings.url.rstrip("/") + ("/embed" if settings.provider == "tei" else "/embeddings")
        key = settings.key.get_secret_value()
        self._client = httpx2.Client(
            headers={"Authorization": f"Bearer {key}"} if key else {}, timeout=settings.timeout, transport=transport
        )
        self._dimension: int | None = settings.dimension or None
        self._batch = settings.batch
        self._sleep = sleep
        self._is_checked = settings.provider != "tei"
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None

    @property
    def dimension(self) -> int:
        """Return the length of a vector; ask the server if it is not known yet."""
        if self._dimension is None:
            self._ask(["dimension"])
        assert self._dimension is not None
        return self._dimension

    def close(self) -> None:
        """Close the connections."""
        if self._pool:
            self._pool.shutdown()
        self._client.close()

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed questions, one row each."""
        return self._embed([self._settings.query_prefix + text for text in texts])

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed passages, one row each."""
        return self._embed([self._settings.passage_prefix + text for text in texts])

    def _embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self._check_model()
        parts = [texts[start : start + self._batch] for start in range(0, len(texts), self._batch)]
        if len(parts) < 2 or self._settings.parallel == 1:
            found = [self._ask(part) for part in parts]
        else:
            with self._lock:
                self._pool = self._pool or ThreadPoolExecutor(self._settings.parallel, thread_name_prefix="embedding")
            found = list(self._pool.map(self._ask, parts))
        return np.concatenate(found) if found else np.empty((0, self.dimension), np.float32)

    def _check_model(self) -> None:
        """Compare the model of a text-embeddings-inference server with the settings, and learn its largest batch."""
        with self._lock:
            if self._is_checked:
                return
            try:
                info = self._client.get(self._settings.url.rstrip("/") + "/info").json()
                served, most = str(info["model_id"]), int(info["max_client_batch_size"])
            except (httpx2.RequestError, httpx2.InvalidURL, ValueError, KeyError, TypeError):
                return  # a server that does not say it, or is away: the request itself tells
            # A folder says nothing about the name of the model in it.
            if not served.startswith("/") and _get_last_part(served) != _get_last_part(self._settings.model):
                raise EmbeddingError(
                    f"The embedding server {self._settings.url} has the model {served}, where embedding.model is "
                    f"{self._settings.model}.",
                    f"Set embedding.model to {served} and run `pincite reindex`, or check embedding.url.",
                )
            self._batch = max(1, min(self._batch, most))
            self._is_checked = True

    def _ask(self, texts: Sequence[str]) -> NDArray[np.float32]:
        try:
            reply = self._post(texts)
        except _TooManyTexts:
            half = len(texts) // 2
            self._batch = min(self._batch, half)
            return np.concatenate([self._ask(texts[:half]), self._ask(texts[half:])])
        return self._read_vectors(reply, texts)

    def _read_vectors(self, reply: httpx2.Response, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = self._rows(reply)
        try:
            with np.errstate(over="ignore"):
                vectors = np.array(rows, np.float32)
        except (TypeError, ValueError, OverflowError):
            raise self._make_reply_error("vectors that are not lists of numbers of one length") from None
        if vectors.ndim != 2 or len(vectors) != len(texts):
            raise self._make_reply_error(f"{len(rows)} vectors for {len(texts)} texts")
        if not np.isfinite(vectors).all():
            raise self._make_reply_error("vectors with numbers that are not finite")
        with self._lock:
            if self._dimension not in (None, vectors.shape[1]):
                expected = "where embedding.dimension is" if self._settings.dimension else "after vectors of"
                raise self._make_reply_error(f"vectors of {vectors.shape[1]} numbers, {expected} {self._dimension}")
            self._dimension = vectors.shape[1]
        if self._settings.similarity == "cosine":
            return scale_to_unit(vectors)
        if (np.abs(vectors) > np.finfo(np.float16).max).any():  # the store could not represent them
            raise self._make_reply_error("vectors with numbers above 65,504, too large for embedding.similarity `dot`")
        return vectors

    def _post(self, texts: Sequence[str]) -> httpx2.Response:
        clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        body: dict[str, Any] = {"inputs": clean, "truncate": True}
        if self._settings.provider != "tei":
            body = {"model": self._settings.model, "input": clean, "encoding_format": "float"}
        for pause in (*_PAUSES, None):
            response = self._send(body)
            if response.is_success:
                return response
            if response.status_code == _TOO_LARGE and len(texts) > 1:
                raise _TooManyTexts
            if response.status_code not in _OVERLOADED or pause is None:
                break
            self._sleep(_read_pause(response, pause))
        detail = self._without_key(response.text[:200].strip())
        kind = Unreachable if response.status_code in _OVERLOADED else EmbeddingError
        raise kind(
            f"The embedding server {self._url} answered {response.status_code}" + (f": {detail}" if detail else "."),
            _ADVICE.get(response.status_code, "See the server's own log. Search by words still works."),
        )

    def _send(self, body: dict[str, Any]) -> httpx2.Response:
        try:
            for attempt in stamina.retry_context(on=_LOST, attempts=_ATTEMPTS, timeout=None, wait_max=2):
                with attempt:
                    response = self._client.post(self._url, json=body)
            return response
        except httpx2.TimeoutException as error:
            kind = Unreachable if isinstance(error, httpx2.ConnectTimeout) else EmbeddingError
            raise kind(
                f"The embedding server {self._url} did not answer within {self._settings.timeout:g} seconds.",
                "Make embedding.timeout longer or embedding.batch smaller, or see whether the server is overloaded.",
            ) from None
        except (httpx2.RequestError, httpx2.InvalidURL) as error:
            raise Unreachable(
                f"The embedding server {self._url} cannot be reached: {self._without_key(str(error))}",
                "See that it runs, and check embedding.url.",
            ) from None

    def _rows(self, response: httpx2.Response) -> list[Any]:
        try:
            answer = response.json()
        except ValueError:
            raise self._make_reply_error("something that is not JSON") from None
        try:
            if self._settings.provider == "tei":
                return list(answer)
            # The protocol numbers the vectors and does not guarantee their order.
            return [item["embedding"] for item in sorted(answer["data"], key=lambda item: int(item.get("index", 0)))]
        except (KeyError, TypeError, ValueError, AttributeError):
            raise self._make_reply_error("JSON without embeddings") from None

    def _make_reply_error(self, what: str) -> EmbeddingError:
        return EmbeddingError(
            f"The embedding server {self._url} answered with {what}.",
            "Check embedding.url, embedding.model and embedding.provider (`openai` or `tei`).",
        )

    def _without_key(self, text: str) -> str:
        key = self._settings.key.get_secret_value()
        return text.replace(key, "***") if key else text


class _TooManyTexts(Exception):
    """The server takes fewer texts in one request."""


def _read_pause(response: httpx2.Response, usual: float) -> float:
    """Return the seconds that a server asks for with Retry-After; the usual ones if it does not, or gives a date."""
    try:
        return min(max(float(response.headers["Retry-After"]), 0.0), _LONGEST_PAUSE)
    except (KeyError, ValueError):
        return usual


def _get_last_part(name: str) -> str:
    """Return the name of a model without that of its publisher."""
    return name.rstrip("/").rpartition("/")[2].casefold()
