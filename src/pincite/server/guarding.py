"""What is refused before any route sees it: pages of other sites that act for the user, and bodies without end."""

from collections.abc import Collection

from fastapi import HTTPException
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.server.errors import problem

_READS = ("GET", "HEAD", "OPTIONS")
_MOST = 8_000_000  # bytes of a body; the routes that take files have limits of their own


class Guarding:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, uploads: Collection[str]) -> None:
        self._app = app
        self._uploads = uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # Browsers say so themselves, and no page can make them say otherwise. Programs say nothing.
        site = Headers(scope=scope).get("sec-fetch-site", "")
        if site == "cross-site" and scope["method"] not in _READS:
            told = problem(403, "forbidden", "A page of another site may not do this.", "Use the server's own address.")
            await told(scope, receive, send)
            return
        await self._app(scope, receive if scope["path"] in self._uploads else _limited(receive), send)


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
