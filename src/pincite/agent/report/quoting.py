"""What sources say under a heading, quoted in their order: a section that no model writes."""

import re
from collections.abc import Container, Sequence

from pincite.agent.extractive.asking import understand
from pincite.agent.extractive.choosing import Candidate, candidates, repeats
from pincite.agent.extractive.quoting import quoted
from pincite.agent.extractive.words import covered, sought, weighed
from pincite.agent.report.headings import named
from pincite.agent.report.sections import bare
from pincite.evidence.markers import shielded
from pincite.types import Evidence

_MOST = 5  # sentences
_TO_THE_POINT, _ASIDE = 0.4, 0.1  # of the question's words: beside a sentence with so many, one with so few is left out
_SHORTEST, _LONGEST = 35, 420  # characters of one
_STOPPED = re.compile(r"[.!…:»”][»”\")\]]*$")


def under(heading: str, evidence: Sequence[Evidence], question: str, known: Container[str] = ()) -> str:
    """The sentences under a heading that have most of a question's words, each with its mark, in their order.

    Where none has any, as where the whole document is about it, the first ones; nothing where there are none. Those
    that are `known` were said before.
    """
    everything = candidates(evidence)
    weights = weighed(sought(understand(question)), (one.words for one in everything))
    own = [
        one
        for one in everything
        if _is_fit(one) and _stands_under(one, heading) and bare(shielded(one.text)) not in known
    ]
    worth = {one.place: covered(weights, one.words) for one in own}
    is_told = max(worth.values(), default=0.0) >= _TO_THE_POINT
    kept: list[Candidate] = []
    for one in sorted(own, key=lambda one: (-round(worth[one.place], 1), one.place)):
        if len(kept) < _MOST and not repeats(one, kept) and (worth[one.place] >= _ASIDE or not is_told):
            kept.append(one)
    return quoted(sorted(kept, key=lambda one: one.place), everything) if kept else ""


def _stands_under(one: Candidate, heading: str) -> bool:
    above = one.heading or (one.evidence.headings[-1] if one.evidence.headings else one.evidence.title)
    return _plain(above) == _plain(heading)


def _plain(heading: str) -> str:
    return named(heading).casefold()


def _is_fit(one: Candidate) -> bool:
    return (
        not one.is_title
        and " | " not in one.text
        and _SHORTEST <= len(one.text) <= _LONGEST
        and _STOPPED.search(one.text) is not None
    )
