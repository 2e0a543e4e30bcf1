"""What is refused before any route sees it: names that are not ours, pages of others, and bodies without end."""

from collections.abc import Collection

import anyio
from fastapi import HTTPException
from fastapi.responses import JSONResponse
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.server.errors import problem
from pincite.server.hosts import is_ours, is_own_page
from pincite.settings import ServerSettings

_READS = ("GET", "HEAD", "OPTIONS")
_OTHERS = ("cross-site", "same-site")  # another port of this machine is the same site, and another's all the same
_PIECE_SECONDS = 60.0  # for the next piece of a body to arrive
_MOST = 8_000_000  # bytes of a body; the routes that take files have limits of their own


class Guarding:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, uploads: Collection[str]) -> None:
        self._app = app
        self._settings = settings
        self._uploads = uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if told := self._misnamed(headers) or self._foreign(headers, scope["method"]):
            await told(scope, receive, send)
            return
        receive = _prompt(receive)
        await self._app(scope, receive if scope["path"] in self._uploads else _limited(receive), send)

    def _misnamed(self, headers: Headers) -> JSONResponse | None:
        """A refusal, if the server was asked under a name it does not have; who is no browser may name none."""
        for host in headers.getlist("host"):
            if not is_ours(host, self._settings):
                hint = "Use the address that `pincite serve` prints, or add the name to server.hosts in the settings."
                return problem(421, "host", f"This server is not known as {host[:100]}.", hint)
        return None

    def _foreign(self, headers: Headers, method: str) -> JSONResponse | None:
        """A refusal, if a page of another site wants to change something."""
        if method in _READS:
            return None
        # Browsers say so themselves, and no page can make them say otherwise. Programs say nothing.
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        is_foreign = site in _OTHERS
        if site is None and origin is not None:
            # To an address of the network without TLS they say only where the page is from.
            is_foreign = not is_own_page(origin, headers.get("host", ""), self._settings.hosts)
        if not is_foreign:
            return None
        return problem(403, "forbidden", "A page of another site may not do this.", "Use the server's own address.")


def _prompt(receive: Receive, seconds: float = _PIECE_SECONDS) -> Receive:
    """The same, which ends a request whose next piece does not arrive in time."""
    is_whole = False

    async def prompt() -> Message:
        nonlocal is_whole
        if is_whole:
            return await receive()  # what comes now is that the client leaves, whenever that is
        with anyio.move_on_after(seconds):
            message = await receive()
            is_whole = not message.get("more_body", False)
            return message
        raise HTTPException(408, "The rest of the request did not arrive.")

    return prompt


def _limited(receive: Receive) -> Receive:
    left = _MOST

    async def limited() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise HTTPException(413, f"What was sent has more than {_MOST // 1_000_000} MB.")
        return message

    return limited
