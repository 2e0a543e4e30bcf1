"""A turn to what its model is told: the rules, the persona, the person, the conversation so far, the evidence."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.agent import history as past
from pincite.agent.context_window import evidence_room
from pincite.agent.prompts import render
from pincite.agent.showing import list_evidence, told_left_out
from pincite.agent.turn import Turn
from pincite.types import Evidence, Exchange

if TYPE_CHECKING:
    from pydantic_ai.settings import ModelSettings

_SUMMARY = 400  # tokens of the conversation for a model that is given the evidence
_HISTORY = 8  # of this many parts of a model's context, the conversation has one at most
_TOOLS, _TOOL = 15, 700  # tools of a model that may call all of them, and characters that describe one


def research(turn: Turn) -> str:
    """For a model with tools. It is never told who asks: what it knows, it could send anywhere."""
    return render("chat", viewer="", persona=_persona(turn), personalisation=_place(turn))


def task(turn: Turn, name: str) -> str:
    """For a subagent: the rules of every model with tools, and what it is there for."""
    return f"{research(turn)}\n\n{render(name)}"


def writing(turn: Turn, evidence: Sequence[Evidence] | None = None, besides: str = "") -> str:
    """For a model without tools, with the evidence it may use: all there is, or this, as far as its context goes.

    `besides` is what it is told after this.
    """
    told = {
        "viewer": render("viewer"),
        "persona": _persona(turn),
        "personalisation": _person(turn),
        "summary": past.summary(turn.asked.history, _SUMMARY),
    }
    rules = render("chat_without_tools", **told, evidence="-")
    room = evidence_room(turn, rules, besides, turn.question)
    text, left_out = list_evidence(turn.ledger.listed if evidence is None else evidence, room=room)
    text = "\n\n".join(filter(None, (text, told_left_out(left_out))))
    return render("chat_without_tools", **told, evidence=text or "(nothing was found)")


def synthesis(turn: Turn, findings: str, evidence: Sequence[Evidence]) -> str:
    """For a model that makes one answer of what several found: how a writer answers, and what they said."""
    told = render("content_synthesizer", findings=findings)
    return f"{writing(turn, evidence, told)}\n\n{told}"


def room_left(turn: Turn) -> int | None:
    """Tokens of evidence that a model with tools may still be shown; None when its context has no bound."""
    tools = _TOOLS if turn.tools is None else len(turn.tools)
    rules = render("chat", viewer="", persona=_persona(turn), personalisation="")
    said = [text for each in history(turn) for text in (each.question, each.answer)]
    room = evidence_room(turn, rules, turn.question, tools * _TOOL * " ", *said)
    return None if room is None else max(room - turn.shown.tokens, 0)


def conversation(turn: Turn) -> str:
    """For an answer that needs no sources."""
    return render("conversation", persona=_persona(turn), personalisation=_person(turn), summary="")


def history(turn: Turn) -> tuple[Exchange, ...]:
    """What a model is shown of the conversation, as messages."""
    settings, context = turn.house.settings.answers, turn.models.chat.context
    tokens = settings.history_tokens if context is None else min(settings.history_tokens, context // _HISTORY)
    return past.recent(turn.asked.history, tokens, settings.history_exchanges)


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
