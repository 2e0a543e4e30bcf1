"""A house and its conversations in one event loop, for as long as a command runs."""

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING

from pincite.cli import door
from pincite.cli.remote import RETRIEVAL_STOPPED
from pincite.errors import PinciteError

if TYPE_CHECKING:
    from pincite.agent.house import House
    from pincite.agent.turn import Asked
    from pincite.conversations import Conversations
    from pincite.events import Answer, Data, Event
    from pincite.settings import Settings

Hear = Callable[["Data"], None]
Stop = Callable[[], Awaitable[object]]


class Session:
    """Asks questions one after the other; Ctrl-C ends the search of one, then the answer to it."""

    def __init__(self, house: "House", conversations: "Conversations", runner: asyncio.Runner) -> None:
        self.house = house
        self._conversations = conversations
        self._runner = runner
        self._warming = threading.Thread(target=_warm, args=(house,), name="warming")

    def warm(self) -> None:
        """Load what the first answer needs, while its question is typed."""
        self._warming.start()

    def close(self) -> None:
        """Stop what is being answered, and let go of everything."""
        self._runner.run(self._conversations.close())
        self._runner.run(self.house.models.close())
        if self._warming.ident:
            self._warming.join()
        self.house.close()

    def once(self, asked: "Asked", hear: Hear) -> "Answer":
        """The answer to a question of no conversation; everything that is said on the way goes to `hear`."""
        return self._runner.run(self._once(asked, hear))

    def ask(self, asked: "Asked", conversation: str | None, hear: Hear) -> "tuple[Answer, str]":
        """The same in a conversation, or in a new one, whose id comes out too; everything is stored."""
        if self._warming.ident:
            self._warming.join()  # two threads must not import the agent framework at once
        return self._runner.run(self._ask(asked, conversation, hear))

    async def _once(self, asked: "Asked", hear: Hear) -> "Answer":
        # One question is all there is: to stop it is to close.
        return await self._heard(self._conversations.once(asked), hear, self._conversations.close)

    async def _ask(self, asked: "Asked", conversation: str | None, hear: Hear) -> "tuple[Answer, str]":
        running = await self._conversations.ask(asked, conversation)
        owner = asked.scope.owner
        said = self._conversations.events(owner, running.conversation, running.after)
        stop = partial(self._conversations.stop, owner, running.conversation)
        return await self._heard(said, hear, stop), running.conversation

    async def _heard(self, said: "AsyncIterator[Event]", hear: Hear, stop: Stop) -> "Answer":
        """Everything that is said, passed on; the answer at its end comes out."""
        from pincite.events import EVENTS, Answer

        answer: Answer | None = None
        with _interruptible(stop, self._conversations.stop_all_retrieval):
            async for event in said:
                data = EVENTS[event.type].model_validate(event.data)
                if isinstance(data, Answer):
                    answer = data
                hear(data)  # type: ignore[arg-type]
        assert answer, "every turn ends with its answer"
        return answer


@contextmanager
def session(settings: "Settings") -> Iterator[Session]:
    """A session with the settings' house, closed at the end. Opening it takes a moment: it is said so."""
    with door.busy("Starting…"):
        from pincite.agent.house import open_house
        from pincite.conversations import Conversations

        house = open_house(settings)
    with asyncio.Runner() as runner:
        opened = Session(house, Conversations(house), runner)
        try:
            yield opened
        finally:
            opened.close()


def _warm(house: "House") -> None:
    import pincite.answers  # noqa: F401

    house.import_late_modules()
    with suppress(PinciteError):  # who searches hears of it
        house.warm()


@contextmanager
def _interruptible(stop: Stop, stop_retrieval: Callable[[], bool]) -> Iterator[None]:
    """Let Ctrl-C end searches and reading where any are under way, else the turn; and again whatever would not."""
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
            door.console(stderr=True).print(RETRIEVAL_STOPPED)
            signal.signal(signal.SIGINT, interrupt)
        else:
            stopping.append(asyncio.ensure_future(stop()))

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        is_over = True
        signal.signal(signal.SIGINT, before)
