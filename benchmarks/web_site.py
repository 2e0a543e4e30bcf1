"""An invented web for benchmarks: a hundred pages of realistic size, on a hundred hosts or one, and a search engine.

It runs in its own process, so that its cost does not count. Every town has four pages: a guide, a law, a news report
and a forum discussion. The engine finds them for a question that names the town, after a fixed delay.
"""

import gzip
import json
import multiprocessing
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from urllib.parse import parse_qs, urlsplit

TOWNS = [
    f"{first}{last}" for first in ("Ar", "Bel", "Cor", "Dun", "El") for last in ("len", "mont", "ham", "ford", "by")
]
KINDS = ("guide", "law", "news", "forum")
_PARAGRAPHS = {"guide": 12, "law": 70, "news": 8, "forum": 24}
_AROUND = {"guide": 20, "law": 30, "news": 160, "forum": 50}  # kB of menus, styles and scripts
_SAID = {
    "who": "the tenant|the owner|a neighbour|the council|the court|an agent|the association|the family",
    "does": "keeps|returns|signs|reads|pays|accepts|refuses|repairs|explains|describes|delivers|forgets",
    "what": "the written notice|the deposit|the monthly rent|the inventory|an old contract|the kitchen|the heating|"
    "a letter|the agreed price|every second bill|the keys of the cellar|the new windows|a copy of the lease",
    "when": "before the end of the month|after a long winter|in the presence of a witness|without any delay|"
    "by registered mail|as the statute requires|when the season changes|although nobody asked for it",
}
_WORDS = {part: words.split("|") for part, words in _SAID.items()}


@dataclass(frozen=True)
class Web:
    """The address of the web server; `look_up` resolves the names of its hosts to it."""

    port: int

    def url(self, town: str, kind: str, host: str = "") -> str:
        return f"http://{host or f'{kind}.{town.lower()}.example'}:{self.port}/{town}/{kind}"


async def look_up(host: str, port: int) -> list[str]:
    """Resolve every host name of this web to this machine."""
    return ["127.0.0.1"]


def question(town: str) -> str:
    """Return a question that all four pages of a town answer."""
    return f"How long is the notice period in {town}?"


def answered(town: str) -> int:
    return 3 + TOWNS.index(town) * 2


@contextmanager
def served(seconds: float) -> Iterator[Web]:
    """Run the web until the block ends. Its engine answers after this many seconds."""
    mine, its = multiprocessing.Pipe()
    # A fork of a process that embeds could deadlock because of its threads.
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(its, seconds), daemon=True)
    process.start()
    try:
        yield Web(mine.recv())
    finally:
        process.terminate()
        process.join()


def made(town: str, kind: str) -> bytes:
    """Return one page: an article, surrounded by menus, styles and scripts."""
    drawn = random.Random(f"{town} {kind}")
    paragraphs = [" ".join(_sentence(drawn) for _ in range(drawn.randint(3, 6))) for _ in range(_PARAGRAPHS[kind])]
    said = f"The notice period in {town} is {answered(town)} weeks, as the {kind} says."
    paragraphs.insert(len(paragraphs) // 3, f"{said} {_sentence(drawn)}")
    parts = [f"<p>{text}</p>" for text in paragraphs]
    for at in range(0, len(parts), 6):
        parts[at] = f"<h2>{_sentence(drawn)[:-1]}</h2>{parts[at]}"
    title = f"Renting in {town}: the {kind}"
    links = "".join(f'<li><a href="/{n}">{_sentence(drawn)[:30]}</a></li>' for n in range(60))
    script = f"<script>{_noise(drawn, _AROUND[kind] * 700)}</script><style>{_noise(drawn, _AROUND[kind] * 300)}</style>"
    article = f"<main><article><h1>{title}</h1>{''.join(parts)}</article></main>"
    head = f'<head><meta charset="utf-8"><title>{title}</title>{script}</head>'
    menu = f"<header><nav><ul>{links}</ul></nav></header>"
    return f'<!doctype html><html lang="en">{head}<body>{menu}{article}<footer>{links}</footer></body></html>'.encode()


def _sentence(drawn: random.Random) -> str:
    return " ".join(drawn.choice(words) for words in _WORDS.values()).capitalize() + "."


def _noise(drawn: random.Random, size: int) -> str:
    line = "".join(f"var v{drawn.randrange(9999)}={drawn.randrange(9999)};" for _ in range(60))
    return (line * (size // len(line) + 1))[:size]


def _serve(told: Connection, seconds: float) -> None:
    pages = {f"/{town}/{kind}": gzip.compress(made(town, kind), 6) for town in TOWNS for kind in KINDS}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            if path == "/search":
                time.sleep(seconds)
                self.say(_found(self.path, server.server_port), "application/json")
            elif path in pages:
                self.say(pages[path], "text/html; charset=utf-8", gzipped=True)
            else:
                self.say(b"", "text/plain", 404)

        def say(self, body: bytes, content_type: str, status: int = 200, gzipped: bool = False) -> None:
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            if gzipped:
                self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.send(server.server_port)
    server.serve_forever()


def _found(path: str, port: int) -> bytes:
    """Return the results of the engine: the pages of the town in the question, then those of another."""
    query = parse_qs(urlsplit(path).query).get("q", [""])[0]
    named = [town for town in TOWNS if town.lower() in query.lower()]
    web = Web(port)
    listed = [(town, kind) for town in (*named, TOWNS[-1]) for kind in KINDS]
    results = [
        {
            "url": web.url(town, kind),
            "title": f"Renting in {town}: the {kind}",
            "content": f"The notice period in {town}, and what else there is to know.",
            "engine": "local",
            "score": 1 / place,
        }
        for place, (town, kind) in enumerate(dict.fromkeys(listed), 1)
    ]
    return json.dumps({"query": query, "results": results, "unresponsive_engines": []}).encode()
