"""Answer one question: five stages, from the question to cited sentences. Start reading here.

    understand  the question and its conversation -> the question as it is searched for
    route       -> a plan: chat, one agent, a question in parts, or a report
    gather      -> evidence in the ledger
    write       -> the text of the answer, by a language model or by quoting
    cite        the text -> sentences with citations and verdicts

A stage emits events and drafted text into the outbox of the context. `cite` reads the outbox while the others work.
"""

import asyncio
from collections.abc import AsyncIterator

from pincite import events
from pincite.answer.citation_writer import CitationWriter
from pincite.answer.cite import cite
from pincite.answer.context import Context
from pincite.answer.fallback import check_draft, quote_instead
from pincite.answer.faults import report_faults
from pincite.answer.gather import gather
from pincite.answer.question import AskedQuestion
from pincite.answer.refusal import is_library_empty, write_empty_refusal
from pincite.answer.route import Plan, route
from pincite.answer.stream_items import DraftEnd, RefusalSentence
from pincite.answer.understand import understand
from pincite.answer.write import write
from pincite.answer.written_answer import SendEvent
from pincite.errors import ModelError
from pincite.telemetry.stages import measure_stage


async def stream_answer(context: Context) -> AsyncIterator[events.Data]:
    """Yield the events of an answer in order. The answer itself is the last one."""
    asked = context.asked
    yield events.MessageStarted(
        conversationId=asked.conversation,
        questionId=asked.question_id,
        question=asked.question,
        model=context.models.chat.name,
        focus=asked.focus,
    )
    sent: asyncio.Queue[events.Data | None] = asyncio.Queue()
    working = asyncio.create_task(answer(asked, context, sent.put_nowait))
    working.add_done_callback(lambda _: sent.put_nowait(None))
    try:
        while (data := await sent.get()) is not None:
            yield data
        await working
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)


async def answer(asked: AskedQuestion, context: Context, send: SendEvent) -> None:
    """Answer a question. When a stage fails or the user stops, the answer so far is sent as the last event."""
    citations = CitationWriter(context, send)
    try:
        async with citations.read_outbox():
            with report_faults(context.outbox.emit):
                await context.stop.run_until_stopped(draft(asked, context))
        with measure_stage("cite"):
            await cite(citations, context)
    finally:
        citations.stop_judge()  # also when the answer is cancelled while it is drafted
        if context.project:
            context.project.close()


async def draft(asked: AskedQuestion, context: Context) -> None:
    """Run the stages that draft the text. When the language model fails, the evidence is quoted instead."""
    try:
        with measure_stage("understand"):
            understood = await understand(asked, context)
        context = context.with_understood(understood)
        with measure_stage("route"):
            plan = await route(understood, context)
        if await _has_nothing_to_quote(plan, context):
            context.outbox.emit(RefusalSentence(write_empty_refusal(context.asked.language)))
        else:
            with measure_stage("gather"):
                gathered = await gather(plan, context)
            with measure_stage("write"):
                await write(gathered, context)
            check_draft(context)
    except ModelError as error:
        await quote_instead(error, context)
    if context.project and context.has_language_model:
        from pincite.answer.progress_check import end_turn

        await end_turn(context)
    context.outbox.emit(DraftEnd())


async def _has_nothing_to_quote(plan: Plan, context: Context) -> bool:
    """Whether the answer would quote documents, and there are none at all."""
    if plan.kind == "chat" or context.has_language_model or context.project:
        return False
    return await asyncio.to_thread(is_library_empty, context)
