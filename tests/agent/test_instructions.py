"""What a model is told fits its context, whatever was found."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.agent import instructions
from pincite.agent.context_window import count_tokens
from pincite.agent.house import House
from pincite.agent.models import Models, Roles
from pincite.agent.prompts import render
from pincite.agent.showing import one
from pincite.agent.subagents import definitions
from pincite.agent.tools import toolset
from pincite.agent.turn import Asked, Turn
from pincite.settings import load
from pincite.types import Exchange, Hit, Span
from tests.turns import open_test_house

TEXT = " ".join(f"Sentence {n} says something about the dam and the lake." for n in range(25))


def a_turn(house: House, context: int | None, history: int = 0) -> Turn:
    past = tuple(Exchange(f"Question {n} about it?", "A long answer. " * 200) for n in range(history))
    turn = house.turn(Asked(question="How high is the dam?", history=past))
    turn.models = Roles(replace(turn.models.chat, context=context))
    for n in range(40):
        turn.ledger.add(Hit(Span(f"d{n}", 0, len(TEXT)), f"Title {n}", "text", TEXT, 1 - n / 100))
    return turn


@pytest.fixture
def house(tmp_path: Path) -> House:
    return open_test_house(tmp_path, {})


@pytest.mark.parametrize("context", [4096, 8192, 32768])
def test_a_writer_is_sent_the_best_evidence_that_fits_its_context(house: House, context: int) -> None:
    turn = a_turn(house, context, history=5)
    told = instructions.writing(turn)
    assert context / 2 < count_tokens(told) <= context - 1024  # which are for the answer
    assert one(turn.ledger.listed[0]) in told
    if context < 32768:
        assert "more passages left out to fit the model's context" in told


def test_what_the_parts_found_takes_its_room_too(house: House) -> None:
    turn = a_turn(house, 8192)
    findings = "The dam is high [1.1]. " * 400
    assert count_tokens(instructions.synthesis(turn, findings, turn.ledger.listed)) < 8192 - 1024


def test_a_model_without_a_bound_is_sent_everything(house: House) -> None:
    turn = a_turn(house, None)
    told = instructions.writing(turn)
    assert all(one(each) in told for each in turn.ledger.listed)
    assert instructions.room_left(turn) is None


def test_the_conversation_leaves_a_small_model_room_for_evidence(house: House) -> None:
    turn = a_turn(house, 8192, history=10)
    said = sum(count_tokens(f"{each.question}{each.answer}") for each in instructions.history(turn))
    assert said < 8192 / 4
    room = instructions.room_left(turn)
    assert room is not None
    assert room > 1024


def test_what_was_shown_is_taken_from_the_room_that_is_left(house: House) -> None:
    turn = a_turn(house, 8192)
    before = instructions.room_left(turn)
    turn.shown.tokens += 500
    assert before is not None
    assert instructions.room_left(turn) == before - 500


def test_a_models_context_is_that_of_its_provider(tmp_path: Path) -> None:
    given = {"vllm": {"context": 8192}, "mine": {"url": "http://localhost:9/v1"}, "openai": {"key": "k"}}
    models = Models(load(data=tmp_path, providers=given), environment={})
    found = {name: models.choose(f"{name}:m").context for name in ("vllm", "mine", "ollama", "openai")}
    assert found == {"vllm": 8192, "mine": 32768, "ollama": 32768, "openai": None}


@pytest.mark.parametrize("who", [definitions.FILE_ANALYZER, definitions.DEEP_RESEARCH])
def test_a_subagent_has_the_tools_that_its_prompt_names(house: House, who: definitions.Subagent) -> None:
    known = {tool.name for tool in toolset()}
    named = set(re.findall(r"`(\w+)`", render(who.name))) & known
    assert named
    assert named <= who.tools
    assert {"calculate"} <= who.tools
