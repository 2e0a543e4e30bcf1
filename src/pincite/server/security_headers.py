"""Put the headers that protect people in a browser on every response, also on errors, files and refused WebSockets."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_STARTS = ("http.response.start", "websocket.http.response.start")
# Data is no document: shown in a tab of its own, it runs nothing, loads nothing and cannot be framed.
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox"
_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": (
        "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), "
        "microphone=(), midi=(), payment=(), serial=(), usb=()"
    ),
    "X-Permitted-Cross-Domain-Policies": "none",
}
# A route that sets one of these knows better: the page needs scripts, and a file may be kept by its reader's browser.
_DEFAULTS = {"Content-Security-Policy": DATA_POLICY, "Cache-Control": "no-store"}
_TRANSPORT = "max-age=31536000"  # a year, in which browsers use TLS alone


class SecurityHeadersMiddleware:
    """Middleware around the whole application. Responses to faults pass it too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_secure = scope.get("scheme") in ("https", "wss")

        async def send_protected(message: Message) -> None:
            if message["type"] in _STARTS:
                protect_response(MutableHeaders(raw=message.setdefault("headers", [])), is_secure)
            await send(message)

        await self._app(scope, receive, send if scope["type"] == "lifespan" else send_protected)


def protect_response(headers: MutableHeaders, is_secure: bool) -> None:
    """Add the headers to those of a response. `is_secure` is whether the request came over TLS."""
    for name, value in _ALWAYS.items():
        headers[name] = value
    for name, value in _DEFAULTS.items():
        headers.setdefault(name, value)
    if is_secure:
        headers["Strict-Transport-Security"] = _TRANSPORT
