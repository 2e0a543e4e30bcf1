"""Let pages of other origins use the API with tokens, if the settings name them (CORS). Their cookies do not count."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.server.error_responses import make_problem
from pincite.settings_server import ServerSettings

_STARTS = ("http.response.start", "websocket.http.response.start")
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, If-None-Match, Last-Event-ID, Range",
    "Access-Control-Max-Age": "600",
}
# The headers of a response that a script of another origin may read, besides those that it always may.
_EXPOSED = (
    "Content-Disposition, Content-Range, ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, "
    "X-Conversation-Id"
)


class CrossOriginMiddleware:
    """Middleware that answers preflights, and marks responses for the origins of the settings.

    A request of a named origin loses its cookies, and its response sets none: a session is for the server's own page.
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        origin = find_named_origin(headers, self._settings)
        if _is_preflight(scope, headers):
            await _answer_preflight(origin)(scope, receive, send)
            return

        async def send_marked(message: Message) -> None:
            if message["type"] in _STARTS:
                _mark_response(MutableHeaders(raw=message.setdefault("headers", [])), origin)
            await send(message)

        if origin:
            kept = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
            scope = {**scope, "headers": kept}
        await self._app(scope, receive, send_marked if self._settings.origins else send)


def find_named_origin(headers: Headers, settings: ServerSettings) -> str:
    """Return the origin of a request if `server.origins` names it, or ""."""
    given = headers.getlist("origin")
    return given[0] if len(given) == 1 and given[0] in settings.origins else ""


def _is_preflight(scope: Scope, headers: Headers) -> bool:
    is_question = scope["type"] == "http" and scope["method"] == "OPTIONS"
    return is_question and "origin" in headers and "access-control-request-method" in headers


def _answer_preflight(origin: str) -> Response:
    if not origin:
        hint = "Name its origin in server.origins, in the settings of the server."
        return make_problem(403, "forbidden", "Pages of this origin may not use the server.", hint)
    return Response(status_code=204, headers={**_PREFLIGHT, "Access-Control-Allow-Origin": origin, "Vary": "Origin"})


def _mark_response(headers: MutableHeaders, origin: str) -> None:
    headers.add_vary_header("Origin")
    if origin:
        del headers["set-cookie"]
        headers["Access-Control-Allow-Origin"] = origin
        headers["Access-Control-Expose-Headers"] = _EXPOSED
