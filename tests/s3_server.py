"""A real S3 server for the tests (moto's, in its own environment), and a proxy before it that makes it fail."""

import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.clock import PATIENCE
from tests.free_ports import find_free_port

PROGRAM = Path(__file__).parents[1] / ".venv" / "s3-server" / "bin" / "moto_server"
KEY, SECRET = "the-key-of-the-tests", "the-secret-of-the-tests"


@dataclass(frozen=True)
class RunningS3:
    """The address of a running S3 server."""

    url: str
    stop: Callable[[], None]

    def make_bucket(self, name: str) -> dict[str, Any]:
        """Create a bucket, and return the section `files` of settings that use it."""
        with urllib.request.urlopen(urllib.request.Request(f"{self.url}/{name}", method="PUT")):
            pass
        return make_file_settings(self.url, name)

    def list_keys(self, bucket: str) -> list[str]:
        """Return the keys of all objects of a bucket, as the server itself lists them."""
        with urllib.request.urlopen(f"{self.url}/{bucket}?list-type=2&max-keys=1000") as answer:
            return _find_all(answer.read().decode(), "Key")

    def list_uploads(self, bucket: str) -> list[str]:
        """Return the keys of uploads that were begun and neither finished nor aborted."""
        with urllib.request.urlopen(f"{self.url}/{bucket}?uploads") as answer:
            return _find_all(answer.read().decode(), "Key")

    def put(self, bucket: str, key: str, content: bytes) -> None:
        """Write an object as another program would."""
        signed = {"Authorization": f"AWS4-HMAC-SHA256 Credential={KEY}/20260101/us-east-1/s3/aws4_request"}
        given = urllib.request.Request(f"{self.url}/{bucket}/{key}", content, signed, method="PUT")
        with urllib.request.urlopen(given):
            pass


def _find_all(text: str, tag: str) -> list[str]:
    return [part.partition(f"</{tag}>")[0] for part in text.split(f"<{tag}>")[1:]]


def make_file_settings(url: str, bucket: str) -> dict[str, Any]:
    """Return the section `files` of settings that use a bucket at an address."""
    return {
        "url": f"s3://{bucket}/documents",
        "endpoint": url,
        "region": "us-east-1",
        "key": KEY,
        "secret": SECRET,
        "seconds": 2,
        "retry_seconds": 4,
    }


def start_s3() -> RunningS3:
    """Start an S3 server on a free port and wait until it answers."""
    port = find_free_port()
    server = subprocess.Popen(
        [PROGRAM, "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )

    def stop() -> None:
        server.kill()
        server.wait()

    url = f"http://127.0.0.1:{port}"
    ends = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return RunningS3(url, stop)
        except OSError:
            if time.monotonic() > ends or server.poll() is not None:
                stop()
                raise
        time.sleep(0.05)


@dataclass
class Fault:
    """A fault of the proxy, which does not pass a request on unchanged."""

    status: int = 0  # answer with this status and body at once
    body: bytes = b""
    cut_after: int = -1  # pass on so many bytes of the answer, then end the connection
    wait: float = 0.0  # seconds before the answer
    methods: tuple[str, ...] = ("GET", "PUT", "HEAD", "POST", "DELETE")


@dataclass
class FaultyProxy:
    """A proxy before a server; each fault in the list is used for one request."""

    url: str
    faults: list[Fault] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)  # method and path of each request


@contextmanager
def start_proxy(target: str) -> Iterator[FaultyProxy]:
    """Start a proxy before a server on a free port."""
    host = target.removeprefix("http://")
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def _pass(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            with lock:
                proxy.seen.append(f"{self.command} {self.path}")
                fault = next((each for each in proxy.faults if self.command in each.methods), None)
                if fault:
                    proxy.faults.remove(fault)
            if fault and fault.wait:
                time.sleep(fault.wait)
            if fault and fault.status:
                self._answer(fault.status, {}, fault.body)
                return
            upstream = HTTPConnection(host, timeout=30)
            upstream.request(self.command, self.path, body, dict(self.headers.items()))
            answer = upstream.getresponse()
            content = answer.read()
            headers = {k: v for k, v in answer.headers.items() if k.lower() not in ("transfer-encoding", "connection")}
            if fault and fault.cut_after >= 0:
                self._answer(answer.status, headers, content[: fault.cut_after], len(content))
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            self._answer(answer.status, headers, content)

        def _answer(self, status: int, headers: dict[str, str], content: bytes, size: int = -1) -> None:
            try:
                self.send_response_only(status)
                length = headers.pop("Content-Length", "") if self.command == "HEAD" else ""
                for name, value in headers.items():
                    if name.lower() != "content-length":
                        self.send_header(name, value)
                self.send_header("Content-Length", length or str(len(content) if size < 0 else size))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)
                self.wfile.flush()
            except OSError:
                self.close_connection = True  # the client did not wait

        do_GET = do_PUT = do_HEAD = do_POST = do_DELETE = _pass  # noqa: N815

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    proxy = FaultyProxy(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
