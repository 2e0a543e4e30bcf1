"""A model that says what a test tells it, when the test tells it: OpenAI's wire over real HTTP, without a clock."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests import wires

MODEL = "scripted:parrot"


@dataclass
class Told:
    """The text of a fake model. Every request gets all of the text that there is so far."""

    pieces: list[str] = field(default_factory=list)
    is_over: bool = False
    changed: threading.Condition = field(default_factory=threading.Condition)

    def tell(self, pieces: tuple[str, ...], ends: bool) -> None:
        with self.changed:
            self.pieces += pieces
            self.is_over = self.is_over or ends
            self.changed.notify_all()

    def spoken(self) -> Iterator[str]:
        at = 0
        while True:
            with self.changed:
                while at == len(self.pieces) and not self.is_over:
                    self.changed.wait()
                if at == len(self.pieces):
                    return
            yield self.pieces[at]
            at += 1


@dataclass
class Speaker:
    """The model of a session's server. `looks_for` is what it searches first; then it says what it is told to."""

    wire: wires.Wire
    looks_for: str = ""
    told: Told = field(default_factory=Told)

    @property
    def settings(self) -> dict[str, str]:
        """The variables with which a server uses this model."""
        return {"PROVIDERS__SCRIPTED__URL": f"{self.wire.url}/v1", "MODELS__CHAT": MODEL}

    def will(self, *pieces: str, looking_for: str = "", ends: bool = True) -> None:
        """Set the answer to the next question: after a search, if it makes one, and open until `say` ends it."""
        self.forget()
        self.looks_for = looking_for
        self.say(*pieces, ends=ends)

    def say(self, *pieces: str, ends: bool = False) -> None:
        """Go on with these pieces now."""
        self.told.tell(pieces, ends)

    def forget(self) -> None:
        """Break off whatever is being said: the next test begins in silence."""
        self.told.tell((), ends=True)
        self.told = Told()
        self.looks_for = ""
        self.wire.answers[:] = [self.answer]
        self.wire.asked.clear()

    def fail(self, status: int, message: str) -> None:
        """Refuse whatever is asked from now on."""
        self.wire.answers[:] = [wires.reply(status, {"error": {"message": message}})]

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = self.wire.asked[-1].body
        if body is None:
            wires.reply(200, {"object": "list", "data": [{"id": MODEL, "object": "model"}]})(handler)
        elif not body.get("stream"):
            wires.reply(200, _whole("yes"))(handler)
        elif self.looks_for and body["messages"][-1]["role"] != "tool":
            wires.stream(_call(self.looks_for))(handler)
        else:
            wires.stream(self._spoken())(handler)

    def _spoken(self) -> Iterator[str]:
        yield _row({"role": "assistant", "content": ""})
        for piece in self.told.spoken():
            yield _row({"content": piece})
        yield _row({}, "stop")
        yield "data: [DONE]\n\n"


@contextmanager
def speaking() -> Iterator[Speaker]:
    """A model that can be asked until the block ends."""
    with wires.serving() as wire:
        speaker = Speaker(wire)
        speaker.forget()
        yield speaker
        speaker.forget()


def _row(delta: dict[str, Any], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    row = {"id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": MODEL, "choices": [choice]}
    return f"data: {json.dumps(row)}\n\n"


def _call(query: str) -> list[str]:
    function = {"name": "search_documents", "arguments": json.dumps({"query": query})}
    call = {"index": 0, "id": "call-1", "type": "function", "function": function}
    return [_row({"role": "assistant", "tool_calls": [call]}), _row({}, "tool_calls"), "data: [DONE]\n\n"]


def _whole(text: str) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return {"id": "c-2", "object": "chat.completion", "created": 1, "model": MODEL, "choices": [choice]}
