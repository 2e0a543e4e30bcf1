"""A turn to what its model is told: the rules, the persona, the person, the conversation so far, the evidence."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.agent import history as past
from pincite.agent.prompts import render
from pincite.agent.showing import one
from pincite.agent.turn import Turn
from pincite.types import Evidence, Exchange

if TYPE_CHECKING:
    from pydantic_ai.settings import ModelSettings

_SUMMARY = 400  # tokens of the conversation for a model that is given the evidence


def research(turn: Turn) -> str:
    """For a model with tools. It is never told who asks: what it knows, it could send anywhere."""
    return render("chat", viewer="", persona=_persona(turn), personalisation=_place(turn))


def task(turn: Turn, name: str) -> str:
    """For a subagent: the rules of every model with tools, and what it is there for."""
    return f"{research(turn)}\n\n{render(name)}"


def writing(turn: Turn, evidence: Sequence[Evidence] | None = None) -> str:
    """For a model without tools, with the evidence it may use: all there is, or this."""
    return render(
        "chat_without_tools",
        viewer=render("viewer"),
        persona=_persona(turn),
        personalisation=_person(turn),
        summary=past.summary(turn.asked.history, _SUMMARY),
        evidence="\n\n".join(map(one, turn.ledger.listed if evidence is None else evidence)) or "(nothing was found)",
    )


def synthesis(turn: Turn, findings: str, evidence: Sequence[Evidence]) -> str:
    """For who makes one answer of what several found: how a writer answers, and what they said."""
    return f"{writing(turn, evidence)}\n\n{render('content_synthesizer', findings=findings)}"


def conversation(turn: Turn) -> str:
    """For an answer that needs no sources."""
    return render("conversation", persona=_persona(turn), personalisation=_person(turn), summary="")


def history(turn: Turn) -> tuple[Exchange, ...]:
    """What a model is shown of the conversation, as messages."""
    settings = turn.house.settings.answers
    return past.recent(turn.asked.history, settings.history_tokens, settings.history_exchanges)


def model_settings(turn: Turn) -> "ModelSettings":
    """How freely a model writes, and how much at most."""
    settings = turn.house.settings.models
    found: ModelSettings = {}
    if settings.temperature is not None:
        found["temperature"] = settings.temperature
    if settings.answer_tokens:
        found["max_tokens"] = settings.answer_tokens
    return found


def _persona(turn: Turn) -> str:
    return render("persona", persona=turn.asked.persona) if turn.asked.persona.strip() else ""


def _place(turn: Turn) -> str:
    turn.used_location = bool(turn.asked.location.strip()) and turn.writes
    return render("location", location=turn.asked.location) if turn.asked.location.strip() else ""


def _person(turn: Turn) -> str:
    """What the writer is told of the person: the one place where About Me is read."""
    turn.used_profile = bool(turn.asked.profile.strip()) and turn.writes
    if not turn.used_profile:
        return _place(turn)
    turn.used_location = bool(turn.asked.location.strip())
    return render("personalisation", location=turn.asked.location, profile=turn.asked.profile)
