"""The fifth stage: finish the proof of the text that `CitationWriter` cited while it was drafted."""

from pincite.answer.citation_writer import CitationWriter
from pincite.answer.context import Context
from pincite.answer.faults import report_faults
from pincite.answer.source_log import log_sources


async def cite(citations: CitationWriter, context: Context) -> None:
    """Finish a stopped text, wait for the judge, repair the answer, write the end of a refusal, and send the answer.

    The answer is sent even when one of these steps fails.
    """
    with report_faults(citations.send):
        if context.stop.is_stopped:
            await citations.finish_stopped()
        await citations.wait_for_judge()
        await _repair(citations, context)
        if not context.stop.is_stopped:
            await citations.close()
    citations.stop_judge()
    await citations.settle_rest()
    log_sources(context.asked.question_id, context.ledger.listed, context.outbound.sent)
    citations.send(context.usage)
    citations.send(citations.make_answer(stopped=context.stop.is_stopped))


async def _repair(citations: CitationWriter, context: Context) -> None:
    """Have the writer correct sentences that their sources do not support, where the settings ask for it."""
    settings = context.services.settings.answers
    is_wanted = citations.strict if settings.repair is None else settings.repair
    judging = citations.judging
    if not is_wanted or judging is None or not context.has_language_model or context.stop.is_stopped:
        return
    from pincite.answer.repair import apply_corrections, list_flawed, request_corrections

    written = citations.written
    if flawed := list_flawed(written.pieces):
        corrections = await context.stop.run_until_stopped(request_corrections(citations.context, flawed))
        repairs = await apply_corrections(corrections or [], written, citations.checker, judging)
        citations.report_repairs(repairs)
