"""The repair of an answer: sentences that their sources do not support go back to the writer, once."""

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ValidationError

from pincite import events
from pincite.agent.prompts import render
from pincite.agent.showing import line, one
from pincite.agent.turn import Turn
from pincite.errors import PinciteError
from pincite.types import Evidence

log = logging.getLogger(__name__)

_OBJECT = re.compile(r"\A[^{]*(\{.*\})", re.DOTALL)
_EVIDENCE = 12  # sources that the writer is shown again


@dataclass(frozen=True, slots=True)
class Flawed:
    """A sentence to correct: its number in the answer, its words, the reasons against it, and the evidence it cites."""

    number: int
    text: str
    reasons: tuple[str, ...]
    cited: frozenset[int]


@dataclass(frozen=True, slots=True)
class Correction:
    """The writer's new words for a sentence, with their marks; empty words withdraw it."""

    number: int
    text: str


class _Entry(BaseModel):
    n: int
    sentence: str = ""


class _Reply(BaseModel):
    corrections: list[_Entry]


async def correct_sentences(turn: Turn, flawed: Sequence[Flawed]) -> list[Correction]:
    """The writer's corrections, in the order of the sentences; none when it fails, and the answer stays as it is."""
    from pydantic_ai import Agent
    from pydantic_ai.exceptions import AgentRunError, UserError

    prompt = render(
        "repair",
        question=turn.question or turn.asked.question,
        sentences="\n".join(_show(each) for each in flawed),
        evidence="\n\n".join(map(one, _choose_evidence(turn, flawed))),
    )
    try:
        ran = await Agent(turn.models.chat.model).run(
            prompt, usage_limits=turn.left.at_least(1).limits(), model_settings={"temperature": 0.0}
        )
    except (AgentRunError, UserError, PinciteError) as error:
        log.warning("The answer was not repaired: %s", error)
        return []
    used = ran.usage
    turn.spend(events.Usage(input_tokens=used.input_tokens, output_tokens=used.output_tokens, requests=used.requests))
    return _read_corrections(ran.output, {each.number for each in flawed})


def _read_corrections(reply: str, known: set[int]) -> list[Correction]:
    match = _OBJECT.search(reply)
    try:
        given = _Reply.model_validate_json(match[1]) if match else _Reply(corrections=[])
    except (ValidationError, json.JSONDecodeError):
        return []
    found = {entry.n: Correction(entry.n, entry.sentence.strip()) for entry in given.corrections if entry.n in known}
    return [found[number] for number in sorted(found)]


def _show(flawed: Flawed) -> str:
    against = "; ".join(flawed.reasons)
    return f"{flawed.number}. {line(flawed.text)}\n   why: {line(against)}"


def _choose_evidence(turn: Turn, flawed: Sequence[Flawed]) -> list[Evidence]:
    """The sources that the sentences cite, then the first of the others."""
    cited = frozenset().union(*(each.cited for each in flawed))
    return sorted(turn.ledger.listed, key=lambda each: each.number not in cited)[:_EVIDENCE]
