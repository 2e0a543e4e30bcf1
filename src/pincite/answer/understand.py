"""The first stage: understand the question, and decide how to search for it."""

import asyncio
import uuid
from dataclasses import replace

from pincite import events
from pincite.answer.context import Context
from pincite.answer.firefox_prompt import parse_firefox_prompt
from pincite.answer.kept_passages import read_kept_passages
from pincite.answer.question import AskedQuestion, UnderstoodQuestion
from pincite.answer.rewrite import add_last_subject, correct_spelling, needs_system_model, rewrite_by_model
from pincite.answer.search_need import needs_search
from pincite.answer.stream_items import make_call_started
from pincite.types import Focus
from pincite.web.addresses import find_addresses


async def understand(asked: AskedQuestion, context: Context) -> UnderstoodQuestion:
    """Return the question as it is searched for and answered. Read the notebook and the pages that it is about."""
    if page := parse_firefox_prompt(asked.question):
        # A browser sent a page with the question. The answer is about that page, and no tool is called.
        context.outbox.emit(make_call_started("firefoxAI", uuid.uuid4().hex, {"query": page.title}, "success"))
        understood = UnderstoodQuestion(question="", needs_evidence=False, page=page)
        context.outbox.emit(understood)
        return understood
    question = asked.request.text.strip() if asked.request else asked.question.strip()
    # With a project, "do it again" is a request and not a question about the last answer.
    focus: Focus = "documents" if asked.has_project and asked.focus == "all" else asked.focus
    if not asked.request and not needs_search(asked.question, focus, asked.history):
        understood = UnderstoodQuestion(question=question, needs_evidence=False)
        _announce(understood, context)
        await _read_named_pages(context.with_understood(understood), uses_web=False)
        return understood
    uses_web = asked.web and asked.focus != "documents"
    engine = await asyncio.to_thread(context.services.find_engine, asked.scope.owner) if uses_web else None
    understood = UnderstoodQuestion(question=question, engine=engine)
    if asked.has_project:
        # Names in code are spelt as they are, and the files are searched for the words of the question.
        _announce(understood, context)
        await _read_named_pages(context.with_understood(understood), uses_web)
        return understood
    understood = await correct_spelling(understood, context.with_understood(understood))
    understood = await add_last_subject(understood, context.with_understood(understood))
    _announce(understood, context)
    return await _rewrite_and_read(understood, context.with_understood(understood), uses_web)


async def _rewrite_and_read(understood: UnderstoodQuestion, context: Context, uses_web: bool) -> UnderstoodQuestion:
    """Have the system model rewrite a follow-up, and read the notebook and the pages of the question meanwhile.

    The first search does not wait for the rewrite: it uses the subject of the last question. It is repeated when the
    model finds better words.
    """
    rewriting = asyncio.create_task(rewrite_by_model(context)) if needs_system_model(understood, context) else None
    try:
        await read_kept_passages(context)
        await _read_named_pages(context, uses_web)
        if rewriting is None:
            return understood
        if context.has_language_model:  # without one, the searches are planned later
            from pincite.answer.prefetch import prefetch_evidence

            await prefetch_evidence(context)
        rewritten = await rewriting
    finally:
        if rewriting:
            rewriting.cancel()
    if rewritten and rewritten != understood.question:
        understood = replace(understood, question=rewritten, plain="", subject="")
        _announce(understood, context)
    return understood


async def _read_named_pages(context: Context, uses_web: bool) -> None:
    """Read the pages whose addresses the question names. Where only documents are searched, note them as unread."""
    asked = context.asked
    if not any(find_addresses(words) for words in (asked.question, *(each.question for each in asked.history))):
        return
    from pincite.answer.linked_pages import note_unread_pages, read_named_pages

    if uses_web:
        await read_named_pages(context)
    else:
        note_unread_pages(context)


def _announce(understood: UnderstoodQuestion, context: Context) -> None:
    """Emit the understood question, for the citation writer and as an event."""
    context.outbox.emit(understood)
    is_rewritten = understood.question != context.asked.question.strip()
    context.outbox.emit(events.Question(question=understood.question, rewritten=is_rewritten))
