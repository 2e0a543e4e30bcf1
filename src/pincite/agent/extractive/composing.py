"""What was found to an answer: sentences quoted word for word, each with its mark, in an order that reads."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pincite.agent.extractive.asking import Asking, Kind, understand
from pincite.agent.extractive.choosing import Candidate, repeats, scored
from pincite.agent.extractive.found import is_answered, standing
from pincite.agent.extractive.quoting import quoted
from pincite.agent.extractive.steps import LIST, OUTLINE, SEARCH, Returned, subject
from pincite.agent.extractive.summary import central
from pincite.agent.extractive.words import bag
from pincite.agent.refusal import refusal

if TYPE_CHECKING:
    from pincite.index.embed import Embedder

_WHICH = {
    "en": "Which document should be summarised?",
    "fr": "Quel document faut-il résumer ?",
}
_LIMITS: dict[Kind, int] = {"time": 3, "place": 3, "quantity": 4, "procedure": 4, "fact": 4, "reason": 4}
_LIMIT = 3
_BELOW = 0.45  # how far behind the best a sentence may be and still be said
_SOMEWHERE: frozenset[Kind] = frozenset({"quantity", "time", "person", "place", "fact", "reason"})
_AGAIN = 0.1  # what a sentence loses for each that is quoted from the same passage
_SIDE = 3  # sentences for each side of a comparison


def compose(asking: Asking, returned: Sequence[Returned], embedder: "Embedder | None") -> str:
    """The answer to a question from what its searches gave; a refusal when that does not answer."""
    outlines = [each for each in returned if each.call.tool == OUTLINE and each.evidence]
    if asking.kind == "summary" and outlines:
        return quoted(*central(outlines[0].evidence))
    if asking.kind == "summary" and not subject(asking) and any(each.documents for each in returned):
        return _WHICH["fr" if asking.language == "fr" else "en"]
    if asking.kind == "comparison" and (text := _compared(asking, returned, outlines, embedder)):
        return text
    found = standing(_searches(returned))
    everything = scored(asking, found, embedder)
    best = chosen(asking, everything)
    if not is_answered(asking, best, found):
        return refusal(asking.language)
    return quoted(_in_order(asking, best), everything)


def chosen(asking: Asking, everything: Sequence[Candidate]) -> list[Candidate]:
    """The few sentences that answer, best first, out of all there are in their order.

    What may stand in one of several places is quoted from several rather than more of one."""
    again = _AGAIN if asking.kind in _SOMEWHERE else 0.0
    least = everything[0].score - _BELOW if everything else 0.0
    near = [one for one in everything if one.score >= least]
    kept: list[Candidate] = []
    while near and len(kept) < _LIMITS.get(asking.kind, _LIMIT):
        worth = {one.place: one.score - again * sum(one.evidence is other.evidence for other in kept) for one in near}
        best = max(near, key=lambda one: worth[one.place])
        if worth[best.place] < least:
            break
        near.remove(best)
        if not repeats(best, kept):
            kept.append(best)
    return kept


def _in_order(asking: Asking, best: list[Candidate]) -> list[Candidate]:
    """Steps and items as their document has them, the best document first; anything else best first."""
    if asking.kind not in ("procedure", "list"):
        return best
    documents = list(dict.fromkeys(one.evidence.span.document for one in best))
    return sorted(best, key=lambda one: (documents.index(one.evidence.span.document), one.place))


def _searches(returned: Sequence[Returned]) -> list[Returned]:
    return [each for each in returned if each.call.tool != LIST]


def _compared(
    asking: Asking, returned: Sequence[Returned], outlines: Sequence[Returned], embedder: "Embedder | None"
) -> str:
    """Each side under its name; nothing when one of them was not found."""
    if len(outlines) == 2:
        pairs = [(name, central(each.evidence, _SIDE)) for name, each in zip(asking.subjects, outlines, strict=False)]
    else:
        pairs = []
        for name, found in _sides(asking, returned):
            side = understand(f"{name} {asking.text}")
            everything = scored(side, standing(found), embedder)
            about = (
                [one for one in everything if not bag(name).isdisjoint(one.words | one.above)] if name else everything
            )
            pairs.append((name, (chosen(asking, about)[:_SIDE], everything)))
    if len(pairs) < 2 or not all(best for _, (best, _) in pairs):
        return ""
    return "\n\n".join(f"**{name}**\n\n{quoted(best, everything)}" for name, (best, everything) in pairs)


def _sides(asking: Asking, returned: Sequence[Returned]) -> Iterable[tuple[str, list[Returned]]]:
    """The name of each side, and what was found for it."""
    inside = [each for each in returned if each.call.tool == SEARCH and dict(each.call.given).get("document")]
    if len(inside) == 2:
        return [(side, [each]) for side, each in zip(asking.subjects, inside, strict=False)]
    searches = _searches(returned)
    return [(side, [searches[i], searches[0]]) for i, side in enumerate(asking.subjects, 1) if i < len(searches)]
