"""Tool calls that run side by side number their evidence in the order of the calls, whichever ends first."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Call:
    """A call under way: set when it has numbered its evidence or is over, and the time limit it runs under."""

    limit: asyncio.Timeout
    passed: asyncio.Event = field(default_factory=asyncio.Event)


# The framework runs each call in a task of its own, so that each sees its own value.
_current: ContextVar[_Call | None] = ContextVar("call", default=None)


class CallOrder:
    """The calls of one turn that are under way, in the order in which they began."""

    def __init__(self) -> None:
        self._under_way: list[_Call] = []

    @asynccontextmanager
    async def call(self, seconds: float) -> AsyncIterator[None]:
        """A call that may take so many seconds, besides those it waits for earlier calls; `TimeoutError` after that."""
        async with asyncio.timeout(seconds) as limit:
            call = _Call(limit)
            self._under_way.append(call)
            token = _current.set(call)
            try:
                yield
            finally:
                _current.reset(token)
                self._under_way.remove(call)
                call.passed.set()

    async def wait_for_earlier(self) -> None:
        """Return when every call that began before this one has numbered its evidence, or is over."""
        call = _current.get()
        if call is None or call not in self._under_way:
            return
        earlier = self._under_way[: self._under_way.index(call)]
        ends, loop = call.limit.when(), asyncio.get_running_loop()
        begun = loop.time()
        call.limit.reschedule(None)  # each of those has a limit of its own
        for other in earlier:
            await other.passed.wait()
        call.limit.reschedule(None if ends is None else ends + loop.time() - begun)

    def pass_on(self) -> None:
        """Let later calls number theirs."""
        call = _current.get()
        if call in self._under_way:
            call.passed.set()
