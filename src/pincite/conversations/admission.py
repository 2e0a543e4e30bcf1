"""Limit the number of answers that run at once. The others have sent their first event and wait.

An answer without a language model uses this machine's CPU. More of them than cores would only slow each other and the
event loop down. An answer by a model mostly waits for the model's server.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pincite.answer.context import Context

_QUOTING = 4  # answers without a model at once, or one per core if that is more: some wait for the disk
_WRITING = 64  # answers by a language model at once
_HELD = 0.5  # maximum seconds that work is delayed while questions arrive


class Admission:
    """Admits answers in the order of their questions, and none while a question waits for its first event."""

    def __init__(self, quoting: int | None = None, writing: int = _WRITING, held: float = _HELD) -> None:
        self._quoting = asyncio.Semaphore(quoting or max(_QUOTING, os.cpu_count() or 1))
        self._writing = asyncio.Semaphore(writing)
        self._held = held
        self._arriving: set[str] = set()
        self._quiet = asyncio.Event()
        self._quiet.set()

    def arrive(self, message: str) -> None:
        """Note that a question is being stored and has no first event yet."""
        self._arriving.add(message)
        self._quiet.clear()

    def settle(self, message: str) -> None:
        """Note that a question has its first event, or will have none."""
        self._arriving.discard(message)
        if not self._arriving:
            self._quiet.set()

    @asynccontextmanager
    async def admit(self, context: Context) -> AsyncIterator[None]:
        """Wait until an answer may run, or until it is stopped."""
        places = self._writing if context.has_language_model else self._quoting
        entering = asyncio.ensure_future(places.acquire())
        stopping = asyncio.ensure_future(context.stop.answer.wait())
        try:
            await asyncio.wait((entering, stopping), return_when=asyncio.FIRST_COMPLETED)
            if not self._quiet.is_set():
                quiet = asyncio.ensure_future(self._quiet.wait())
                await asyncio.wait((quiet, stopping), timeout=self._held, return_when=asyncio.FIRST_COMPLETED)
                quiet.cancel()
            yield
        finally:
            stopping.cancel()
            if entering.cancel():
                await asyncio.wait([entering])
            if not entering.cancelled() and entering.exception() is None:
                places.release()
