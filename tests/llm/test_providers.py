"""Every provider we promise, over real HTTP: a streamed turn in which the model calls a tool and then answers."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.messages import FunctionToolCallEvent, PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta
from pydantic_ai.run import AgentRunResultEvent
from pydantic_ai.usage import RunUsage
from tests import wires
from tests.answer import streams

from pincite.answer.budget import Budget
from pincite.llm.model_roles import Models
from pincite.settings import load_settings

KEY = "sk-marker-0123456789abcdef"
BEARER = {"authorization": f"Bearer {KEY}"}


@dataclass(frozen=True)
class Spoken:
    """A provider: its model, where it is asked, which header has the key, and its streams."""

    model: str
    streams: Callable[[], tuple[list[str], list[str]]]
    base: str = "/v1"
    path: str = "/v1/chat/completions"
    headers: dict[str, str] = field(default_factory=lambda: BEARER)


PROVIDERS = {
    "openai": Spoken("gpt-4.1", streams.openai),
    "anthropic": Spoken("claude-sonnet-5-5", streams.anthropic, "", "/v1/messages"),
    "mistral": Spoken("mistral-small-latest", streams.mistral, ""),
    "google": Spoken(
        "gemini-2.5-flash",
        streams.google,
        "",
        "/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
        {"x-goog-api-key": KEY},
    ),
    "groq": Spoken("llama-3.3-70b-versatile", streams.groq, "", "/openai/v1/chat/completions"),
    "deepseek": Spoken("deepseek-chat", streams.deepseek, "", "/chat/completions"),
    "openrouter": Spoken("mistralai/mistral-small", streams.openrouter, "/api/v1", "/api/v1/chat/completions"),
    "ollama": Spoken("qwen3", streams.ollama),
    "vllm": Spoken("my-model", streams.vllm),
    "lmstudio": Spoken("qwen2.5-7b-instruct", streams.lmstudio),
    "llamacpp": Spoken("qwen3-4b", streams.llamacpp),
    "a-gateway-of-ones-own": Spoken("my-model", streams.openai),
}


@dataclass
class Turned:
    """The output of a turn: pieces of text, calls of the tool, and the cost."""

    pieces: list[str] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    usage: RunUsage = field(default_factory=RunUsage)


async def context(models: Models, name: str) -> Turned:
    """One question through the agent framework, as a turn drives it."""
    agent = Agent(models.roles(name).chat.model)
    turned = Turned()

    @agent.tool_plain
    def search_documents(query: str, limit: int = 8) -> str:
        """Find passages."""
        return f"[1] Lease, p. 2: [1.1] The notice period is three months. ({query}, {limit})"

    try:
        async with agent.run_stream_events(
            "How long is the notice?", usage_limits=Budget.of(load_settings().models).limits()
        ) as events:
            async for event in events:
                match event:
                    case (
                        PartStartEvent(part=TextPart(content=text))
                        | PartDeltaEvent(delta=TextPartDelta(content_delta=text))
                    ):
                        turned.pieces += [text] if text else []
                    case FunctionToolCallEvent(part=part):
                        turned.calls.append({"name": part.tool_name, **part.args_as_dict()})
                    case AgentRunResultEvent(result=result):
                        turned.usage = result.usage
    finally:
        await models.close()
    return turned


def models_at(url: str, name: str, **more: Any) -> Models:
    return Models(load_settings(providers={name: {"url": url, "key": KEY, **more}}), environment={})


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_model_calls_a_tool_and_answers_in_pieces(name: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    spoken = PROVIDERS[name]
    call, said = spoken.streams()
    with wires.serving(wires.stream(call), wires.stream(said)) as wire:
        turned = asyncio.run(context(models_at(wire.url + spoken.base, name), f"{name}:{spoken.model}"))
    assert tuple(turned.pieces) == streams.ANSWER
    assert turned.calls == [{"name": streams.TOOL, **streams.ARGUMENTS}]
    assert (turned.usage.requests, turned.usage.tool_calls) == (2, 1)
    assert (turned.usage.input_tokens, turned.usage.output_tokens) == (55, 16)
    for request in wire.asked:
        assert request.path == spoken.path
        assert spoken.headers.items() <= request.headers.items()
    first, second = (request.body for request in wire.asked)
    assert described(first) == streams.TOOL
    assert "three months" not in str(first)
    assert "three months. (notice period, 8)" in returned(second)
    assert KEY not in caplog.text


def described(body: dict[str, Any]) -> str:
    """The name under which the tool was described, with a schema that has its parameter."""
    (tool,) = body["tools"]
    match tool:
        case {"function": {"name": str(name), "parameters": schema}}:
            pass
        case {"name": str(name), "input_schema": schema}:
            pass
        case {"functionDeclarations": [{"name": str(name), **rest}]}:
            schema = rest["parameters_json_schema"]
    assert schema["properties"]["query"]["type"].lower() == "string"
    return name


def returned(body: dict[str, Any]) -> str:
    """Return the tool's result as it was sent back to the model."""
    match body:
        case {"messages": [*_, {"role": "tool", "content": content}]}:
            return str(content)
        case {"messages": [*_, {"role": "user", "content": [{"type": "tool_result", "content": content}]}]}:
            return str(content)
        case {"contents": [*_, {"parts": [{"functionResponse": {"response": response}}]}]}:
            return str(response)
    raise AssertionError(body)
