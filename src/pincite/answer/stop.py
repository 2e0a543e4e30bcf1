"""Signals by which a user stops an answer: the whole answer, or only its searches and reading."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pincite.errors import RetrievalStopped

T = TypeVar("T")


@dataclass(slots=True)
class StopSignals:
    """The signals of one question, shared by its subagents."""

    answer: asyncio.Event = field(default_factory=asyncio.Event)
    retrieval: asyncio.Event = field(default_factory=asyncio.Event)
    retrievals_running: int = 0

    @property
    def is_stopped(self) -> bool:
        """Whether the user stopped the answer."""
        return self.answer.is_set()

    def stop_answer(self) -> None:
        """Stop the answer at any stage. The text so far is the answer."""
        self.answer.set()

    def stop_retrieval(self) -> bool:
        """Stop searches and reading, and refuse new ones. Return whether any were running."""
        self.retrieval.set()
        return self.retrievals_running > 0

    async def run_until_stopped(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Return the result of some work; None when the answer is stopped first."""
        working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(self.answer.wait())
        try:
            await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
            return working.result() if working.done() else None
        finally:
            for task in (working, stopping):
                task.cancel()
            await asyncio.gather(working, stopping, return_exceptions=True)

    async def run_retrieval(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of a search or of reading; raise `RetrievalStopped` when the user stops it."""
        if self.retrieval.is_set():
            work.close()
            raise RetrievalStopped
        working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(self.retrieval.wait())
        self.retrievals_running += 1
        try:
            await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
            if self.retrieval.is_set():  # a result that comes in the same moment is not used either
                working.add_done_callback(_consume_exception)
                raise RetrievalStopped
            return working.result()
        finally:
            self.retrievals_running -= 1
            working.cancel()
            stopping.cancel()


def _consume_exception(task: "asyncio.Future[Any]") -> None:
    """Read the error of work that nobody waits for, so that asyncio does not report it."""
    if not task.cancelled():
        task.exception()
