"""The list of models has those that are configured and reachable, and never a key."""

import asyncio
import json
import socket
from dataclasses import asdict
from typing import Any

import pytest
from tests import wires
from tests.llm.test_model_roles import models
from tests.llm.test_providers import KEY

from pincite.llm import list_models
from pincite.llm.model_roles import Models, ModelStatus


def listed(found: Models) -> list[ModelStatus]:
    return asyncio.run(found.list())


def offering(*names: str) -> wires.Respond:
    return wires.reply(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in names]})


def test_a_provider_not_configured_is_not_listed_and_not_asked() -> None:
    (only,) = listed(models())
    assert (only.name, only.roles, only.reachable) == ("extractive", ("chat",), True)


def test_models_of_a_provider_are_listed_with_what_they_are_used_for() -> None:
    with wires.serving(offering("writer-large", "writer-small", "text-embedding-3")) as wire:
        found = listed(
            models(
                providers={"mine": {"url": f"{wire.url}/v1", "key": KEY}}, chat="mine:writer-large", system="mine:other"
            )
        )
    assert [(each.name, each.roles) for each in found] == [
        ("extractive", ()),
        ("mine:writer-large", ("chat",)),
        ("mine:other", ("system",)),
        ("mine:writer-small", ()),
    ]
    assert all(each.reachable for each in found)
    assert found[2].detail == "not in its list"
    assert [(request.path, request.headers["authorization"]) for request in wire.asked] == [
        ("/v1/models", f"Bearer {KEY}")
    ]
    assert KEY not in json.dumps([asdict(each) for each in found])


@pytest.mark.parametrize(
    ("name", "body", "path", "header"),
    [
        ("anthropic", {"data": [{"id": "m", "type": "model"}]}, "/v1/models?limit=100", "authorization"),
        ("google", {"models": [{"name": "models/m"}]}, "/v1/models?pageSize=200", "x-goog-api-key"),
        ("mistral", {"object": "list", "data": [{"id": "m"}]}, "/v1/models", "authorization"),
        ("groq", {"object": "list", "data": [{"id": "m"}]}, "/openai/v1/models", "authorization"),
    ],
)
def test_each_provider_is_asked_for_its_list_in_its_own_way(name: str, body: Any, path: str, header: str) -> None:
    with wires.serving(wires.reply(200, body)) as wire:
        found = listed(models(providers={name: {"url": wire.url, "key": KEY}}))
    assert [each.name for each in found] == ["extractive", f"{name}:m"]
    (request,) = wire.asked
    assert request.path == path
    assert KEY in request.headers[header]


def test_a_provider_that_is_not_there_is_listed_with_what_to_do_and_holds_up_nobody() -> None:
    with socket.socket() as closed, wires.serving(offering("here")) as wire:
        closed.bind(("127.0.0.1", 0))
        gone = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
        found = listed(
            models(
                providers={"gone": {"url": gone}, "mine": {"url": f"{wire.url}/v1"}, "openai": {}}, chat="gone:writer"
            )
        )
    by_name = {each.name: each for each in found}
    assert set(by_name) == {"extractive", "gone:writer", "mine:here", "openai"}
    assert not by_name["gone:writer"].reachable
    assert by_name["gone:writer"].roles == ("chat", "system")
    assert "Is the server running" in by_name["gone:writer"].hint
    assert not by_name["openai"].reachable
    assert "OPENAI_API_KEY" in by_name["openai"].hint


@pytest.mark.parametrize("body", ["words", [1, 2], {"data": "none"}, {"data": [{"id": 3}, "x"]}, {}])
def test_a_list_that_is_none_is_no_reason_to_fail(body: Any) -> None:
    with wires.serving(wires.reply(200, body)) as wire:
        found = listed(models(providers={"mine": {"url": wire.url}}))
    assert [(each.name, each.detail) for each in found[1:]] == [("mine", "has no models")]


def test_a_page_where_a_list_should_be_is_no_reason_to_fail() -> None:
    with wires.serving(wires.stream(["<html>Please log in.</html>"])) as wire:
        found = listed(models(providers={"mine": {"url": wire.url}}))
    assert [(each.name, each.detail) for each in found[1:]] == [("mine", "has no models")]


def test_a_provider_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_models, "_PATIENCE", 0.1)
    with wires.serving() as wire:
        wire.answers.append(wires.silence(wire))
        found = listed(models(providers={"mine": {"url": wire.url}}))
    assert not found[1].reachable
    assert "did not list its models" in found[1].detail


def test_a_provider_that_keeps_no_list_is_there_all_the_same() -> None:
    with wires.serving(wires.reply(404, {"detail": "Not Found"})) as wire:
        found = listed(models(providers={"mine": {"url": wire.url}}, chat="mine:writer"))
    assert [(each.name, each.reachable) for each in found] == [("extractive", True), ("mine:writer", True)]


def test_a_list_that_is_refused_says_why_without_the_key() -> None:
    with wires.serving(wires.reply(401, {"error": {"message": f"bad key {KEY}"}})) as wire:
        found = listed(models(providers={"mine": {"url": wire.url, "key": KEY}}))
    assert not found[1].reachable
    assert "does not accept the key" in found[1].detail
    assert KEY not in str(found)


def test_a_provider_that_only_drips_is_not_waited_for_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_models, "_PATIENCE", 0.2)
    with wires.serving() as wire:
        wire.answers.append(wires.silence(wire, " "))
        found = listed(models(providers={"mine": {"url": wire.url}}))
    assert not found[1].reachable
    assert "did not list its models" in found[1].detail
