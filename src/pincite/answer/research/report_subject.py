"""Find the documents and passages that are about the subject of a report's question or of one of its sections."""

from collections.abc import Collection, Sequence

from pincite.answer.context import Context
from pincite.answer.extractive.absent_names import find_held_names
from pincite.answer.extractive.question_kind import parse_question
from pincite.index.terms import QueryTerm, list_question_terms
from pincite.store import documents, stored_passages
from pincite.text.names import find_names, is_year
from pincite.types import Evidence, Hit, Scope

_EVERYWHERE = 100_000  # passages that may contain a name
# A document is about something else if its best passage has a lower fused score than this, where the mean of all
# passages is 0.5, and if it also has less than this share of the best word score: in a small library of documents on
# one subject, some are far below the mean though they fit nearly as well.
_LEAST, _LEAST_WORDS = 0.4, 0.5


def list_names(question: str) -> list[str]:
    """Return the names, codes and years of a question; of a comparison, those of its sides."""
    asking = parse_question(question)
    if asking.kind != "comparison":
        return find_names(question)
    return list(dict.fromkeys(name for side in asking.subjects for name in find_names(side, lambda _: True)))


def list_section_names(question: str, heading: str, asked: str) -> list[str]:
    """Return the names of a section: those in its heading, or else those in what it asks.

    A heading begins with a capital: its first word is a name if it is one in the whole question.
    """
    known = {word for name in list_names(question) for word in name.split()}
    return find_names(heading, lambda word: word in known) or find_names(asked)


def split_by_subject(context: Context, names: Sequence[str], hits: Sequence[Hit]) -> tuple[list[Hit], list[str]]:
    """Return the passages of documents that have one of some names, and the names that no document has.

    Without names, return those of the documents that fit the question.
    """
    having = {name: _list_documents(context, name, hits) for name in names}
    missing = [name for name, inside in having.items() if not inside]
    known = [inside for inside in having.values() if inside]
    if not known:
        return ([] if missing else _drop_other_subjects(context, hits)), missing
    held = [{name for name, inside in having.items() if hit.span.document in inside} for hit in hits]
    kept = _list_closest(held)
    return _drop_other_subjects(context, [hits[place] for place in kept]), missing


def keep_named(names: Sequence[str], evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the passages that have most of some names, in their text, headings, title or file name.

    A passage need not repeat a name that most passages of its document have. Without names, return all.
    """
    held = [set(find_held_names(names, each)) for each in evidence]
    for document in {each.span.document for each in evidence}:
        own = [found for each, found in zip(evidence, held, strict=True) if each.span.document == document]
        usual = {name for name in names if sum(name in found for found in own) * 2 > len(own)}
        for found in own:
            found |= usual
    return [evidence[place] for place in _list_closest(held)] if names else list(evidence)


def _list_closest(held: Sequence[Collection[str]]) -> list[int]:
    """List the places of those that have most names, of all that have one of their names.

    A source with more of the names is closer to the subject, but each name may have its own documents. A year has none.
    """
    names = {name for found in held for name in found}
    subjects = {name for name in names if not is_year(name)} or names
    most = {name: max(len(found) for found in held if name in found) for name in subjects}
    return [
        place
        for place, found in enumerate(held)
        if any(len(found) == count for name, count in most.items() if name in found)
    ]


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
