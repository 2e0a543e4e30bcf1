"""A real receiver of traces: an HTTP server that takes OTLP and keeps the spans."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@dataclass(frozen=True, slots=True)
class ReceivedSpan:
    """A span as it came over the wire."""

    name: str
    trace: str
    id: str
    parent: str
    attributes: dict[str, str | int | float | bool]
    error: str
    seconds: float


@dataclass
class OtlpReceiver:
    """The address of the receiver, and what it got so far: paths, headers, raw bodies, spans."""

    url: str
    paths: list[str] = field(default_factory=list)
    resources: list[dict[str, str | int | float | bool]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    spans: list[ReceivedSpan] = field(default_factory=list)

    def named(self, name: str) -> list[ReceivedSpan]:
        return [span for span in self.spans if span.name == name]

    def take(self, path: str, body: bytes) -> None:
        request = ExportTraceServiceRequest.FromString(body)
        self.paths.append(path)
        self.bodies.append(body)
        for resource in request.resource_spans:
            self.resources.append({each.key: _read(each.value) for each in resource.resource.attributes})
            for scope in resource.scope_spans:
                self.spans += [_convert(span) for span in scope.spans]


def _convert(span: Span) -> ReceivedSpan:
    return ReceivedSpan(
        span.name,
        span.trace_id.hex(),
        span.span_id.hex(),
        span.parent_span_id.hex(),
        {each.key: _read(each.value) for each in span.attributes},
        span.status.message if span.status.code == 2 else "",
        (span.end_time_unix_nano - span.start_time_unix_nano) / 1e9,
    )


def _read(value: object) -> str | int | float | bool:
    read: str | int | float | bool = getattr(value, value.WhichOneof("value"))  # type: ignore[attr-defined]
    return read


@contextmanager
def receive_traces() -> Iterator[OtlpReceiver]:
    """A receiver, until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.take(self.path, gzip.decompress(body) if self.headers["Content-Encoding"] == "gzip" else body)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    received = OtlpReceiver(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield received
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
