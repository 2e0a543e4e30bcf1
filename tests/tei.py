"""A server that speaks the protocol of text-embeddings-inference: /info, /embed, /v1/embeddings, and its refusals."""

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_DIMENSION = 8


@dataclass
class TeiServer:
    """The configuration of a fake server, and the requests that it got."""

    model_id: str = "intfloat/multilingual-e5-small"
    max_client_batch_size: int = 32
    max_concurrent_requests: int = 512
    seconds: float = 0.0  # that a request takes
    retry_after: str | None = None  # a proxy in front of it may say so with 429
    url: str = ""
    batches: list[int] = field(default_factory=list)  # the numbers of texts that were embedded together
    refused: list[int] = field(default_factory=list)  # the statuses of refusals
    running: int = 0
    most_running: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def make_info(self) -> dict[str, Any]:
        return {
            "model_id": self.model_id,
            "model_sha": None,
            "model_dtype": "float16",
            "model_type": {"embedding": {"pooling": "mean"}},
            "max_concurrent_requests": self.max_concurrent_requests,
            "max_input_length": 512,
            "max_batch_tokens": 16384,
            "max_batch_requests": None,
            "max_client_batch_size": self.max_client_batch_size,
            "auto_truncate": False,
            "version": "1.7.0",
        }

    def embed(self, texts: list[str]) -> tuple[int, Any]:
        """Return the status and the vectors, or the refusal."""
        with self.lock:
            is_overloaded = self.running >= self.max_concurrent_requests
            self.running += not is_overloaded
            self.most_running = max(self.most_running, self.running)
        if is_overloaded:
            return 429, {"error": "Model is overloaded", "error_type": "overloaded"}
        try:
            if not texts:
                return 400, {"error": "`inputs` cannot be empty", "error_type": "empty"}
            if len(texts) > self.max_client_batch_size:
                said = f"batch size {len(texts)} > maximum allowed batch size {self.max_client_batch_size}"
                return 413, {"error": said, "error_type": "Validation"}
            time.sleep(self.seconds)
            with self.lock:
                self.batches.append(len(texts))
            return 200, [make_vector(text) for text in texts]
        finally:
            with self.lock:
                self.running -= 1


def make_vector(text: str) -> list[float]:
    return [byte + 1.0 for byte in hashlib.sha256(text.encode()).digest()[:_DIMENSION]]


@contextmanager
def serving_tei(**given: Any) -> Iterator[TeiServer]:
    """Run a server until the block ends."""
    tei = TeiServer(**given)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if self.path == "/info":
                self._answer(200, tei.make_info())
            else:
                self._answer(404, {})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path == "/embed":
                inputs = body["inputs"]
                self._answer(*tei.embed([inputs] if isinstance(inputs, str) else inputs))
            elif self.path == "/v1/embeddings":
                status, found = tei.embed(body["input"])
                if status != 200:
                    self._answer(status, {"message": found["error"], "code": status, "type": found["error_type"]})
                    return
                data = [{"object": "embedding", "embedding": row, "index": i} for i, row in enumerate(found)]
                usage = {"prompt_tokens": 1, "total_tokens": 1}
                self._answer(200, {"object": "list", "data": data, "model": tei.model_id, "usage": usage})
            else:
                self._answer(404, {})

        def _answer(self, status: int, body: Any) -> None:
            raw = json.dumps(body).encode()
            self.send_response(status)
            if status >= 400:
                tei.refused.append(status)
            if status == 429 and tei.retry_after is not None:
                self.send_header("Retry-After", tei.retry_after)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: object) -> None:
            return None

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 64

    with Server(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        tei.url = f"http://127.0.0.1:{listening.server_port}"
        try:
            yield tei
        finally:
            listening.shutdown()
            thread.join()
