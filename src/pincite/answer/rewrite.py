"""Rewrite a question for its searches: spelling, the subject of the last question, the system model's rewrite."""

import asyncio
from dataclasses import replace

from pincite.answer import history
from pincite.answer.context import Context
from pincite.answer.prompts import render
from pincite.answer.question import UnderstoodQuestion
from pincite.answer.search_need import drop_small_talk
from pincite.answer.system_model import ask_system_model
from pincite.search.follow_up import needs_subject, search_follow_up
from pincite.search.question_subject import add_subject, is_acceptable_rewrite, name_subject
from pincite.search.references import has_few_words, needs_history
from pincite.text.language import detect_conversation_language

_TOKENS = 1200  # of the conversation that the rewriter is shown


async def correct_spelling(understood: UnderstoodQuestion, context: Context) -> UnderstoodQuestion:
    """Replace words that no document has with the nearest word of a document, and note the changes.

    On the web any word may be found. A model that writes its own queries needs no correction.
    """
    if context.engine is not None or _is_conversation_aware(context):
        return understood
    search = context.services.search
    corrected = await asyncio.to_thread(search.correct, understood.question, context.search_scope)
    return replace(understood, question=corrected.question, corrected=tuple(corrected.words))


async def add_last_subject(understood: UnderstoodQuestion, context: Context) -> UnderstoodQuestion:
    """Add the last question's subject to the searches of a follow-up.

    The question itself changes only where it refers back: by the rules, or because its best passage changes when the
    subject is added.
    """
    question, past = drop_small_talk(understood.question), context.asked.history
    plain = [
        replace(each, question=drop_small_talk(each.question), understood=drop_small_talk(each.understood))
        for each in past
    ]
    subject = name_subject(question, plain)
    if not subject or _is_conversation_aware(context):
        return understood
    understood = replace(understood, subject=subject)
    if needs_history(question, past) or await _needs_last_subject(context, subject):
        return replace(understood, plain=question, question=add_subject(question, subject))
    return understood


async def _needs_last_subject(context: Context, subject: str) -> bool:
    """Whether the ranking shows that the subject belongs to the question."""
    limit = context.services.settings.answers.evidence
    found = await asyncio.to_thread(
        search_follow_up, context.services.search, context.question, subject, context.search_scope, limit
    )
    return needs_subject(context.question, found, detect_conversation_language(context.question, context.asked.history))


def needs_system_model(understood: UnderstoodQuestion, context: Context) -> bool:
    """Whether the system model is to rewrite the question.

    It rewrites a question that refers back or has few words, unless the model that answers reads the conversation and
    writes its own queries.
    """
    if context.models.system is None or not understood.subject:
        return False
    language = detect_conversation_language(understood.question, context.asked.history)
    return bool(understood.plain) or has_few_words(understood.question, language)


async def rewrite_by_model(context: Context) -> str:
    """Return the system model's rewrite; empty when the model fails or its reply is no rewrite."""
    question, past = context.asked.question.strip(), context.asked.history
    prompt = render("rewrite", history=history.summarise_history(past, _TOKENS), question=question)
    reply = await ask_system_model(context, prompt, "The question was not rewritten")
    proposed = (reply or "").strip().strip('"“”«»').strip()
    return proposed if proposed and is_acceptable_rewrite(question, proposed, past) else ""


def _is_conversation_aware(context: Context) -> bool:
    """Whether the model that answers reads the conversation and writes its own queries."""
    return context.has_language_model and context.models.chat.tools
