"""A friendly line for a message that asks for nothing, where no language model can answer it."""

import re
from collections.abc import Sequence

from pincite.agent import phrases
from pincite.agent.need import is_small_talk, plain_words
from pincite.agent.phrases import either
from pincite.retrieval.references import language_of
from pincite.types import Exchange

_KINDS = {
    "thanks": phrases.THANKS,
    "farewell": phrases.FAREWELLS,
    "about": phrases.ABOUT_US,
    "greeting": phrases.GREETINGS,
    "agreement": phrases.AGREEMENT,
}
_REPLIES = {
    "en": {
        "thanks": "You're welcome! Ask me anything else about your documents.",
        "farewell": "Goodbye, and see you soon!",
        "about": "I look for answers in your documents and show the passages that hold them, word for word, with the "
        "page. Ask me something about them.",
        "greeting": "Hello! Ask me anything about your documents.",
        "agreement": "Very well. Ask me anything else about your documents.",
    },
    "fr": {
        "thanks": "Avec plaisir ! Posez-moi toute autre question sur vos documents.",
        "farewell": "Au revoir, et à bientôt !",
        "about": "Je cherche les réponses dans vos documents et je montre les passages qui les contiennent, mot pour "
        "mot, avec la page. Posez-moi une question à leur sujet.",
        "greeting": "Bonjour ! Posez-moi une question sur vos documents.",
        "agreement": "Très bien. Posez-moi toute autre question sur vos documents.",
    },
}


def small_talk(message: str, history: Sequence[Exchange] = ()) -> str:
    """The reply to thanks, a greeting and the like, in the language of the message; empty for any other message."""
    said = plain_words(message)
    if not is_small_talk(said):
        return ""
    found = [
        (kind, language)
        for kind, listed in _KINDS.items()
        for language, words in listed.items()
        if re.search(rf"\b{either(words)}\b", said)
    ]
    kind = next((kind for kind, _ in found), "agreement")
    spoken = dict.fromkeys(language for of, language in found if of == kind)
    language = next(iter(spoken)) if len(spoken) == 1 else language_of(message, history)
    return _REPLIES["fr" if language == "fr" else "en"][kind]
