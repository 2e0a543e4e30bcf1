"""What was found to an answer: sentences quoted word for word, each with its mark, in an order that reads."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.agent.extractive.asking import Asking, Kind
from pincite.agent.extractive.aspect import said_of
from pincite.agent.extractive.calls import IMAGES, LIST, OUTLINE, PAGES, VIDEOS, WEB, Returned
from pincite.agent.extractive.choosing import Candidate, repeats, scored
from pincite.agent.extractive.found import is_answered, is_sure, standing
from pincite.agent.extractive.quoting import leads_in, quoted
from pincite.agent.extractive.sides import sides
from pincite.agent.extractive.steps import subject
from pincite.agent.extractive.summary import central
from pincite.agent.extractive.words import plain
from pincite.agent.refusal import refusal
from pincite.evidence.markers import shielded

if TYPE_CHECKING:
    from pincite.index.embed import Embedder

_WHICH = {
    "en": "Which document should be summarised?",
    "fr": "Quel document faut-il résumer ?",
}
# Lead-ins of known words, which claim nothing.
_SHOWN = {"en": "Here is what was found for “{}”:", "fr": "Voici pour « {} » :"}
_WHOLE, _PAGE = 7, 3  # sentences of a summary of one page, and at least of each of several
_LIMITS: dict[Kind, int] = {"time": 3, "place": 3, "quantity": 4, "procedure": 4, "fact": 4, "reason": 4, "summary": 6}
_LIMIT = 3
_BELOW = 0.45  # how far behind the best a sentence may be and still be said
_SHARE, _COSINES = 0.4, 0.01  # how much less of the question's words it may have, or how much farther its meaning be
_LEAD = 0.8  # of the most words of the question that a sentence has
_SOMEWHERE: frozenset[Kind] = frozenset({"quantity", "time", "person", "place", "fact", "reason"})
_AGAIN = 0.1  # what a sentence loses for each that is quoted from the same passage
_SIDE = 3  # sentences for each side of a comparison


def compose(asking: Asking, returned: Sequence[Returned], embedder: "Embedder | None") -> str:
    """The answer to a question from what its searches gave; a refusal when that does not answer."""
    pages = [each for each in returned if each.call.tool in PAGES and each.evidence]
    outlines = [each for each in returned if each.call.tool == OUTLINE and each.evidence]
    if asking.kind == "summary" and pages:
        return _summaries(pages) or refusal(asking.language)
    if asking.kind == "summary" and outlines:
        return quoted(*central(outlines[0].evidence)) or refusal(asking.language)
    if asking.kind == "summary" and not subject(asking) and any(each.documents for each in returned):
        return _WHICH["fr" if asking.language == "fr" else "en"]
    if asking.kind == "comparison" and (text := compared(asking, returned, embedder)):
        return text
    if asking.kind == "aspect":
        about = said_of(asking, _searches(returned), embedder)
        return quoted(chosen(asking, about), about) or refusal(asking.language)
    everything = scored(asking, standing(_searches(returned)), embedder)
    best = chosen(asking, everything)
    if not is_answered(asking, best, everything):
        return _gallery(asking, returned) or refusal(asking.language)
    return quoted(_in_order(asking, _whole_list(asking, best, everything)), everything)


def suffices(asking: Asking, returned: Sequence[Returned], embedder: "Embedder | None") -> bool:
    """Whether what was found until now answers, so that nothing else need be looked for.

    A page that somebody named need only answer; whatever was searched for must be near to the question too.
    """
    if asking.kind == "comparison":
        return bool(compared(asking, returned, embedder))
    if asking.kind in ("summary", "aspect") or all(each.call.tool in PAGES for each in returned):
        return compose(asking, returned, embedder) != refusal(asking.language)
    everything = scored(asking, standing(_searches(returned)), embedder)
    best = chosen(asking, everything)
    return is_answered(asking, best, everything) and is_sure(asking, best)


def compared(asking: Asking, returned: Sequence[Returned], embedder: "Embedder | None") -> str:
    """What was found of each of two sides, under its name; nothing when one of them was not found."""
    told: list[str] = []
    said: list[Candidate] = []
    for name, own, is_outline, found in sides(asking, returned):
        if is_outline:
            best, everything = central(found[0].evidence, _SIDE)
        else:
            words = f"{name} {asking.text}"
            side = Asking(words, words, asking.language, "definition", (name,))
            everything = scored(side, standing(found), embedder)
            about = [one for one in everything if not own.isdisjoint(one.words | one.above) and not repeats(one, said)]
            best = chosen(asking, about)
        if not best:
            return ""
        said += best
        told.append(f"**{name}**\n\n{quoted(best, everything)}")
    return "\n\n".join(told)


def chosen(asking: Asking, everything: Sequence[Candidate]) -> list[Candidate]:
    """The few sentences that answer, best first, out of all there are in their order.

    What may stand in one of several places is quoted from several rather than more of one."""
    again = _AGAIN if asking.kind in _SOMEWHERE else 0.0
    fit = [one for one in everything if not one.is_title]
    least = fit[0].score - _BELOW if fit else 0.0
    near = [one for one in fit if one.score >= least and _is_near(one, fit[0])]
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


def _whole_list(asking: Asking, best: list[Candidate], everything: Sequence[Candidate]) -> list[Candidate]:
    """Where a list is asked for and one is led in by the question's own words, that list alone."""
    most = max(one.lexical for one in best)
    leads = [one for one in best if one.lexical >= _LEAD * most and leads_in(one, everything)]
    return leads[:1] if leads and asking.kind in ("list", "procedure") else best


def _is_near(one: Candidate, best: Candidate) -> bool:
    """Is a sentence to the point as the best one is: by the question's words, or by what it means?"""
    return one.lexical >= _SHARE * best.lexical or (one.meaning > 0 and one.meaning >= best.meaning - _COSINES)


def _in_order(asking: Asking, best: list[Candidate]) -> list[Candidate]:
    """Steps and items as their document has them, the best document first; anything else best first."""
    if asking.kind not in ("procedure", "list", "summary"):
        return best
    documents = list(dict.fromkeys(one.evidence.span.document for one in best))
    return sorted(best, key=lambda one: (documents.index(one.evidence.span.document), one.place))


def _summaries(pages: Sequence[Returned]) -> str:
    """What pages say as a whole; several of them each under its title."""
    most = max(_PAGE, _WHOLE // len(pages))
    told = [(each.evidence[0].title, quoted(*central(each.evidence, most))) for each in pages]
    if len(told) == 1:
        return told[0][1]
    return "\n\n".join(f"**{plain(shielded(title).replace('*', ''))}**\n\n{said}" for title, said in told if said)


def _searches(returned: Sequence[Returned]) -> list[Returned]:
    """What was searched, with that first which was looked for because the rest did not answer."""
    last = {WEB: 0, **dict.fromkeys(PAGES, 2)}
    found = [each for each in returned if each.call.tool not in (LIST, IMAGES, VIDEOS)]
    return sorted(found, key=lambda each: last.get(each.call.tool, 1))


def _gallery(asking: Asking, returned: Sequence[Returned]) -> str:
    """What leads in the pictures or videos that were found, where nothing else was."""
    for each in returned:
        if each.media:
            return _SHOWN["fr" if asking.language == "fr" else "en"].format(dict(each.call.given)["query"])
    return ""
