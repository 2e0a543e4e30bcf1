"""The first question, asked by the house itself: whoever asks the next one waits for nothing that loads but once."""

import asyncio
import logging
import threading
from typing import TYPE_CHECKING

from pincite.errors import PinciteError

if TYPE_CHECKING:
    from pincite.agent.house import House

log = logging.getLogger(__name__)

_QUESTION = "What do these documents say about their subject?"


class Warming:
    """One answer that nobody hears, in a thread beside the server: it loads models, vectors and dictionaries."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self._thread = threading.Thread(target=self._run, name="warming", daemon=True)
        self._leaving = threading.Event()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End it wherever it is; what it had loaded is used by nobody any more."""
        self._leaving.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        from pincite.agent.providers import EXTRACTIVE
        from pincite.agent.turn import Asked
        from pincite.answers import answer

        async def asked() -> None:
            turn = self._house.turn(Asked(question=_QUESTION, focus="documents", chat_model=EXTRACTIVE))
            async for _ in answer(turn):
                if self._leaving.is_set():
                    turn.stop()

        try:
            self._house.warm()
            asyncio.run(asked())
            if not self._leaving.is_set():
                self._house.models.roles("", "")  # the client of the model that is set takes a second to load
        except PinciteError as error:
            log.info("What the first question needs could not be loaded: %s", error.message)
