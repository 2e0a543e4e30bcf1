"""Seconds in tests: how long to wait at most, and what work costs, so that one run can be compared with another."""

import asyncio
import gc
import os
import time
from collections.abc import Callable

# Seconds after which something hangs, whatever else the machine is at: no test depends on how fast it is. A developer
# who expects a test to fail sets PATIENCE_SECONDS lower.
PATIENCE = float(os.environ.get("PATIENCE_SECONDS", "300"))


def cost(work: Callable[[], object], tries: int = 1) -> float:
    """CPU seconds of this thread, the best of some tries: collecting what other tests left is no part of the work."""
    best = float("inf")
    gc.disable()
    try:
        for _ in range(tries):
            start = time.thread_time()
            work()
            best = min(best, time.thread_time() - start)
    finally:
        gc.enable()
    return best


def wait_until(holds: Callable[[], bool], pause: float = 0.02) -> None:
    """Look again and again until something holds; it is a failure when it never does."""
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends, "It did not come about."
        time.sleep(pause)


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock a test moves on: its time-outs are long, and end at once when the test says so."""

    _ahead = 0.0

    def time(self) -> float:
        return super().time() + self._ahead

    def jump(self, seconds: float) -> None:
        """Let so much time pass at once. Any thread may call it."""
        self.call_soon_threadsafe(self._move, seconds)

    def keep_jumping(self, seconds: float) -> None:
        """Let so much time pass every few milliseconds from now on, also for waits that begin later."""
        self._move(seconds)
        self.call_later(_STEP, self.keep_jumping, seconds)

    def _move(self, seconds: float) -> None:
        self._ahead += seconds


_STEP = 0.02  # seconds
