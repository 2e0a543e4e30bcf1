"""A model's server of the tests' own, over real HTTP: it remembers what it was asked and answers as it was told."""

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Respond = Callable[[BaseHTTPRequestHandler], None]


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict[str, str]
    body: Any


@dataclass(frozen=True)
class Wire:
    """Where the server is, what it was asked, and what it will answer, in order; the last answer is given again."""

    port: int
    answers: list[Respond] = field(default_factory=list)
    asked: list[Request] = field(default_factory=list)
    # Set when the test is over, so that an answer that never comes ends too.
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def serving(*answers: Respond) -> Iterator[Wire]:
    """A server that answers until the block ends."""
    begun = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(None)

        def do_POST(self) -> None:
            self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def _answer(self, body: Any) -> None:
            self.close_connection = True
            with begun:
                context = len(wire.asked)
                wire.asked.append(Request(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            try:
                wire.answers[min(context, len(wire.answers) - 1)](self)
            except (BrokenPipeError, ConnectionResetError):
                pass  # the client has gone

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    wire = Wire(server.server_port, list(answers))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield wire
    finally:
        wire.over.set()
        server.shutdown()
        thread.join()
        server.server_close()


def stream(pieces: Iterable[str]) -> Respond:
    """Server-sent events, in chunks of HTTP, one for each piece, as it comes."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        _begin(handler)
        for piece in pieces:
            _chunk(handler, piece)
        handler.wfile.write(b"0\r\n\r\n")

    return respond


def cut(pieces: Sequence[str]) -> Respond:
    """A stream that breaks off: the connection goes before the end was said."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        _begin(handler)
        for piece in pieces:
            _chunk(handler, piece)

    return respond


def silence(wire: Wire, piece: str = "") -> Respond:
    """The connection is taken and nothing comes, or the same piece again and again, until the test is over."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        if piece:
            _begin(handler)
        while not wire.over.wait(0.02):
            if piece:
                _chunk(handler, piece)

    return respond


def stall(wire: Wire, pieces: Sequence[str]) -> Respond:
    """A stream that says no more after these pieces, and stays open until the test is over."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        _begin(handler)
        for piece in pieces:
            _chunk(handler, piece)
        wire.over.wait()

    return respond


def reply(status: int, body: Any, headers: Mapping[str, str] | None = None) -> Respond:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        said = json.dumps(body).encode()
        handler.send_response(status)
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(said)))
        handler.end_headers()
        handler.wfile.write(said)

    return respond


def drop(handler: BaseHTTPRequestHandler) -> None:
    """The connection is closed without a word."""
    handler.connection.close()


def _begin(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()


def _chunk(handler: BaseHTTPRequestHandler, piece: str) -> None:
    said = piece.encode()
    handler.wfile.write(b"%x\r\n%s\r\n" % (len(said), said))
    handler.wfile.flush()
