"""The talk over `/ws`: a client says who it is, asks, follows, and is told what it did wrong."""

import asyncio
from typing import Any

import pytest
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosedError

from pincite.server import websocket_actions, websocket_connection
from pincite.server.websocket_actions import ActionContext, ActionResult
from pincite.settings import Settings
from tests.server.websocket_clients import Stepwise, Told, connected, serving

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_a_client_that_identifies_gets_the_version_the_owner_and_the_heartbeat(settings: Settings) -> None:
    async with serving(settings) as server, connected(server.port, identify=False) as client:
        await client.send("identify", version=1, token="anything", client="tests")
        told = await client.receive()
        assert len(told.pop("session")) == 32
        assert told == {"type": "identified", "version": 1, "owner": "local", "heartbeat": 20.0}
        await client.send("identify", version=1)
        again = await client.receive()
        assert (again["code"], again["reason"]) == ("invalid", "identified")
        assert await client.act("usage")


async def test_nothing_is_done_before_a_client_has_identified_itself(settings: Settings) -> None:
    async with serving(settings) as server, connected(server.port, identify=False) as client:
        for sent in (
            {"type": "action", "id": "1", "action": "ask", "data": {"message": "How deep?"}},
            {"type": "subscribe", "id": "2", "topics": ["conversation:a"]},
            {"type": "unsubscribe", "id": "3", "topics": ["conversation:a"]},
        ):
            await client.send(**sent)
            told = await client.receive()
            assert (told["type"], told["code"], told["id"]) == ("error", "not_identified", sent["id"])
        for type in ("ping", "pong"):
            await client.send(type)
            assert (await client.receive())["code"] == "not_identified"
        await client.send("identify", version=1)
        assert (await client.receive())["type"] == "identified"
        assert (await client.act("usage"))["totals"]["answers"] == 0


async def test_a_client_of_another_version_is_told_which_one_to_speak(settings: Settings) -> None:
    async with serving(settings) as server, connected(server.port, identify=False) as client:
        for version in (0, 2, -1, 10**30):
            await client.send("identify", version=version)
            told = await client.receive()
            assert (told["code"], told["params"]) == ("unsupported_version", {"supported": 1})
        await client.send("identify", version=1)
        assert (await client.receive())["version"] == 1


async def test_bad_messages_are_answered_and_the_talk_goes_on(settings: Settings) -> None:
    async with serving(settings) as server, connected(server.port) as client:
        for sent in ("", "hello", "[]", "{", '"\\ud800"', '{"type": "\\ud800"}', "[" * 100_000):
            await client.connection.send(sent)
            assert (await client.receive())["code"] == "invalid"
        for frame in (b"", b"\xff\xfe", b'{"type": "ping"}'):
            await client.connection.send(frame)
            told = await client.receive()
            assert (told["code"], told["reason"]) == ("invalid", "binary")
        await client.connection.send(['{"type":', ' "ping"}'])  # one message in two frames
        assert await client.receive() == {"type": "pong"}


async def test_an_action_that_does_not_exist_is_answered_with_those_that_do(settings: Settings) -> None:
    async with serving(settings) as server, connected(server.port) as client:
        told = await client.request("action", action="fly")
        assert (told["code"], told["message"]) == ("unknown_action", "There is no action 'fly'.")
        assert "ask" in told["hint"]


async def test_a_question_is_answered_as_over_http(settings: Settings) -> None:
    async with serving(settings) as server, connected(server.port) as client:
        told = await client.act("ask", message="How deep?", focusMode="documents")
        assert told["after"] == 0
        sent = await client.finish(f"conversation:{told['conversation']}")
        assert [event["type"] for event in sent] == ["message_started", "evidence", "text", "message_completed"]
        assert [event["seq"] for event in sent] == [1, 2, 3, 4]
        assert {event["messageId"] for event in sent} == {told["message"]}
        assert sent[0]["data"]["conversationId"] == told["conversation"]
        assert sent[-1]["data"]["answer"].startswith("You asked: How deep?")
        next_one = await client.act("ask", message="And how cold?", conversationId=told["conversation"])
        assert (next_one["conversation"], next_one["after"]) == (told["conversation"], 4)
        sent = await client.finish(f"conversation:{told['conversation']}")
        assert [event["seq"] for event in sent] == [5, 6, 7, 8]
        assert (await client.act("usage"))["totals"]["answers"] == 2


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"message": ""},
        {"message": "   "},
        {"message": 7},
        {"message": "x" * 100_001},
        {"message": "x", "focusMode": "moon"},
        {"message": "x", "focus_mode": "all"},
        {"message": "x", "conversationId": "nowhere"},
        {"message": "x", "documents": ["nothing"]},
        {"message": "x", "persona": "nobody"},
        {"message": "x", "chatModel": "no-such-provider:model"},
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_as_over_http(client: TestClient, body: dict[str, Any]) -> None:
    refused = client.post("/api/chat", json=body).json()["error"]
    with client.websocket_connect("/ws") as socket:
        socket.send_json({"type": "identify", "version": 1})
        socket.receive_json()
        socket.send_json({"type": "action", "id": "1", "action": "ask", "data": body})
        told = socket.receive_json()
    assert (told["type"], told["id"], told["code"]) == ("error", "1", refused["code"])
    if refused["code"] != "invalid":
        assert {name: told.get(name) for name in refused} == refused
    assert client.get("/api/conversations").json()["conversations"] == []


async def test_an_answer_is_stopped_over_the_same_connection(settings: Settings) -> None:
    stepwise = Stepwise(10)
    async with serving(settings, stepwise) as server, connected(server.port) as client:
        topic = await client.ask("words")
        stepwise.let_on(2)
        await client.take(5)
        await client.send("action", id="s", action="stop", data={"conversation": topic.removeprefix("conversation:")})
        told = [await client.receive() for _ in range(3)]
        assert [each["data"] for each in told if each["type"] == "result"] == [{"stopped": True}]
        (last,) = [each["event"] for each in told if each["type"] == "event"]
        assert (last["type"], last["data"]["stopped"]) == ("message_completed", True)
        assert {"type": "done", "topic": topic} in told
        again = await client.act("stop", conversation=topic.removeprefix("conversation:"))
        assert again == {"stopped": False}
        found = await client.request("action", action="stop_retrieval", data={"conversation": "nowhere"})
        assert (found["code"], found["reason"]) == ("not_found", "conversation")


async def test_two_questions_at_once_in_one_conversation_are_one_too_many(settings: Settings) -> None:
    stepwise = Stepwise(1)
    async with serving(settings, stepwise) as server, connected(server.port) as client:
        topic = await client.ask("first")
        await client.take(1)
        told = await client.request(
            "action", action="ask", data={"message": "second", "conversationId": topic.removeprefix("conversation:")}
        )
        assert (told["code"], told["reason"]) == ("busy", "answering")
        stepwise.let_on()
        assert [event["seq"] for event in await client.finish(topic)] == [2, 3, 4]


async def test_a_fault_of_ours_in_an_action_is_told_and_ends_nothing_else(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(context: ActionContext, data: object) -> ActionResult:
        raise ZeroDivisionError

    monkeypatch.setitem(websocket_actions.ACTIONS, "usage", broken)
    async with serving(settings) as server, connected(server.port) as client:
        told = await client.request("action", action="usage")
        assert told["code"] == "fault"
        assert told["hint"].rpartition(" ")[2].rstrip(".") in caplog.text
        assert len(await client.finish(await client.ask())) == 4


async def test_one_client_has_so_many_actions_at_once_and_no_more(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = asyncio.Event()

    async def slow(context: ActionContext, data: object) -> ActionResult:
        await go_on.wait()
        return ActionResult({})

    monkeypatch.setitem(websocket_actions.ACTIONS, "usage", slow)
    async with serving(settings) as server, connected(server.port) as client:
        for number in range(16):
            await client.send("action", id=f"{number}", action="usage")
        told: Told = await client.request("action", action="usage")
        assert (told["code"], told["reason"]) == ("busy", "actions")
        await client.send("ping")  # the connection is not blocked
        assert await client.receive() == {"type": "pong"}
        go_on.set()
        assert {(await client.receive())["id"] for _ in range(16)} == {f"{number}" for number in range(16)}
        assert await client.act("usage") == {}


async def test_a_fault_of_ours_in_a_connection_closes_it_with_a_code(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(text: str) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(websocket_connection, "parse_message", broken)
    async with serving(settings) as server, connected(server.port, identify=False) as client:
        await client.send("ping")
        with pytest.raises(ConnectionClosedError) as closed:
            await client.receive()
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 1011
        assert "ZeroDivisionError" in caplog.text


def test_a_request_that_is_no_websocket_is_told_so(client: TestClient) -> None:
    answer = client.get("/ws")
    assert (answer.status_code, answer.json()["error"]["code"]) == (426, "http")
    assert answer.headers["upgrade"] == "websocket"
