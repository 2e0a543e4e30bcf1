"""Count every request to a model in the record of its answer, and end the answer where its credits end."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.messages import (
    BaseToolCallPart,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextContent,
    TextPart,
    ThinkingPart,
)
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

from pincite.accounts.spending_record import OpenRequest, SpendingRecord
from pincite.llm.request_measure import measure_request

_BYTES_PER_TOKEN = 3  # fewer than most texts have, so that the estimate is rather too high
_PICTURE = 1600  # tokens


@dataclass(slots=True)
class _RunningRequest:
    opened: OpenRequest
    used: RequestUsage = field(default_factory=RequestUsage)


class MeteredModel(WrapperModel):
    """Records the tokens of each request, once, under the model's full name.

    A server may report no tokens, and a stream may break before they are reported. They are estimated then.
    """

    def __init__(self, wrapped: Model, name: str, record: SpendingRecord) -> None:
        super().__init__(wrapped)
        self._name = name
        self._record = record

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        sent = estimate_input(messages, model_request_parameters)
        with self._open_request(sent) as running:
            limited = self._limit_reply(model_settings, running.opened)
            response = await self.wrapped.request(messages, limited, model_request_parameters)
            running.used = _count_tokens(response.usage, sent, response)
        return response

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        sent = estimate_input(messages, model_request_parameters)
        with self._open_request(sent) as running:
            limited = self._limit_reply(model_settings, running.opened)
            async with self.wrapped.request_stream(
                messages, limited, model_request_parameters, run_context
            ) as response:
                try:
                    yield response
                finally:
                    running.used = _count_tokens(response.usage, sent, response.get())

    @contextmanager
    def _open_request(self, sent: int) -> Iterator[_RunningRequest]:
        """Book and measure a request that sends so many tokens, while the block lasts."""
        running = _RunningRequest(self._record.open_request(self._name, sent))
        with measure_request(self._name) as measured:
            try:
                yield running
            except asyncio.CancelledError:
                if not running.used.input_tokens:
                    running.used = RequestUsage(input_tokens=sent)  # the server had it
                raise
            finally:
                used = running.used
                measured.input_tokens, measured.output_tokens = used.input_tokens, used.output_tokens
                self._record.close_request(running.opened, used.input_tokens, used.output_tokens)

    def _limit_reply(self, given: ModelSettings | None, opened: OpenRequest) -> ModelSettings | None:
        """Return settings with which the reply is not longer than the credits pay for."""
        if opened.most_output is None:
            return given
        merged: ModelSettings = {**(self.wrapped.settings or {}), **(given or {})}
        merged["max_tokens"] = min(merged.get("max_tokens") or opened.most_output, opened.most_output)
        return merged


def estimate_input(messages: Sequence[ModelMessage], parameters: ModelRequestParameters) -> int:
    """Return about how many tokens a request sends: its messages, its instructions and its tools."""
    texts: list[str] = []
    pictures = 0
    for message in messages:
        if isinstance(message, ModelResponse):
            texts += _list_texts(message)
            continue
        assert isinstance(message, ModelRequest)
        texts.append(message.instructions or "")
        for part in message.parts:
            content = getattr(part, "content", "")
            for piece in content if isinstance(content, list | tuple) else [content]:
                if isinstance(piece, str | TextContent):
                    texts.append(piece if isinstance(piece, str) else piece.content)
                elif hasattr(piece, "media_type"):
                    pictures += 1
                else:
                    texts.append(str(piece))
    for tool in (*parameters.function_tools, *parameters.output_tools):
        texts += (tool.name, tool.description or "", str(tool.parameters_json_schema))
    return _estimate_tokens(texts) + pictures * _PICTURE


def _count_tokens(reported: RequestUsage, sent: int, response: ModelResponse) -> RequestUsage:
    """Return the reported tokens of a request, or estimates of those that the server did not report."""
    return RequestUsage(
        input_tokens=reported.input_tokens or sent,
        output_tokens=reported.output_tokens or _estimate_tokens(_list_texts(response)),
    )


def _list_texts(response: ModelResponse) -> list[str]:
    texts = []
    for part in response.parts:
        if isinstance(part, TextPart | ThinkingPart):
            texts.append(part.content)
        elif isinstance(part, BaseToolCallPart):
            texts += (part.tool_name, part.args_as_json_str())
    return texts


def _estimate_tokens(texts: Iterable[str]) -> int:
    return -(-sum(len(text.encode("utf-8", "replace")) for text in texts) // _BYTES_PER_TOKEN)
