"""Watch a browser: a test fails on errors, warnings, violations of the policy, and requests to other servers."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError

# Addresses inside the page (`blob:`, `data:`) do not leave the machine.
_INSIDE = ("blob:", "data:", "about:")
# The complaints of Chromium about a server that is gone: it depends on the moment which of them it is.
SERVER_GONE = (
    "ERR_CONNECTION_(REFUSED|RESET|CLOSED)",
    "ERR_SOCKET_NOT_CONNECTED",
    "ERR_EMPTY_RESPONSE",
    "ERR_INCOMPLETE_CHUNKED_ENCODING",
    "ERR_CONTENT_LENGTH_MISMATCH",
)


@dataclass
class Watch:
    """The faults in a browser, except for those that the test expects."""

    address: str
    wrong: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)

    def expect(self, *patterns: str) -> None:
        """Complaints that belong to this test: a server that was killed is complained about."""
        self.expected += patterns

    def sent(self, method: str, path: str) -> list[Any]:
        """The bodies of the requests so far of this kind."""
        there = self.address + path
        return [r.post_data_json for r in self.requests if r.method == method and r.url.split("?")[0] == there]

    @property
    def left(self) -> list[str]:
        return [each for each in self.wrong if not any(re.search(pattern, each) for pattern in self.expected)]

    def _requested(self, request: Request) -> None:
        self.requests.append(request)
        if not request.url.startswith((f"{self.address}/", *_INSIDE)):
            self.wrong.append(f"A request left: {request.url}")

    def _said(self, message: ConsoleMessage) -> None:
        # A broken policy is an error here too.
        if message.type == "error":
            self.wrong.append(f"Console: {message.text} ({message.location.get('url', '')})")

    def _failed(self, error: WebError) -> None:
        self.wrong.append(f"Uncaught: {error.error}")


@contextmanager
def watching(context: BrowserContext, address: str) -> Iterator[Watch]:
    """Watches every page of a context, and fails at the end if anything went wrong."""
    watch = Watch(address)
    context.on("request", watch._requested)
    context.on("console", watch._said)
    context.on("weberror", watch._failed)
    yield watch
    assert not watch.left, "\n".join(watch.left)
