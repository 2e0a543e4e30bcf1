"""Finish an answer whose model failed: keep the text it wrote, or quote the evidence and give the reason."""

import asyncio
from typing import TYPE_CHECKING

from pincite import events
from pincite.answer.context import Context
from pincite.answer.extractive.composition import compose_answer, show_nearest
from pincite.answer.extractive.project_answer import compose_project_answer
from pincite.answer.extractive.question_kind import parse_question
from pincite.answer.extractive.search_plan import strip_page_addresses
from pincite.answer.extractive.tool_calls import SEARCH, Call, CallResult
from pincite.answer.stream_items import (
    AnswerPart,
    Note,
    RefusalSentence,
)
from pincite.errors import ModelError, ModelFailure
from pincite.llm import model_errors
from pincite.llm.finish_reason import find_cut_by_error
from pincite.types import Evidence

if TYPE_CHECKING:
    from pincite.embedding import Embedder

_WHY: dict[str, dict[ModelFailure, str]] = {
    "en": {
        "failed": "The model failed",
        "unreachable": "The model could not be reached",
        "late": "The model did not answer in time",
        "refused": "The provider refused the request",
        "declined": "The model declined to answer",
        "limit": "The question used up what it may cost",
        "length": "The model reached its length limit before it wrote an answer",
        "empty": "The model wrote nothing",
        "broken": "The connection to the model was lost",
    },
    "fr": {
        "failed": "Le modèle a échoué",
        "unreachable": "Le modèle n’a pas pu être joint",
        "late": "Le modèle n’a pas répondu à temps",
        "refused": "Le fournisseur a refusé la requête",
        "declined": "Le modèle a refusé de répondre",
        "limit": "La question a épuisé son budget",
        "length": "Le modèle a atteint sa limite de longueur avant d’écrire une réponse",
        "empty": "Le modèle n’a rien écrit",
        "broken": "La connexion au modèle a été perdue",
    },
}
_QUOTES = {
    "en": "{}: these passages are quoted from what was found.",
    "fr": "{} : ces passages sont cités de ce qui a été trouvé.",
}


def check_draft(context: Context) -> None:
    """Raise a `ModelError` when the language model wrote nothing."""
    if context.has_language_model and not context.outbox.has_text:
        raise model_errors.make_empty_error(context.models.chat.name)


async def quote_instead(error: ModelError, context: Context) -> None:
    """Finish the draft of a language model that failed.

    Text that was written stays, and `cut` says why it is not complete. Without text, passages are quoted from the
    evidence without another tool call. Without evidence, the error is raised.
    """
    has_text = context.outbox.has_text
    if not context.has_language_model:
        raise error
    if not has_text and not (context.understood.needs_evidence and len(context.ledger)):
        raise error
    emit = context.outbox.emit
    emit(events.describe_error(error))
    if has_text:
        context.agent.cut = find_cut_by_error(error, context.outbox.text)
        return
    language = "fr" if context.asked.language == "fr" else "en"
    context.agent.cut = None
    emit(Note(_QUOTES[language].format(_WHY[language][error.failure])))
    for part in await asyncio.to_thread(quote_evidence, context, context.services.embedder):
        emit(part)


def quote_evidence(context: Context, embedder: "Embedder | None") -> list[AnswerPart]:
    """Return passages of the evidence that answer the question, or come closest to it."""
    if context.project:
        parts = compose_project_answer(context.question, context.ledger.listed, context.asked.language)
        return [part for part in parts if not isinstance(part, Note)]
    pages = [
        CallResult(Call(each.tool, ()), tuple(one for one in each.found if isinstance(one, Evidence)))
        for each in context.agent.prior
    ]
    read = {one.number for each in pages for one in each.evidence}
    others = tuple(one for one in context.ledger.listed if one.number not in read)
    returned = [*pages, CallResult(Call(SEARCH, ()), others)]
    question = (strip_page_addresses(context.question) if context.agent.prior else context.question) or context.question
    asking = parse_question(question)
    composed = compose_answer(asking, returned, embedder)
    if any(isinstance(part, RefusalSentence) for part in composed):
        composed = list(show_nearest(asking, returned, embedder)) or composed
    # The note with the reason was emitted before.
    return [part for part in composed if not isinstance(part, Note)]
