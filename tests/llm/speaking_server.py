"""A server of models for the tests, as people run one: it lists its models, streams, calls tools and judges."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests import wires

ROW: dict[str, Any] = {"id": "c-1", "created": 1, "model": "m"}


@dataclass
class ModelServer:
    """The abilities of the server. `key` is the one that it accepts; empty accepts all."""

    wire: wires.Wire
    models: tuple[str, ...] = ("llama3.2", "nomic-embed-text")
    key: str = ""
    streams: bool = True
    calls_tools: bool = True
    judges: bool = True

    @property
    def url(self) -> str:
        return f"{self.wire.url}/v1"

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        asked = self.wire.asked[-1]
        if self.key and asked.headers.get("authorization") != f"Bearer {self.key}":
            wires.reply(401, {"error": {"message": "Incorrect API key provided"}})(handler)
        elif asked.body is None:
            rows = [{"id": name, "object": "model"} for name in self.models]
            wires.reply(200, {"object": "list", "data": rows or None})(handler)
        elif asked.body.get("stream"):
            words = ["one, ", "two, ", "three, ", "four"] if self.streams else ["one, two, three"]
            wires.stream(_stream(words))(handler)
        elif asked.body.get("tools") and not self.calls_tools:
            wires.reply(400, {"error": {"message": "this model does not support tools"}})(handler)
        elif asked.body.get("tools"):
            function = {"name": "search", "arguments": json.dumps({"query": "height of the dam"})}
            wires.reply(200, _whole(None, [{"id": "c", "type": "function", "function": function}]))(handler)
        else:
            wires.reply(200, _whole(self._judge(str(asked.body["messages"]))))(handler)

    def _judge(self, prompt: str) -> str:
        if not self.judges:
            return "I would rather not say."
        # The trial alternates true and false sentences.
        opinions = ("supported", "contradicted") * 3
        return json.dumps({"verdicts": [{"n": n, "verdict": each} for n, each in enumerate(opinions, 1)]})


@contextmanager
def run_model_server(**given: Any) -> Iterator[ModelServer]:
    """A server that answers until the block ends."""
    with wires.serving() as wire:
        server = ModelServer(wire, **given)
        wire.answers[:] = [server.answer]
        yield server


def _stream(words: list[str]) -> Iterator[str]:
    for word in words:
        choice = {"index": 0, "delta": {"role": "assistant", "content": word}, "finish_reason": None}
        yield f"data: {json.dumps({**ROW, 'object': 'chat.completion.chunk', 'choices': [choice]})}\n\n"
    choice = {"index": 0, "delta": {}, "finish_reason": "stop"}
    yield f"data: {json.dumps({**ROW, 'object': 'chat.completion.chunk', 'choices': [choice]})}\n\n"
    yield "data: [DONE]\n\n"


def _whole(text: str | None, calls: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {})}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if calls else "stop"}
    usage = {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14}
    return {**ROW, "object": "chat.completion", "choices": [choice], "usage": usage}
