"""Run the services and conversations of one command in one event loop."""

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING

from pincite.cli import options
from pincite.cli.remote_server import RETRIEVAL_STOPPED
from pincite.errors import PinciteError

if TYPE_CHECKING:
    from pincite.answer.question import AskedQuestion
    from pincite.answer.services import Services
    from pincite.conversations import Conversations
    from pincite.events import Answer, Data, Event
    from pincite.settings import Settings

EventHandler = Callable[["Data"], None]
Stop = Callable[[], Awaitable[object]]


class Session:
    """Asks questions one after the other. Ctrl-C stops the search of a question, then its answer."""

    def __init__(self, services: "Services", conversations: "Conversations", runner: asyncio.Runner) -> None:
        self.services = services
        self._conversations = conversations
        self._runner = runner
        self._warming = threading.Thread(target=_warm, args=(services,), name="warming")

    def warm(self) -> None:
        """Load the models of the first answer in a thread, while the user types the question."""
        self._warming.start()

    def close(self) -> None:
        """Stop the running answer and close all services."""
        self._runner.run(self._conversations.close())
        self._runner.run(self.services.models.close())
        if self._warming.ident:
            self._warming.join()
        self.services.close()

    def ask_once(self, asked: "AskedQuestion", handle_event: EventHandler) -> "Answer":
        """Return the answer to a question outside any conversation. Each event is passed to `handle_event`."""
        return self._runner.run(self._once(asked, handle_event))

    def ask(self, asked: "AskedQuestion", conversation: str | None, handle_event: EventHandler) -> "tuple[Answer, str]":
        """Ask in a conversation, or in a new one for None. Return the answer and the conversation's id."""
        if self._warming.ident:
            self._warming.join()  # two threads must not import the agent framework at once
        return self._runner.run(self._ask(asked, conversation, handle_event))

    async def _once(self, asked: "AskedQuestion", handle_event: EventHandler) -> "Answer":
        # There is only one question, so closing the conversations stops it.
        return await self._collect_answer(
            await self._conversations.ask_once(asked), handle_event, self._conversations.close
        )

    async def _ask(
        self, asked: "AskedQuestion", conversation: str | None, handle_event: EventHandler
    ) -> "tuple[Answer, str]":
        running = await self._conversations.ask(asked, conversation)
        owner = asked.scope.owner
        events = self._conversations.events(owner, running.conversation, running.after)
        stop = partial(self._conversations.stop, owner, running.conversation)
        return await self._collect_answer(events, handle_event, stop), running.conversation

    async def _collect_answer(self, events: "AsyncIterator[Event]", handle_event: EventHandler, stop: Stop) -> "Answer":
        """Pass each event to `handle_event`. Return the answer of the last event."""
        from pincite.events import EVENTS, Answer

        answer: Answer | None = None
        with _handle_interrupts(stop, self._conversations.stop_all_retrieval):
            async for event in events:
                data = EVENTS[event.type].model_validate(event.data)
                if isinstance(data, Answer):
                    answer = data
                handle_event(data)  # type: ignore[arg-type]
        assert answer, "the stream ends with the answer"
        return answer


@contextmanager
def open_session(settings: "Settings") -> Iterator[Session]:
    """Yield a session for these settings and close it at the end. Show a status line while it opens."""
    with options.show_status("Starting…"):
        from pincite.answer.services import open_services
        from pincite.conversations import Conversations

        services = open_services(settings)
    with asyncio.Runner() as runner:
        opened = Session(services, Conversations(services), runner)
        try:
            yield opened
        finally:
            opened.close()


def _warm(services: "Services") -> None:
    import pincite.answer.pipeline  # noqa: F401

    services.import_late_modules()
    with suppress(PinciteError):  # the search will report the error
        services.warm()


@contextmanager
def _handle_interrupts(stop: Stop, stop_retrieval: Callable[[], bool]) -> Iterator[None]:
    """Let Ctrl-C stop running searches first, then the answer. A further Ctrl-C ends the command."""
    loop = asyncio.get_running_loop()
    before = signal.getsignal(signal.SIGINT)
    stopping: list[asyncio.Future[object]] = []
    is_over = has_stopped_retrieval = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        loop.call_soon_threadsafe(end)

    def end() -> None:
        nonlocal has_stopped_retrieval
        if is_over:
            return
        if not has_stopped_retrieval and stop_retrieval():
            has_stopped_retrieval = True
            options.make_console(stderr=True).print(RETRIEVAL_STOPPED)
            signal.signal(signal.SIGINT, interrupt)
        else:
            stopping.append(asyncio.ensure_future(stop()))

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        is_over = True
        signal.signal(signal.SIGINT, before)
