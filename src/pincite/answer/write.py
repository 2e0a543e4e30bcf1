"""The fourth stage: draft the text of the answer."""

from pincite.answer.agent_run import answer_chat, write_single
from pincite.answer.context import Context
from pincite.answer.gather import Gathered
from pincite.answer.small_talk import reply_to_small_talk
from pincite.answer.stream_items import TextDelta


async def write(gathered: Gathered, context: Context) -> None:
    """Emit the text of the answer into the outbox, by the writer that the plan names."""
    kind = gathered.plan.kind
    if kind == "chat":
        await _write_chat(context)
    elif kind == "single" and context.project and context.has_language_model:
        from pincite.answer.proposed_changes import write_with_changes

        await write_with_changes(context.project, context)
    elif kind == "single":
        await write_single(context)
    elif kind == "split":
        from pincite.answer.split.supervisor import write_from_parts

        await write_from_parts(gathered.results, context)
    else:
        from pincite.answer.research import write_report

        await write_report(context)


async def _write_chat(context: Context) -> None:
    """Answer without a search. Without a language model, small talk gets a fixed friendly reply."""
    asked = context.asked
    if not context.has_language_model and (reply := reply_to_small_talk(asked.question, asked.history)):
        context.outbox.emit(TextDelta(reply))
    else:
        await answer_chat(context)
