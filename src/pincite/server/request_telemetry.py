"""Count every request and time it, give it an id for its log lines, and continue the trace of its sender."""

import logging
import re
import time
import uuid
from contextlib import AbstractContextManager, nullcontext

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.server.route_access import find_route_template
from pincite.telemetry import carry_ids
from pincite.telemetry.metrics import HTTP_REQUESTS, HTTP_SECONDS
from pincite.telemetry.spans import has_traces
from pincite.telemetry.trace_parent import HEADER, read_trace_parent

log = logging.getLogger("pincite.access")

REQUEST_ID = "X-Request-ID"
_GIVEN_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
_METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
_OTHER = "other"
_STARTS = ("http.response.start", "websocket.http.response.start", "websocket.accept")


class RequestTelemetryMiddleware:
    """Middleware around the whole application. Responses to faults pass it too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        request = _choose_id(headers)
        begun = time.perf_counter()

        async def send_counted(message: Message) -> None:
            if message["type"] in _STARTS:
                status = "101" if message["type"] == "websocket.accept" else str(message["status"])
                _count(scope, status, time.perf_counter() - begun)
                MutableHeaders(raw=message.setdefault("headers", []))[REQUEST_ID] = request
            await send(message)

        with carry_ids(request=request), _continue_trace(headers):
            await self._app(scope, receive, send_counted)


def _choose_id(headers: Headers) -> str:
    """Return the id that a proxy gave the request, or a new one."""
    given = headers.get(REQUEST_ID, "")
    return given if _GIVEN_ID.fullmatch(given) else uuid.uuid4().hex


def _continue_trace(headers: Headers) -> AbstractContextManager[None]:
    if not has_traces():
        return nullcontext()
    parent = read_trace_parent(headers.get(HEADER, ""))
    if parent is None:
        return nullcontext()
    from pincite.telemetry.traces import continue_trace

    return continue_trace(parent)


def _count(scope: Scope, status: str, seconds: float) -> None:
    method: str = scope.get("method", "GET")
    method = method if method in _METHODS else _OTHER
    # The router names the route that it found; a request that was refused before has the one of its path.
    template = getattr(scope.get("route"), "path", "") or find_route_template(method, scope["path"]) or _OTHER
    HTTP_REQUESTS.add(method, template, status)
    HTTP_SECONDS.observe(seconds, template)
    if log.isEnabledFor(logging.INFO):
        fields = {"method": method, "path": scope["path"], "status": int(status), "seconds": round(seconds, 4)}
        log.info("%s %s %s", method, scope["path"], status, extra={"fields": fields})
