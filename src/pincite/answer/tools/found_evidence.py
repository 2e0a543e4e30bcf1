"""Return search results from a tool as numbered evidence, as a model reads it."""

from collections.abc import Mapping, Sequence

from pincite.answer import instructions
from pincite.answer.collect import collect_evidence
from pincite.answer.context import Context
from pincite.answer.document_search import find_passages
from pincite.answer.evidence_prompt import write_evidence_block
from pincite.answer.tool_call import ToolReturn
from pincite.search.weak_results import drop_weak
from pincite.text.token_count import count_tokens
from pincite.types import Evidence, Hit, Scope

_QUOTED = 8  # passages of one search to quote from without a model; weak ones are left out


def search_passages(context: Context, query: str, scope: Scope, limit: int | None = None) -> list[Hit]:
    """Search the documents for the writer of the answer.

    A model gets the reranker's choice, or without a reranker the first `answers.evidence` (or `limit`) passages.
    Without a model there are more passages to quote from.
    """
    usual = context.services.settings.answers.evidence
    if context.has_language_model:
        return find_passages(context, query, scope, limit or usual)
    return drop_weak(find_passages(context, query, scope, limit or max(usual, _QUOTED)))


async def return_evidence(
    context: Context, hits: Sequence[Hit], more: str = "", extra: Mapping[str, str] | None = None
) -> ToolReturn[str]:
    """Add passages to the evidence and return them to the model. `more` is text after them that cannot be cited.

    `extra` has details for people, which the event of the tool call shows.
    """
    evidence = await collect_evidence(context, hits)
    details = (dict(extra),) if extra else ()
    # The extractive answerer takes its passages from the evidence itself.
    return ToolReturn(
        show_new_evidence(context, evidence, more) if context.has_language_model else "", metadata=(*evidence, *details)
    )


def show_new_evidence(context: Context, evidence: Sequence[Evidence], more: str = "") -> str:
    """Write evidence for the model. Known evidence is only named, and text that does not fit is cut."""
    context.agent.shown.tokens += count_tokens(more)
    return "\n\n".join(
        filter(
            None, (write_evidence_block(evidence, context.agent.shown, instructions.count_tokens_left(context)), more)
        )
    )
