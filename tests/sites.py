"""A small web of the tests' own, over real HTTP on this machine: each path has a function that answers."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlparse, urlsplit

Respond = Callable[[BaseHTTPRequestHandler], None]


@dataclass(frozen=True)
class Site:
    """Where the site is, who connected, and what it was asked: each request's path and Host, and its headers.

    A page answers to its path with exactly its query, or to the path alone whatever the query is.
    """

    port: int
    pages: dict[str, Respond]
    asked: list[tuple[str, str]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    connections: list[Any] = field(default_factory=list)

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, path: str) -> str:
        return f"http://{self.host}{path}"


@contextmanager
def serving() -> Iterator[Site]:
    """A site that answers until the block ends; pages may be added at any time."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            site.asked.append((self.path, self.headers["Host"]))
            site.headers.append({name.lower(): value for name, value in self.headers.items()})
            self.close_connection = True
            respond = site.pages.get(self.path) or site.pages.get(urlsplit(self.path).path, missing)
            try:
                respond(self)
            except (BrokenPipeError, ConnectionResetError):
                pass  # the client has gone

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def verify_request(self, request: object, client_address: Any) -> bool:
            site.connections.append(client_address)
            return True

    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site = Site(server.server_port, {})
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def page(body: bytes, headers: Mapping[str, str] | None = None, status: int = 200) -> Respond:
    """A page with its length said."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return respond


def redirect(to: str) -> Respond:
    return page(b"", {"Location": to}, 302)


def stream(pieces: Callable[[], Iterator[bytes]], headers: Mapping[str, str] | None = None) -> Respond:
    """A page whose length nobody knows: it ends when the connection does."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        for name, value in {**(headers or {}), "Connection": "close"}.items():
            handler.send_header(name, value)
        handler.end_headers()
        for piece in pieces():
            handler.wfile.write(piece)
            handler.wfile.flush()

    return respond


missing = page(b"no such page", status=404)


def html(text: str, headers: Mapping[str, str] | None = None, status: int = 200) -> Respond:
    return page(text.encode(), {"Content-Type": "text/html; charset=utf-8", **(headers or {})}, status)


def searxng(
    *results: Mapping[str, Any],
    boxes: Sequence[Mapping[str, Any]] = (),
    unresponsive: list[list[str]] | None = None,
    seconds: float = 0.0,
) -> Respond:
    """A search page that speaks SearXNG's JSON as a real one does, after so many seconds.

    A result is found in its `category`, on its `page`, and for words that hold its `when`. For a category that it has
    no engines for, a real one finds what is general.
    """
    categories = {result.get("category", "general") for result in results}

    def respond(handler: BaseHTTPRequestHandler) -> None:
        asked = {name: values[0] for name, values in parse_qs(urlsplit(handler.path).query).items()}
        time.sleep(seconds)
        if asked.get("format") != "json":
            return html("<title>SearXNG</title>")(handler)
        if not asked.get("q"):
            return _json({"error": "No query"}, 400)(handler)
        if asked.get("time_range", "day") not in ("day", "week", "month", "year"):
            return _json({"error": f'Invalid value "{asked["time_range"]}" for parameter time_range'}, 400)(handler)
        named = asked.get("categories", "general")
        wanted = (named if named in categories else "general"), int(asked.get("pageno", "1"))
        found = [
            _written(result, position)
            for position, result in enumerate(results, 1)
            if (result.get("category", "general"), result.get("page", 1)) == wanted
            and result.get("when", "").lower() in asked["q"].lower()
        ]
        usual = {"number_of_results": 0, "answers": [], "corrections": [], "suggestions": []}
        said = {"query": asked["q"], **usual, "results": found, "infoboxes": list(boxes)}
        return _json({**said, "unresponsive_engines": unresponsive or []})(handler)

    return respond


def _written(result: Mapping[str, Any], position: int) -> dict[str, Any]:
    """A result with all that SearXNG writes of each."""
    category, engine = result.get("category", "general"), result.get("engine", "local")
    template = f"{category}.html" if category in ("images", "videos") else "default.html"
    usual = {"template": template, "content": "", "img_src": "", "thumbnail": "", "priority": ""}
    placed = {"engine": engine, "engines": [engine], "positions": [position], "score": 1 / position}
    said = {name: value for name, value in result.items() if name not in ("when", "page")}
    parts = {"parsed_url": list(urlparse(str(result.get("url") or ""))), "category": category}
    return {**usual, **placed, **parts, **said}


def _json(said: object, status: int = 200) -> Respond:
    return page(json.dumps(said).encode(), {"Content-Type": "application/json"}, status)


def endless(handler: BaseHTTPRequestHandler) -> None:
    """A page that never ends."""

    def pieces() -> Iterator[bytes]:
        while True:
            yield b"<p>more and more</p>" * 5000

    stream(pieces, {"Content-Type": "text/html"})(handler)


def dripping(handler: BaseHTTPRequestHandler) -> None:
    """A page that comes a letter at a time."""

    def pieces() -> Iterator[bytes]:
        for _ in range(600):
            yield b"."
            time.sleep(0.05)

    stream(pieces, {"Content-Type": "text/html"})(handler)


# Pages without text as they are sent: one asks for consent first, one is made by its script.
cookie_wall = html(
    "<body><h1>Before you continue</h1><p>We use cookies. Cookies help us.</p>"
    "<button>Accept all</button><button>Reject all</button><script>1</script></body>"
)
shell = html(
    "<body><div id=root></div><script>document.getElementById('root').textContent = 'made by a script'</script></body>"
)
