"""Find the documents that have the names a report's question asks about."""

from collections.abc import Sequence

from pincite.answer.context import Context
from pincite.index.terms import QueryTerm, list_question_terms
from pincite.store import documents, stored_passages
from pincite.text.names import find_names
from pincite.types import Hit, Scope

_EVERYWHERE = 100_000  # passages that may contain a name


def split_by_subject(context: Context, question: str, hits: Sequence[Hit]) -> tuple[list[Hit], list[str]]:
    """Return the passages of documents that have a name of the question, and the names that no document has.

    Return all passages where the question has no name.
    """
    names = find_names(question)
    having = {name: _list_documents(context, name, hits) for name in names}
    missing = [name for name, inside in having.items() if not inside]
    known = [inside for inside in having.values() if inside]
    if not known:
        return ([] if missing else list(hits)), missing
    # A document with more of the names is closer to the subject. Those with fewer than the most are about another.
    counts = {hit.span.document: sum(hit.span.document in inside for inside in known) for hit in hits}
    most = max(counts.values(), default=0)
    return [hit for hit in hits if counts[hit.span.document] == most > 0], missing


def _list_documents(context: Context, name: str, hits: Sequence[Hit]) -> frozenset[str]:
    """Return the documents, among those of the hits, that have all words of a name."""
    library = context.services.library
    ids = tuple(dict.fromkeys(hit.span.document for hit in hits))
    with library.database.reading() as connection:
        scope = Scope(owner=context.asked.scope.owner, documents=ids)
        inside = documents.list_ids_in_scope(connection, scope) or frozenset()
        for word in list_question_terms(name, documents.list_languages(connection)):
            found = library.index.lexical(connection, [QueryTerm(word.variants)], inside, _EVERYWHERE)
            inside &= frozenset(stored_passages.map_to_documents(connection, [id for id, _ in found]).values())
    return inside
