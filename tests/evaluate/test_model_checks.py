"""A model is tried as a judge, and the result says what is known about it."""

import asyncio

from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from pincite.evaluate.model_checks import try_judge
from pincite.llm.model_roles import ChosenModel
from tests.clock import PATIENCE


async def answer_at_length(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
    await asyncio.sleep(PATIENCE)
    return ModelResponse(parts=[TextPart("{}")])


async def answer_nonsense(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
    return ModelResponse(parts=[TextPart("I am a judge.")])


async def refuse(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
    raise ModelHTTPError(429, "test", "slow down")


def test_a_provider_that_refuses_the_request_says_nothing_about_the_judge() -> None:
    trial = asyncio.run(try_judge(ChosenModel("test:busy", FunctionModel(refuse))))
    assert (trial.outcome, trial.ability) == ("failed", None)


def test_a_judge_that_is_too_slow_is_called_so_and_nothing_is_known_about_its_verdicts() -> None:
    trial = asyncio.run(try_judge(ChosenModel("test:slow", FunctionModel(answer_at_length)), seconds=0.05))
    assert (trial.outcome, trial.ability) == ("failed", None)
    assert "within 0.05 seconds" in trial.detail
    assert "smaller" in trial.hint


def test_a_judge_whose_reply_has_no_verdict_cannot_judge() -> None:
    trial = asyncio.run(try_judge(ChosenModel("test:odd", FunctionModel(answer_nonsense))))
    assert (trial.outcome, trial.ability, trial.right) == ("missing", False, 0)
