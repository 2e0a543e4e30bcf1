"""Find the caller of each request before its body is read, and refuse requests that the caller may not make."""

import hmac
import time

import anyio.to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.accounts.audit import Caller
from pincite.accounts.principal import ALL_SCOPES, Principal
from pincite.accounts.request_identity import identify_request
from pincite.errors import PinciteError
from pincite.server.error_responses import make_error_response
from pincite.server.route_access import find_route_access
from pincite.settings import Settings
from pincite.store.database import Database

SESSION_COOKIE = "pincite_session"
_KEY = "caller"  # in the state of a request
_BEARER = "bearer "
_READS = ("GET", "HEAD", "OPTIONS")
_ACCOUNT_PATH = "/api/account"  # and /api/accounts
# Requests that may revoke a session or a token.
_REVOKING_PATHS = (_ACCOUNT_PATH, "/api/people")


class CallerMiddleware:
    """Middleware that puts the `Caller` of each HTTP request into its state. A WebSocket identifies itself later."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        access = find_route_access(scope["method"], scope["path"])
        if scope["path"].startswith(_ACCOUNT_PATH):
            send = _forbid_storing(send)
        try:
            if access != "public":
                caller = await find_caller(scope, self._settings)
                if access != "account":
                    caller.principal.check_scope(access)
                scope.setdefault("state", {})[_KEY] = caller
        except PinciteError as error:
            await make_error_response(error)(scope, receive, send)
            return
        await self._app(scope, receive, send)
        if scope["method"] not in _READS and scope["path"].startswith(_REVOKING_PATHS):
            scope["app"].state.caller_watch.wake()


async def find_caller(scope: Scope, settings: Settings, token: str = "") -> Caller:
    """Return the caller of an HTTP request or a WebSocket; raise `NotSignedIn` without a valid session or token.

    A program sends its token as `Authorization: Bearer`, or with the first message of a WebSocket. A browser sends the
    cookie of its session. A command of the person at the terminal sends the secret that the server's file holds.
    """
    address = find_address(scope)
    if settings.accounts.mode == "local" or _is_terminal_secret(scope, token):
        return Caller(Principal(settings.owner, "owner", ALL_SCOPES), address)
    headers = Headers(scope=scope)
    token = token or read_bearer(headers)
    session = "" if token else read_session_cookie(headers)
    database: Database = scope["app"].state.library.database

    def identify() -> Principal:
        return identify_request(database, settings, time.time(), session=session, token=token)

    return Caller(await anyio.to_thread.run_sync(identify), address)


def _is_terminal_secret(scope: Scope, token: str) -> bool:
    """Return whether the first message of a WebSocket has the secret that only the server's own user can read."""
    secrets: tuple[str, ...] = scope["app"].state.terminal_secrets
    return bool(token) and any(hmac.compare_digest(token.encode(), each.encode()) for each in secrets)


def get_caller(scope: Scope) -> Caller:
    """Return the caller that the middleware found. A public route has none."""
    found = find_known_caller(scope)
    assert found, "a public route asked for its caller"
    return found


def find_known_caller(scope: Scope) -> Caller | None:
    """Return the caller that the middleware found, or None on a public route."""
    found = scope.get("state", {}).get(_KEY)
    return found if isinstance(found, Caller) else None


def find_address(scope: Scope) -> str:
    """Return the network address of a request's client; empty if there is none."""
    client = scope.get("client")
    return client[0] if client else ""


def read_bearer(headers: Headers) -> str:
    """Return the token of the `Authorization` header, or ""."""
    given = headers.get("authorization", "")
    return given[len(_BEARER) :].strip() if given[: len(_BEARER)].lower() == _BEARER else ""


def read_session_cookie(headers: Headers) -> str:
    """Return the secret in the cookie of the session, or "".

    Cookies of other programs on the same host may be of any form. Of several with our name, the first is the one of
    the most specific path.
    """
    for header in headers.getlist("cookie"):
        for part in header.split(";"):
            name, _, value = part.partition("=")
            if name.strip() == SESSION_COOKIE:
                return value.strip()
    return ""


def _forbid_storing(send: Send) -> Send:
    """Return a `send` that tells browsers and proxies not to store the response."""

    async def send_unstored(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message)["Cache-Control"] = "no-store"
        await send(message)

    return send_unstored
