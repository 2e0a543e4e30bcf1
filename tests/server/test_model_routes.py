"""Whether a model answers, over HTTP and a real wire."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite.server import create_app
from pincite.server import model_routes as room
from pincite.settings import load_settings
from tests import wires

SECRET = "sk-never-to-be-seen"
READY = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "ready"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10},
}


@contextmanager
def opened(folder: Path, **settings: Any) -> Iterator[TestClient]:
    """A client of a server with these models."""
    with TestClient(create_app(load_settings(data=folder, embedding={"provider": "none"}, **settings))) as client:
        yield client


def tried(client: TestClient, model: str) -> dict[str, Any]:
    answer = client.post("/api/models/test", json={"model": model})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    assert set(told) == {"model", "ok", "detail", "hint", "seconds"}
    assert SECRET not in answer.text
    assert told["ok"] or told["hint"]
    return told


def test_a_model_that_is_tried_is_really_asked(tmp_path: Path) -> None:
    with (
        wires.serving(wires.reply(200, READY)) as wire,
        opened(tmp_path, providers={"mine": {"url": wire.url, "key": SECRET}}) as client,
    ):
        told = tried(client, " Mine:m ")
    assert (told["model"], told["ok"], told["hint"]) == ("mine:m", True, "")
    assert "answered with 1 tokens" in told["detail"]
    assert SECRET in wire.asked[0].headers["authorization"]


@pytest.mark.parametrize(
    ("status", "said", "detail"),
    [
        (401, {"error": {"message": f"bad key {SECRET}"}}, "does not accept the key"),
        (404, {"error": {"message": "no such model"}}, "does not have the model"),
        (429, {"error": {"message": f"slow down {SECRET}"}}, "limits how much"),
        (500, {"error": f"oh {SECRET}"}, "is in trouble"),
        (200, {"nonsense": True}, "model mine:m"),
        (200, [SECRET], "model mine:m"),
    ],
)
def test_a_model_that_does_not_answer_is_told_with_what_to_do_and_without_its_key(
    tmp_path: Path, status: int, said: Any, detail: str
) -> None:
    with (
        wires.serving(wires.reply(status, said)) as wire,
        opened(tmp_path, providers={"mine": {"url": wire.url, "key": SECRET}}) as client,
    ):
        told = tried(client, "mine:m")
    assert not told["ok"]
    assert detail in told["detail"]


@pytest.mark.parametrize(
    "name", ["nope:x", "gpt-5", "openai", "openai:gpt-5", ":", "mine:", ":m", "mine:m\0\ud800x", "   x:y:z", "☃:☃"]
)
def test_a_name_that_means_no_model_is_told_and_no_error(tmp_path: Path, name: str) -> None:
    with opened(tmp_path, providers={"mine": {"url": "http://127.0.0.1:9", "key": SECRET}}) as client:
        body = json.dumps({"model": name})  # also what no client could encode
        answer = client.post("/api/models/test", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == 200, answer.text
        assert not answer.json()["ok"]
        assert answer.json()["hint"]


def test_a_model_that_says_nothing_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_PATIENCE", 0.2)
    with wires.serving() as wire, opened(tmp_path, providers={"mine": {"url": wire.url}}) as client:
        wire.answers.append(wires.silence(wire))
        told = tried(client, "mine:m")
    assert not told["ok"]
    assert "within 0.2 seconds" in told["detail"]


def test_a_model_at_an_address_where_nobody_is_is_told(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
        with opened(tmp_path, providers={"mine": {"url": url}}) as client:
            told = tried(client, "mine:m")
    assert not told["ok"]
    assert "Is the server running" in told["hint"]


def test_quoting_the_documents_is_always_well(tmp_path: Path) -> None:
    with opened(tmp_path) as client:
        assert tried(client, "extractive")["ok"]


@pytest.mark.parametrize("body", [{}, {"model": ""}, {"model": 3}, {"model": "x" * 301}, {"name": "extractive"}, []])
def test_a_name_of_no_model_is_refused(tmp_path: Path, body: Any) -> None:
    with opened(tmp_path) as client:
        answer = client.post("/api/models/test", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid")


@pytest.mark.parametrize("url", ["http://[", "http://☃.example:1", "http://a:99999/v1", "http://x y/"])
def test_an_address_in_the_settings_that_is_none_is_told_and_no_fault(tmp_path: Path, url: str) -> None:
    with opened(tmp_path, providers={"mine": {"url": url}}, models={"chat": "mine:m"}) as client:
        assert not tried(client, "mine:m")["ok"]
        _, mine = client.get("/api/models").json()
    assert not mine["reachable"]
    assert "providers.mine.url" in mine["hint"]
