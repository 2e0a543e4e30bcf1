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
_CONSIDERED = 20  # results that are compared with the question: each costs milliseconds
_LONGEST = 300  # characters of a result that are compared
_AT_FIRST = 2  # pages of one site, before others had their turn
_EVENED = 10  # how little the first few places differ
_OURS = 1.5  # what a place in our order counts beside one in the engine's


def sifted(query: str, results: Sequence[Result], embedder: "Embedder | None") -> list[Result]:
    """The results in the order to read them in: ours and the engine's blended, no site before all others."""
    first, rest = list(results[:_CONSIDERED]), list(results[_CONSIDERED:])
    near = _places(_nearness(query, first, embedder))
    worth = [_OURS / (_EVENED + near[place]) + 1 / (_EVENED + place) for place in range(len(first))]
    order = sorted(range(len(first)), key=lambda place: -worth[place])
    return _spread([*(first[place] for place in order), *rest])


def site_of(url: str) -> str:
    """The host of an address, as people name it; the address itself when it has none."""
    try:
        parsed = httpx2.URL(url)
        host = host_of(parsed).removeprefix("www.")
    except (httpx2.InvalidURL, UnicodeError):
        return url
    return f"{host}:{parsed.port}" if parsed.port else host or url


def _nearness(query: str, results: Sequence[Result], embedder: "Embedder | None") -> list[float]:
    """How near each result is to the question: in meaning, or by the words they share where that is not known."""
    said = [f"{result.title}. {result.snippet}"[:_LONGEST] for result in results]
    if embedder is not None and said:
        try:
            cosines: list[float] = (embedder.passages(said) @ embedder.queries([query])[0]).tolist()
        except EmbeddingError:
            pass
        else:
            return cosines
    asked = _words(query)
    return [len(asked & _words(each)) / (len(asked) or 1) for each in said]


def _words(text: str) -> set[str]:
    return {term for language in _LANGUAGES for term in terms(text, language)}


def _places(scores: Sequence[float]) -> list[int]:
    """The place of each score among all, from 0; equal ones share a place."""
    order = sorted(set(scores), reverse=True)
    return [order.index(score) for score in scores]


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
