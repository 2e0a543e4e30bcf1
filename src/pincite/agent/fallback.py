"""The end of a turn whose model fails: its words are kept, or else what was found is quoted, with the reason."""

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from pincite import events
from pincite.agent import faults
from pincite.agent.extractive.asking import understand
from pincite.agent.extractive.calls import SEARCH, Call, Returned
from pincite.agent.extractive.composing import compose, show_nearest
from pincite.agent.extractive.steps import besides_pages
from pincite.agent.finishing import cut_by
from pincite.agent.hearing import Composed, Folded, Heard, Listed, Noted, Quoted, Refused, Spoken
from pincite.agent.turn import Turn
from pincite.errors import ModelError, ModelFailure
from pincite.retrieval.references import language_of
from pincite.types import Evidence

if TYPE_CHECKING:
    from pincite.index.embed import Embedder

_WHY: dict[str, dict[ModelFailure, str]] = {
    "en": {
        "failed": "The model failed",
        "unreachable": "The model could not be reached",
        "late": "The model did not answer in time",
        "refused": "The provider refused the request",
        "declined": "The model declined to answer",
        "limit": "The question used up what it may cost",
        "length": "The model reached the limit of its answer before it wrote one",
        "empty": "The model wrote nothing",
        "broken": "The connection to the model was lost",
    },
    "fr": {
        "failed": "Le modèle a échoué",
        "unreachable": "Le modèle n'a pas pu être joint",
        "late": "Le modèle n'a pas répondu à temps",
        "refused": "Le fournisseur a refusé la requête",
        "declined": "Le modèle a refusé de répondre",
        "limit": "La question a épuisé ce qu'elle peut coûter",
        "length": "Le modèle a atteint la limite de sa réponse avant de l'écrire",
        "empty": "Le modèle n'a rien écrit",
        "broken": "La connexion au modèle a été perdue",
    },
}
_QUOTES = {
    "en": "{}: these passages are quoted from what was found.",
    "fr": "{} : ces passages sont cités de ce qui a été trouvé.",
}


async def finish(turn: Turn, way: AsyncIterator[Heard]) -> AsyncIterator[Heard]:
    """Everything that is heard of a turn, ended well when the model fails.

    Words that were said are kept, and `turn.cut` says why they are not all. Where none were said, passages are quoted
    from the evidence, without another tool call. Where there is no evidence either, the error is raised.
    """
    said = ""
    failed: ModelError | None = None
    try:
        async for heard in way:
            if isinstance(heard, Spoken | Noted | Listed | Refused):
                said += heard.text
            elif isinstance(heard, Quoted):
                said += heard.card.title or heard.card.name or "…"
            elif isinstance(heard, Folded):
                said = ""
            yield heard
    except ModelError as error:
        if not turn.writes:
            raise
        failed = error
    is_silent = not said.strip()
    if failed is None and is_silent and turn.writes:
        failed = faults.empty(turn.models.chat.name)
    if failed is None:
        return
    if is_silent and not (turn.judged and len(turn.ledger)):
        raise failed
    yield events.Fault(code=failed.code, message=failed.message, hint=failed.hint)
    if is_silent:
        language = "fr" if language_of(turn.asked.question, turn.asked.history) == "fr" else "en"
        turn.cut = None
        yield Noted(_QUOTES[language].format(_WHY[language][failed.failure]))
        for part in await asyncio.to_thread(quote_evidence, turn, turn.house.embedder):
            yield part
    else:
        turn.cut = cut_by(failed, said)


def quote_evidence(turn: Turn, embedder: "Embedder | None") -> list[Composed]:
    """Passages of the turn's evidence that answer its question, or come closest to it."""
    pages = [
        Returned(Call(each.tool, ()), tuple(one for one in each.found if isinstance(one, Evidence)))
        for each in turn.prior
    ]
    read = {one.number for each in pages for one in each.evidence}
    others = tuple(one for one in turn.ledger.listed if one.number not in read)
    returned = [*pages, Returned(Call(SEARCH, ()), others)]
    question = (besides_pages(turn.question) if turn.prior else turn.question) or turn.question
    asking = understand(question)
    composed = compose(asking, returned, embedder)
    if any(isinstance(part, Refused) for part in composed):
        composed = list(show_nearest(asking, returned, embedder)) or composed
    # The reason why they are quoted was said before.
    return [part for part in composed if not isinstance(part, Noted)]
