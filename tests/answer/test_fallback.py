"""The ways in which a turn can end, each with a scripted model: words are kept, or what was found is quoted."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.exceptions import ContentFilterError, ModelHTTPError, UnexpectedModelBehavior, UsageLimitExceeded
from pydantic_ai.messages import ModelMessage, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall

from pincite import events
from pincite.answer.context import Context
from pincite.answer.outbox import OutboxItem
from pincite.answer.question import AskedQuestion, UnderstoodQuestion
from pincite.answer.services import Services, open_services
from pincite.answer.stream_items import Note, QuotedPassage, TextDelta
from pincite.errors import LimitReached, ModelError
from pincite.llm.model_roles import Models
from pincite.settings import load_settings
from pincite.types import Exchange
from tests import wires
from tests.answer.streams import ANSWER
from tests.clock import PATIENCE
from tests.llm.test_providers import KEY, PROVIDERS
from tests.turns import Piece, Script, drafting, of_type, open_test_services, saying, searching

HIGH = "How high is the dam?"
FOUND = "It is 33 m high and holds 110 million cubic metres of water."


async def collect(context: Context) -> list[OutboxItem]:
    return [item async for item in drafting(context)]


def hear(services: Services, question: str = HIGH, **given: Any) -> tuple[Context, list[OutboxItem]]:
    context = services.open_context(AskedQuestion(question=question, **given))
    return context, asyncio.run(collect(context))


def words(heard: list[OutboxItem]) -> str:
    spoken = [each.text for each in heard if isinstance(each, TextDelta)]
    quoted = [piece.text for each in heard if isinstance(each, QuotedPassage) for piece in each.card.pieces]
    return "".join([*spoken, *quoted])


def after_search(*said: str, error: Exception | None = None) -> Script:
    """A model that searches, says this, and then fails."""

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        if info.function_tools and not any(isinstance(part, ToolReturnPart) for part in messages[-1].parts):
            yield {0: DeltaToolCall("search_documents", '{"query": "dam"}', tool_call_id="call_0")}
            return
        for piece in said:
            yield piece
        if error:
            raise error

    return script


@pytest.mark.parametrize("tools", [True, False])
@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ModelError("Lost.", "Ask again.", "unreachable"), "The model could not be reached:"),
        (ModelHTTPError(500, "m"), "The model failed:"),
        (ModelHTTPError(429, "m"), "The provider refused the request:"),
        (LimitReached("Too long.", "Wait.", "seconds"), "The model did not answer in time:"),
        (UsageLimitExceeded("Exceeded the total_tokens_limit"), "The question used up what it may cost:"),
        (ContentFilterError("filtered"), "The model declined to answer:"),
        (UnexpectedModelBehavior("Exceeded maximum output retries (2)"), "The model wrote nothing:"),
    ],
)
def test_a_model_that_fails_after_a_search_leaves_quotes_and_the_reason(
    tmp_path: Path, tools: bool, error: Exception, reason: str
) -> None:
    context, heard = hear(open_test_services(tmp_path, script=after_search(error=error), tools=tools))
    (fault,) = of_type(heard, events.Fault)  # type: ignore[arg-type]
    assert fault.hint
    fell = heard[heard.index(fault) + 1 :]
    assert isinstance(fell[0], Note)
    assert fell[0].text.startswith(reason)
    (quoted,) = fell[1:]  # and nothing is looked for again
    assert isinstance(quoted, QuotedPassage)
    assert [piece.text for piece in quoted.card.pieces if piece.is_lit] == [FOUND]
    assert context.agent.cut is None


def test_the_reason_is_in_the_language_of_the_question(tmp_path: Path) -> None:
    error = ModelError("Lost.", "Ask again.", "late")
    _, heard = hear(
        open_test_services(tmp_path, script=after_search(error=error)), "Quelle est la hauteur du barrage ?"
    )
    (noted,) = (each for each in heard if isinstance(each, Note))
    assert noted.text == "Le modèle n’a pas répondu à temps : ces passages sont cités de ce qui a été trouvé."


@pytest.mark.parametrize("said", ["", "   \n"])
def test_a_model_that_writes_nothing_leaves_quotes(tmp_path: Path, said: str) -> None:
    _, heard = hear(open_test_services(tmp_path, script=after_search(said)))
    (fault,) = of_type(heard, events.Fault)  # type: ignore[arg-type]
    assert fault.message == "The model test:scripted wrote nothing."
    assert FOUND in words(heard)


def test_a_model_that_fails_before_anything_was_found_is_an_error(tmp_path: Path) -> None:
    async def failing(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[Piece]:
        raise ModelError("Lost.", "Ask again.")
        yield

    with pytest.raises(ModelError, match="Lost"):
        hear(open_test_services(tmp_path, script=failing))


def test_words_before_a_failure_are_kept_and_nothing_is_quoted(tmp_path: Path) -> None:
    error = ModelError("It broke off.", "Ask again.", "broken")
    script = after_search("The dam is 33 m high [1.3]. ", "It was", error=error)
    context, heard = hear(open_test_services(tmp_path, script=script))
    assert words(heard) == "The dam is 33 m high [1.3]. It was"
    assert [fault.message for fault in of_type(heard, events.Fault)] == ["It broke off."]  # type: ignore[arg-type]
    assert context.agent.cut == "connection"
    assert not any(isinstance(each, Note) for each in heard)


def test_a_model_that_repeats_itself_without_end_is_stopped(tmp_path: Path) -> None:
    said = 0

    async def looping(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        nonlocal said
        if len(messages) == 1:
            yield {0: DeltaToolCall("search_documents", '{"query": "dam"}', tool_call_id="call_0")}
        while len(messages) > 1:
            said += 1
            yield "The dam is 33 m high [1.3]. "

    context, heard = hear(open_test_services(tmp_path, script=looping))
    assert words(heard).strip() == "The dam is 33 m high [1.3]."
    assert context.agent.cut == "repetition"
    assert said < 20


def served(tmp_path: Path, *answers: wires.Respond) -> tuple[Context, list[OutboxItem]]:
    """Return the events of a question to a real server that calls a tool and then answers with this text."""
    vllm = PROVIDERS["vllm"]
    with wires.serving(wires.stream(vllm.streams()[0]), *answers) as wire:
        services = open_test_services(tmp_path, {"lease.md": "The notice period is three months."})
        at = {"vllm": {"url": wire.url + vllm.base, "key": KEY}}
        services.models = Models(load_settings(providers=at, models={"chat": f"vllm:{vllm.model}"}), environment={})
        context, heard = hear(services, "How long is the notice period?")
    return context, heard


def edited(change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> wires.Respond:
    """The answer of the server, with its chunks changed."""
    pieces = PROVIDERS["vllm"].streams()[1]
    rows = [json.loads(piece.removeprefix("data: ")) for piece in pieces if "[DONE]" not in piece]
    return wires.stream([*(f"data: {json.dumps(row)}\n\n" for row in change(rows)), "data: [DONE]\n\n"])


def ending(reason: str | None) -> Callable[[list[dict[str, Any]]], list[dict[str, Any]]]:
    def change(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        for row in rows:
            for choice in row["choices"]:
                if choice["finish_reason"]:
                    choice["finish_reason"] = reason
        return [row for row in rows if ANSWER[-1] not in json.dumps(row)]

    return change


@pytest.mark.parametrize(("reason", "cut"), [("length", "length"), ("content_filter", "filter"), (None, "connection")])
def test_an_answer_that_its_server_cuts_keeps_its_words_and_says_why(
    tmp_path: Path, reason: str | None, cut: str
) -> None:
    context, heard = served(tmp_path, edited(ending(reason)))
    assert context.agent.cut == cut
    assert words(heard) == "".join(ANSWER[:-1])
    assert not of_type(heard, events.Fault)  # type: ignore[arg-type]


def test_a_stream_that_is_lost_keeps_its_words_and_tells_the_error_once(tmp_path: Path) -> None:
    context, heard = served(tmp_path, wires.cut(PROVIDERS["vllm"].streams()[1][:3]))
    assert context.agent.cut == "connection"
    assert words(heard) == "".join(ANSWER[:2])
    (fault,) = of_type(heard, events.Fault)  # type: ignore[arg-type]
    assert "broke off in the middle of its answer" in fault.message


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("usage", [None, "left out"])
def test_a_server_that_does_not_say_what_it_cost_gives_no_warning(tmp_path: Path, usage: object) -> None:
    def change(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return rows[:-1] if usage == "left out" else [*rows[:-1], rows[-1] | {"usage": usage}]

    context, heard = served(tmp_path, edited(change))
    assert words(heard) == "".join(ANSWER)
    assert context.agent.cut is None
    assert context.meter.usage.requests == 2


def test_a_model_that_answers_without_a_search_has_its_question_searched(tmp_path: Path) -> None:
    told: list[tuple[bool, str]] = []

    async def knowing(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        told.append((bool(info.function_tools), info.instructions or ""))
        yield "It is 33 m high [1.3]." if not info.function_tools else "I know that: 33 m."

    context, heard = hear(open_test_services(tmp_path, script=knowing))
    assert [has_tools for has_tools, _ in told] == [True, False]
    assert "33 m high" in told[1][1]  # the evidence stands before it
    assert context.ledger.searched == [HIGH]
    assert [each.text for each in of_type(heard, events.Thought)] == ["I know that: 33 m."]  # type: ignore[arg-type]
    assert words(heard) == "It is 33 m high [1.3]."


def test_where_nothing_is_found_for_it_its_words_stay(tmp_path: Path) -> None:
    _, heard = hear(open_test_services(tmp_path, {}, script=saying("I know that: 33 m.")))
    assert words(heard) == "I know that: 33 m."


def test_a_model_that_only_turns_the_viewer_is_not_searched_for(tmp_path: Path) -> None:
    script = searching("", "Page 5 is open.", tool="navigate", page=5)
    context, heard = hear(open_test_services(tmp_path, script=script), "Go to page 5 of the dam report")
    assert context.ledger.searched == []
    assert words(heard) == "Page 5 is open."


PAST = (Exchange("How high is the dam at Vassivière?", "The dam is 33 m high."),)


class Counted:
    """A system model that notes what it was asked."""

    def __init__(self, reply: str = "No.") -> None:
        self.asked: list[str] = []
        self._reply = reply

    def __call__(self, prompt: str) -> str:
        self.asked.append(prompt)
        return self._reply


@pytest.mark.parametrize(
    ("question", "history", "tools", "requests"),
    [
        ("Thanks!", PAST, True, 0),
        ("Merci beaucoup", PAST, False, 0),
        ("Say that again in French", PAST, False, 0),
        ("How large is the lake of Vassivière?", PAST, False, 0),  # it stands alone
        ("What are the terms and conditions of the lease?", (), True, 0),  # one thing is asked
        ("When was it built?", PAST, True, 0),  # the model reads the conversation itself
        ("When was it built?", PAST, False, 1),
        ("When was the dam built, and how large is the lake?", (), True, 1),
    ],
)
def test_the_system_model_is_asked_only_where_it_matters(
    tmp_path: Path, question: str, history: tuple[Exchange, ...], tools: bool, requests: int
) -> None:
    system = Counted()
    services = open_test_services(tmp_path, script=searching("dam", "It is [1]."), tools=tools, system=system)
    hear(services, question, history=history)
    assert len(system.asked) == requests


@pytest.mark.parametrize(
    ("question", "history", "tools"),
    [("When was it built?", PAST, False), ("When was the dam built, and how large is the lake?", (), True)],
)
def test_the_first_search_does_not_wait_for_the_system_model(
    tmp_path: Path, question: str, history: tuple[Exchange, ...], tools: bool
) -> None:
    services = open_test_services(tmp_path, script=searching("dam", "It is [1]."), tools=tools, system=Counted())
    replied = asyncio.Event()
    system = services.models.roles().system
    assert system
    assert system.model
    request = system.model.request

    async def waiting(*given: Any, **named: Any) -> Any:
        await replied.wait()
        return await request(*given, **named)

    system.model.request = waiting  # type: ignore[method-assign]

    async def run() -> int:
        found = 0
        async for heard in drafting(services.open_context(AskedQuestion(question=question, history=history))):
            if isinstance(heard, events.ToolCallSuccess):
                found += not replied.is_set()
                replied.set()
        return found

    assert asyncio.run(asyncio.wait_for(run(), PATIENCE)) == 1


def test_a_rewrite_that_says_it_better_is_searched_for_too(tmp_path: Path) -> None:
    better = "When was the dam at Vassivière built?"
    services = open_test_services(tmp_path, script=saying("In 1950 [1.2]."), tools=False, system=Counted(better))
    context, heard = hear(services, "When was it built?", history=PAST)
    understood = [item.question for item in heard if isinstance(item, UnderstoodQuestion)]
    assert context.ledger.searched[-1] == understood[-1] == better
    assert of_type(heard, events.Question)[-1] == events.Question(question=better, rewritten=True)  # type: ignore[arg-type]


@pytest.mark.parametrize(("use_tools", "calls"), [(None, True), (True, True), (False, False)])
def test_a_question_may_say_whether_the_model_has_tools(tmp_path: Path, use_tools: bool | None, calls: bool) -> None:
    had: list[bool] = []

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        had.append(bool(info.function_tools))
        async for piece in searching("dam", "It is 33 m high [1].")(messages, info):
            yield piece

    _, heard = hear(open_test_services(tmp_path, script=script), use_tools=use_tools)
    assert any(had) == calls
    assert len(of_type(heard, events.ToolCallSuccess)) == 1  # type: ignore[arg-type]
    services = open_test_services(tmp_path / "barred", script=script, tools=False)
    assert services.open_context(AskedQuestion(question=HIGH, use_tools=True)).models.chat.tools


def test_the_one_that_quotes_searches_whatever_is_said_of_tools(tmp_path: Path) -> None:
    services = open_services(load_settings(data=tmp_path / "data", embedding={"provider": "none"}))
    assert services.open_context(AskedQuestion(question=HIGH, use_tools=False)).models.chat.tools
    services.close()


@pytest.mark.parametrize("tools", [True, False])
def test_retrieval_stops_alone_and_the_model_answers(
    tmp_path: Path, tools: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    returned: list[str] = []

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        parts = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        returned.extend(str(part.content) for part in parts)
        if info.function_tools and len(returned) < 2:
            yield {0: DeltaToolCall("search_documents", '{"query": "dam"}', tool_call_id=f"call_{len(returned)}")}
        else:
            yield "I was stopped before I found it."

    services = open_test_services(tmp_path, script=script, tools=tools)
    context = services.open_context(AskedQuestion(question=HIGH))
    loop: list[asyncio.AbstractEventLoop] = []

    def slow(*_: Any) -> list[Any]:
        loop[0].call_soon_threadsafe(context.stop.stop_retrieval)
        while not context.stop.retrieval.is_set():
            time.sleep(0.001)
        return []

    monkeypatch.setattr(services.search, "search", slow)

    async def run() -> list[OutboxItem]:
        loop.append(asyncio.get_running_loop())
        return await collect(context)

    heard = asyncio.run(run())
    errors = of_type(heard, events.ToolCallError)  # type: ignore[arg-type]
    assert errors
    assert all("Retrieval was stopped by the user" in each.error for each in errors)
    assert words(heard) == "I was stopped before I found it."
    assert not context.stop.answer.is_set()
    if tools:
        assert len(returned) == 2
        assert all("answer from what was found" in each for each in returned)
