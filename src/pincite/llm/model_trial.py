"""Try with real requests whether a model streams its answer and whether it calls tools."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import anyio

from pincite.errors import ModelError, PinciteError
from pincite.llm.model_errors import explain_error
from pincite.llm.model_roles import ChosenModel

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse

Check = Literal["streaming", "tools", "judge"]
Outcome = Literal["works", "partly", "missing", "failed"]

_SECONDS: dict[Check, float] = {"streaming": 60.0, "tools": 30.0, "judge": 45.0}  # the first may load the model
_TOKENS = 2000  # a model that thinks first needs room
_UNCERTAIN = ("unreachable", "late", "limit")  # failures that say nothing about what a model can do


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of one check of a model.

    `works`: it can do it. `partly`: it does it badly. `missing`: it cannot. `failed`: it gave no answer, and nothing is
    known. `right` and `total` count the sentences of the judge's trial.
    """

    model: str
    check: Check
    outcome: Outcome
    detail: str
    hint: str = ""
    seconds: float = 0.0
    right: int = 0
    total: int = 0
    error: PinciteError | None = None  # of a failed check

    @property
    def ability(self) -> bool | None:
        """Whether the model can do it; None if that is not known."""
        return None if self.outcome == "failed" else self.outcome == "works"


def get_patience(check: Check) -> float:
    """Return the longest time of a check in seconds."""
    return _SECONDS[check]


async def try_streaming(chosen: ChosenModel, seconds: float = _SECONDS["streaming"]) -> Trial:
    """Ask for a short text, and count the pieces in which it arrives."""
    from pydantic_ai.direct import model_request_stream
    from pydantic_ai.exceptions import AgentRunError, UserError
    from pydantic_ai.messages import ModelRequest, PartDeltaEvent, PartStartEvent

    assert chosen.model
    begun, pieces, first = time.monotonic(), 0, 0.0
    prompt = [ModelRequest.user_text_prompt("Write the numbers from one to twenty in words, separated by commas.")]
    try:
        with anyio.fail_after(seconds):
            async with model_request_stream(
                chosen.model, prompt, model_settings={"max_tokens": _TOKENS, "request_timeout": seconds}
            ) as stream:
                async for event in stream:
                    if isinstance(event, PartStartEvent | PartDeltaEvent):
                        first = first or time.monotonic() - begun
                        pieces += 1
    except TimeoutError:
        return make_late_trial(chosen.name, "streaming", seconds)
    except (AgentRunError, UserError, PinciteError) as error:
        return _make_failed(chosen.name, "streaming", error, begun)
    took = round(time.monotonic() - begun, 2)
    if pieces == 0:
        told = ModelError("It answered without a word.", "Try another model.", "empty", params={"model": chosen.name})
        return make_failed_trial(chosen.name, "streaming", told, took)
    if pieces < 3:
        return Trial(chosen.name, "streaming", "missing", "The answer came in one piece.", "", took)
    return Trial(chosen.name, "streaming", "works", f"The first words came after {first:.1f} s.", "", took)


async def try_tools(chosen: ChosenModel, seconds: float = _SECONDS["tools"]) -> Trial:
    """Offer a search tool with a question that needs it, and see whether the model calls it."""
    from pydantic_ai.exceptions import AgentRunError, UserError

    begun = time.monotonic()
    try:
        with anyio.fail_after(seconds):
            response = await _ask_with_tool(chosen, seconds)
    except TimeoutError:
        return make_late_trial(chosen.name, "tools", seconds)
    except (AgentRunError, UserError, PinciteError) as error:
        told = explain_error(error, model=chosen.name)
        is_uncertain = not isinstance(told, ModelError) or told.failure in _UNCERTAIN
        # A provider may refuse the key or the model, not the tools: the same request without tools shows which.
        if is_uncertain or not await _answers_without_tools(chosen, seconds):
            return _make_failed(chosen.name, "tools", told, begun)
        took = round(time.monotonic() - begun, 2)
        return Trial(chosen.name, "tools", "missing", told.message, "", took)
    took = round(time.monotonic() - begun, 2)
    calls = response.tool_calls
    if not calls and response.finish_reason == "length":
        detail = "It thought for so long that no room was left for an answer."
        cut = ModelError(detail, "Try it again.", "length", params={"model": chosen.name})
        return make_failed_trial(chosen.name, "tools", cut, took)
    if not calls:
        return Trial(chosen.name, "tools", "missing", "It answered without calling the search.", "", took)
    words = " ".join(str(value) for value in calls[0].args_as_dict(raise_if_invalid=False).values())
    if calls[0].tool_name != "search" or not words.strip():
        return Trial(chosen.name, "tools", "missing", "It called the search without words.", "", took)
    return Trial(chosen.name, "tools", "works", "It called the search.", "", took)


async def _answers_without_tools(chosen: ChosenModel, seconds: float) -> bool:
    from pydantic_ai.direct import model_request
    from pydantic_ai.exceptions import AgentRunError, UserError
    from pydantic_ai.messages import ModelRequest

    assert chosen.model
    try:
        with anyio.fail_after(seconds):
            await model_request(
                chosen.model,
                [ModelRequest.user_text_prompt("Answer with the one word: ready")],
                model_settings={"max_tokens": _TOKENS, "request_timeout": seconds},
            )
    except (TimeoutError, AgentRunError, UserError, PinciteError):
        return False
    return True


async def _ask_with_tool(chosen: ChosenModel, seconds: float) -> "ModelResponse":
    from pydantic_ai.direct import model_request
    from pydantic_ai.messages import ModelRequest
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition

    assert chosen.model
    search = ToolDefinition(
        name="search",
        description="Search the documents of the user.",
        parameters_json_schema={
            "type": "object",
            "properties": {"query": {"type": "string", "description": "Words to search for."}},
            "required": ["query"],
        },
    )
    return await model_request(
        chosen.model,
        [ModelRequest.user_text_prompt("Call the tool `search` to find the height of the dam in my documents.")],
        model_settings={"max_tokens": _TOKENS, "request_timeout": seconds},
        model_request_parameters=ModelRequestParameters(function_tools=[search]),
    )


def make_failed_trial(model: str, check: Check, error: PinciteError, seconds: float = 0.0) -> Trial:
    """Return the result for a model that gave no answer."""
    return Trial(model, check, "failed", error.message, error.hint, seconds, error=error)


def make_late_trial(model: str, check: Check, seconds: float) -> Trial:
    """Return the result for a model that took too long."""
    error = ModelError(
        f"The model did not answer within {seconds:g} seconds.",
        "It may still be loading: try it again in a moment. If it is too slow on this machine, choose a smaller one.",
        "late",
        params={"model": model},
    )
    return make_failed_trial(model, check, error, seconds)


def _make_failed(model: str, check: Check, error: Exception, begun: float) -> Trial:
    return make_failed_trial(model, check, explain_error(error, model=model), round(time.monotonic() - begun, 2))
