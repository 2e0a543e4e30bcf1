"""Keep a few isolated processes ready, for callers that take turns."""

from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import TYPE_CHECKING

from pincite.isolation.child_process import IsolatedProcess

if TYPE_CHECKING:
    from pincite.settings import ReadingSettings


def lower_limits(limits: "ReadingSettings", memory_mb: int, seconds: float) -> "ReadingSettings":
    """Return limits for tasks that somebody waits for: less memory and time, and no programs."""
    return limits.model_copy(
        update={
            "ocr": "",
            "memory_mb": min(limits.memory_mb, memory_mb),
            "seconds": min(limits.seconds, seconds),
            "longest_seconds": min(limits.longest_seconds, seconds),
            "page_seconds": min(limits.page_seconds, seconds),
        }
    )


class ProcessPool:
    """A few isolated processes, each for one caller at a time."""

    def __init__(self, limits: "ReadingSettings", size: int, tasks_per_child: int) -> None:
        self._limits = limits
        self._tasks_per_child = tasks_per_child
        self._size = size
        self._free: SimpleQueue[IsolatedProcess | None] = SimpleQueue()
        for _ in range(size):
            self._free.put(None)  # it is started when first needed

    @contextmanager
    def borrow(self) -> Iterator[IsolatedProcess]:
        """Lend a process until the block ends; wait until one is free."""
        child = self._free.get()
        try:
            child = child or IsolatedProcess(self._limits, self._tasks_per_child)
            yield child
        finally:
            self._free.put(child)

    def close(self) -> None:
        """Wait for running tasks, and end the processes."""
        for child in [self._free.get() for _ in range(self._size)]:
            if child:
                child.close()
            self._free.put(child)  # a later caller starts it again
