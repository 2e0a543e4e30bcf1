"""A search with its options, as a command gives it or sends it to a server, and what it finds."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pincite.types import Hit, Kind

if TYPE_CHECKING:
    from pincite.retrieval.search import Search
    from pincite.retrieval.spelling import Corrected
    from pincite.store.database import Database

Mode = Literal["hybrid", "lexical", "dense"]


@dataclass(frozen=True, slots=True)
class Found:
    """The passages of a search; `is_empty` says that there are no documents, `corrected` how the question was read."""

    hits: list[Hit]
    is_empty: bool
    corrected: "Corrected"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A search with its options."""

    query: str
    k: int
    mode: Mode
    library: str | None = None
    documents: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] | None = None
    languages: tuple[str, ...] | None = None
    since: str | None = None
    until: str | None = None


def run_search(request: SearchRequest, owner: str, database: "Database", finder: "Search") -> Found:
    """Search; `NotFound` when an option names something that is not there."""
    from pincite.store import documents, sources
    from pincite.types import Scope

    with database.reading() as connection:
        sources.check_library(connection, owner, request.library)
        chosen = [documents.matching(connection, owner, given).id for given in request.documents]
        is_empty = not documents.find(connection, owner)
    scope = Scope(
        owner=owner,
        library=request.library,
        documents=tuple(chosen) or None,
        kinds=request.kinds,
        languages=request.languages,
        since=request.since,
        until=request.until,
    )
    corrected = finder.correct(request.query, scope)
    return Found(finder.search(corrected.question, scope, request.k, request.mode), is_empty, corrected)
