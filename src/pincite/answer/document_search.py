"""Search the documents for a question, and count the passages that mention a word."""

from collections.abc import Sequence
from dataclasses import replace

from pincite.answer.context import Context
from pincite.store.documents import StoredDocument
from pincite.types import Hit, Scope

_NEAREST = 200  # passages whose cosines are compared with the question
_MENTIONS = 1000  # passages with a word that are counted at most


def find_passages(context: Context, query: str, scope: Scope, limit: int) -> list[Hit]:
    """Find the best passages for a query. In a follow-up, passages on the last question's subject are included."""
    search, understood = context.services.search, context.understood
    if not understood.subject:
        return search.select(query, scope, limit)
    from pincite.search.follow_up import search_follow_up

    plain = understood.plain
    own = plain if plain and query == understood.question else query
    hits = list(search_follow_up(search, own, understood.subject, scope, limit, not plain).hits)
    return [hit for hit in hits if hit.chosen] or hits


def count_mentions(context: Context, word: str, document: str = "") -> int:
    """Count the passages that have a word in any inflection, in one document or in all searched documents."""
    from pincite.index.terms import list_question_terms
    from pincite.store import documents

    library = context.services.library
    with library.database.reading() as connection:
        asked = list_question_terms(word, documents.list_languages(connection))
        one = Scope(owner=context.asked.scope.owner, documents=(document,)) if document else None
        inside = documents.list_ids_in_scope(connection, one or context.search_scope)
        return len(library.index.lexical(connection, asked, inside, _MENTIONS)) if asked else 0


def list_cosines(context: Context, question: str) -> list[float]:
    """List the cosines of the passages nearest to a question; none without an embedder."""
    return context.services.search.list_cosines(question, context.search_scope, _NEAREST)


def narrow_scope(context: Context, chosen: Sequence[StoredDocument]) -> Scope:
    """Return the scope of the question, narrowed to some of its documents."""
    return replace(context.asked.scope, documents=tuple(document.id for document in chosen))
