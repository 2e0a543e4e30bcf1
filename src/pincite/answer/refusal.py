"""Write the refusal of an answer, in the question's language, with the mark by which code recognises it."""

from typing import TYPE_CHECKING

from pincite.events.tool_markup import shorten_value
from pincite.store import catalogue
from pincite.text.citation_marks import list_cited
from pincite.web.addresses import find_addresses

if TYPE_CHECKING:
    from pincite.answer.context import Context

_REFUSALS = {
    "en": "I found nothing in the sources that answers this.",
    "fr": "Je n’ai rien trouvé dans les sources qui réponde à cette question.",
}
_EMPTY = {
    "en": "There are no documents here yet. Add a document, then ask again.",
    "fr": "Il n’y a pas encore de documents ici. Ajoutez un document, puis reposez la question.",
}
_READING = {
    "en": "Your documents are still being read. Ask again in a moment.",
    "fr": "Vos documents sont en cours de lecture. Reposez la question dans un instant.",
}
_LOOKED = {"en": "Looked for: {}.", "fr": "Recherché : {}."}
_QUOTES = {"en": "“{}”", "fr": "« {} »"}

SILENCE = "[0]"  # the mark after a sentence that says the sources do not answer
_SHOWN = 120  # characters of a search
_PROBLEMS = 3  # problems that a refusal lists


def write_refusal(language: str) -> str:
    """Return the sentence that says nothing was found, with its mark."""
    return f"{_REFUSALS['fr' if language == 'fr' else 'en']} {SILENCE}"


def write_empty_refusal(language: str) -> str:
    """Return the sentences that say there are no documents and what to do, with their mark."""
    return f"{_EMPTY['fr' if language == 'fr' else 'en']} {SILENCE}"


def is_library_empty(context: "Context") -> bool:
    """Whether no document can answer: the person has none at all, and the web is not asked."""
    asked = context.asked
    if _uses_web(context) or asked.has_project or asked.scope.documents or find_addresses(asked.question):
        return False
    with context.services.library.database.reading() as connection:
        return not catalogue.has_documents(connection, asked.scope.owner)


def lacks_documents(context: "Context") -> bool:
    """Whether the sources of a refused question have no document at all, and the web is not asked."""
    return _has_nothing_to_search(context) and not _list_unread(context)


def is_silent(text: str) -> bool:
    """Whether a text only says that the sources do not answer: it is empty, or has the mark and cites nothing."""
    return not text.strip() or (SILENCE in text and not any(number for number, _ in list_cited(text)))


def describe_search(context: "Context", text: str) -> str:
    """Return the end of a refusal: the sentence itself if it is missing, the problems met, and the searches made."""
    language = context.asked.language
    parts = [] if text.strip() else [_REFUSALS["fr" if language == "fr" else "en"]]
    if _has_nothing_to_search(context):
        told = (_READING if _list_unread(context) else _EMPTY)[language]
        parts += [] if told in text else [told]
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


def _uses_web(context: "Context") -> bool:
    """Whether the web can be searched, so that no documents are needed."""
    return context.engine is not None or context.asked.focus == "web" or bool(context.agent.prior)


def _has_nothing_to_search(context: "Context") -> bool:
    if _uses_web(context) or len(context.ledger):
        return False
    from pincite.search import browse

    return not browse.list_documents(context.services.library.database, context.asked.scope)


def _list_unread(context: "Context") -> list[str]:
    """Return a document of the question's library that waits to be read or is being read, if there is one."""
    scope = context.asked.scope
    wanted = catalogue.Filter(
        scope.library_key, statuses=("queued", "reading"), without=scope.without, tags=scope.tags or ()
    )
    with context.services.library.database.reading() as connection:
        return [each.id for each in catalogue.find(connection, scope.owner, wanted, 1)[0]]
