"""A search engine of one's own: an address in, whether SearXNG answers there out, and what to do if it does not."""

import ipaddress
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Any

import anyio
import httpx2

from pincite import __version__
from pincite.errors import Forbidden, Misuse, WebError
from pincite.web.guard import Exemption, Guarded, Resolve, host_of, resolve

SECONDS = 15.0
_MOST = 2_000_000  # bytes of an answer
_SHOWN = 5  # engines that are named
_HEADERS = {"User-Agent": f"Pincite/{__version__}", "Accept": "application/json", "Accept-Encoding": "identity"}
_HOST = re.compile(r"[a-z0-9._:-]+")
_TRIED = "wikipedia"  # what is looked for to see whether anything is found

# Where clouds tell a machine its secrets: nobody's search engine is there, whoever typed the address.
_MACHINERY_V4 = tuple(
    IPv4Network(network) for network in ("169.254.0.0/16", "168.63.129.16/32", "100.100.100.200/32", "192.0.0.192/32")
)
_MACHINERY_V6 = tuple(IPv6Network(network) for network in ("fe80::/10", "fd00:ec2::/64", "fd20:ce::/64"))
_WITH_V4_INSIDE = (IPv6Network("64:ff9b::/96"), IPv6Network("::/96"), IPv6Network("::ffff:0:0/96"))

_HINTS = {
    401: "It asks for a login: give an address that works without one.",
    403: "JSON is off there. In SearXNG's settings.yml, under `search:`, write `formats: [html, json]`; restart it.",
    404: "Give the address of SearXNG's own first page, with its path if it has one.",
    429: "Its limiter is on. In SearXNG's settings.yml, under `server:`, write `limiter: false`; restart it.",
}


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether a search engine answers, in words; what to do if it does not, and how much it found."""

    ok: bool
    detail: str
    hint: str = ""
    results: int = 0


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
        with anyio.fail_after(seconds):
            return await _searched(base, look_up)
    except (Misuse, WebError) as error:
        return Checked(False, error.message, error.hint)
    except (TimeoutError, httpx2.TimeoutException):
        return Checked(
            False,
            f"{host_of(base)} did not answer within {seconds:g} seconds.",
            "Try again; if it stays so, look at SearXNG's log, and at `outgoing:` in its settings.yml.",
        )
    except httpx2.HTTPError as error:
        said = (str(error) or type(error).__name__).rstrip(".")
        return Checked(
            False,
            f"There is no answer from {base}: {said}.",
            "Check the address, and that SearXNG is running. Inside a container, localhost is the container itself.",
        )


async def _searched(base: httpx2.URL, look_up: Resolve) -> Checked:
    port = base.port or (443 if base.scheme == "https" else 80)
    # What the user typed may be on a private network and on any port, unlike what is found on a page.
    transport = Guarded((Exemption(host_of(base), port),), partial(_looked_up, look_up))
    asked = base.copy_with(path=f"{base.path.rstrip('/')}/search", params={"q": _TRIED, "format": "json"})
    async with (
        httpx2.AsyncClient(transport=transport, trust_env=False, follow_redirects=False, headers=_HEADERS) as client,
        client.stream("GET", asked) as response,
    ):
        if response.is_redirect:
            return _elsewhere(response)
        if not response.is_success:
            told = f"{response.status_code} {response.reason_phrase}".strip()
            hint = _HINTS.get(response.status_code, "Open the address in a browser, and look at SearXNG's log.")
            return Checked(False, f"{host_of(base)} answered {told}.", hint)
        body = bytearray()
        async for piece in response.aiter_raw():
            body += piece
            if len(body) > _MOST:
                return Checked(False, f"What {host_of(base)} sent is far too long.", _HINTS[404])
    return _found(bytes(body), host_of(base))


def _elsewhere(response: httpx2.Response) -> Checked:
    shown = "another address"
    if response.next_request:
        bare = response.next_request.url.copy_with(query=None, fragment=None, userinfo=b"")
        shown = str(bare).removesuffix("/search")
    return Checked(False, f"{host_of(response.url)} sends one on to {shown}.", "Give the address it ends at.")


def _found(body: bytes, host: str) -> Checked:
    """What an answer means; one that is not SearXNG's is told so."""
    try:
        said: Any = json.loads(body)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or not isinstance(said.get("results"), list) or "query" not in said:
        return Checked(False, f"What {host} sent is not an answer of SearXNG.", _HINTS[404])
    found, silent = len(said["results"]), _silent(said.get("unresponsive_engines"))
    if found:
        return Checked(True, f"It found {found} results." + (f" No answer from {silent}." if silent else ""), "", found)
    if silent:
        hint = "See whether that machine reaches the internet, or choose other engines in SearXNG's settings.yml."
        return Checked(False, f"It answers, but its engines do not: {silent}.", hint)
    return Checked(False, "It answers, and finds nothing.", "Turn on some engines in SearXNG's settings.yml.")


def _silent(given: Any) -> str:
    """The engines that did not answer, each with why, as SearXNG lists them: pairs of a name and a reason."""
    engines = given if isinstance(given, list) else []
    named = [engine for engine in engines if isinstance(engine, list) and engine and isinstance(engine[0], str)]
    told = [" ".join(f"{each[0]} ({each[1]})".split())[:80] if len(each) > 1 else each[0][:80] for each in named]
    more = f" and {len(told) - _SHOWN} more" if len(told) > _SHOWN else ""
    return ", ".join(told[:_SHOWN]) + more


async def _looked_up(look_up: Resolve, host: str, port: int) -> list[str]:
    found = await look_up(host, port)
    _check([ipaddress.ip_address(each) for each in found], host)
    return found


def _check(addresses: Sequence[IPv4Address | IPv6Address], host: str) -> None:
    if any(_is_machinery(address) for address in addresses):
        raise Forbidden(f"{host} is not a place for a search engine.", "Give the address SearXNG listens on.")


def _is_machinery(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv4Address):
        return any(address in network for network in _MACHINERY_V4)
    if any(address in network for network in _WITH_V4_INSIDE):
        return _is_machinery(IPv4Address(int(address) & 0xFFFFFFFF))
    inside = address.sixtofour or (address.teredo[1] if address.teredo else None)
    return any(address in network for network in _MACHINERY_V6) or (inside is not None and _is_machinery(inside))
