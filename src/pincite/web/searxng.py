"""A search engine of one's own, SearXNG, over its JSON: words in, results out; and whether it answers at an address."""

import ipaddress
import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from ipaddress import IPv4Address, IPv6Address
from typing import Any

import anyio
import httpx2

from pincite import __version__
from pincite.errors import Forbidden, Misuse, WebError
from pincite.web import results
from pincite.web.engine import Category, Found, Result, TimeRange
from pincite.web.guard import Exemption, Guarded, Resolve, host_of, resolve
from pincite.web.machinery import is_machinery

SECONDS = 15.0
_MOST = 4_000_000  # bytes of an answer
_MOST_RESULTS = 200
_SHOWN = 5  # engines that are named
_BOX_SCORE = 1.0  # what the first result of one engine has: a box has none of its own
_LONGEST_TITLE, _LONGEST_SNIPPET, _LONGEST_NAME = 300, 1000, 80  # characters
_LONGEST_QUERY = 1000
_HEADERS = {"User-Agent": f"Pincite/{__version__}", "Accept": "application/json", "Accept-Encoding": "identity"}
_HOST = re.compile(r"[a-z0-9._:-]+")
_LANGUAGE = re.compile(r"([a-z]{2,3})(?:-([a-z]{2}))?(?:-.*)?")
_COMMAND = "!:<?"  # what begins a word that SearXNG takes for a command: another engine, a redirect, a language
_TRIED = "wikipedia"  # what is looked for to see whether anything is found

_HINTS = {
    401: "It asks for a login: give an address that works without one.",
    403: "JSON is off there. In SearXNG's settings.yml, under `search:`, write `formats: [html, json]`; restart it.",
    404: "Give the address of SearXNG's own first page, with its path if it has one.",
    429: "Its limiter is on. In SearXNG's settings.yml, under `server:`, write `limiter: false`; restart it.",
}


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether a search engine finds something, in words; what to do if it does not, and how much it found."""

    ok: bool
    detail: str
    hint: str = ""
    results: int = 0
    answered: bool = field(default=False, compare=False)  # whether a SearXNG is there, also one that finds nothing


@dataclass(frozen=True, slots=True)
class SearXNG:
    """The SearXNG at one address, as `web.search_url` gives it: that address may be private, and nothing else may."""

    url: str
    seconds: float = SECONDS
    look_up: Resolve = resolve

    async def search(
        self,
        query: str,
        *,
        kind: Category = "general",
        language: str = "",
        time_range: TimeRange = "",
        page: int = 1,
    ) -> Found:
        """What SearXNG finds for these words, each page once; a `WebError` says which setting to change."""
        if not self.url.strip():
            raise Misuse(
                "There is no search engine, so the web cannot be searched.",
                "Set web.search_url, or give the address of a SearXNG among the settings of the page.",
            )
        asked = {"q": _words(query), "format": "json", "categories": kind}
        if match := _LANGUAGE.fullmatch(language.lower()):
            asked["language"] = f"{match[1]}-{match[2].upper()}" if match[2] else match[1]
        if time_range:
            asked["time_range"] = time_range
        if page > 1:
            asked["pageno"] = str(page)
        if not asked["q"]:
            return Found()
        said = await _answer(httpx2.URL(address(self.url)), asked, self.seconds, self.look_up)
        listed = [each for each in said["results"][:_MOST_RESULTS] if _is_kind(each, kind)]
        boxes = _boxes(said.get("infoboxes")) if kind == "general" else []
        found = [result for each in (*listed, *boxes) if (result := _result(each))]
        silent = tuple(_silent(said.get("unresponsive_engines")))
        return Found(results.merged(found, by_picture=kind == "images"), silent)


def address(given: str) -> str:
    """An address of a search engine as it is kept; `Misuse` or `Forbidden` when none can be there."""
    hint = "Write it like http://localhost:8080."
    try:
        url = httpx2.URL(given.strip())
        host = host_of(url)
    except (httpx2.InvalidURL, UnicodeError):
        raise Misuse("This is not an address.", hint) from None
    if url.scheme not in ("http", "https") or not _HOST.fullmatch(host):
        raise Misuse("The address does not begin with http:// or https:// and a name.", hint)
    if url.port is not None and not 0 < url.port < 65_536:
        raise Misuse(f"There is no port {url.port}.", hint)
    if url.userinfo:
        raise Forbidden("The address holds a user name or password.", "Leave out what stands before the @.")
    if url.query or url.fragment:
        raise Misuse("The address holds more than a path.", "Leave out what stands after the ? or the #.")
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        pass  # a name, which is looked up when it is asked
    else:
        _check([number], host)
    return str(url.copy_with(path=url.path.rstrip("/").removesuffix("/search"))).rstrip("/")


async def check(url: str, seconds: float = SECONDS, look_up: Resolve = resolve) -> Checked:
    """One search at an address, and what came of it."""
    try:
        base = httpx2.URL(address(url))
        said = await _answer(base, {"q": _TRIED, "format": "json"}, seconds, look_up)
    except (Misuse, WebError) as error:
        return Checked(False, error.message, error.hint)
    found = len(said["results"]) + len(_boxes(said.get("infoboxes")))
    engines = list(_silent(said.get("unresponsive_engines")))
    more = f" and {len(engines) - _SHOWN} more" if len(engines) > _SHOWN else ""
    silent = ", ".join(engines[:_SHOWN]) + more
    if found:
        told = f"It found {found} results." + (f" No answer from {silent}." if silent else "")
        return Checked(True, told, "", found, answered=True)
    if silent:
        hint = "See whether that machine reaches the internet, or choose other engines in SearXNG's settings.yml."
        return Checked(False, f"It answers, but its engines do not: {silent}.", hint, answered=True)
    hint = "Turn on some engines in SearXNG's settings.yml."
    return Checked(False, "It answers, and finds nothing.", hint, answered=True)


async def _answer(base: httpx2.URL, asked: dict[str, str], seconds: float, look_up: Resolve) -> dict[str, Any]:
    """What SearXNG answers, as its JSON: a list under `results`, and whatever else it says."""
    host = host_of(base)
    try:
        with anyio.fail_after(seconds):
            return _understood(await _body(base, asked, look_up), host)
    except (TimeoutError, httpx2.TimeoutException):
        raise WebError(
            f"{host} did not answer within {seconds:g} seconds.",
            "Try again; if it stays so, look at SearXNG's log, and at `outgoing:` in its settings.yml.",
        ) from None
    except httpx2.HTTPError as error:
        said = (str(error) or type(error).__name__).rstrip(".")
        raise WebError(
            f"There is no answer from {base}: {said}.",
            "Check the address (web.search_url), and that SearXNG is running. "
            "Inside a container, localhost is the container itself.",
        ) from None


async def _body(base: httpx2.URL, asked: dict[str, str], look_up: Resolve) -> bytes:
    port = base.port or (443 if base.scheme == "https" else 80)
    # What the user typed may be on a private network and on any port, unlike what is found on a page.
    transport = Guarded((Exemption(host_of(base), port),), partial(_looked_up, look_up))
    search = base.copy_with(path=f"{base.path.rstrip('/')}/search", params=asked)
    async with (
        httpx2.AsyncClient(
            transport=transport, trust_env=False, follow_redirects=False, headers=_HEADERS, timeout=None
        ) as client,
        client.stream("GET", search) as response,
    ):
        if response.is_redirect:
            raise _elsewhere(response)
        if not response.is_success:
            told = f"{response.status_code} {response.reason_phrase}".strip()
            hint = _HINTS.get(response.status_code, "Open the address in a browser, and look at SearXNG's log.")
            raise WebError(f"{host_of(base)} answered {told}.", hint)
        body = bytearray()
        async for piece in response.aiter_raw():
            body += piece
            if len(body) > _MOST:
                raise WebError(f"What {host_of(base)} sent is far too long.", _HINTS[404])
    return bytes(body)


def _elsewhere(response: httpx2.Response) -> WebError:
    shown = "another address"
    if response.next_request:
        bare = response.next_request.url.copy_with(query=None, fragment=None, userinfo=b"")
        shown = str(bare).removesuffix("/search")
    return WebError(f"{host_of(response.url)} sends one on to {shown}.", "Give the address it ends at.")


def _understood(body: bytes, host: str) -> dict[str, Any]:
    try:
        said: Any = json.loads(body)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or not isinstance(said.get("results"), list) or "query" not in said:
        raise WebError(f"What {host} sent is not an answer of SearXNG.", _HINTS[404])
    return said


def _words(query: str) -> str:
    return " ".join(bare for word in query.split() if (bare := word.lstrip(_COMMAND)))[:_LONGEST_QUERY]


def _is_kind(given: Any, kind: Category) -> bool:
    """Whether a result is a picture or a video as asked: who has no engines for those is answered with pages."""
    if kind not in ("images", "videos") or not isinstance(given, dict):
        return True
    return given.get("category") == kind or given.get("template") == f"{kind}.html"


def _boxes(given: Any) -> list[dict[str, Any]]:
    """What stands beside the results, written as they are: an encyclopaedia's page is often there alone."""
    boxes = [box for box in given if isinstance(box, dict)] if isinstance(given, list) else []
    return [{**box, "url": box.get("id"), "title": box.get("infobox"), "score": _BOX_SCORE} for box in boxes[:_SHOWN]]


def _result(given: Any) -> Result | None:
    """One result as SearXNG writes it; none without an address on the web."""
    if not isinstance(given, dict) or (url := results.address(given.get("url"))) is None:
        return None
    engines = given.get("engines")
    named = engines if isinstance(engines, list) and engines else [given.get("engine")]
    score: Any = given.get("score")
    known = isinstance(score, int | float) and math.isfinite(score)
    return Result(
        url=url,
        title=results.plain(given.get("title"), _LONGEST_TITLE) or httpx2.URL(url).host,
        snippet=results.plain(given.get("content"), _LONGEST_SNIPPET),
        engine=", ".join(sorted(name for each in named if (name := _name(each)))),
        score=float(score) if known else 0.0,
        published=results.day(given.get("publishedDate")),
        thumbnail=results.address(given.get("thumbnail_src")) or results.address(given.get("thumbnail")),
        image=results.address(given.get("img_src")),
        length=results.length(given.get("length")),
    )


def _silent(given: Any) -> Iterator[str]:
    """The engines that did not answer, each with why, as SearXNG lists them: pairs of a name and a reason."""
    for engine in given if isinstance(given, list) else []:
        if isinstance(engine, list) and engine and isinstance(engine[0], str):
            yield _name(f"{engine[0]} ({engine[1]})" if len(engine) > 1 else engine[0])


def _name(given: Any) -> str:
    return results.plain(given, _LONGEST_NAME).replace(",", " ")


async def _looked_up(look_up: Resolve, host: str, port: int) -> list[str]:
    found = await look_up(host, port)
    _check([ipaddress.ip_address(each) for each in found], host)
    return found


def _check(addresses: Sequence[IPv4Address | IPv6Address], host: str) -> None:
    if any(is_machinery(address) for address in addresses):
        raise Forbidden(f"{host} is not a place for a search engine.", "Give the address SearXNG listens on.")
