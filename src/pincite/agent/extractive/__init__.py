"""The answerer that needs no model: it searches and shows the best passages, behind a model's interface."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio.to_thread
from pydantic_ai import RunContext
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ModelResponsePart,
    ModelResponseStreamEvent,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.settings import ModelSettings

from pincite.agent.extractive.absence import Mentions
from pincite.agent.extractive.asking import understand
from pincite.agent.extractive.calls import IMAGES, PAGES, VIDEOS, Call, Returned
from pincite.agent.extractive.composing import compose, suffices, write
from pincite.agent.extractive.outside import media_calls
from pincite.agent.extractive.steps import besides_pages, next_calls
from pincite.agent.hearing import COMPOSED, Composed, Refused
from pincite.agent.refusal import SILENCE
from pincite.events import Medium
from pincite.reading.language import french_or_english
from pincite.store.documents import StoredDocument
from pincite.types import Evidence
from pincite.web.addresses import without_addresses

if TYPE_CHECKING:
    from pincite.index.embed import Embedder

NAME = "extractive"

_CHAT = {
    "en": "I quote documents and cannot hold a conversation: set a language model with `models.chat` in the settings, "
    "or ask about your documents.",
    "fr": "Je cite des documents et ne sais pas tenir une conversation : indiquez un modèle de langage avec "
    "`models.chat` dans les réglages, ou posez une question sur vos documents.",
}
_THIS_PAGE = {"en": "Summarise this page.", "fr": "Résume cette page."}  # what addresses alone ask for
_NO_PICTURES = {
    "en": "I cannot find pictures or videos here: they are looked for on the web, with the search engine of "
    "`web.search_url`.",
    "fr": "Je ne peux pas trouver d'images ni de vidéos ici : elles se cherchent sur le web, avec le moteur de "
    "recherche de `web.search_url`.",
}


class Extractive(Model):
    """A model that quotes. Calls the tools it is offered, and answers with passages of what they return.

    Its text is Markdown with marks, as any model writes it. Beside it, in the details of the text, stand the parts of
    the answer as they are shown: `agent.speaking` passes those on instead.
    """

    def __init__(self, embedder: "Embedder | None" = None) -> None:
        super().__init__()
        self._embedder = embedder

    @property
    def model_name(self) -> str:
        return NAME

    @property
    def system(self) -> str:
        return NAME

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """The next response at once: tool calls, or the answer."""
        parts = await self._parts(messages, model_request_parameters)
        return ModelResponse(parts=parts, model_name=NAME)

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """The next response as a stream, with the answer in one piece."""
        mentions = getattr(run_context.deps, "mentions", None) if run_context else None
        parts = await self._parts(messages, model_request_parameters, mentions)
        yield _Stream(model_request_parameters=model_request_parameters, parts=parts)

    async def _parts(
        self, messages: Sequence[ModelMessage], parameters: ModelRequestParameters, mentions: Mentions | None = None
    ) -> list[ModelResponsePart]:
        question, returned = read(messages)
        offered = frozenset(tool.name for tool in parameters.function_tools)
        if not offered:
            return [TextPart(_CHAT["fr" if understand(question).language == "fr" else "en"])]
        responds = partial(self._responds, question, offered, returned, mentions)
        calls, answer = await anyio.to_thread.run_sync(responds, abandon_on_cancel=True)
        text = TextPart(write(answer), provider_name=NAME, provider_details={COMPOSED: answer})
        return [ToolCallPart(call.tool, dict(call.given)) for call in calls] or [text]

    def _responds(
        self, question: str, offered: frozenset[str], returned: Sequence[Returned], mentions: Mentions | None
    ) -> tuple[list[Call], list[Composed]]:
        """What to look up next, or else the answer."""
        if any(each.call.tool in PAGES for each in returned):
            question = besides_pages(question) or _THIS_PAGE[french_or_english(without_addresses(question)) or "en"]
        asking = understand(question)
        if media_calls(asking) and offered.isdisjoint((IMAGES, VIDEOS)) and not returned:
            return [], [Refused(f"{_NO_PICTURES['fr' if asking.language == 'fr' else 'en']} {SILENCE}")]
        calls = next_calls(asking, offered, returned, partial(suffices, asking, returned, self._embedder))
        return calls, [] if calls else compose(asking, returned, self._embedder, mentions)


@dataclass
class _Stream(StreamedResponse):
    """Parts that are known already, given out one by one."""

    parts: Sequence[ModelResponsePart]
    _timestamp: datetime = field(default_factory=lambda: datetime.now(UTC))

    async def _get_event_iterator(self) -> AsyncIterator[ModelResponseStreamEvent]:
        for number, part in enumerate(self.parts):
            if isinstance(part, TextPart):
                for event in self._parts_manager.handle_text_delta(
                    vendor_part_id=number,
                    content=part.content,
                    provider_name=part.provider_name,
                    provider_details=part.provider_details,
                ):
                    yield event
            elif isinstance(part, ToolCallPart):
                yield self._parts_manager.handle_tool_call_part(
                    vendor_part_id=number,
                    tool_name=part.tool_name,
                    args=part.args_as_dict(),
                    tool_call_id=part.tool_call_id,
                )

    async def close_stream(self) -> None:
        """There is no connection to close."""

    @property
    def model_name(self) -> str:
        return NAME

    @property
    def provider_name(self) -> str | None:
        return None

    @property
    def provider_url(self) -> str | None:
        return None

    @property
    def timestamp(self) -> datetime:
        return self._timestamp


def read(messages: Sequence[ModelMessage]) -> tuple[str, list[Returned]]:
    """A conversation to the question that is asked now, and what the calls made for it returned."""
    question = ""
    calls: dict[str, Call] = {}
    returned: list[Returned] = []
    for message in messages:
        for part in message.parts:
            if isinstance(message, ModelRequest) and isinstance(part, UserPromptPart):
                question, calls, returned = _text(part), {}, []
            elif isinstance(part, ToolCallPart):
                calls[part.tool_call_id] = Call(part.tool_name, tuple(part.args_as_dict().items()))
            elif isinstance(part, ToolReturnPart) and part.tool_call_id in calls:
                returned.append(_returned(calls[part.tool_call_id], part))
    order = list(calls.values())
    return question, sorted(returned, key=lambda each: order.index(each.call))


def _text(part: UserPromptPart) -> str:
    if isinstance(part.content, str):
        return part.content
    return "\n".join(piece for piece in part.content if isinstance(piece, str))


def _returned(call: Call, part: ToolReturnPart) -> Returned:
    found = part.metadata if isinstance(part.metadata, tuple) else ()
    return Returned(
        call,
        tuple(one for one in found if isinstance(one, Evidence)),
        tuple(one for one in found if isinstance(one, StoredDocument)),
        sum(isinstance(one, Medium) for one in found),
        part.outcome != "success",
    )
