"""Limit the questions, uploads and sign-ins of each person and each network address in a minute."""

from typing import cast

from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.accounts.rate_limits import LimitedAction, RateLimits, RateLimitState
from pincite.errors import RateLimited
from pincite.server.callers import find_address, find_known_caller
from pincite.server.error_responses import make_error_response
from pincite.settings import Settings

_KEY = "rate_limit"  # in the state of a request
_LIMITED: dict[str, LimitedAction] = {
    "/api/chat": "questions",
    "/api/search": "questions",
    "/api/documents": "uploads",
    "/api/locate": "uploads",
}


class RequestRateMiddleware:
    """Middleware that counts a request before its body is read, and tells in the headers how many are left."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            action = _LIMITED.get(scope["path"]) if scope["method"] == "POST" else None
            caller = find_known_caller(scope)
            if action and caller:
                take_request(scope, action, caller.principal.user)
        except RateLimited as error:
            await make_error_response(error)(scope, receive, send)
            return

        async def send_counted(message: Message) -> None:
            state = scope.get("state", {}).get(_KEY)
            if message["type"] == "http.response.start" and isinstance(state, RateLimitState):
                MutableHeaders(scope=message).update(state.make_headers())
            await send(message)

        await self._app(scope, receive, send_counted)


def make_rate_limits(settings: Settings) -> RateLimits | None:
    """Return the limits of a server's requests; None in local mode, where one person uses the server."""
    return None if settings.accounts.mode == "local" else RateLimits(settings.quota)


def take_request(scope: Scope, action: LimitedAction, person: str) -> None:
    """Count a request of a person and of its network address; raise `RateLimited` if one of them made too many."""
    limits = cast("RateLimits | None", scope["app"].state.rate_limits)
    if limits:
        scope.setdefault("state", {})[_KEY] = limits.take(action, person, find_address(scope))


def take_sign_in(request: Request, name: str) -> None:
    """Count an attempt to sign in under a name, whoever has it; raise `RateLimited` if there were too many."""
    take_request(request.scope, "sign_ins", name.strip().casefold())
