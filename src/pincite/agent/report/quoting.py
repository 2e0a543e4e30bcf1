"""What sources say under a heading, quoted in their order: a section that no model writes."""

from collections.abc import Sequence

from pincite.agent.extractive.choosing import Candidate, candidates, repeats
from pincite.agent.extractive.quoting import quoted
from pincite.types import Evidence

_MOST = 5  # sentences
_SHORTEST, _LONGEST = 35, 420  # characters of one


def under(heading: str, evidence: Sequence[Evidence]) -> str:
    """The first sentences that stand under a heading, each with its mark; nothing where there are none."""
    everything = candidates(evidence)
    kept: list[Candidate] = []
    for one in sorted(everything, key=lambda one: one.place):
        if len(kept) < _MOST and _is_fit(one) and _stands_under(one, heading) and not repeats(one, kept):
            kept.append(one)
    return quoted(kept, everything) if kept else ""


def _stands_under(one: Candidate, heading: str) -> bool:
    above = one.heading or (one.evidence.headings[-1] if one.evidence.headings else one.evidence.title)
    return _bare(above) == _bare(heading)


def _bare(heading: str) -> str:
    return " ".join(heading.strip("#* ").casefold().split())


def _is_fit(one: Candidate) -> bool:
    return (
        not one.is_title
        and " | " not in one.text
        and _SHORTEST <= len(one.text) <= _LONGEST
        and one.text[-1] in ".!…»”:)"
    )
