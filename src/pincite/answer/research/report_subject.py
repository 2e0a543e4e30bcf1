"""Find the documents that have the names a report's question asks about."""

from collections.abc import Sequence

from pincite.answer.context import Context
from pincite.index.terms import QueryTerm, list_question_terms
from pincite.store import documents, stored_passages
from pincite.text.names import find_names
from pincite.types import Hit, Scope

_EVERYWHERE = 100_000  # passages that may contain a name
# The fused score of a document's best passage below which it is about something else; the mean of all passages is 0.5.
# Of libraries with 6 documents this keeps 93 % of the relevant ones and 35 % of the others on cranfield_en, 100 % and
# 47 % on cnil_faq_fr, with which it was chosen, and 100 % and 72 % on servicepublic_fr.
_LEAST = 0.4


def split_by_subject(context: Context, question: str, hits: Sequence[Hit]) -> tuple[list[Hit], list[str]]:
    """Return the passages of documents that have a name of the question, and the names that no document has.

    Where the question has no name, return those of the documents that fit it.
    """
    names = find_names(question)
    having = {name: _list_documents(context, name, hits) for name in names}
    missing = [name for name, inside in having.items() if not inside]
    known = [inside for inside in having.values() if inside]
    if not known:
        return ([] if missing else _drop_other_subjects(hits)), missing
    # A document with more of the names is closer to the subject. Those with fewer than the most are about another.
    counts = {hit.span.document: sum(hit.span.document in inside for inside in known) for hit in hits}
    most = max(counts.values(), default=0)
    return _drop_other_subjects([hit for hit in hits if counts[hit.span.document] == most > 0]), missing


def _drop_other_subjects(hits: Sequence[Hit]) -> list[Hit]:
    """Drop the documents that are about something else, because no passage of theirs fits the question well enough.

    Only a search by words and meaning has such scores. The best document always stays.
    """
    best: dict[str, float] = {}
    for hit in hits:
        is_fused = hit.dense and not hit.chosen
        best[hit.span.document] = max(best.get(hit.span.document, 0.0), hit.score if is_fused else 1.0)
    least = min(_LEAST, max(best.values(), default=0.0))
    return [hit for hit in hits if best[hit.span.document] >= least]


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
