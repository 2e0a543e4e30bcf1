"""The names that a report's question asks about, and the documents that have them."""

from collections.abc import Sequence

from pincite.agent.extractive.names import find_names
from pincite.agent.turn import Turn
from pincite.index.analysis import Sought, question_terms
from pincite.store import documents, passages
from pincite.types import Hit, Scope

_EVERYWHERE = 100_000  # passages that a name may stand in


def split_by_subject(turn: Turn, question: str, hits: Sequence[Hit]) -> tuple[list[Hit], list[str]]:
    """The passages of documents that have a name the question asks about, and the names that no document has.

    All passages where it asks about no name, or where none of its names was found.
    """
    names = find_names(question)
    having = {name: _list_documents(turn, name, hits) for name in names}
    missing = [name for name, inside in having.items() if not inside]
    known = [inside for inside in having.values() if inside]
    if not known:
        return ([] if missing else list(hits)), missing
    # A document that has more of the names is more on the subject; those with fewer than the most are on another.
    counts = {hit.span.document: sum(hit.span.document in inside for inside in known) for hit in hits}
    most = max(counts.values(), default=0)
    return [hit for hit in hits if counts[hit.span.document] == most > 0], missing


def _list_documents(turn: Turn, name: str, hits: Sequence[Hit]) -> frozenset[str]:
    """The documents that have all words of a name; pages of the web are those that were found."""
    library = turn.house.library
    ids = tuple(dict.fromkeys(hit.span.document for hit in hits))
    with library.database.reading() as connection:
        scope = Scope(owner=turn.asked.scope.owner, documents=ids)
        inside = documents.in_scope(connection, scope) or frozenset()
        for word in question_terms(name, documents.languages(connection)):
            found = library.index.lexical(connection, [Sought(word.variants)], inside, _EVERYWHERE)
            inside &= frozenset(passages.documents_of(connection, [id for id, _ in found]).values())
    return inside
