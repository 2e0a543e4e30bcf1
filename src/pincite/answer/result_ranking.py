"""Order the results of a search engine by their similarity to the question and by site."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import httpx2

from pincite.errors import EmbeddingError
from pincite.index.terms import list_terms
from pincite.web.guard import normalise_host
from pincite.web.search_engine import SearchResult

if TYPE_CHECKING:
    from pincite.embedding import Embedder

_LANGUAGES = ("en", "fr")
_CONSIDERED = 12  # results that are compared with the question: each costs tens of milliseconds
_LONGEST = 200  # characters of a result that are compared
_AT_FIRST = 2  # pages of one site before those of others
_THEIRS, _EVENED = 0.6, 4  # weight of the engine's first place beside our best score, and the place with half of it
_SHARES, _COSINES = 0.3, 0.06  # differences in shared words and in meaning that count fully


def rank_results(query: str, results: Sequence[SearchResult], embedder: "Embedder | None") -> list[SearchResult]:
    """Return the results in the order to read them in: ours and the engine's blended, no site before all others.

    Ours is by the words they share with the question, and for the first of those by what they mean.
    """
    said = [f"{result.title}. {result.snippet}"[:_LONGEST] for result in results]
    order = _blend_orders(range(len(results)), _measure_shared_words(query, said), _SHARES)
    first, rest = order[:_CONSIDERED], order[_CONSIDERED:]
    cosines = _measure_cosines(query, [said[place] for place in first], embedder)
    if cosines:
        order = [*_blend_orders(first, cosines, _COSINES), *rest]
    return _spread_sites([results[place] for place in order])


def find_site(url: str) -> str:
    """Return the host of an address, as people name it; the address itself when it has none."""
    try:
        parsed = httpx2.URL(url)
        host = normalise_host(parsed).removeprefix("www.")
    except (httpx2.InvalidURL, UnicodeError):
        return url
    return f"{host}:{parsed.port}" if parsed.port else host or url


def _measure_cosines(query: str, said: Sequence[str], embedder: "Embedder | None") -> list[float]:
    """Return the cosine of each result with the question; nothing without an embedder."""
    if embedder is None or not said:
        return []
    try:
        found: list[float] = (embedder.passages(said) @ embedder.queries([query])[0]).tolist()
    except EmbeddingError:
        return []
    return found


def _measure_shared_words(query: str, said: Sequence[str]) -> list[float]:
    """Return the share of the question's words that each has."""
    asked = _list_words(query)
    return [len(asked & _list_words(each)) / (len(asked) or 1) for each in said]


def _list_words(text: str) -> set[str]:
    return {term for language in _LANGUAGES for term in list_terms(text, language)}


def _blend_orders(places: Sequence[int], scores: Sequence[float], least: float) -> list[int]:
    """Return the engine's order adjusted by scores; differences below `least` count little."""
    low = min(scores, default=0.0)
    wide = max(max(scores, default=0.0) - low, least)
    worth = {
        place: (score - low) / wide + _THEIRS / (1 + place / _EVENED)
        for place, score in zip(places, scores, strict=True)
    }
    return sorted(places, key=lambda place: -worth[place])


def _spread_sites(results: Sequence[SearchResult]) -> list[SearchResult]:
    """Return the results with those that a site has beyond its first few behind all others."""
    seen: Counter[str] = Counter()
    ahead: list[SearchResult] = []
    behind: list[SearchResult] = []
    for result in results:
        site = find_site(result.url)
        seen[site] += 1
        (ahead if seen[site] <= _AT_FIRST else behind).append(result)
    return ahead + behind
