"""Turns in a test: services over a small library, a model that follows a script, and what came of it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaThinkingCalls, DeltaToolCall, DeltaToolCalls, FunctionModel

from pincite import events
from pincite.answer.context import Context
from pincite.answer.outbox import OutboxItem
from pincite.answer.pipeline import draft, stream_answer
from pincite.answer.question import AskedQuestion
from pincite.answer.services import Services
from pincite.answer.stream_items import DraftEnd
from pincite.library import Library, open_library
from pincite.llm.model_roles import ChosenModel, Models, Roles
from pincite.passages import make_indexed, split_passages
from pincite.reading import read
from pincite.reading.source import Source
from pincite.search.search import PassageSearch
from pincite.settings import load_settings
from pincite.store import documents, job_queue

Piece = str | DeltaToolCalls | DeltaThinkingCalls
T = TypeVar("T")
Script = Callable[[list[ModelMessage], AgentInfo], AsyncIterator[Piece]]

DAM = """# The dam at Vassivière

The dam was built in 1950. It is 33 m high and holds 110 million cubic metres of water.

The lake covers 9.76 km². Swimming is allowed from June to September, except near the dam.
"""


def _replying(reply: Callable[[str], str]) -> Callable[[list[ModelMessage], AgentInfo], ModelResponse]:
    """A model that answers one prompt with one text."""

    def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart(reply(str(getattr(messages[-1].parts[-1], "content", ""))))])

    return answer


def _at_once(script: "Script") -> Callable[[list[ModelMessage], AgentInfo], Awaitable[ModelResponse]]:
    """The words of a script as one response, for a request that is not streamed."""

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart("".join([p async for p in script(messages, info) if isinstance(p, str)]))])

    return answer


class Scripted(Models):
    """Models of which the one that answers follows a script."""

    def __init__(
        self, settings: Any, script: Script | None, tools: bool = True, system: Callable[[str], str] | None = None
    ) -> None:
        super().__init__(settings)
        told = script or saying()
        self._chat = ChosenModel("test:scripted", FunctionModel(_at_once(told), stream_function=told), tools)
        self._system = ChosenModel("test:system", FunctionModel(_replying(system))) if system else None

    def roles(self, chat: str = "", system: str = "") -> Roles:
        return Roles(self._chat, self._system)


def open_test_services(
    tmp_path: Path,
    texts: dict[str, str] | None = None,
    script: Script | None = None,
    tools: bool = True,
    system: Callable[[str], str] | None = None,
    **given: Any,
) -> Services:
    """Services whose library has these texts, searched by words alone, and whose model follows the script."""
    settings = load_settings(data=tmp_path / "data", **{"embedding": {"provider": "none"}, **given})
    library = open_library(settings)
    folder = tmp_path / "texts"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in ({"dam.md": DAM} if texts is None else texts).items():
        (folder / name).write_text(text, encoding="utf-8")
        keep(library, folder / name)
    search = PassageSearch(library.database, library.index, None, settings)
    return Services(library, search, None, Scripted(settings, script, tools, system))


def keep(library: Library, path: Path) -> str:
    """A file read here and now, in this process, and made findable by its words; its id."""
    library.add("local", path)
    owner = library.settings.owner
    document = read(Source(path, path.name))
    pieces = split_passages(document, library.settings.passages.size, library.settings.passages.overlap)
    with library.database.writing() as connection:
        stored = next(d for d in documents.find(connection, owner) if d.name == path.name)
        job_queue.cancel(connection, stored.id)
        ids = documents.write_content(connection, stored.id, document, pieces)
        entries = [make_indexed(document, piece, stored.name) for piece in pieces]
        library.index.add(connection, stored.id, document.language, ids, entries)
        documents.set_status(connection, stored.id, "ready")
    return stored.id


def saying(*pieces: str) -> Script:
    """A model that says this and calls nothing."""

    async def script(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[Piece]:
        for piece in pieces or ("Nothing.",):
            yield piece

    return script


def searching(query: str, *pieces: str, tool: str = "search_documents", **given: Any) -> Script:
    """A model that searches once and then says this."""
    import json

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        has_searched = any(isinstance(part, ToolReturnPart) for part in messages[-1].parts)
        if info.function_tools and not has_searched:
            arguments = json.dumps({"query": query, **given} if query else given)
            yield {0: DeltaToolCall(name=tool, json_args=arguments, tool_call_id="call_0")}
        else:
            for piece in pieces:
                yield piece

    return script


async def drafting(context: Context) -> AsyncIterator[OutboxItem]:
    """Everything that the drafting stages of an answer emit; what they raise is raised at the end."""

    async def work() -> None:
        try:
            await draft(context.asked, context)
        finally:
            context.outbox.close()

    working = asyncio.create_task(work())
    async for item in context.outbox.read():
        if not isinstance(item, DraftEnd):
            yield item
    await working


async def told(context: Context) -> list[events.Data]:
    """Everything a turn says."""
    return [data async for data in stream_answer(context)]


def ask(services: Services, question: str, **given: Any) -> list[events.Data]:
    """Everything that is said to a question."""
    return asyncio.run(told(services.open_context(AskedQuestion(question=question, **given))))


def final(said: Sequence[events.Data]) -> events.Answer:
    """The answer at the end."""
    assert isinstance(said[-1], events.Answer)
    return said[-1]


def of_type(said: Sequence[events.Data], kind: type[T]) -> list[T]:
    return [data for data in said if isinstance(data, kind)]
