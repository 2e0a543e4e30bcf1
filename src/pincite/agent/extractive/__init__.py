"""The answerer that needs no model: it searches and shows the best passages."""

from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from pincite.agent.extractive.absence import UNKNOWN, Known
from pincite.agent.extractive.asking import understand
from pincite.agent.extractive.calls import IMAGES, PAGES, VIDEOS, Call, Returned
from pincite.agent.extractive.composing import compose, suffices
from pincite.agent.extractive.outside import media_calls
from pincite.agent.extractive.steps import besides_pages, next_calls
from pincite.agent.hearing import Composed, Refused
from pincite.agent.refusal import SILENCE
from pincite.reading.language import french_or_english
from pincite.web.addresses import without_addresses

if TYPE_CHECKING:
    from pincite.agent.turn import Turn
    from pincite.index.embed import Embedder

_CHAT = {
    "en": "I quote documents and cannot hold a conversation: set a language model with `models.chat` in the settings, "
    "or ask about your documents.",
    "fr": "Je cite des documents et ne sais pas tenir une conversation : indiquez un modèle de langage avec "
    "`models.chat` dans les réglages, ou posez une question sur vos documents.",
}
_THIS_PAGE = {"en": "Summarise this page.", "fr": "Résume cette page."}  # what addresses alone ask for
_NO_PICTURES = {
    "en": "I cannot find pictures or videos here: they are looked for on the web, with the search engine of "
    "`web.search_url`.",
    "fr": "Je ne peux pas trouver d'images ni de vidéos ici : elles se cherchent sur le web, avec le moteur de "
    "recherche de `web.search_url`.",
}


class Extractive:
    """Says which tools to call for a question, and answers with passages of what they return."""

    def __init__(self, embedder: "Embedder | None" = None) -> None:
        self._embedder = embedder

    def know(self, turn: "Turn") -> Known:
        """Return what the turn's library and the embedder know, each asked once for the same."""
        capitals = getattr(self._embedder, "share_capitals", None)
        return Known(cache(turn.count_mentions), capitals, cache(turn.list_cosines))

    def respond(
        self, question: str, offered: frozenset[str], returned: Sequence[Returned], known: Known = UNKNOWN
    ) -> tuple[list[Call], list[Composed]]:
        """What to look up next, or else the answer."""
        if any(each.call.tool in PAGES for each in returned):
            question = besides_pages(question) or _THIS_PAGE[french_or_english(without_addresses(question)) or "en"]
        asking = understand(question)
        if media_calls(asking) and offered.isdisjoint((IMAGES, VIDEOS)) and not returned:
            return [], [Refused(f"{_NO_PICTURES['fr' if asking.language == 'fr' else 'en']} {SILENCE}")]
        calls = next_calls(asking, offered, returned, partial(suffices, asking, returned, self._embedder, known))
        return calls, [] if calls else compose(asking, returned, self._embedder, known)


def decline_chat(message: str) -> str:
    """What is said to a message that asks for a conversation and not for sources."""
    return _CHAT["fr" if understand(message).language == "fr" else "en"]
