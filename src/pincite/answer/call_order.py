"""Order tool calls that run at the same time: they number their evidence in the order in which they began."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Call:
    """A running call. `passed` is set when it has numbered its evidence or has ended; `limit` is its time limit."""

    limit: asyncio.Timeout
    passed: asyncio.Event = field(default_factory=asyncio.Event)


# The framework runs each call in its own task, so each call sees its own value.
_current: ContextVar[_Call | None] = ContextVar("call", default=None)


class CallOrder:
    """The running calls of one agent, in the order in which they began."""

    def __init__(self) -> None:
        self._running: list[_Call] = []

    @asynccontextmanager
    async def call(self, seconds: float) -> AsyncIterator[None]:
        """Run a call within a time limit. Time spent waiting for earlier calls is not counted."""
        async with asyncio.timeout(seconds) as limit:
            call = _Call(limit)
            self._running.append(call)
            token = _current.set(call)
            try:
                yield
            finally:
                _current.reset(token)
                self._running.remove(call)
                call.passed.set()

    async def wait_for_earlier(self) -> None:
        """Wait until every earlier call has numbered its evidence or has ended."""
        call = _current.get()
        if call is None or call not in self._running:
            return
        earlier = self._running[: self._running.index(call)]
        ends, loop = call.limit.when(), asyncio.get_running_loop()
        begun = loop.time()
        call.limit.reschedule(None)  # the earlier calls have their own limits
        for other in earlier:
            await other.passed.wait()
        call.limit.reschedule(None if ends is None else ends + loop.time() - begun)

    def release_later_calls(self) -> None:
        """Let later calls number their evidence."""
        call = _current.get()
        if call in self._running:
            call.passed.set()
