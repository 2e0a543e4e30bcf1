"""The instructions and the evidence fit the context of a model, regardless of how much was found."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.answer import instructions
from pincite.answer.context import Context
from pincite.answer.evidence_prompt import write_source
from pincite.answer.prompts import render
from pincite.answer.question import AskedQuestion
from pincite.answer.services import Services
from pincite.answer.split import subagents
from pincite.answer.tools import load_toolset
from pincite.llm.model_roles import Models, Roles
from pincite.settings import load_settings
from pincite.text.token_count import count_tokens
from pincite.types import Exchange, Hit, Span
from tests.turns import open_test_services

TEXT = " ".join(f"Sentence {n} says something about the dam and the lake." for n in range(25))


def a_turn(services: Services, size: int | None, history: int = 0) -> Context:
    past = tuple(Exchange(f"Question {n} about it?", "A long answer. " * 200) for n in range(history))
    context = services.open_context(AskedQuestion(question="How high is the dam?", history=past))
    context = replace(context, models=Roles(replace(context.models.chat, context=size)))
    for n in range(40):
        context.ledger.add(Hit(Span(f"d{n}", 0, len(TEXT)), f"Title {n}", "text", TEXT, 1 - n / 100))
    return context


@pytest.fixture
def services(tmp_path: Path) -> Services:
    return open_test_services(tmp_path, {})


@pytest.mark.parametrize("size", [4096, 8192, 32768])
def test_a_writer_is_sent_the_best_evidence_that_fits_its_context(services: Services, size: int) -> None:
    context = a_turn(services, size, history=5)
    told = instructions.write_answer_prompt(context)
    assert size / 2 < count_tokens(told) <= size - 1024  # which are for the answer
    assert write_source(context.ledger.listed[0]) in told
    if size < 32768:
        assert "more passages left out to fit the model's context" in told


def test_the_findings_of_the_parts_take_room_too(services: Services) -> None:
    context = a_turn(services, 8192)
    findings = "The dam is high [1.1]. " * 400
    assert count_tokens(instructions.write_synthesis_prompt(context, findings, context.ledger.listed)) < 8192 - 1024


def test_a_model_without_a_bound_is_sent_everything(services: Services) -> None:
    context = a_turn(services, None)
    told = instructions.write_answer_prompt(context)
    assert all(write_source(each) in told for each in context.ledger.listed)
    assert instructions.count_tokens_left(context) is None


def test_the_conversation_leaves_a_small_model_room_for_evidence(services: Services) -> None:
    context = a_turn(services, 8192, history=10)
    said = sum(count_tokens(f"{each.question}{each.answer}") for each in instructions.list_history(context))
    assert said < 8192 / 4
    room = instructions.count_tokens_left(context)
    assert room is not None
    assert room > 1024


def test_sources_already_shown_are_taken_from_the_room_left(services: Services) -> None:
    context = a_turn(services, 8192)
    before = instructions.count_tokens_left(context)
    context.agent.shown.tokens += 500
    assert before is not None
    assert instructions.count_tokens_left(context) == before - 500


def test_a_models_context_is_that_of_its_provider(tmp_path: Path) -> None:
    given = {"vllm": {"context": 8192}, "mine": {"url": "http://localhost:9/v1"}, "openai": {"key": "k"}}
    models = Models(load_settings(data=tmp_path, providers=given), environment={})
    found = {name: models.choose(f"{name}:m").context for name in ("vllm", "mine", "ollama", "openai")}
    assert found == {"vllm": 8192, "mine": 32768, "ollama": 32768, "openai": None}


@pytest.mark.parametrize("who", [subagents.FILE_ANALYZER, subagents.DEEP_RESEARCH])
def test_a_subagent_has_the_tools_that_its_prompt_names(services: Services, who: subagents.Subagent) -> None:
    known = {tool.name for tool in load_toolset()}
    named = set(re.findall(r"`(\w+)`", render(who.name))) & known
    assert named
    assert named <= who.tools
    assert {"calculate"} <= who.tools
