"""Decide which addresses may be reached: check a URL, and return the checked network addresses or raise `Forbidden`.

A host name is resolved once, its addresses are checked, and the connection goes to a checked address. Neither the
spelling of an address nor a later change of its DNS record can bypass the check. Redirects are checked like any other
request.
"""

import ipaddress
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import cache, partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

import anyio.to_thread
import httpx2

from pincite.errors import Forbidden, Misuse, WebError
from pincite.settings_exemptions import HOST, PORTS, Exemption, parse_exemption

Resolve = Callable[[str, int], Awaitable[list[str]]]

log = logging.getLogger(__name__)

# Networks that are unroutable, local, private, or part of a cloud's infrastructure. They are listed here because the
# meaning of Python's `is_global` differs between versions.
_FORBIDDEN_V4 = tuple(
    IPv4Network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24"),
        *("203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        "168.63.129.16/32",  # a public address of Azure's own infrastructure
    )
)
_PUBLIC_V6 = IPv6Network("2000::/3")
# Special purposes and Teredo, documentation, 6to4, documentation. Mapped and NAT64 addresses are not in 2000::/3.
_FORBIDDEN_V6 = tuple(IPv6Network(network) for network in ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"))


def parse_exemptions(allow: Iterable[str]) -> tuple[Exemption, ...]:
    """Parse the setting `web.allow`: hosts and addresses, each with an optional port, and networks in CIDR."""
    try:
        return tuple(map(parse_exemption, allow))
    except ValueError as error:
        raise Misuse(f"web.allow is wrong: {error}.", "docs/settings.md says how it is written.") from None


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address belongs to a server on the public internet."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _FORBIDDEN_V4)
    return address in _PUBLIC_V6 and not any(address in network for network in _FORBIDDEN_V6)


async def resolve_host(host: str, port: int) -> list[str]:
    """Resolve a host name to its network addresses with the system's resolver."""
    look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    try:
        found = await anyio.to_thread.run_sync(look_up, abandon_on_cancel=True)
    except (socket.gaierror, UnicodeError):
        raise WebError(
            f"There is no server called {host}.",
            "Check the spelling, and that this machine is connected.",
            "unknown_host",
        ) from None
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


async def check_url(url: httpx2.URL, exempt: Sequence[Exemption] = (), look_up: Resolve = resolve_host) -> list[str]:
    """Return the addresses that a URL may be fetched from, best first; raise `Forbidden` if there are none."""
    if url.scheme not in ("http", "https"):
        raise Forbidden(
            f"Addresses that begin with {url.scheme or 'no scheme'}: are not read.", "Use http or https.", "address"
        )
    if url.userinfo:
        raise Forbidden("The address holds a user name or password.", "Remove the part before the @.", "address")
    host, port = normalise_host(url), url.port or (443 if url.scheme == "https" else 80)
    if not HOST.fullmatch(host):
        raise Forbidden(f"{host or 'Nothing'} is not the name of a server.", "Check the address.", "address")
    if port not in PORTS and not any(port == exemption.port for exemption in exempt):
        raise Forbidden(f"Port {port} is not allowed for pages.", _make_hint(host, port), "private")
    by_name = any(exemption.covers(host, port) for exemption in exempt)
    permitted = []
    for found in await look_up(host, port):
        address = ipaddress.ip_address(found)
        exempted = by_name or any(exemption.covers(address, port) for exemption in exempt)
        if exempted or (port in PORTS and is_public(address)):
            permitted.append(found)
        else:
            log.info("%s leads to %s, which may not be reached", host, address)
    if not permitted:
        # Without the address itself: people outside need not learn the addresses of the internal network.
        message = f"{host} is not on the open internet, and may not be reached from here."
        raise Forbidden(message, _make_hint(host, port), "private", host=host)
    return permitted


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Send each request to a checked address, with the host name of the request."""

    def __init__(
        self,
        exempt: Sequence[Exemption] = (),
        look_up: Resolve = resolve_host,
        inner: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._exempt = exempt
        self._look_up = look_up
        # Do not reuse connections: one that was opened for a name must not serve another name at the same address.
        self._inner = inner or httpx2.AsyncHTTPTransport(
            verify=_load_certificates(), limits=httpx2.Limits(max_keepalive_connections=0)
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        addresses = await check_url(request.url, self._exempt, self._look_up)
        for address in addresses[:-1]:
            try:
                return await self._inner.handle_async_request(_pin_address(request, address))
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue
        return await self._inner.handle_async_request(_pin_address(request, addresses[-1]))

    async def aclose(self) -> None:
        await self._inner.aclose()


def normalise_host(url: httpx2.URL) -> str:
    """Return the host in the form used for comparison: ASCII, lower case, without a final dot."""
    return url.raw_host.decode("ascii").lower().rstrip(".")


@cache
def _load_certificates() -> ssl.SSLContext:
    # Loading the certificates takes longer than most requests, so it is done once.
    return httpx2.create_ssl_context()


def _pin_address(request: httpx2.Request, address: str) -> httpx2.Request:
    # The Host header keeps the name, and the certificate is checked against the name, not the address.
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": normalise_host(request.url)},
    )


def _make_hint(host: str, port: int) -> str:
    named = f"[{host}]" if ":" in host else host
    return f'To allow it, the administrator of Pincite adds "{named}:{port}" to web.allow in the settings.'
