"""Search the web with SearXNG over its JSON interface, and check that a SearXNG answers at an address."""

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
from pincite.errors import NO_SEARCH_ENGINE, Forbidden, Misuse, WebError
from pincite.settings_exemptions import Exemption
from pincite.telemetry import span
from pincite.web import result_cleanup
from pincite.web.cloud_metadata import is_cloud_metadata
from pincite.web.guard import GuardedTransport, Resolve, normalise_host, resolve_host
from pincite.web.search_engine import Category, SearchResult, SearchResults, TimeRange

SECONDS = 15.0
_MOST = 4_000_000  # bytes in a reply
_MOST_RESULTS = 200
_SHOWN = 5  # engines listed by name
_BOX_SCORE = 1.0  # the score of an engine's first result; an infobox has no score
_LONGEST_TITLE, _LONGEST_SNIPPET, _LONGEST_NAME = 300, 1000, 80  # characters
_LONGEST_QUERY = 1000
_HEADERS = {"User-Agent": f"Pincite/{__version__}", "Accept": "application/json", "Accept-Encoding": "identity"}
_HOST = re.compile(r"[a-z0-9._:-]+")
_LANGUAGE = re.compile(r"([a-z]{2,3})(?:-([a-z]{2}))?(?:-.*)?")
_BAD_ADDRESS = "search_address"  # a reason of Misuse
_COMMAND = "!:<?"  # the first characters of a SearXNG command: another engine, a redirect, a language
_TRIED = "wikipedia"  # the test query

_HINTS = {
    401: "It needs a login. Give an address that works without one.",
    403: "JSON is off there. In SearXNG's settings.yml, under `search:`, write `formats: [html, json]`; restart it.",
    404: "Give the address of SearXNG's home page, with its path if it has one.",
    429: "Its limiter is on. In SearXNG's settings.yml, under `server:`, write `limiter: false`; restart it.",
}


@dataclass(frozen=True, slots=True)
class EngineCheck:
    """The result of checking a search engine: a message, a hint if it failed, and the number of results."""

    ok: bool
    detail: str
    hint: str = ""
    results: int = 0
    answered: bool = field(default=False, compare=False)  # whether a SearXNG answered, even without results


@dataclass(frozen=True, slots=True)
class SearXNG:
    """The SearXNG at one address (`web.search_url`). Only this address may be private."""

    url: str
    seconds: float = SECONDS
    look_up: Resolve = resolve_host

    async def search(
        self,
        query: str,
        *,
        kind: Category = "general",
        language: str = "",
        time_range: TimeRange = "",
        page: int = 1,
    ) -> SearchResults:
        """Search with SearXNG and return each page once; a `WebError` names the setting to change."""
        if not self.url.strip():
            raise Misuse(
                "There is no search engine, so the web cannot be searched.",
                "Set web.search_url, or give the address of a SearXNG among the settings of the page.",
                NO_SEARCH_ENGINE,
            )
        asked = {"q": _clean_query(query), "format": "json", "categories": kind}
        if match := _LANGUAGE.fullmatch(language.lower()):
            asked["language"] = f"{match[1]}-{match[2].upper()}" if match[2] else match[1]
        if time_range:
            asked["time_range"] = time_range
        if page > 1:
            asked["pageno"] = str(page)
        if not asked["q"]:
            return SearchResults()
        with span("web search", kind=kind) as opened:
            opened.set_text(query=asked["q"])
            reply = await _request_results(httpx2.URL(normalise_address(self.url)), asked, self.seconds, self.look_up)
        listed = [each for each in reply["results"][:_MOST_RESULTS] if _is_kind(each, kind)]
        boxes = _list_infoboxes(reply.get("infoboxes")) if kind == "general" else []
        found = [result for each in (*listed, *boxes) if (result := _parse_result(each))]
        silent = tuple(_list_silent_engines(reply.get("unresponsive_engines")))
        return SearchResults(result_cleanup.merge_results(found, by_picture=kind == "images"), silent)


def normalise_address(given: str) -> str:
    """Normalise the address of a search engine; raise `Misuse` or `Forbidden` if it is not valid."""
    hint = "Write it like http://localhost:8080."
    try:
        url = httpx2.URL(given.strip())
        host = normalise_host(url)
    except (httpx2.InvalidURL, UnicodeError):
        raise Misuse("This is not an address.", hint, _BAD_ADDRESS) from None
    if url.scheme not in ("http", "https") or not _HOST.fullmatch(host):
        raise Misuse("The address does not begin with http:// or https:// and a host name.", hint, _BAD_ADDRESS)
    if url.port is not None and not 0 < url.port < 65_536:
        raise Misuse(f"Port {url.port} is not valid.", hint, _BAD_ADDRESS)
    if url.userinfo:
        raise Forbidden("The address holds a user name or password.", "Remove the part before the @.")
    if url.query or url.fragment:
        raise Misuse("The address holds more than a path.", "Remove the part after the ? or the #.", _BAD_ADDRESS)
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        pass  # a host name, which is resolved at the request
    else:
        _check_addresses([number], host)
    return str(url.copy_with(path=url.path.rstrip("/").removesuffix("/search"))).rstrip("/")


async def check_engine(url: str, seconds: float = SECONDS, look_up: Resolve = resolve_host) -> EngineCheck:
    """Run one test search at an address and return the result."""
    try:
        base = httpx2.URL(normalise_address(url))
        reply = await _request_results(base, {"q": _TRIED, "format": "json"}, seconds, look_up)
    except (Misuse, WebError) as error:
        return EngineCheck(False, error.message, error.hint)
    found = len(reply["results"]) + len(_list_infoboxes(reply.get("infoboxes")))
    engines = list(_list_silent_engines(reply.get("unresponsive_engines")))
    more = f" and {len(engines) - _SHOWN} more" if len(engines) > _SHOWN else ""
    silent = ", ".join(engines[:_SHOWN]) + more
    if found:
        detail = f"It found {found} results." + (f" No answer from {silent}." if silent else "")
        return EngineCheck(True, detail, "", found, answered=True)
    if silent:
        hint = "See whether that machine reaches the internet, or choose other engines in SearXNG's settings.yml."
        return EngineCheck(False, f"It answers, but its engines do not: {silent}.", hint, answered=True)
    hint = "Turn on some engines in SearXNG's settings.yml."
    return EngineCheck(False, "It answers, but finds nothing.", hint, answered=True)


async def _request_results(base: httpx2.URL, asked: dict[str, str], seconds: float, look_up: Resolve) -> dict[str, Any]:
    """Request results and return SearXNG's JSON, with a list under `results`."""
    host = normalise_host(base)
    try:
        with anyio.fail_after(seconds):
            return _parse_reply(await _request_body(base, asked, look_up), host)
    except (TimeoutError, httpx2.TimeoutException):
        raise WebError(
            f"{host} did not answer within {seconds:g} seconds.",
            "Try again; if it fails again, look at SearXNG's log, and at `outgoing:` in its settings.yml.",
        ) from None
    except httpx2.HTTPError as error:
        reason = (str(error) or type(error).__name__).rstrip(".")
        raise WebError(
            f"There is no answer from {base}: {reason}.",
            "Check the address (web.search_url), and that SearXNG is running. "
            "Inside a container, localhost is the container itself.",
        ) from None


async def _request_body(base: httpx2.URL, asked: dict[str, str], look_up: Resolve) -> bytes:
    port = base.port or (443 if base.scheme == "https" else 80)
    # The user typed this address, so it may be private and on any port, unlike an address found on a page.
    transport = GuardedTransport((Exemption(normalise_host(base), port),), partial(_resolve_checked, look_up))
    search = base.copy_with(path=f"{base.path.rstrip('/')}/search", params=asked)
    async with (
        httpx2.AsyncClient(
            transport=transport, trust_env=False, follow_redirects=False, headers=_HEADERS, timeout=None
        ) as client,
        client.stream("GET", search) as response,
    ):
        if response.is_redirect:
            raise _make_redirect_error(response)
        if not response.is_success:
            status = f"{response.status_code} {response.reason_phrase}".strip()
            hint = _HINTS.get(response.status_code, "Open the address in a browser, and look at SearXNG's log.")
            raise WebError(f"{normalise_host(base)} answered {status}.", hint)
        body = bytearray()
        async for piece in response.aiter_raw():
            body += piece
            if len(body) > _MOST:
                raise WebError(f"The reply of {normalise_host(base)} is too long.", _HINTS[404])
    return bytes(body)


def _make_redirect_error(response: httpx2.Response) -> WebError:
    shown = "another address"
    if response.next_request:
        bare = response.next_request.url.copy_with(query=None, fragment=None, userinfo=b"")
        shown = str(bare).removesuffix("/search")
    return WebError(f"{normalise_host(response.url)} redirects to {shown}.", "Give the final address.")


def _parse_reply(body: bytes, host: str) -> dict[str, Any]:
    try:
        reply: Any = json.loads(body)
    except (ValueError, RecursionError):
        reply = None
    if not isinstance(reply, dict) or not isinstance(reply.get("results"), list) or "query" not in reply:
        raise WebError(f"The reply of {host} is not from SearXNG.", _HINTS[404])
    return reply


def _clean_query(query: str) -> str:
    return " ".join(bare for word in query.split() if (bare := word.lstrip(_COMMAND)))[:_LONGEST_QUERY]


def _is_kind(given: Any, kind: Category) -> bool:
    """Return whether a result is of the requested kind. SearXNG without picture or video engines returns pages."""
    if kind not in ("images", "videos") or not isinstance(given, dict):
        return True
    return given.get("category") == kind or given.get("template") == f"{kind}.html"


def _list_infoboxes(given: Any) -> list[dict[str, Any]]:
    """Convert infoboxes to results. The page of an encyclopaedia often appears only there."""
    boxes = [box for box in given if isinstance(box, dict)] if isinstance(given, list) else []
    return [{**box, "url": box.get("id"), "title": box.get("infobox"), "score": _BOX_SCORE} for box in boxes[:_SHOWN]]


def _parse_result(given: Any) -> SearchResult | None:
    """Convert one result of SearXNG, or return None if it has no web address."""
    if not isinstance(given, dict) or (url := result_cleanup.parse_address(given.get("url"))) is None:
        return None
    engines = given.get("engines")
    named = engines if isinstance(engines, list) and engines else [given.get("engine")]
    score: Any = given.get("score")
    known = isinstance(score, int | float) and math.isfinite(score)
    return SearchResult(
        url=url,
        title=result_cleanup.make_plain_text(given.get("title"), _LONGEST_TITLE) or httpx2.URL(url).host,
        snippet=result_cleanup.make_plain_text(given.get("content"), _LONGEST_SNIPPET),
        engine=", ".join(sorted(name for each in named if (name := _clean_name(each)))),
        score=float(score) if known else 0.0,
        published=result_cleanup.parse_day(given.get("publishedDate")),
        thumbnail=result_cleanup.parse_address(given.get("thumbnail_src"))
        or result_cleanup.parse_address(given.get("thumbnail")),
        image=result_cleanup.parse_address(given.get("img_src")),
        length=result_cleanup.parse_length(given.get("length")),
    )


def _list_silent_engines(given: Any) -> Iterator[str]:
    """Yield the engines that did not answer, each with its reason, from SearXNG's pairs of name and reason."""
    for engine in given if isinstance(given, list) else []:
        if isinstance(engine, list) and engine and isinstance(engine[0], str):
            yield _clean_name(f"{engine[0]} ({engine[1]})" if len(engine) > 1 else engine[0])


def _clean_name(given: Any) -> str:
    return result_cleanup.make_plain_text(given, _LONGEST_NAME).replace(",", " ")


async def _resolve_checked(look_up: Resolve, host: str, port: int) -> list[str]:
    found = await look_up(host, port)
    _check_addresses([ipaddress.ip_address(each) for each in found], host)
    return found


def _check_addresses(addresses: Sequence[IPv4Address | IPv6Address], host: str) -> None:
    if any(is_cloud_metadata(address) for address in addresses):
        raise Forbidden(f"A search engine may not be at {host}.", "Give the address SearXNG listens on.")
