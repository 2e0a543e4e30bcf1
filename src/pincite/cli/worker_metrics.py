"""Serve the metrics of a worker, which has no other address: `/metrics`, and `/health` for a container's probe."""

import hmac
import ipaddress
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from pincite.errors import Misuse
from pincite.library.process_numbers import ProcessNumbers

if TYPE_CHECKING:
    from pincite.settings_telemetry import TelemetrySettings

_SECONDS = 10  # that a client may be silent


@contextmanager
def serve_metrics(
    numbers: ProcessNumbers, host: str, port: int, settings: "TelemetrySettings", is_this_machine: bool
) -> Iterator[int]:
    """Serve metrics while the block lasts, as `telemetry.metrics` asks; yield the port."""
    if settings.metrics == "off":
        raise Misuse(
            "The metrics are switched off, and a port for them is given.",
            'Set telemetry.metrics to "local" or "token", or leave --metrics-port out.',
        )
    if settings.metrics == "local" and not is_this_machine:
        raise Misuse(
            f"Metrics would be open to everybody who reaches {host}.",
            'Set telemetry.metrics to "token" and telemetry.metrics_token, or listen on 127.0.0.1.',
        )
    token = settings.metrics_token.get_secret_value() if settings.metrics == "token" else ""

    class Handler(BaseHTTPRequestHandler):
        timeout = _SECONDS

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if path == "/health":
                self._reply(200, b'{"status":"ok"}', "application/json")
            elif path != "/metrics":
                self._reply(404, b"There are /metrics and /health.\n", "text/plain")
            elif token and not self._has_token():
                self._reply(401, b"The metrics need a token.\n", "text/plain")
            elif not token and not _is_own_name(self.headers.get("Host", ""), host):
                # A page in a browser of this machine whose own name was made to lead here (DNS rebinding).
                self._reply(421, b"Ask for them at localhost.\n", "text/plain")
            else:
                self._reply(200, *numbers.render(self.headers.get("Accept", "")))

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: who reads the metrics is of no interest."""

        def _has_token(self) -> bool:
            given = self.headers.get("Authorization", "")
            return hmac.compare_digest(given.encode(), f"Bearer {token}".encode())

        def _reply(self, status: int, body: bytes, content_type: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    try:
        server = ThreadingHTTPServer((host, port), Handler)
    except OSError as error:
        raise Misuse(
            f"The metrics cannot be served on {host}:{port}: {error.strerror}.", "Choose another --metrics-port."
        ) from None
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _is_own_name(given: str, host: str) -> bool:
    """Return whether a `Host` header, with or without a port, is a name of this machine for itself."""
    name = given[1:].partition("]")[0] if given.startswith("[") else given.partition(":")[0]
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name.lower() in ("localhost", host.lower())
