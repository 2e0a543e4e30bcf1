"""A search with its options, as a command runs it or sends it to a server, and its result."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from pincite.types import Hit, Kind

if TYPE_CHECKING:
    from pincite.search.search import PassageSearch
    from pincite.search.spelling import CorrectedQuestion
    from pincite.store.database import Database

Mode = Literal["hybrid", "lexical", "dense"]


@dataclass(frozen=True, slots=True)
class FoundPassages:
    """The passages of a search; `is_empty` says that there are no documents, `corrected` is the corrected question."""

    hits: list[Hit]
    is_empty: bool
    corrected: "CorrectedQuestion"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A search with its options."""

    query: str
    k: int
    mode: Mode
    library: str | None = None
    documents: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] | None = None
    languages: tuple[str, ...] | None = None
    since: str | None = None
    until: str | None = None


def run_search(request: SearchRequest, owner: str, database: "Database", finder: "PassageSearch") -> FoundPassages:
    """Search; raise `NotFound` if an option names something that does not exist."""
    from pincite.store import documents
    from pincite.store.named_scope import make_scope

    with database.reading() as connection:
        named = make_scope(connection, owner, request.library, request.documents or None, request.tags)
        is_empty = not documents.find(connection, owner)
    scope = replace(
        named,
        kinds=request.kinds,
        languages=request.languages,
        since=request.since,
        until=request.until,
    )
    corrected = finder.correct(request.query, scope)
    return FoundPassages(finder.search(corrected.question, scope, request.k, request.mode), is_empty, corrected)
