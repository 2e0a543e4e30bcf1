"""How an answer says that there is none, in the asker's language, and the mark by which code knows it."""

import re
from typing import TYPE_CHECKING

from pincite.events.markup import shortened
from pincite.retrieval.references import language_of

if TYPE_CHECKING:
    from pincite.agent.turn import Turn

_REFUSALS = {
    "en": "I found nothing in the sources that answers this.",
    "fr": "Je n'ai rien trouvé dans les sources qui réponde à cette question.",
}
_EMPTY = {
    "en": "There are no documents here yet: add some, and ask again.",
    "fr": "Il n'y a pas encore de documents ici : ajoutez-en, puis reposez la question.",
}
_LOOKED = {"en": "Looked for: {}.", "fr": "Recherché : {}."}
_QUOTES = {"en": "“{}”", "fr": "« {} »"}

SILENCE = "[0]"  # stands behind a sentence that says the sources are silent
_SILENT_MARK = re.compile(r"\[0\]")
_OTHER_MARK = re.compile(r"\[0*[1-9]\d*(?:\.\d+)?(?:[\s,;–-]|\])")
_SHOWN = 120  # characters of a search
_PROBLEMS = 3  # that are told


def refusal(language: str) -> str:
    """The sentence that says nothing was found, with the mark of silence."""
    return f"{_REFUSALS['fr' if language == 'fr' else 'en']} {SILENCE}"


def is_silent(said: str) -> bool:
    """Whether a text of a model says only that the sources are silent: it is empty, or marked so and cites nothing."""
    return not said.strip() or (bool(_SILENT_MARK.search(said)) and not _OTHER_MARK.search(said))


def describe_search(turn: "Turn", said: str) -> str:
    """The end of a refusal: the sentence itself if it is missing, the problems met, and the searches made."""
    language = language_of(turn.asked.question, turn.asked.history)
    parts = [] if said.strip() else [_REFUSALS["fr" if language == "fr" else "en"]]
    # A web that can be searched needs no documents.
    is_web = turn.engine is not None or turn.asked.focus == "web" or bool(turn.prior)
    if not is_web and not len(turn.ledger) and not _has_documents(turn):
        parts.append(_EMPTY[language])
    else:
        parts += list(dict.fromkeys(turn.problems))[:_PROBLEMS]
        if turn.searched:
            quoted = [_QUOTES[language].format(shortened(words, _SHOWN)) for words in dict.fromkeys(turn.searched)]
            parts.append(_LOOKED[language].format(", ".join(quoted)))
    added = " ".join(parts)
    return f" {added}" if said.strip() and added else added


def _has_documents(turn: "Turn") -> bool:
    from pincite.retrieval import browse

    return bool(browse.listed(turn.house.library.database, turn.asked.scope))
