"""End the answers of a process in order: take no more questions, and wait for those that are being taken."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import anyio

from pincite.errors import Busy


class Shutdown:
    """Whether the conversations of this process are closing. Only tasks of one event loop use it."""

    def __init__(self) -> None:
        self._begun = False
        self._starting = 0
        self._idle = asyncio.Event()  # after `begin`: no question is being taken any more

    @property
    def begun(self) -> bool:
        """Whether the conversations are closing."""
        return self._begun

    def check(self) -> None:
        """Raise `Busy` if the conversations are closing."""
        if self._begun:
            raise Busy("The server is about to stop.", "Ask again in a minute.")

    @contextmanager
    def take_question(self) -> Iterator[None]:
        """Delay the end of the process until a question is stored and its answer runs; raise `Busy` if it is too late.

        An answer that begins has thus begun before the process stops its answers.
        """
        self.check()
        self._starting += 1
        try:
            yield
        finally:
            self._starting -= 1
            if self._begun and not self._starting:
                self._idle.set()

    async def begin(self, seconds: float) -> None:
        """Take no more questions, and wait up to these seconds for those that are being taken."""
        self._begun = True
        if self._starting:
            with anyio.move_on_after(seconds):
                await self._idle.wait()
