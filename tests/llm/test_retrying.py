"""When a model is asked again, and when it is not, over real HTTP."""

import asyncio
import socket
from collections.abc import Callable, Coroutine
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import AgentRunError, ModelHTTPError
from pydantic_ai.messages import ModelRequest
from pydantic_ai.models.test import TestModel
from pydantic_ai.run import AgentRunResultEvent
from tests import wires
from tests.answer import streams
from tests.clock import JumpingLoop
from tests.llm.test_providers import KEY, PROVIDERS
from tests.thorough import keep_some, mark_slow

from pincite.errors import LimitReached, ModelError
from pincite.llm.model_roles import Models, explain_error
from pincite.llm.providers import Provider
from pincite.llm.retrying import RetryingModel
from pincite.settings import load_settings

# One of each SDK: what each makes of a lost connection is its own.
OPENAI = Provider("openai", "openai", "https://api.openai.com/v1", 120, "connection", KEY)
SDKS = ["openai", "anthropic", "mistral", "google", "groq"]


WAIT = 30.0  # seconds until a time-out, which pass at once when the test says so: see `JumpingLoop`


def run_jumping(ask: Callable[[JumpingLoop], Coroutine[Any, Any, str]]) -> str:
    """Run a question on a loop whose clock the test moves on."""
    loop = JumpingLoop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(ask(loop))


def let_time_pass(loop: JumpingLoop, respond: wires.Respond) -> wires.Respond:
    """Respond to a request, and let the time-out of whoever asked pass as soon as the request is there."""

    def respond_late(handler: BaseHTTPRequestHandler) -> None:
        loop.jump(WAIT + 1)
        respond(handler)

    return respond_late


async def ask(
    url: str,
    name: str = "vllm",
    streamed: bool = True,
    limits: dict[str, Any] | None = None,
    begun: Callable[[], None] | None = None,
    **at: Any,
) -> str:
    """A question to a model at this address, which answers in one go. `begun` is called at the first piece."""
    spoken = PROVIDERS[name]
    settings = load_settings(models=limits or {}, providers={name: {"url": url + spoken.base, "key": KEY, **at}})
    models = Models(settings, environment={})
    model = models.choose(f"{name}:{spoken.model}").model
    assert model
    try:
        if not streamed:
            response = await model_request(model, [ModelRequest.user_text_prompt("How long is the notice?")])
            return response.text or ""
        async with Agent(model).run_stream_events("How long is the notice?") as events:
            async for event in events:
                if begun:
                    begun()
                    begun = None
                if isinstance(event, AgentRunResultEvent):
                    return str(event.result.output)
        raise AssertionError("a run ends with its result")
    except AgentRunError as error:
        raise explain_error(error) from None
    finally:
        await models.close()


def said(name: str = "vllm") -> wires.Respond:
    return wires.stream(PROVIDERS[name].streams()[1])


@pytest.mark.parametrize("name", SDKS)
def test_a_lost_connection_is_tried_again(name: str) -> None:
    with wires.serving(wires.drop, said(name)) as wire:
        assert asyncio.run(ask(wire.url, name)) == "".join(streams.ANSWER)
    assert len(wire.asked) == 2


@pytest.mark.parametrize("name", keep_some(SDKS, one_in=4))
def test_a_stream_that_is_lost_before_its_first_piece_is_tried_again(name: str) -> None:
    with wires.serving(wires.cut([]), said(name)) as wire:
        assert asyncio.run(ask(wire.url, name)) == "".join(streams.ANSWER)
    assert len(wire.asked) == 2


@pytest.mark.parametrize("name", keep_some(SDKS, one_in=4))
def test_an_answer_that_has_begun_is_not_begun_again(name: str) -> None:
    pieces = PROVIDERS[name].streams()[1]
    with wires.serving(wires.cut(pieces[:3])) as wire, pytest.raises(ModelError, match="broke off"):
        asyncio.run(ask(wire.url, name))
    assert len(wire.asked) == 1


@pytest.mark.parametrize("status", [500, 503, 429, 400])
@pytest.mark.parametrize("name", keep_some(SDKS, one_in=4))
def test_a_refused_request_is_not_tried_again(name: str, status: int) -> None:
    refusal = wires.reply(status, {"error": {"message": "Not today."}, "message": "Not today."})
    with wires.serving(refusal) as wire, pytest.raises(ModelError, match="Not today") as caught:
        asyncio.run(ask(wire.url, name))
    assert len(wire.asked) == 1
    assert caught.value.hint


BUSY = {"error": {"message": "Not now."}, "message": "Not now."}


@pytest.mark.parametrize("status", [500, 503, 429])
@pytest.mark.parametrize("name", keep_some(SDKS, one_in=4))
def test_a_refusal_that_passes_is_tried_again_where_the_settings_ask_for_it(name: str, status: int) -> None:
    with wires.serving(wires.reply(status, BUSY), said(name)) as wire:
        assert asyncio.run(ask(wire.url, name, limits={"retry_errors": True})) == "".join(streams.ANSWER)
    assert len(wire.asked) == 2


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_refusal_that_stays_is_not_tried_again(status: int) -> None:
    with wires.serving(wires.reply(status, BUSY)) as wire, pytest.raises(ModelError):
        asyncio.run(ask(wire.url, limits={"retry_errors": True}))
    assert len(wire.asked) == 1


def test_a_provider_that_asks_for_more_time_than_there_is_is_not_waited_for() -> None:
    busy = wires.reply(429, BUSY, {"Retry-After": "3600"})
    with wires.serving(busy) as wire, pytest.raises(ModelError, match="Not now") as caught:
        asyncio.run(ask(wire.url, limits={"retry_errors": True, "deadline": 60}))
    assert len(wire.asked) == 1
    assert "in 3600 seconds" in caught.value.hint


def test_a_provider_is_asked_again_when_it_said() -> None:
    patient = RetryingModel(TestModel(), OPENAI, retries=2, deadline=60, retry_errors=True)
    busy = ModelHTTPError(429, "gpt-5", headers={"Retry-After": "7"})
    assert patient.wait_before_retry(busy, left=60) == 7
    assert patient.wait_before_retry(busy, left=6) is False
    assert patient.wait_before_retry(ModelHTTPError(503, "gpt-5"), left=60) is True


def test_an_error_inside_a_stream_is_told_in_our_words() -> None:
    pieces = PROVIDERS["vllm"].streams()[1]
    error = 'data: {"error": {"message": "CUDA out of memory", "code": 500}}\n\n'
    with wires.serving(wires.stream([*pieces[:3], error])) as wire, pytest.raises(ModelError, match="out of memory"):
        asyncio.run(ask(wire.url))
    assert len(wire.asked) == 1


@pytest.mark.parametrize("streamed", [True, mark_slow(False)])
@pytest.mark.parametrize("name", keep_some(SDKS, one_in=4))
def test_a_silent_provider_gets_a_time_out_and_no_second_try(name: str, streamed: bool) -> None:
    with wires.serving() as wire:

        def run(loop: JumpingLoop) -> Coroutine[Any, Any, str]:
            wire.answers.append(let_time_pass(loop, wires.silence(wire)))
            return ask(wire.url, name, streamed, timeout=WAIT)

        with pytest.raises(ModelError, match="did not answer within 30 seconds") as caught:
            run_jumping(run)
    assert len(wire.asked) == 1
    assert f"providers.{name}.timeout" in caught.value.hint


@pytest.mark.parametrize("name", keep_some(SDKS, one_in=4))
def test_a_provider_that_falls_silent_between_words_is_told_apart_from_one_that_breaks_off(name: str) -> None:
    pieces = PROVIDERS[name].streams()[1]
    with wires.serving() as wire:
        wire.answers.append(wires.stall(wire, pieces[:4]))
        with pytest.raises(ModelError, match="said nothing for 30 seconds in the middle of its answer") as caught:
            run_jumping(lambda loop: ask(wire.url, name, begun=lambda: loop.keep_jumping(WAIT + 1), timeout=WAIT))
    assert len(wire.asked) == 1
    assert "models.timeout" in caught.value.hint
    assert f"providers.{name}.timeout" in caught.value.hint


def test_keeping_the_connection_open_is_not_answering() -> None:
    with wires.serving() as wire:

        def run(loop: JumpingLoop) -> Coroutine[Any, Any, str]:
            wire.answers.append(let_time_pass(loop, wires.silence(wire, ": keep-alive\n\n")))
            return ask(wire.url, timeout=WAIT)

        with pytest.raises(ModelError, match="did not answer"):
            run_jumping(run)
    assert len(wire.asked) == 1


@pytest.mark.parametrize("name", ["openai", "deepseek"])
def test_a_slow_provider_is_tried_again_on_time_out(name: str) -> None:
    at: dict[str, Any] = {} if name == "deepseek" else {"retry": "timeout"}
    with wires.serving() as wire:

        def run(loop: JumpingLoop) -> Coroutine[Any, Any, str]:
            wire.answers.extend([let_time_pass(loop, wires.silence(wire)), said(name)])
            return ask(wire.url, name, timeout=WAIT, **at)

        assert run_jumping(run) == "".join(streams.ANSWER)
    assert len(wire.asked) == 2


def test_a_slow_provider_is_tried_again_on_nothing_else() -> None:
    with wires.serving(wires.drop) as wire, pytest.raises(ModelError):
        asyncio.run(ask(wire.url, "deepseek"))
    assert len(wire.asked) == 1


def test_tries_are_counted() -> None:
    with wires.serving(wires.drop) as wire, pytest.raises(ModelError, match="cannot be reached"):
        asyncio.run(ask(wire.url, streamed=False, limits={"retries": 1}))
    assert len(wire.asked) == 2


def test_tries_end_at_the_deadline() -> None:
    with wires.serving(wires.drop) as wire, pytest.raises(ModelError):
        asyncio.run(ask(wire.url, limits={"retries": 10, "deadline": 0.6}))
    assert len(wire.asked) < 6


def test_a_request_ends_at_its_deadline() -> None:
    with wires.serving() as wire:

        def run(loop: JumpingLoop) -> Coroutine[Any, Any, str]:
            wire.answers.append(let_time_pass(loop, wires.silence(wire)))
            return ask(wire.url, limits={"deadline": WAIT})

        with pytest.raises(LimitReached, match="did not finish in time"):
            run_jumping(run)
    assert len(wire.asked) == 1


def test_nobody_at_the_address_is_asked_about_the_server() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(ModelError) as caught:
            asyncio.run(ask(url, limits={"retries": 0}))
    assert f"Is the server running at {url}/v1?" in caught.value.hint


def test_a_caller_that_stops_waiting_is_let_go_at_once() -> None:
    async def stopped(wire: wires.Wire) -> None:
        asking = asyncio.create_task(ask(wire.url))
        while not wire.asked:
            await asyncio.sleep(0.01)
        asking.cancel()
        await asking

    with wires.serving() as wire:
        wire.answers.append(wires.silence(wire))
        with pytest.raises(asyncio.CancelledError):
            asyncio.run(stopped(wire))
    assert len(wire.asked) == 1
