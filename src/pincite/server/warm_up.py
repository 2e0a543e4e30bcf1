"""Answer a first question at the start of the server, so that the first user need not wait for models to load."""

import asyncio
import logging
import threading
from typing import TYPE_CHECKING

from pincite.errors import PinciteError
from pincite.isolation.free_memory import keep_loaded_objects

if TYPE_CHECKING:
    from pincite.answer.services import Services

log = logging.getLogger(__name__)

_QUESTION = "What do these documents say about their subject?"


class WarmUp:
    """Answers one question in a thread and discards the answer. This loads models, vectors and dictionaries."""

    def __init__(self, services: "Services") -> None:
        self._services = services
        self._thread = threading.Thread(target=self._run, name="warming", daemon=True)
        self._leaving = threading.Event()

    def start(self) -> None:
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether the models are still being loaded."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Stop the answer and wait for the thread."""
        self._leaving.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        from pincite.answer.pipeline import stream_answer
        from pincite.answer.question import AskedQuestion
        from pincite.llm.providers import EXTRACTIVE

        async def ask() -> None:
            context = self._services.open_context(
                AskedQuestion(question=_QUESTION, focus="documents", chat_model=EXTRACTIVE)
            )
            async for _ in stream_answer(context):
                if self._leaving.is_set():
                    context.stop.stop_answer()

        try:
            self._services.warm()
            asyncio.run(ask())
            if not self._leaving.is_set():
                self._services.models.roles("", "")  # the configured model's client takes a second to load
        except PinciteError as error:
            log.info("The models of the first question could not be loaded: %s", error.message)
        keep_loaded_objects()
