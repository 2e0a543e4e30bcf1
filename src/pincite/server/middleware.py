"""Refuse requests before they reach a route: wrong host names, other sites' pages, and oversized bodies."""

from collections.abc import Collection

import anyio
from fastapi import HTTPException
from fastapi.responses import JSONResponse
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.server.error_responses import make_problem
from pincite.server.host_names import is_own_host, is_own_page
from pincite.settings import ServerSettings

_READS = ("GET", "HEAD", "OPTIONS")
_OTHERS = ("cross-site", "same-site")  # "same-site" includes other ports of this machine, which are not ours either
_PIECE_SECONDS = 60.0  # for the next piece of a body to arrive
_MOST = 8_000_000  # bytes of a body; routes that accept files have their own limits


class GuardMiddleware:
    """Middleware that checks every HTTP request and WebSocket before the application handles it."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, uploads: Collection[str]) -> None:
        self._app = app
        self._settings = settings
        self._uploads = uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if scope["type"] == "websocket":
            # The refusal is sent as an HTTP response, before the connection is accepted.
            refused = self._refuse_host(headers) or self._refuse_foreign_websocket(headers)
            await (refused or self._app)(scope, receive, send)
            return
        if refusal := self._refuse_host(headers) or self._refuse_foreign_page(headers, scope["method"]):
            await refusal(scope, receive, send)
            return
        receive = _limit_wait(receive)
        await self._app(scope, receive if scope["path"] in self._uploads else _limit_size(receive), send)

    def _refuse_host(self, headers: Headers) -> JSONResponse | None:
        """Return a refusal if the `Host` header is not a name of this server. A client may omit the header."""
        for host in headers.getlist("host"):
            if not is_own_host(host, self._settings):
                hint = "Use the address that `pincite serve` prints, or add the name to server.hosts in the settings."
                return make_problem(421, "host", f"This server is not known as {host[:100]}.", hint)
        return None

    def _refuse_foreign_page(self, headers: Headers, method: str) -> JSONResponse | None:
        """Return a refusal if a page of another site wants to change something."""
        if method in _READS:
            return None
        # Browsers send Sec-Fetch-Site themselves, and a page cannot forge it. Programs do not send it.
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        is_foreign = site in _OTHERS
        if site is None and origin is not None:
            # To a network address without TLS, browsers send only the Origin.
            is_foreign = not is_own_page(origin, headers.get("host", ""), self._settings.hosts)
        return _make_foreign_page_problem() if is_foreign else None

    def _refuse_foreign_websocket(self, headers: Headers) -> JSONResponse | None:
        """Return a refusal if a page of another site opens a WebSocket.

        Browsers always send the Origin here. Some of them call every WebSocket `cross-site`, so that Sec-Fetch-Site
        counts only without an Origin.
        """
        host, origins = headers.get("host", ""), headers.getlist("origin")
        is_foreign = any(not is_own_page(origin, host, self._settings.hosts) for origin in origins)
        if not origins:
            is_foreign = headers.get("sec-fetch-site") in _OTHERS
        return _make_foreign_page_problem() if is_foreign else None


def _make_foreign_page_problem() -> JSONResponse:
    return make_problem(403, "forbidden", "A page of another site must not do this.", "Use the server's own address.")


def _limit_wait(receive: Receive, seconds: float = _PIECE_SECONDS) -> Receive:
    """Return a `receive` that ends a request if its next piece does not arrive in time."""
    is_whole = False

    async def prompt() -> Message:
        nonlocal is_whole
        if is_whole:
            return await receive()  # the next message is the disconnect, which may take any time
        with anyio.move_on_after(seconds):
            message = await receive()
            is_whole = not message.get("more_body", False)
            return message
        raise HTTPException(408, "The rest of the request did not arrive.")

    return prompt


def _limit_size(receive: Receive) -> Receive:
    left = _MOST

    async def limited() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise HTTPException(413, f"The request has more than {_MOST // 1_000_000} MB.")
        return message

    return limited
