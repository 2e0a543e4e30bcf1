"""Which models a question gets, and what people are told of those there are."""

import asyncio
import json
import socket
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.models.test import TestModel

from pincite.agent import reach
from pincite.agent.models import Listed, Models, limits
from pincite.agent.providers import KNOWN
from pincite.errors import ModelError
from pincite.settings import load
from tests import wires
from tests.agent import streams
from tests.agent.test_providers import KEY, turn

KEYS = {
    "OPENAI_API_KEY": KEY,
    "ANTHROPIC_API_KEY": KEY,
    "MISTRAL_API_KEY": KEY,
    "GEMINI_API_KEY": KEY,
    "GROQ_API_KEY": KEY,
    "DEEPSEEK_API_KEY": KEY,
    "OPENROUTER_API_KEY": KEY,
}


def models(
    environment: dict[str, str] | None = None, providers: dict[str, Any] | None = None, **settings: Any
) -> Models:
    return Models(load(models=settings, providers=providers or {}), TestModel, environment or {})


def listed(found: Models) -> list[Listed]:
    return asyncio.run(found.list())


def offering(*names: str) -> wires.Respond:
    return wires.reply(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in names]})


def test_without_any_setting_the_documents_are_quoted() -> None:
    roles = models(KEYS).roles()
    assert (roles.chat.name, roles.chat.tools, roles.chat.local) == ("extractive", True, True)
    assert roles.system is None


def test_the_small_work_follows_the_answer_unless_it_is_set() -> None:
    roles = models(KEYS, chat="openai:gpt-4.1").roles()
    assert roles.system is roles.chat
    both = models(KEYS, chat="openai:gpt-4.1", system="groq:llama-3.1-8b-instant").roles()
    assert both.system
    assert (both.chat.name, both.system.name) == ("openai:gpt-4.1", "groq:llama-3.1-8b-instant")


def test_what_is_named_with_a_question_wins() -> None:
    found = models(KEYS, chat="openai:gpt-4.1", system="groq:llama-3.1-8b-instant")
    roles = found.roles("anthropic:claude-sonnet-5-5")
    assert roles.system
    assert (roles.chat.name, roles.system.name) == ("anthropic:claude-sonnet-5-5", "groq:llama-3.1-8b-instant")
    assert found.roles("extractive", "extractive").system is None
    assert found.roles(system="extractive").chat.name == "openai:gpt-4.1"


def test_a_system_model_may_help_where_the_documents_are_quoted() -> None:
    roles = models(KEYS, system="mistral:mistral-small-latest").roles()
    assert roles.chat.name == "extractive"
    assert roles.system
    assert roles.system.name == "mistral:mistral-small-latest"


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("gemini:gemini-2.5-flash", "google:gemini-2.5-flash"),
        ("Claude:claude-sonnet-5-5", "anthropic:claude-sonnet-5-5"),
        (" OpenAI : gpt-4.1 ", "openai:gpt-4.1"),
        ("ollama:qwen3:8b", "ollama:qwen3:8b"),
        ("openrouter:mistralai/mistral-small:free", "openrouter:mistralai/mistral-small:free"),
        ("Extractive", "extractive"),
    ],
)
def test_a_name_may_be_written_in_more_ways_than_one(written: str, name: str) -> None:
    assert models(KEYS).roles(written).chat.name == name


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("openai:gpt-5", "no key for the provider `openai`", "OPENAI_API_KEY or providers.openai.key"),
        ("gemini:gemini-2.5-flash", "no key", "GEMINI_API_KEY or GOOGLE_API_KEY or providers.google.key"),
        ("chocolatine:chocolatine-14b", "not said where", "CHOCOLATINE_API_URL, or providers.chocolatine.url"),
        ("opnai:gpt-5", "no provider `opnai`", "Did you mean `openai`?"),
        ("nowhere:gpt-5", "no provider `nowhere`", "ollama"),
        ("nowhere:gpt-5", "no provider `nowhere`", "providers.nowhere.url"),
        ("gpt-5", "does not say which provider", "`openai:gpt-5`"),
        ("mistral", "names a provider and no model", "`mistral:its-model`"),
        ("mistral:", "names a provider and no model", "`mistral:its-model`"),
    ],
)
def test_a_model_that_cannot_be_had_says_what_to_do(name: str, message: str, hint: str) -> None:
    with pytest.raises(ModelError) as caught:
        models().roles(name)
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_a_company_gets_a_key_but_a_gateway_next_door_may_do_without() -> None:
    with pytest.raises(ModelError, match="no key"):
        models(providers={"openai": {"url": "https://proxy.example.org/v1"}}).roles("openai:gpt-4.1")
    assert models(providers={"openai": {"url": "http://localhost:4000/v1"}}).roles("openai:gpt-4.1").chat.local


@pytest.mark.parametrize(
    ("name", "tools"),
    [
        ("vllm:jpacifico/Chocolatine-2-14B-Instruct", False),
        ("chocolatine:anything", False),
        ("llamacpp:SmolLM2-135M-Instruct", False),
        ("ollama:gemma2:2b", False),
        ("ollama:qwen3", True),
        ("openai:gpt-4.1", True),
    ],
)
def test_models_that_cannot_call_tools_are_known_by_patterns(name: str, tools: bool) -> None:
    environment = KEYS | {"CHOCOLATINE_API_URL": "http://localhost:8000/v1"}
    patterns = (*load().models.without_tools, "*:gemma2*")
    assert models(environment, without_tools=patterns).roles(name).chat.tools is tools


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:8000/v1", True),
        ("http://127.0.0.1:8000/v1", True),
        ("http://10.0.0.7/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://models.internal/v1", True),
        ("http://vllm:8000/v1", True),
        ("https://models.example.org/v1", False),
        ("http://8.8.8.8/v1", False),
    ],
)
def test_it_is_known_whether_what_is_asked_leaves_the_house(url: str, local: bool) -> None:
    assert models(providers={"mine": {"url": url}}).roles("mine:model").chat.local is local


def test_chocolatine_is_asked_where_its_variable_says() -> None:
    with wires.serving(wires.stream(streams.vllm()[1])) as wire:
        environment = {"CHOCOLATINE_API_URL": f"{wire.url}/v1/", "CHOCOLATINE_API_KEY": "chocolat"}
        turned = asyncio.run(turn(models(environment), "chocolatine:chocolatine-14b"))
    assert tuple(turned.pieces) == streams.ANSWER
    (request,) = wire.asked
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer chocolat"


def test_a_key_of_one_provider_is_never_sent_to_another() -> None:
    with wires.serving(wires.stream(streams.openai()[1])) as wire:
        asyncio.run(turn(models(KEYS, {"mine": {"url": f"{wire.url}/v1"}}), "mine:model"))
    assert KEY not in str(wire.asked)


def test_the_settings_of_a_question_go_with_it() -> None:
    with wires.serving(wires.stream(streams.openai()[1])) as wire:
        found = models(providers={"mine": {"url": f"{wire.url}/v1"}}, temperature=0.3, answer_tokens=77)
        asyncio.run(turn(found, "mine:model"))
    body = wire.asked[0].body
    assert (body["temperature"], body.get("max_completion_tokens") or body.get("max_tokens")) == (0.3, 77)


def test_a_question_has_limits() -> None:
    most = limits(load(models={"requests": 3, "tool_calls": 4, "tokens": 500}).models)
    assert (most.request_limit, most.tool_calls_limit, most.total_tokens_limit) == (3, 4, 500)


def test_what_is_not_configured_is_not_listed_and_not_asked() -> None:
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
    monkeypatch.setattr(reach, "_PATIENCE", 0.1)
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


def test_a_model_is_tried_with_one_cheap_call() -> None:
    answer = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "ready"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10},
    }

    async def tried(found: Models) -> Listed:
        try:
            return await found.test("mine:m")
        finally:
            await found.close()

    with wires.serving(wires.reply(200, answer)) as wire:
        result = asyncio.run(tried(models(providers={"mine": {"url": wire.url}})))
    assert result.reachable
    assert len(wire.asked) == 1
    body = wire.asked[0].body
    assert (body.get("max_completion_tokens") or body.get("max_tokens")) == 16


def test_trying_a_model_that_fails_says_what_to_do() -> None:
    result = asyncio.run(models(chat="openai:gpt-5").test())
    assert (result.name, result.roles, result.reachable) == ("openai:gpt-5", ("chat", "system"), False)
    assert "OPENAI_API_KEY" in result.hint


def test_quoting_the_documents_is_always_well() -> None:
    result = asyncio.run(models().test())
    assert (result.name, result.reachable) == ("extractive", True)


@pytest.mark.parametrize("name", KNOWN)
def test_every_provider_we_know_is_documented_with_its_variables(name: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith(f"| `{name}`")]
    assert all(variable in row for variable in (*KNOWN[name].keys, *KNOWN[name].urls))
