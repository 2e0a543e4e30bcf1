"""Services without models, and answers that say what a test tells them to."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from pincite import events
from pincite.answer.context import Context, make_context
from pincite.answer.question import AskedQuestion
from pincite.conversations import Conversations
from pincite.conversations.live import Answerer
from pincite.errors import Misuse
from pincite.library import Library
from pincite.settings import load_settings
from pincite.store import messages
from pincite.store.database import Database
from pincite.store.messages import StoredMessage
from pincite.store.notices import NoticeListener
from pincite.types import Scope
from tests.clock import PATIENCE

if TYPE_CHECKING:
    from pincite.answer.services import Services
    from pincite.llm.model_roles import Roles

_MODELS = cast("Roles", SimpleNamespace(chat=SimpleNamespace(name="fake:model")))


class FakeServices:
    """Services that open a context for every question, and keep the contexts."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.settings = library.settings
        self.turns: list[Context] = []

    def open_context(self, asked: AskedQuestion) -> Context:
        if asked.chat_model == "unknown":
            raise Misuse("There is no model unknown.", "Choose another.")
        self.turns.append(make_context(asked, cast("Services", self), _MODELS))
        return self.turns[-1]


class DatabaseServices:
    """Services that have a database and nothing else."""

    def __init__(self, database: Database) -> None:
        self.library = self
        self.database = database
        self.notices = NoticeListener(database)
        self.settings = load_settings(data=Path("nowhere"))

    def open_context(self, asked: AskedQuestion) -> Context:
        return make_context(asked, cast(Any, self), _MODELS)


def ask(question: str = "How deep is the lake?", owner: str = "local", **given: Any) -> AskedQuestion:
    return AskedQuestion(question=question, scope=Scope(owner=owner), **given)


def whole(text: str, question: str = "", stopped: bool = False, **given: Any) -> events.Answer:
    usage = events.Usage(input_tokens=10, output_tokens=len(text.split()), requests=1)
    nothing: dict[str, Any] = {"sentences": [], "citations": [], "refused": False, "model": "fake"}
    return events.Answer(answer=text, question=question, stopped=stopped, usage=usage, **nothing | given)


async def echo(context: Context) -> AsyncIterator[events.Data]:
    """Says the question back, a word at a time."""
    asked = context.asked
    yield events.MessageStarted(conversationId=asked.conversation, question=asked.question, model="fake", focus="all")
    for word in asked.question.split():
        await asyncio.sleep(0)
        yield events.Text(delta=word + " ")
    yield whole(asked.question, asked.question)


class Slow:
    """Says a word each time it is allowed to, and ends when it is told to, or never if it is deaf."""

    def __init__(self, deaf: bool = False) -> None:
        self.deaf = deaf
        self.may: asyncio.Queue[str] = asyncio.Queue()
        self.closed = False

    async def __call__(self, context: Context) -> AsyncIterator[events.Data]:
        said = ""
        try:
            while True:
                word = await self._next(context)
                if not word:
                    break
                said += word
                yield events.Text(delta=word)
            yield whole(said, context.asked.question, context.stop.answer.is_set())
        finally:
            self.closed = True

    async def _next(self, context: Context) -> str:
        allowed = asyncio.create_task(self.may.get())
        told = asyncio.create_task(context.stop.answer.wait())
        await asyncio.wait([allowed] if self.deaf else [allowed, told], return_when=asyncio.FIRST_COMPLETED)
        told.cancel()
        if allowed.done():
            return allowed.result()
        allowed.cancel()
        return ""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def services(library: Library) -> FakeServices:
    return FakeServices(library)


@pytest.fixture
async def opened_with(services: FakeServices) -> AsyncIterator[Callable[..., Conversations]]:
    """Opens runners on one database, and closes them at the end."""
    made = []

    def open_with(answer: Answerer = echo, **given: Any) -> Conversations:
        made.append(Conversations(cast("Services", services), answer, **given))
        return made[-1]

    yield open_with
    for each in made:
        await each.close()


async def heard(stream: AsyncIterator[events.Event], most: int | None = None) -> list[events.Event]:
    """The events of a stream to its end, or so many."""
    found = []
    async with asyncio.timeout(PATIENCE):
        async for event in stream:
            found.append(event)
            if len(found) == most:
                break
    return found


def text_of(sent: list[events.Event]) -> str:
    return "".join(event.data["delta"] for event in sent if event.type == "text")


def stored(services: FakeServices, conversation: str) -> list[StoredMessage]:
    """The messages of a conversation as they are in the database."""
    with services.library.database.reading() as connection:
        return messages.find(connection, conversation)
