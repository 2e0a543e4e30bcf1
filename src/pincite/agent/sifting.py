"""Results of a search engine to the order they are read in: by what they say beside the question, and by site."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import httpx2

from pincite.errors import EmbeddingError
from pincite.index.analysis import terms
from pincite.web.engine import Result
from pincite.web.guard import host_of

if TYPE_CHECKING:
    from pincite.index.embed import Embedder

_LANGUAGES = ("en", "fr")
_CONSIDERED = 12  # results that are compared with the question: each costs tens of milliseconds
_LONGEST = 200  # characters of a result that are compared
_AT_FIRST = 2  # pages of one site, before others had their turn
_THEIRS, _EVENED = 0.6, 4  # what the engine's first place counts beside our best score, and where it counts half of it
_SHARES, _COSINES = 0.3, 0.06  # differences of words shared, and of meaning, that are worth all of ours


def sifted(query: str, results: Sequence[Result], embedder: "Embedder | None") -> list[Result]:
    """The results in the order to read them in: ours and the engine's blended, no site before all others.

    Ours is by the words they share with the question, and for the first of those by what they mean.
    """
    said = [f"{result.title}. {result.snippet}"[:_LONGEST] for result in results]
    order = _blended(range(len(results)), _shared(query, said), _SHARES)
    first, rest = order[:_CONSIDERED], order[_CONSIDERED:]
    cosines = _cosines(query, [said[place] for place in first], embedder)
    if cosines:
        order = [*_blended(first, cosines, _COSINES), *rest]
    return _spread([results[place] for place in order])


def site_of(url: str) -> str:
    """The host of an address, as people name it; the address itself when it has none."""
    try:
        parsed = httpx2.URL(url)
        host = host_of(parsed).removeprefix("www.")
    except (httpx2.InvalidURL, UnicodeError):
        return url
    return f"{host}:{parsed.port}" if parsed.port else host or url


def _cosines(query: str, said: Sequence[str], embedder: "Embedder | None") -> list[float]:
    """How near each is to the question in meaning; nothing where that is not known."""
    if embedder is None or not said:
        return []
    try:
        found: list[float] = (embedder.passages(said) @ embedder.queries([query])[0]).tolist()
    except EmbeddingError:
        return []
    return found


def _shared(query: str, said: Sequence[str]) -> list[float]:
    """The share of the question's words that each has."""
    asked = _words(query)
    return [len(asked & _words(each)) / (len(asked) or 1) for each in said]


def _words(text: str) -> set[str]:
    return {term for language in _LANGUAGES for term in terms(text, language)}


def _blended(places: Sequence[int], scores: Sequence[float], least: float) -> list[int]:
    """Places in the engine's order, put in one that heeds their scores too; differences below `least` count little."""
    low = min(scores, default=0.0)
    wide = max(max(scores, default=0.0) - low, least)
    worth = {
        place: (score - low) / wide + _THEIRS / (1 + place / _EVENED)
        for place, score in zip(places, scores, strict=True)
    }
    return sorted(places, key=lambda place: -worth[place])


def _spread(results: Sequence[Result]) -> list[Result]:
    """The same, with what a site has beyond its first few behind everybody else's."""
    seen: Counter[str] = Counter()
    ahead: list[Result] = []
    behind: list[Result] = []
    for result in results:
        site = site_of(result.url)
        seen[site] += 1
        (ahead if seen[site] <= _AT_FIRST else behind).append(result)
    return ahead + behind
