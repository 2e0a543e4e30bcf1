"""Answer without a language model: search, and show the best passages."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING

from pincite.answer.document_search import count_mentions, list_cosines
from pincite.answer.extractive.absent_names import NO_STATISTICS, CorpusStatistics
from pincite.answer.extractive.comparison import name_aspect
from pincite.answer.extractive.composition import compose_answer, is_sufficient, list_codes_elsewhere
from pincite.answer.extractive.project_answer import compose_project_answer
from pincite.answer.extractive.question_kind import parse_question
from pincite.answer.extractive.search_plan import plan_next_calls, strip_page_addresses
from pincite.answer.extractive.tool_calls import IMAGES, PAGES, PROJECT, VIDEOS, Call, CallResult
from pincite.answer.extractive.web_calls import plan_media_calls
from pincite.answer.refusal import SILENCE
from pincite.answer.stream_items import AnswerPart, RefusalSentence
from pincite.errors import EmbeddingError
from pincite.text.language import detect_question_language
from pincite.web.addresses import strip_addresses

if TYPE_CHECKING:
    from pincite.answer.context import Context
    from pincite.embedding import Embedder

_CHAT = {
    "en": "I quote documents and cannot hold a conversation: choose a language model in the settings, or ask about "
    "your documents.",
    "fr": "Je cite des documents et ne sais pas tenir une conversation : choisissez un modèle de langage dans "
    "les réglages, ou posez une question sur vos documents.",
}
_THIS_PAGE = {
    "en": "Summarise this page.",
    "fr": "Résume cette page.",
}  # asked by addresses alone
_NO_PICTURES = {
    "en": "I cannot find pictures or videos here: they are looked for on the web, with the search engine of "
    "`web.search_url`.",
    "fr": "Je ne peux pas trouver d’images ni de vidéos ici : elles se cherchent sur le web, avec le moteur de "
    "recherche de `web.search_url`.",
}


class ExtractiveAnswerer:
    """Chooses the tools to call for a question, and answers with passages of their results."""

    def __init__(self, embedder: "Embedder | None" = None) -> None:
        self._embedder = embedder

    def collect_statistics(self, context: "Context") -> CorpusStatistics:
        """Return what the turn's library and the embedder know, each asked once for the same."""
        capitals = getattr(self._embedder, "share_capitals", None)
        mentions, cosines = partial(count_mentions, context), partial(list_cosines, context)
        # The range of cosines is known for the built-in model only.
        compare = self._compare_names if self._embedder is not None and "e5" in self._embedder.name else None
        return CorpusStatistics(cache(mentions), capitals, cache(cosines), cache(compare) if compare else None)

    def _compare_names(self, name: str, others: tuple[str, ...]) -> float:
        """Return the cosine of a name and the nearest of others; 1 if the embedder fails."""
        assert self._embedder is not None
        try:
            first, *rest = self._embedder.queries([name, *others])
        except EmbeddingError:
            return 1.0
        return max(float(first @ each) for each in rest)

    def respond(
        self,
        question: str,
        offered: frozenset[str],
        returned: Sequence[CallResult],
        known: CorpusStatistics = NO_STATISTICS,
        own: str = "",
    ) -> tuple[list[Call], list[AnswerPart]]:
        """Return the next tool calls, or else the answer. `own` is a follow-up without the last question's subject."""
        if any(each.call.tool in PAGES for each in returned):
            question = (
                strip_page_addresses(question)
                or _THIS_PAGE[detect_question_language(strip_addresses(question)) or "en"]
            )
        asking = parse_question(question)
        asking = replace(asking, own=own or name_aspect(asking))
        if PROJECT in offered:
            # The files were searched before the answerer runs.
            parts = [one for each in returned if each.call.tool == PROJECT for one in each.evidence]
            return [], compose_project_answer(asking.text, parts, asking.language)
        if plan_media_calls(asking) and offered.isdisjoint((IMAGES, VIDEOS)) and not returned:
            return [], [RefusalSentence(f"{_NO_PICTURES['fr' if asking.language == 'fr' else 'en']} {SILENCE}")]
        calls = plan_next_calls(
            asking,
            offered,
            returned,
            partial(is_sufficient, asking, returned, self._embedder, known),
            partial(list_codes_elsewhere, asking, returned, known),
        )
        return calls, [] if calls else compose_answer(asking, returned, self._embedder, known)


def decline_chat(message: str) -> str:
    """Return the reply to a message that asks for a conversation and not for sources."""
    return _CHAT["fr" if parse_question(message).language == "fr" else "en"]
