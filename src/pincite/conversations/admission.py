"""Admission: so many questions are worked on at once; the others have had their first event, and wait their turn.

Answers without a language model are work for this processor: more of them at once than it has cores only take the
interpreter from each other and from the event loop. Answers by a model mostly wait for its server.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pincite.agent.turn import Turn

_QUOTING = 4  # answers at once without a model, or one for each core: while one reads the disk, another works
_WRITING = 64  # answers at once that a language model writes
_HELD = 0.5  # seconds that work is held back at most while questions arrive


class Admission:
    """Lets turns in, in the order they came, and none while a question has not had its first event."""

    def __init__(self, quoting: int | None = None, writing: int = _WRITING, held: float = _HELD) -> None:
        self._quoting = asyncio.Semaphore(quoting or max(_QUOTING, os.cpu_count() or 1))
        self._writing = asyncio.Semaphore(writing)
        self._held = held
        self._arriving: set[str] = set()
        self._quiet = asyncio.Event()
        self._quiet.set()

    def arrive(self, message: str) -> None:
        """Note that a question is being stored, and that its first event is still to come."""
        self._arriving.add(message)
        self._quiet.clear()

    def settle(self, message: str) -> None:
        """Note that a question had its first event, or will have none."""
        self._arriving.discard(message)
        if not self._arriving:
            self._quiet.set()

    @asynccontextmanager
    async def admit(self, turn: Turn) -> AsyncIterator[None]:
        """Wait until a turn may work, or until it is stopped: then it has nothing left to do."""
        places = self._writing if turn.writes else self._quoting
        entering = asyncio.ensure_future(places.acquire())
        stopping = asyncio.ensure_future(turn.stopped.wait())
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
