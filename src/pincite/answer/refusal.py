"""Write the refusal of an answer, in the question's language, with the mark by which code recognises it."""

from typing import TYPE_CHECKING

from pincite.events.tool_markup import shorten_value
from pincite.text.citation_marks import list_cited

if TYPE_CHECKING:
    from pincite.answer.context import Context

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

SILENCE = "[0]"  # the mark after a sentence that says the sources do not answer
_SHOWN = 120  # characters of a search
_PROBLEMS = 3  # problems that a refusal lists


def write_refusal(language: str) -> str:
    """Return the sentence that says nothing was found, with its mark."""
    return f"{_REFUSALS['fr' if language == 'fr' else 'en']} {SILENCE}"


def is_silent(text: str) -> bool:
    """Whether a text only says that the sources do not answer: it is empty, or has the mark and cites nothing."""
    return not text.strip() or (SILENCE in text and not any(number for number, _ in list_cited(text)))


def describe_search(context: "Context", text: str) -> str:
    """Return the end of a refusal: the sentence itself if it is missing, the problems met, and the searches made."""
    language = context.asked.language
    parts = [] if text.strip() else [_REFUSALS["fr" if language == "fr" else "en"]]
    # Where the web can be searched, no documents are needed.
    is_web = context.engine is not None or context.asked.focus == "web" or bool(context.agent.prior)
    if not is_web and not len(context.ledger) and not _has_documents(context):
        parts.append(_EMPTY[language])
    else:
        parts += list(dict.fromkeys(context.ledger.problems))[:_PROBLEMS]
        if context.ledger.searched:
            quoted = [
                _QUOTES[language].format(shorten_value(words, _SHOWN))
                for words in dict.fromkeys(context.ledger.searched)
            ]
            parts.append(_LOOKED[language].format(", ".join(quoted)))
    added = " ".join(parts)
    return f" {added}" if text.strip() and added else added


def _has_documents(context: "Context") -> bool:
    from pincite.search import browse

    return bool(browse.list_documents(context.services.library.database, context.asked.scope))
