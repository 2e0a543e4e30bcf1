"""Decide at the end of a turn whether a request about a project is done, goes in circles, or is to be continued."""

import re
from dataclasses import dataclass

from pydantic import BaseModel

from pincite import events
from pincite.answer.context import Context
from pincite.answer.project_request import EarlierTurn, ProjectRequest, make_turn
from pincite.answer.prompts import render
from pincite.answer.proposed_changes import add_call
from pincite.answer.stream_items import SentenceBreak
from pincite.answer.system_model import ask_system_model
from pincite.text.model_json import parse_model_json

_BUDGET = frozenset({"limit", "late", "length"})  # failures after which a request can go on
_SHOWN = 1500  # characters of a turn's text for the system model
_REASONS = {
    "en": {
        "done": "The model says that nothing is left to do.",
        "marker": "The model says that work remains.",
        "budget": "The turn used up what it may cost, and work may remain.",
        "refused": "Edits that do not apply to the files as they are: {count}.",
        "same_edits": "The same edits were proposed before.",
        "same_calls": "The same files were read and the same text was written before.",
        "same_refusals": "The same edits were refused before.",
        "no_edits": "Two turns in a row proposed no new change.",
        "most": "The request was continued {count} times, which is the limit.",
    },
    "fr": {
        "done": "Le modèle dit qu’il ne reste rien à faire.",
        "marker": "Le modèle dit qu’il reste du travail.",
        "budget": "Le tour a épuisé son budget, et il peut rester du travail.",
        "refused": "Modifications qui ne s’appliquent pas aux fichiers tels qu’ils sont : {count}.",
        "same_edits": "Les mêmes modifications ont déjà été proposées.",
        "same_calls": "Les mêmes fichiers ont été lus et le même texte a déjà été écrit.",
        "same_refusals": "Les mêmes modifications ont déjà été refusées.",
        "no_edits": "Deux tours de suite n’ont proposé aucune nouvelle modification.",
        "most": "La demande a été poursuivie {count} fois, c’est la limite.",
    },
}


class JudgedProgress(BaseModel):
    """The reply of the system model."""

    state: events.ProgressState
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FoundProgress:
    """The state of a request, and the name of the rule that found it."""

    state: events.ProgressState
    rule: str
    count: int = 0


async def end_turn(context: Context) -> None:
    """Add the progress of a request to the answer, and a call to continue it where it is not finished.

    An ordinary question has no progress: one that proposed no change, continues nothing and ended by itself.
    """
    edits, asked, ledger = context.edits, context.asked, context.ledger
    if edits.failure and edits.failure not in _BUDGET:
        return
    is_cut = edits.failure in _BUDGET or context.agent.cut == "length"
    if not (ledger.changes or asked.request or edits.has_stop_marker or is_cut):
        return
    request = asked.request or ProjectRequest(asked.question)
    turn = describe_turn(context)
    found = classify_turn(turn, request.earlier, has_marker=edits.has_stop_marker, is_cut=is_cut)
    language = "fr" if asked.language == "fr" else "en"
    state, reason = found.state, _REASONS[language][found.rule].format(count=found.count)
    if state == "unfinished" and context.models.system and not is_cut:
        judged = await _ask_for_progress(context, request, turn)
        if judged:
            state, reason = judged.state, judged.reason.strip() or reason
    most = context.services.settings.projects.continuations
    if state == "unfinished" and request.turn > most:
        reason = _REASONS[language]["most"].format(count=most)
    ledger.progress = events.Progress(state=state, reason=reason, turn=request.turn, most=most + 1)
    if state == "unfinished" and request.turn <= most and asked.conversation:
        context.outbox.emit(SentenceBreak())
        add_call(context, "continue", {"request": request.text, "turn": request.turn + 1, "most": most + 1})


def describe_turn(context: Context) -> EarlierTurn:
    """Return this turn as later turns on the same request see it."""
    return make_turn(context.outbox.text, context.ledger.changes, frozenset(context.edits.calls))


def classify_turn(
    turn: EarlierTurn, earlier: "tuple[EarlierTurn, ...]", *, has_marker: bool, is_cut: bool
) -> FoundProgress:
    """Return the state of a request by rule: the same edits, calls or errors as before are no progress."""
    if turn.reply and any(_is_same(turn.reply, before.reply) for before in earlier):
        return FoundProgress("looping", "same_edits")
    if turn.refusals and not turn.reply and any(turn.refusals == before.refusals for before in earlier):
        return FoundProgress("stalled", "same_refusals")
    if not has_marker and not is_cut:
        if turn.refusals:
            return FoundProgress("unfinished", "refused", len(turn.refusals))
        return FoundProgress("satisfied", "done")
    if not turn.reply and not turn.refusals and earlier:
        if any(before.calls == turn.calls and _is_same(turn.answer, before.answer) for before in earlier):
            return FoundProgress("looping", "same_calls")
        if not earlier[-1].reply:
            return FoundProgress("stalled", "no_edits")
    return FoundProgress("unfinished", "marker" if has_marker else "budget")


def _is_same(one: str, other: str) -> bool:
    """Whether two texts differ in white space alone."""
    return bool(one.strip()) and re.sub(r"\s+", " ", one).strip() == re.sub(r"\s+", " ", other).strip()


async def _ask_for_progress(context: Context, request: ProjectRequest, turn: EarlierTurn) -> JudgedProgress | None:
    """Have the system model judge the progress; None when it fails or its reply has another form."""
    turns = [*request.earlier, turn]
    told = "\n\n".join(f"Turn {number}:\n{_tell_turn(each)}" for number, each in enumerate(turns, 1))
    reply = await ask_system_model(
        context, render("progress", request=request.text, turns=told), "The progress of a request was not judged"
    )
    return parse_model_json(reply or "", JudgedProgress)


def _tell_turn(turn: EarlierTurn) -> str:
    """Return a turn for the system model: no line of a file, which it may not be allowed to read."""
    parts = [turn.answer.strip()[:_SHOWN], "\n".join(f"Proposed: {each}" for each in turn.changes)[:_SHOWN]]
    parts += [f"Refused: {each}" for each in turn.refusals]
    return "\n".join(filter(None, parts)) or "(nothing)"
