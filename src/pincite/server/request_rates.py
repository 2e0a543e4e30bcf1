"""Limit the questions, uploads and sign-ins of each person and each network address in a minute."""

from typing import cast

import anyio
import anyio.to_thread
from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.accounts.rate_limits import LimitedAction, RateLimitState, open_rate_limits
from pincite.errors import RateLimited
from pincite.server.callers import find_address, find_known_caller
from pincite.server.error_responses import make_error_response
from pincite.settings import Settings
from pincite.store.database import Database

_THREADS = 4
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
                await take_request(scope, action, caller.principal.user)
        except RateLimited as error:
            await make_error_response(error)(scope, receive, send)
            return

        async def send_counted(message: Message) -> None:
            state = scope.get("state", {}).get(_KEY)
            if message["type"] == "http.response.start" and isinstance(state, RateLimitState):
                MutableHeaders(scope=message).update(state.make_headers())
            await send(message)

        await self._app(scope, receive, send_counted)


class RequestRates:
    """The limits of a server's requests. Those that all servers share are counted in threads, a few at once."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self.limits = open_rate_limits(settings.quota, database)
        self._threads = None if database.sqlite else anyio.CapacityLimiter(_THREADS)

    async def take(self, action: LimitedAction, person: str, address: str) -> RateLimitState | None:
        """Count a request of a person and of an address; raise `RateLimited` if one of them made too many."""
        if self._threads is None:
            return self.limits.take(action, person, address)
        return await anyio.to_thread.run_sync(self.limits.take, action, person, address, limiter=self._threads)


def open_request_rates(settings: Settings, database: Database) -> RequestRates | None:
    """Return the limits of a server's requests; None in local mode, where one person uses the server."""
    return None if settings.accounts.mode == "local" else RequestRates(settings, database)


async def take_request(scope: Scope, action: LimitedAction, person: str) -> None:
    """Count a request of a person and of its network address; raise `RateLimited` if one of them made too many."""
    rates = _find_rates(scope)
    if rates:
        scope.setdefault("state", {})[_KEY] = await rates.take(action, person, find_address(scope))


def take_in_thread(request: Request, action: LimitedAction) -> None:
    """Count a request of a network address, in the thread of a route that is no coroutine."""
    if rates := _find_rates(request.scope):
        request.scope.setdefault("state", {})[_KEY] = rates.limits.take(action, "", find_address(request.scope))


async def take_sign_in(request: Request, name: str) -> None:
    """Count an attempt to sign in under a name; raise `RateLimited` if there were too many.

    A name that no account has is counted too.
    """
    await take_request(request.scope, "sign_ins", name.strip().casefold())


def _find_rates(scope: Scope) -> RequestRates | None:
    return cast("RequestRates | None", scope["app"].state.rate_limits)
