"""Without a model a question is worked on as with one: the same events and limits, and it can be stopped."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pincite import events
from pincite.answer.pipeline import stream_answer
from pincite.answer.question import AskedQuestion
from pincite.answer.services import Services
from pincite.llm.model_roles import Models
from tests.clock import PATIENCE
from tests.turns import DAM, ask, final, of_type, open_test_services

LEASE = "# The lease\n\nThe rent of the boat house is 812 euros a month. The lease ends in 2041.\n"


def open_quoting(tmp_path: Path, **given: Any) -> Services:
    services = open_test_services(tmp_path, {"dam.md": DAM, "lease.md": LEASE}, **given)
    services.models = Models(services.settings)
    return services


def test_calls_are_told_when_they_begin_and_when_they_end_and_are_counted(tmp_path: Path) -> None:
    said = ask(open_quoting(tmp_path), "How high is the dam?")
    kinds = [type(each) for each in said]
    (call,) = of_type(said, events.ToolCallStarted)
    (success,) = of_type(said, events.ToolCallSuccess)
    assert call.name == "search_documents"
    assert success.toolCallId == call.toolCallId
    assert (
        kinds.index(events.ToolCallStarted)
        < kinds.index(events.EvidenceFound)
        < kinds.index(events.ToolCallSuccess)
        < kinds.index(events.Text)
    )
    used = of_type(said, events.Usage)[-1]
    assert (used.requests, used.tool_calls) == (2, 1)


@pytest.mark.parametrize(
    ("limits", "told"), [({"requests": 1}, "used up its requests"), ({"tool_calls": 1}, "used up its tool calls")]
)
def test_a_question_that_may_cost_no_more_says_which_setting_to_raise(
    tmp_path: Path, limits: dict[str, int], told: str
) -> None:
    services = open_quoting(tmp_path, models=limits, research={"subagents": False})
    (fault,) = of_type(ask(services, "Compare the dam and the lease"), events.Fault)
    assert fault.code == "limit"
    assert told in fault.message
    assert f"models.{next(iter(limits))}" in fault.hint


def test_a_call_that_fails_is_told_and_ends_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("a fault of ours")

    monkeypatch.setattr("pincite.answer.tools.library_tools.search_passages", broken)
    said = ask(open_quoting(tmp_path), "How high is the dam?")
    (error,) = of_type(said, events.ToolCallError)
    assert "failed inside" in error.error
    assert not of_type(said, events.Fault)
    assert final(said).refused
    assert of_type(said, events.Usage)[-1].tool_calls == 0


def test_a_question_that_is_stopped_while_it_searches_ends_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = open_quoting(tmp_path)
    context = services.open_context(AskedQuestion(question="How high is the dam?"))
    is_cancelled = False

    async def endless(*_: object, **__: object) -> None:
        nonlocal is_cancelled
        context.stop.stop_answer()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            is_cancelled = True
            raise

    monkeypatch.setattr("pincite.answer.tools.library_tools.return_evidence", endless)

    async def asked() -> list[events.Data]:
        return [data async for data in stream_answer(context)]

    assert final(asyncio.run(asyncio.wait_for(asked(), PATIENCE))).stopped
    assert is_cancelled
