"""One side of a comparison, asked for by itself: what of all that was found is about it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.agent.extractive.asking import Asking
from pincite.agent.extractive.choosing import Candidate, scored
from pincite.agent.extractive.found import standing
from pincite.agent.extractive.steps import Returned, bare
from pincite.agent.extractive.words import bag

if TYPE_CHECKING:
    from pincite.index.embed import Embedder


def said_of(asking: Asking, returned: Sequence[Returned], embedder: "Embedder | None") -> list[Candidate]:
    """The sentences about a side that were found, best first: those that name it whole, or stand under its name.

    Where none does, those that have a word of it.
    """
    side = bare(asking.subjects[0])
    other = bag(asking.subjects[1]) if len(asking.subjects) > 1 else frozenset[str]()
    own = bag(side) - other or bag(side)
    alone = Asking(asking.text, asking.text, asking.language, "definition", (side,))
    everything = scored(alone, standing(returned), embedder)
    named = [one for one in everything if own <= one.words | one.above]
    return named or [one for one in everything if not own.isdisjoint(one.words | one.above)]
