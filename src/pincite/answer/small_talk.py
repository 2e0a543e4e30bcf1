"""Reply to small talk where no language model can answer it."""

import re
from collections.abc import Sequence

from pincite.answer import small_talk_phrases
from pincite.answer.search_need import is_small_talk, normalise_words
from pincite.answer.small_talk_phrases import join_alternatives
from pincite.text.language import detect_conversation_language
from pincite.types import Exchange

_KINDS = {
    "thanks": small_talk_phrases.THANKS,
    "farewell": small_talk_phrases.FAREWELLS,
    "about": small_talk_phrases.ABOUT_US,
    "greeting": small_talk_phrases.GREETINGS,
    "agreement": small_talk_phrases.AGREEMENT,
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


def reply_to_small_talk(message: str, history: Sequence[Exchange] = ()) -> str:
    """Return the reply to thanks, a greeting and the like, in the message's language; empty for any other message."""
    said = normalise_words(message)
    if not is_small_talk(said):
        return ""
    found = [
        (kind, language)
        for kind, listed in _KINDS.items()
        for language, words in listed.items()
        if re.search(rf"\b{join_alternatives(words)}\b", said)
    ]
    kind = next((kind for kind, _ in found), "agreement" if said or "?" not in message else "about")
    spoken = dict.fromkeys(language for of, language in found if of == kind)
    language = next(iter(spoken)) if len(spoken) == 1 else detect_conversation_language(message, history)
    return _REPLIES["fr" if language == "fr" else "en"][kind]
