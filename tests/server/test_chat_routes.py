import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.types import Message

from pincite import events
from pincite.answer.context import Context
from pincite.conversations.answer_start import RunningAnswer
from pincite.errors import ModelError
from pincite.library import open_library
from pincite.server import create_app, event_stream
from pincite.server.chat_routes import follow_answer
from pincite.settings import Settings, load_settings
from pincite.store import conversations, messages
from tests import wires
from tests.answer.streams import openai
from tests.clock import PATIENCE
from tests.server.conftest import conversation_of, streamed
from tests.turns import DAM, keep


def data(event: dict[str, str]) -> Any:
    return json.loads(event["data"])["data"]


def test_a_question_is_answered_as_a_stream_of_numbered_events(client: TestClient) -> None:
    with client.stream("POST", "/api/chat", json={"message": "How deep?"}) as answer:
        answer.read()
    assert (answer.headers["cache-control"], answer.headers["x-accel-buffering"]) == ("no-store", "no")
    sent = streamed(client, "POST", "/api/chat", json={"message": "How deep?"})
    assert [event["event"] for event in sent] == ["message_started", "evidence", "text", "message_completed"]
    assert [event["id"] for event in sent] == ["1", "2", "3", "4"]
    first = json.loads(sent[0]["data"])
    assert (first["seq"], first["type"]) == (1, "message_started")
    assert set(first) == {"seq", "type", "messageId", "data"}
    assert data(sent[-1])["answer"].startswith("You asked: How deep?")


def test_a_client_that_comes_back_gets_what_it_missed(client: TestClient) -> None:
    conversation = conversation_of(client)
    conversation_of(client, "And how cold?", conversationId=conversation)
    url = f"/api/conversations/{conversation}/events"
    assert [event["id"] for event in streamed(client, "GET", url)] == ["1", "2", "3", "4", "5", "6", "7", "8"]
    assert [event["id"] for event in streamed(client, "GET", f"{url}?after=6")] == ["7", "8"]
    again = streamed(client, "GET", f"{url}?after=2", headers={"Last-Event-ID": "7"})
    assert [event["id"] for event in again] == ["8"]
    assert streamed(client, "GET", f"{url}?after=8") == []


def test_a_browser_that_comes_back_by_itself_is_told_when_there_is_no_more(client: TestClient) -> None:
    url = f"/api/conversations/{conversation_of(client)}/events"
    assert client.get(url, headers={"Last-Event-ID": "4"}).status_code == 204
    assert client.get(url, headers={"Last-Event-ID": "9" * 40}).status_code == 204
    for odd in (b"2", b"-1", b"two", "²".encode()):
        assert client.get(url, headers={b"Last-Event-ID": odd}).status_code == 200


def test_an_answer_without_a_conversation_is_one_json_object_or_a_stream(client: TestClient) -> None:
    answer = client.post("/api/search", json={"message": "How deep?"})
    assert answer.status_code == 200
    assert answer.json()["answer"].startswith("You asked: How deep?")
    assert events.Answer.model_validate(answer.json()).citations[0].page == 3
    sent = streamed(client, "POST", "/api/search", json={"message": "How deep?", "stream": True})
    assert [event["event"] for event in sent] == ["message_started", "evidence", "text", "message_completed"]
    assert client.get("/api/conversations").json()["conversations"] == []
    assert client.get("/api/usage").json()["totals"]["answers"] == 2


def test_an_answer_says_which_words_of_the_question_were_read_as_others(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "dam.md").write_text(DAM, encoding="utf-8")
    library = open_library(settings)
    keep(library, tmp_path / "dam.md")
    library.close()
    with TestClient(create_app(settings)) as client:
        answer = client.post("/api/search", json={"message": "Where is swiming allowed?"}).json()
    assert answer["corrected"] == [{"written": "swiming", "read": "Swimming"}]


def test_the_options_of_a_question_reach_the_turn(settings: Settings) -> None:
    asked = []

    async def noting(context: Context) -> AsyncIterator[events.Data]:
        asked.append(context.asked)
        yield events.Text(delta="Yes.")

    with TestClient(create_app(settings, answer=noting)) as client:
        document = client.post("/api/documents", files={"file": ("a.md", "# A")}).json()["id"]
        client.post("/api/personas", json={"name": "Brief", "instructions": "Be brief."})
        body = {
            "message": "How\0 deep?",
            "focusMode": "documents",
            "documents": [document[:8]],
            "library": "default",
            "userLocation": "Inverness",
            "userProfile": "A swimmer",
            "persona": "Brief",
            "strict": True,
            "chatModel": "extractive",
        }
        history = [{"question": "Which lake?", "answer": "Loch Ness."}]
        client.post("/api/search", json={**body, "history": history})
    (one,) = asked
    assert (one.question, one.focus, one.scope.documents, one.scope.library) == (
        "How  deep?",
        "documents",
        (document,),
        "default",
    )
    assert (one.location, one.profile, one.persona, one.strict) == ("Inverness", "A swimmer", "Be brief.", True)
    assert one.chat_model == "extractive"
    assert [(each.question, each.answer) for each in one.history] == [("Which lake?", "Loch Ness.")]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 422, "invalid"),
        ({"message": ""}, 422, "invalid"),
        ({"message": "   "}, 400, "misuse"),
        ({"message": "x" * 100_001}, 422, "invalid"),
        ({"message": "x", "focusMode": "moon"}, 422, "invalid"),
        ({"message": "x", "focus_mode": "all"}, 422, "invalid"),
        ({"message": "x", "conversationId": "nowhere"}, 404, "not_found"),
        ({"message": "x", "conversationId": "\0' OR 1=1"}, 404, "not_found"),
        ({"message": "x", "documents": ["nothing"]}, 404, "not_found"),
        ({"message": "x", "library": "nothing"}, 404, "not_found"),
        ({"message": "x", "persona": "nobody"}, 404, "not_found"),
        ({"message": "x", "chatModel": "no-such-provider:model"}, 400, "model"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_before_anything_is_sent(
    client: TestClient, body: dict[str, Any], status: int, code: str
) -> None:
    answer = client.post("/api/chat", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.json()["error"]["hint"]
    assert client.get("/api/conversations").json()["conversations"] == []


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"message": "   "}, "empty_question"),
        ({"message": "x", "conversationId": "nowhere"}, "conversation"),
        ({"message": "x", "documents": ["nothing"]}, "document"),
        ({"message": "x", "library": "nothing"}, "library"),
        ({"message": "x", "tags": ["nothing"]}, "tag"),
        ({"message": "x", "persona": "nobody"}, "persona"),
    ],
)
def test_a_refusal_names_its_reason_for_programs(client: TestClient, body: dict[str, Any], reason: str) -> None:
    error = client.post("/api/chat", json=body).json()["error"]
    assert error["reason"] == reason
    assert "pincite" not in error["hint"]


def test_another_owners_conversation_is_not_there(client: TestClient, settings: Settings) -> None:
    with client.app.state.library.database.writing() as connection:  # type: ignore[attr-defined]
        theirs = conversations.create(connection, "eve", "Secrets").id
        row = messages.StoredMessage("m" * 32, theirs, "eve", 0, "assistant", "Hush", "done", 0.0, 0.0)
        messages.add(connection, [row])
    url = f"/api/conversations/{theirs}"
    requests = [
        client.get(url),
        client.get(f"{url}/events"),
        client.get(f"{url}/export"),
        client.post(f"{url}/stop"),
        client.patch(url, json={"title": "Mine"}),
        client.delete(url),
        client.post("/api/chat", json={"message": "x", "conversationId": theirs}),
        client.post(f"/api/messages/{row.id}/rating", json={"value": 1}),
        client.delete(f"/api/messages/{row.id}/rating"),
    ]
    assert {answer.status_code for answer in requests} == {404}
    assert client.get("/api/conversations").json()["conversations"] == []


def test_the_stream_of_an_answer_ends_with_it_though_the_next_question_is_asked_already() -> None:
    async def next_too() -> AsyncIterator[events.Event]:
        for seq, message in ((1, "other"), (2, "mine"), (3, "other")):
            yield events.Event(seq=seq, type="message_completed", messageId=message, data={})

    async def run() -> list[int]:
        return [event.seq async for event in follow_answer(next_too(), RunningAnswer("c", "mine", 0))]

    assert asyncio.run(run()) == [1, 2]


def test_a_model_that_fails_before_it_says_anything_is_an_error_of_the_search(settings: Settings) -> None:
    async def fails(context: Context) -> AsyncIterator[events.Data]:
        raise ModelError("The model hung up.", "Try again.")
        yield

    with TestClient(create_app(settings, answer=fails)) as client:
        answer = client.post("/api/search", json={"message": "x"})
        assert answer.status_code == 502
        assert answer.json() == {"error": {"code": "model", "message": "The model hung up.", "hint": "Try again."}}
        sent = streamed(client, "POST", "/api/chat", json={"message": "x"})
        assert [event["event"] for event in sent] == ["error", "message_completed"]


def test_an_answer_that_broke_off_says_so(settings: Settings) -> None:
    async def fails(context: Context) -> AsyncIterator[events.Data]:
        yield events.Text(delta="It is")
        raise ModelError("The model hung up.", "Try again.")

    with TestClient(create_app(settings, answer=fails)) as client:
        answer = client.post("/api/search", json={"message": "x"})
    assert answer.status_code == 200
    assert answer.json()["answer"] == "It is"
    assert answer.json()["error"] == {"code": "model", "message": "The model hung up.", "hint": "Try again."}


@pytest.mark.parametrize("name", ["nope:x", "gpt-5", "openai"])
def test_a_model_that_no_name_can_mean_is_a_mistake_of_who_asks(settings: Settings, name: str) -> None:
    with TestClient(create_app(settings)) as client:
        for path in ("/api/search", "/api/chat"):
            answer = client.post(path, json={"message": "x", "chatModel": name})
            assert (answer.status_code, answer.json()["error"]["code"]) == (400, "model")


class Asking:
    """A client at the bare ASGI door, that can leave at any moment."""

    def __init__(self, app: Any, path: str, body: dict[str, Any], method: str = "POST") -> None:
        self.sent: asyncio.Queue[Message] = asyncio.Queue()
        self.gone = asyncio.Event()
        self._body: bytes | None = json.dumps(body).encode()
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(b"content-type", b"application/json")],
            "app": app,
        }
        self.task = asyncio.create_task(app(scope, self._receive, self.sent.put))

    async def _receive(self) -> Message:
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def text(self) -> str:
        while True:
            message = await self.sent.get()
            if message["type"] == "http.response.body" and message["body"] != b": open\n\n":
                return bytes(message["body"]).decode()


class Endless:
    """Says a word, then nothing for ever, until it is stopped."""

    def __init__(self) -> None:
        self.turns: list[Context] = []
        self.ended = asyncio.Event()

    async def __call__(self, context: Context) -> AsyncIterator[events.Data]:
        self.turns.append(context)
        yield events.Text(delta="Well")
        await context.stop.answer.wait()
        self.ended.set()
        yield events.Text(delta=" then")


@pytest.mark.parametrize("stream", [True, False])
def test_closing_the_connection_stops_an_answer_without_a_conversation(settings: Settings, stream: bool) -> None:
    async def run() -> None:
        endless = Endless()
        app = create_app(settings, answer=endless)
        async with app.router.lifespan_context(app):
            asking = Asking(app, "/api/search", {"message": "x", "stream": stream})
            while not endless.turns:
                await asyncio.sleep(0.01)
            asking.gone.set()
            await asyncio.wait_for(endless.ended.wait(), PATIENCE)
            await asking.task

    asyncio.run(run())


def test_closing_the_connection_does_not_stop_an_answer_in_a_conversation_and_stop_does(settings: Settings) -> None:
    async def run() -> None:
        endless = Endless()
        app = create_app(settings, answer=endless)
        async with app.router.lifespan_context(app):
            asking = Asking(app, "/api/chat", {"message": "x"})
            assert "Well" in await asking.text()
            asking.gone.set()
            await asking.task
            assert not endless.turns[0].stop.answer.is_set()
            conversation = endless.turns[0].asked.conversation
            second = Asking(app, "/api/chat", {"message": "y", "conversationId": conversation})
            assert '"busy"' in await second.text()
            stop = Asking(app, f"/api/conversations/{conversation}/stop", {})
            assert json.loads(await stop.text()) == {"stopped": True}
            assert endless.ended.is_set()
            again = Asking(app, f"/api/conversations/{conversation}/stop", {})
            assert json.loads(await again.text()) == {"stopped": False}

    asyncio.run(run())


def test_retrieval_is_stopped_alone_and_the_answer_goes_on(settings: Settings) -> None:
    async def run() -> None:
        endless = Endless()
        app = create_app(settings, answer=endless)
        async with app.router.lifespan_context(app):
            asking = Asking(app, "/api/chat", {"message": "x", "useTools": False})
            assert "Well" in await asking.text()
            (context,) = endless.turns
            assert context.asked.use_tools is False
            path = f"/api/conversations/{context.asked.conversation}/stop"
            assert json.loads(await Asking(app, path, {"retrieval": True}).text()) == {"stopped": True}
            assert context.stop.retrieval.is_set()
            assert not context.stop.answer.is_set()
            assert json.loads(await Asking(app, path, {}).text()) == {"stopped": True}
            assert json.loads(await Asking(app, path, {"retrieval": True}).text()) == {"stopped": False}

    asyncio.run(run())


def test_a_silent_stream_is_kept_open_with_comments(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "PING_SECONDS", 0.01)

    async def run() -> None:
        app = create_app(settings, answer=Endless())
        async with app.router.lifespan_context(app):
            asking = Asking(app, "/api/chat", {"message": "x"})
            found = ""
            while ": ping\n\n" not in found or "Well" not in found:
                found += await asking.text()

    asyncio.run(run())


def test_a_server_that_stops_lets_listeners_go_and_keeps_what_was_written(settings: Settings) -> None:
    async def run() -> str:
        endless = Endless()
        app = create_app(settings, answer=endless)
        async with app.router.lifespan_context(app):
            asking = Asking(app, "/api/chat", {"message": "x"})
            assert "Well" in await asking.text()
        await asyncio.wait_for(asking.task, PATIENCE)
        return endless.turns[0].asked.conversation

    conversation = asyncio.run(run())
    with TestClient(create_app(settings)) as client:
        answer = client.get(f"/api/conversations/{conversation}").json()["messages"][1]
    assert (answer["state"], answer["content"]) == ("stopped", "Well then")


async def thinking(context: Context) -> AsyncIterator[events.Data]:
    """Says something of everything a page could be told."""
    asked = context.asked
    yield events.MessageStarted(conversationId=asked.conversation, question=asked.question, model="fake", focus="all")
    yield events.Question(question="How deep is Loch Ness?", rewritten=True)
    yield events.Text(delta="Hm, let me see.")
    yield events.Thought(text="Hm, let me see.", retracted=15)
    yield events.Thought(text="", retracted=0)
    yield events.Text(delta="It is deep.")
    sentence = events.Sentence(text="It is deep.", citations=[], support="unsupported", start=0, end=11)
    yield events.Cited(index=0, sentence=sentence, citations=[])
    yield events.Navigate(document="d", page=3)
    yield events.Highlight(document="d", boxes=[])
    yield events.Usage(input_tokens=7)
    if asked.question == "Wait":
        await context.stop.answer.wait()
    yield events.Answer(
        answer="It is deep.",
        refused=False,
        question=asked.question,
        model="fake",
        sentences=[sentence],
        citations=[],
        usage=events.Usage(input_tokens=7),
    )


def test_a_page_that_comes_back_is_told_only_once_what_is_over(settings: Settings) -> None:
    with TestClient(create_app(settings, answer=thinking)) as client:
        conversation = conversation_of(client)
        conversation_of(client, "And how cold?", conversationId=conversation)
        url = f"/api/conversations/{conversation}/events"
        whole = streamed(client, "GET", url)
        brief = streamed(client, "GET", f"{url}?brief=true")
        later = streamed(client, "GET", f"{url}?brief=true&after={brief[-2]['id']}")
    kinds = ["message_started", "question", "thought", "navigate", "highlight", "message_completed"]
    assert [event["event"] for event in brief] == kinds * 2
    assert [event for event in whole if event in brief] == brief
    assert later == brief[-1:]
    assert client.get(f"{url}?brief=perhaps").status_code == 422


def test_a_page_that_comes_back_gets_the_running_answer_whole(settings: Settings) -> None:
    async def run() -> str:
        app = create_app(settings, answer=thinking)
        async with app.router.lifespan_context(app):
            first = Asking(app, "/api/chat", {"message": "How deep?"})
            await first.task
            talk, services = app.state.conversations, app.state.services
            with services.library.database.reading() as connection:
                (known,) = conversations.find(connection, "local", 10)
            second = Asking(app, "/api/chat", {"message": "Wait", "conversationId": known.id})
            while "usage" not in await second.text():
                pass
            told = ""
            async for event in talk.events("local", known.id, brief=True):
                told += f"{event.type} "
                if event.type == "usage":
                    break
            return told

    over = "message_started question thought navigate highlight message_completed "
    whole = "message_started question text thought thought text citation navigate highlight usage "
    assert asyncio.run(run()) == over + whole


def test_a_question_is_edited_and_asked_again_in_its_place(client: TestClient) -> None:
    conversation = conversation_of(client, "How deep is it?")
    conversation_of(client, "And how cold?", conversationId=conversation)
    url = f"/api/conversations/{conversation}"
    first = client.get(url).json()["messages"][1]["id"]
    edited = {"message": "How deep is Loch Ness?", "conversationId": conversation, "replaces": first}
    sent = streamed(client, "POST", "/api/chat", json=edited)
    assert [event["id"] for event in sent] == ["9", "10", "11", "12"]
    told = client.get(url).json()
    assert told["title"] == "How deep is Loch Ness?"
    assert [each["content"] for each in told["messages"] if each["role"] == "user"] == ["How deep is Loch Ness?"]
    assert len(told["messages"][0]["versions"]) == 2
    assert client.get("/api/usage").json()["totals"]["answers"] == 3
    for body, status in (
        ({"message": "x", "replaces": first}, 400),
        ({"message": "x", "conversationId": conversation, "replaces": "f" * 32}, 404),
        ({"message": "x", "conversationId": conversation, "replaces": ""}, 404),
        ({"message": "x", "conversationId": conversation, "replaces": 7}, 422),
        ({"message": "x", "conversationId": "nowhere", "replaces": told["messages"][1]["id"]}, 404),
    ):
        answer = client.post("/api/chat", json=body)
        assert answer.status_code == status
        assert answer.json()["error"]["hint"]
    assert client.get(url).json() == told


def test_a_stream_says_under_which_id_the_question_is_stored_and_what_the_answer_used(tmp_path: Path) -> None:
    _, said = openai()
    personal = {"userLocation": "Inverness", "userProfile": "I am a swimmer."}
    with wires.serving(wires.stream(said)) as wire:
        settings = load_settings(
            data=tmp_path,
            embedding={"provider": "none"},
            providers={"mine": {"url": f"{wire.url}/v1"}},
            models={"chat": "mine:m"},
        )
        with TestClient(create_app(settings)) as client:
            sent = streamed(client, "POST", "/api/chat", json={"message": "Hello!", "focusMode": "chat", **personal})
            conversation = data(sent[0])["conversationId"]
            question, answer = client.get(f"/api/conversations/{conversation}").json()["messages"]
            alone = streamed(
                client, "POST", "/api/search", json={"message": "Hi!", "focusMode": "chat", "stream": True}
            )
    assert data(sent[0])["questionId"] == question["id"]
    assert json.loads(sent[0]["data"])["messageId"] == answer["id"]
    assert question["asked"]["focus"] == "chat"
    whole = data(sent[-1])
    assert whole == answer["answer"]
    assert (whole["model"], whole["used_location"], whole["used_personalization"]) == ("mine:m", True, True)
    assert (whole["usage"]["input_tokens"], whole["usage"]["output_tokens"], whole["usage"]["requests"]) == (35, 9, 1)
    assert data(alone[0])["questionId"] == ""
    assert (data(alone[-1])["used_location"], data(alone[-1])["used_personalization"]) == (False, False)


def test_events_of_an_older_version_are_still_understood() -> None:
    old = {"conversationId": "c", "question": "How deep?", "model": "fake", "focus": "all"}
    assert events.MessageStarted.model_validate(old).questionId == ""
