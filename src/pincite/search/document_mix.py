"""Order passages so that one document does not fill the beginning of a list."""

from collections import Counter
from collections.abc import Sequence

from pincite.types import Hit

_FIRST = 5  # passages: what a short list shows
_EACH = 2  # of them that one document may have


def mix_documents(hits: Sequence[Hit]) -> list[Hit]:
    """Return hits, best first, with at most two of one document among the first five while there are others."""
    seen: Counter[str] = Counter()
    first: list[int] = []
    for place, hit in enumerate(hits):
        seen[hit.span.document] += 1
        if len(first) < _FIRST and seen[hit.span.document] <= _EACH:
            first.append(place)
    return [*(hits[place] for place in first), *(hit for place, hit in enumerate(hits) if place not in first)]
