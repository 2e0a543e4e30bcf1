"""Which models a question gets, by which names, and what it may cost."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests import wires
from tests.answer import streams
from tests.llm.test_providers import KEY, context

from pincite.answer.budget import Budget
from pincite.errors import Misuse, ModelError
from pincite.llm.model_roles import Models, ModelStatus
from pincite.llm.providers import PROVIDER_DEFAULTS
from pincite.settings import load_settings

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
    return Models(load_settings(models=settings, providers=providers or {}), environment or {})


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


def test_a_model_named_with_a_question_wins() -> None:
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
    patterns = (*load_settings().models.without_tools, "*:gemma2*")
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
        turned = asyncio.run(context(models(environment), "chocolatine:chocolatine-14b"))
    assert tuple(turned.pieces) == streams.ANSWER
    (request,) = wire.asked
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer chocolat"


def test_a_key_of_one_provider_is_never_sent_to_another() -> None:
    with wires.serving(wires.stream(streams.openai()[1])) as wire:
        asyncio.run(context(models(KEYS, {"mine": {"url": f"{wire.url}/v1"}}), "mine:model"))
    assert KEY not in str(wire.asked)


def test_the_settings_of_a_question_go_with_it() -> None:
    with wires.serving(wires.stream(streams.openai()[1])) as wire:
        found = models(providers={"mine": {"url": f"{wire.url}/v1"}}, temperature=0.3, answer_tokens=77)
        asyncio.run(context(found, "mine:model"))
    body = wire.asked[0].body
    assert (body["temperature"], body.get("max_completion_tokens") or body.get("max_tokens")) == (0.3, 77)


def test_a_question_has_limits() -> None:
    most = Budget.of(load_settings(models={"requests": 3, "tool_calls": 4, "tokens": 500}).models).limits()
    assert (most.request_limit, most.tool_calls_limit, most.total_tokens_limit) == (3, 4, 500)


def test_a_model_is_tried_with_one_cheap_call() -> None:
    answer = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "ready"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10},
    }

    async def tried(found: Models) -> ModelStatus:
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


@pytest.mark.parametrize("name", PROVIDER_DEFAULTS)
def test_every_provider_we_know_is_documented_with_its_variables(name: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith(f"| `{name}`")]
    assert all(variable in row for variable in (*PROVIDER_DEFAULTS[name].keys, *PROVIDER_DEFAULTS[name].urls))


@pytest.mark.parametrize("name", ["openrouter:mistral-small", "openrouter:/mistral-small", "openrouter:mistralai/"])
def test_a_model_of_openrouter_without_its_vendor_is_a_clear_error(name: str) -> None:
    with pytest.raises(Misuse, match="does not say which vendor") as caught:
        models(KEYS).roles(name)
    assert "`openrouter:vendor/model`" in caught.value.hint
