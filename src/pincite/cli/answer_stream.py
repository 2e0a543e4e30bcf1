"""Follow the answers of one conversation over a WebSocket and show them. Ctrl-C stops the answer, twice leaves."""

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from pincite.cli import options
from pincite.cli.server_connection import ServerConnection
from pincite.cli.websocket_client import (
    ConnectionBack,
    ConnectionEnded,
    ConnectionLost,
    ServerNotice,
    TopicDone,
    TopicEvent,
)

if TYPE_CHECKING:
    from pincite.events import Answer, Data

_LOST = "The connection to the server was lost. Connecting again…"


class AnswerStream:
    """One conversation: its id, the answer that is being shown, and the files and tokens of all its answers."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._conversation = ""
        self._used: dict[str, set[str]] = {}  # by path: the lines that answers used, or "changed"
        self._input = self._output = 0  # tokens
        self.has_failed = False  # whether the last answer reported an error
        self.has_ended = False  # whether the connection is given up
        self.was_interrupted = False  # whether Ctrl-C was pressed during the last answer

    def ask(self, question: str, project: str, model: str = "") -> "Answer":
        """Ask a question about a project in this conversation. Show the answer and return it."""
        body: dict[str, Any] = {"message": question, "project": project}
        if model:
            body["chatModel"] = model
        if self._conversation:
            body["conversationId"] = self._conversation
        return self._follow(lambda: self._connection.act("ask", **body))

    def report(self, call: str, status: str, message: str = "", files: Sequence[str] = ()) -> dict[str, Any]:
        """Report what was done about a call of the last answer."""
        return self._connection.act(
            "result", conversation=self._conversation, call=call, status=status, message=message, files=list(files)
        )

    def report_and_follow(self, call: str, status: str) -> "Answer":
        """Report a result that begins the next turn. Show its answer and return it."""
        return self._follow(lambda: self.report(call, status))

    def begin_new(self) -> None:
        """Ask the next question in a new conversation."""
        self._conversation = ""

    def note_changed(self, paths: Sequence[str]) -> None:
        """Remember that files were changed."""
        for path in paths:
            self._used.setdefault(path, set()).add("changed")

    def describe_files(self) -> list[str]:
        """Return a line for each file that answers used or changed."""
        return [f"{path}  {', '.join(sorted(used, key=_order_lines))}" for path, used in sorted(self._used.items())]

    def describe_usage(self) -> str:
        """Return the tokens of all answers, as text; empty if no model was used."""
        return f"{self._input:,} tokens in, {self._output:,} out in this session." if self._input else ""

    def _follow(self, begin: Callable[[], dict[str, Any]]) -> "Answer":
        """Begin an answer, show its events until it is complete, and return it."""
        from pincite.cli.terminal_renderer import TerminalRenderer

        renderer = TerminalRenderer()
        renderer.begin()
        try:
            with self._catch_interrupts():
                begun = begin()
                self._conversation = str(begun.get("conversation") or self._conversation)
                answer = self._read_answer(str(begun.get("message") or ""), renderer.hear)
        finally:
            renderer.pause()
        renderer.end(answer)
        self.has_failed = renderer.failed
        self._input += answer.usage.input_tokens
        self._output += answer.usage.output_tokens
        self._note_citations(answer)
        return answer

    def _read_answer(self, message: str, show: "Callable[[Data], None]") -> "Answer":
        """Pass the events of a message to `show` and return its answer."""
        from pincite.events import EVENTS, Answer, AnswerFold, EvidenceFound

        topic = f"conversation:{self._conversation}"
        folded = AnswerFold()
        has_begun = False
        while True:
            match self._connection.heard.get():
                case None:
                    self._connection.act("stop", conversation=self._conversation)
                case TopicEvent() as heard if heard.topic == topic and heard.event.get("messageId") == message:
                    has_begun = True
                    kind = EVENTS.get(str(heard.event.get("type")))
                    try:
                        data: Any = kind.model_validate(heard.event.get("data")) if kind else None
                    except ValidationError:
                        data = None  # an event of another version
                    if data is None:
                        continue
                    folded.add(data)
                    show(data)
                    if isinstance(data, EvidenceFound) and data.path:
                        self._used.setdefault(data.path, set()).add(_describe_lines(data.lines))
                    if isinstance(data, Answer):
                        return data
                case TopicDone() as done if done.topic == topic and has_begun:
                    # The writer of the answer has ended without completing it.
                    return folded.build(stopped=True)
                case ServerNotice() as notice if notice.topic in ("", topic):
                    if notice.topic:
                        raise notice.error
                    self._warn(notice.error.message)
                case ConnectionLost():
                    self._warn(_LOST)
                case ConnectionBack():
                    has_begun = True  # a `done` that follows is about this answer
                    self._warn("Connected again.")
                case ConnectionEnded() as ended:
                    self.has_ended = True
                    raise ended.error
                case _:
                    pass  # the end of an earlier answer

    @contextmanager
    def _catch_interrupts(self) -> Iterator[None]:
        """Let the first Ctrl-C stop the answer and the second leave the command."""
        before = signal.getsignal(signal.SIGINT)
        self.was_interrupted = False

        def interrupt(number: int, frame: FrameType | None) -> None:
            if self.was_interrupted:
                raise KeyboardInterrupt
            self.was_interrupted = True
            self._connection.heard.put(None)

        signal.signal(signal.SIGINT, interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _note_citations(self, answer: "Answer") -> None:
        for citation in answer.citations:
            if citation.path:
                self._used.setdefault(citation.path, set()).add(_describe_lines(citation.lines))

    def _warn(self, text: str) -> None:
        options.make_console(stderr=True).print(text, style="dim")


def _describe_lines(lines: tuple[int, int] | None) -> str:
    return f"{lines[0]}–{lines[1]}" if lines else "read"


def _order_lines(lines: str) -> tuple[int, str]:
    first = lines.partition("–")[0]
    return (int(first), "") if first.isdecimal() else (0, lines)
