"""Write the prompts of the models: rules, workspace, persona, notebook, About Me, the conversation, the evidence."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.answer import history as past
from pincite.answer.context import Context
from pincite.answer.context_window import count_free_tokens
from pincite.answer.evidence_prompt import describe_left_out, sanitise_line, write_evidence_text
from pincite.answer.extractive.tool_calls import NOTEBOOK
from pincite.answer.project_request import ProjectRequest
from pincite.answer.prompts import render
from pincite.text.token_count import count_tokens
from pincite.types import Evidence, Exchange

if TYPE_CHECKING:
    from pydantic_ai.settings import ModelSettings

_SUMMARY = 400  # tokens of the conversation for a model that gets the evidence in its prompt
_HISTORY = 8  # the conversation, and the notes, get at most one part of this many of a model's context
_NOTES = 4_000  # tokens of the notes in a notebook
_TOOLS, _TOOL = 18, 700  # the number of all tools, and the characters that describe one


def write_research_prompt(context: Context) -> str:
    """Return the prompt of a model with tools. It has no personal details, since a tool call could send them."""
    if context.project:
        return render(
            "project",
            rules=render("project_rules"),
            tree=context.project.describe_tree(context.models.chat.context),
            persona=_write_wishes(context),
            personalisation=_write_location(context),
        )
    return render("chat", viewer="", persona=_write_wishes(context), personalisation=_write_location(context))


def write_question(context: Context) -> str:
    """Return the question for a writer without tools. A model gets the main rules once more after it.

    Small models forget what stands before long evidence: they name no source, and answer in another language.
    """
    is_model = context.has_language_model and not context.project
    return render("question", question=context.question) if is_model else context.question


def write_task_prompt(context: Context, name: str) -> str:
    """Return the prompt of a subagent: the rules of a model with tools, and the subagent's own task."""
    return f"{write_research_prompt(context)}\n\n{render(name)}"


def write_answer_prompt(context: Context, evidence: Sequence[Evidence] | None = None, besides: str = "") -> str:
    """Return the prompt of a model without tools, with the evidence that fits into its context.

    Without `evidence` it is all evidence of the ledger. `besides` is the text that follows this prompt.
    """
    name = "chat_without_tools"
    values = {
        "persona": _write_wishes(context),
        "personalisation": _write_profile(context),
        "summary": past.summarise_history(context.asked.history, _SUMMARY),
    }
    if context.project:
        name = "project_without_tools"
        values["rules"] = render("project_rules")
        values["tree"] = context.project.describe_tree(context.models.chat.context)
    else:
        values["viewer"] = render("viewer")
    rules = render(name, **values, evidence="-")
    room = count_free_tokens(context, rules, besides, write_question(context))
    text, left_out = write_evidence_text(context.ledger.listed if evidence is None else evidence, room=room)
    text = "\n\n".join(filter(None, (text, describe_left_out(left_out))))
    return render(name, **values, evidence=text or "(nothing was found)")


def write_synthesis_prompt(context: Context, findings: str, evidence: Sequence[Evidence]) -> str:
    """Return the prompt of a model that makes one answer of the findings of several subagents."""
    task = render("content_synthesizer", findings=findings)
    return f"{write_answer_prompt(context, evidence, task)}\n\n{task}"


def count_tokens_left(context: Context) -> int | None:
    """Return the tokens of evidence that a model with tools may still see; None for an unlimited context."""
    tools = _TOOLS if context.tools is None else len(context.tools)
    if context.project:
        rules = write_research_prompt(context)
    else:
        rules = render("chat", viewer="", persona=_write_wishes(context), personalisation="")
    messages = [text for each in list_history(context) for text in (each.question, each.answer)]
    room = count_free_tokens(context, rules, context.question, tools * _TOOL * " ", *messages)
    return None if room is None else max(room - context.agent.shown.tokens, 0)


def write_continue_prompt(request: ProjectRequest, context: Context) -> str:
    """Return the message that has a model go on with a request."""
    most = context.services.settings.projects.continuations + 1
    return render("continue", request=request.text, turn=str(request.turn), most=str(most))


def write_chat_prompt(context: Context) -> str:
    """Return the prompt of an answer without sources."""
    return render("conversation", persona=_write_wishes(context), personalisation=_write_profile(context), summary="")


def list_history(context: Context) -> tuple[Exchange, ...]:
    """List the exchanges of the conversation that a model sees as messages."""
    settings, size = context.services.settings.answers, context.models.chat.context
    tokens = settings.history_tokens if size is None else min(settings.history_tokens, size // _HISTORY)
    return past.keep_recent(context.asked.history, tokens, settings.history_exchanges)


def make_model_settings(context: Context) -> "ModelSettings":
    """Return the temperature and the length limit of a model."""
    settings = context.services.settings.models
    found: ModelSettings = {}
    if settings.temperature is not None:
        found["temperature"] = settings.temperature
    if settings.answer_tokens:
        found["max_tokens"] = settings.answer_tokens
    return found


def _write_wishes(context: Context) -> str:
    """Return what the person gave along with the question: instructions of the workspace, persona and notebook."""
    asked, parts = context.asked, []
    if asked.workspace_instructions.strip():
        parts.append(render("workspace", workspace=asked.workspace_instructions))
    if asked.persona.strip():
        parts.append(render("persona", persona=asked.persona))
    if asked.notebook:
        title, notes = sanitise_line(asked.notebook.title), _write_notes(context)
        parts.append(render("notebook", title=title, kept=_count_kept(context), notes=notes))
    return "\n\n".join(parts)


def _count_kept(context: Context) -> str:
    """Return the number of the notebook's passages that were read; "" for none."""
    count = sum(len(call.found) for call in context.agent.prior if call.tool == NOTEBOOK)
    return str(count or "")


def _write_notes(context: Context) -> str:
    """Return the notes of a notebook as far as there is room. They can neither cite nor close the marks around them."""
    notes = context.asked.notebook.notes if context.asked.notebook else ()
    size = context.models.chat.context
    left = _NOTES if size is None else min(_NOTES, size // _HISTORY)
    written: list[str] = []
    for note in notes:
        safe = "\n".join(map(sanitise_line, note.splitlines())).strip()
        kept = past.shorten_text(safe, left)
        left -= count_tokens(kept)
        written += [f"- {kept}"] if kept else []
        if kept != safe:
            return "\n".join([*written, "(not all of the notebook is here)"])
    return "\n".join(written)


def _write_location(context: Context) -> str:
    context.agent.used_location = bool(context.asked.location.strip()) and context.has_language_model
    return render("location", location=context.asked.location) if context.asked.location.strip() else ""


def _write_profile(context: Context) -> str:
    """Return the personal part of the writer's prompt. No other function reads About Me for a prompt."""
    context.agent.used_profile = bool(context.asked.profile.strip()) and context.has_language_model
    if not context.agent.used_profile:
        return _write_location(context)
    context.agent.used_location = bool(context.asked.location.strip())
    return render("personalisation", location=context.asked.location, profile=context.asked.profile)
