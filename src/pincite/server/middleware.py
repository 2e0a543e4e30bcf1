"""Refuse requests before they reach a route: wrong host names, other sites' pages, and oversized bodies."""

from collections.abc import Collection

import anyio
from fastapi import HTTPException
from fastapi.responses import JSONResponse
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.server.callers import read_session_cookie
from pincite.server.cross_origin import find_named_origin
from pincite.server.error_responses import make_problem
from pincite.server.host_names import is_own_host, is_own_page
from pincite.settings_server import ServerSettings

_READS = ("GET", "HEAD", "OPTIONS")
_OWN_SITES = ("same-origin", "none")  # "same-site" includes other ports of this machine, which are not ours
_PIECE_SECONDS = 60.0  # for the next piece of a body to arrive
_MOST = 8_000_000  # bytes of a body; routes that accept files have their own limits


class GuardMiddleware:
    """Middleware that checks every HTTP request and WebSocket before the application handles it."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, uploads: Collection[str], url: str = "") -> None:
        self._app = app
        self._settings = settings
        self._uploads = uploads
        self._url = url

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if scope["path"].endswith("\n"):
            # The router takes `/api/chat\n` for `/api/chat`. Checks that compare paths, such as rate limits, do not.
            nothing = make_problem(404, "not_found", "There is nothing at this address.", "/docs lists the routes.")
            await nothing(scope, receive, send)
            return
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
        if method in _READS or find_named_origin(headers, self._settings):
            return None
        # Browsers send Sec-Fetch-Site themselves, and a page cannot forge it. Programs do not send it.
        sites, origins = headers.getlist("sec-fetch-site"), headers.getlist("origin")
        if sites:
            return None if all(site in _OWN_SITES for site in sites) else _make_foreign_page_problem()
        if origins:
            # To a network address without TLS, browsers send only the Origin.
            return None if self._are_own_pages(origins, headers) else _make_foreign_page_problem()
        # Every browser since 2020 sends one of the two. Programs send a token and no cookie.
        return _make_unnamed_page_problem() if read_session_cookie(headers) else None

    def _refuse_foreign_websocket(self, headers: Headers) -> JSONResponse | None:
        """Return a refusal if a page of another site opens a WebSocket.

        Browsers always send the Origin here. Some of them call every WebSocket `cross-site`, so that Sec-Fetch-Site
        counts only without an Origin.
        """
        if find_named_origin(headers, self._settings):
            return None
        origins = headers.getlist("origin")
        is_own = self._are_own_pages(origins, headers)
        if not origins:
            is_own = all(site in _OWN_SITES for site in headers.getlist("sec-fetch-site"))
        return None if is_own else _make_foreign_page_problem()

    def _are_own_pages(self, origins: list[str], headers: Headers) -> bool:
        host = headers.get("host", "")
        return all(is_own_page(origin, host, self._settings.hosts, self._url) for origin in origins)


def _make_foreign_page_problem() -> JSONResponse:
    return make_problem(403, "forbidden", "A page of another site must not do this.", "Use the server's own address.")


def _make_unnamed_page_problem() -> JSONResponse:
    hint = "Use a browser that sends `Origin`; a program uses a token instead of a cookie."
    return make_problem(403, "forbidden", "The request has a session and does not say which page it is from.", hint)


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

    async def receive_limited() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise HTTPException(413, f"The request has more than {_MOST // 1_000_000} MB.")
        return message

    return receive_limited
