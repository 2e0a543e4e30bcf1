"""Find the documents that are about the subject of a report's question."""

from collections.abc import Sequence

from pincite.answer.context import Context
from pincite.index.terms import QueryTerm, list_question_terms
from pincite.store import documents, stored_passages
from pincite.text.names import find_names
from pincite.types import Hit, Scope

_EVERYWHERE = 100_000  # passages that may contain a name
# A document is about something else if its best passage has a lower fused score than this, where the mean of all
# passages is 0.5, and if it also has less than this share of the best word score: in a small library of documents on
# one subject, some are far below the mean though they fit nearly as well.
_LEAST, _LEAST_WORDS = 0.4, 0.5


def split_by_subject(context: Context, question: str, hits: Sequence[Hit]) -> tuple[list[Hit], list[str]]:
    """Return the passages of documents that have a name of the question, and the names that no document has.

    Where the question has no name, return those of the documents that fit it.
    """
    names = find_names(question)
    having = {name: _list_documents(context, name, hits) for name in names}
    missing = [name for name, inside in having.items() if not inside]
    known = [inside for inside in having.values() if inside]
    if not known:
        return ([] if missing else _drop_other_subjects(context, hits)), missing
    # A document with more of the names is closer to the subject. Those with fewer than the most are about another.
    counts = {hit.span.document: sum(hit.span.document in inside for inside in known) for hit in hits}
    most = max(counts.values(), default=0)
    return _drop_other_subjects(context, [hit for hit in hits if counts[hit.span.document] == most > 0]), missing


def _drop_other_subjects(context: Context, hits: Sequence[Hit]) -> list[Hit]:
    """Drop the documents that are about something else, because no passage of theirs fits the question well enough.

    Only one search by words and meaning has such scores: a follow-up question is searched for twice.
    """
    if context.understood.subject:
        return list(hits)
    most_words = max((hit.lexical for hit in hits), default=0.0)
    fitting = {
        hit.span.document
        for hit in hits
        if not hit.dense or hit.chosen or hit.score >= _LEAST or hit.lexical >= _LEAST_WORDS * most_words
    }
    return [hit for hit in hits if hit.span.document in fitting]


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
