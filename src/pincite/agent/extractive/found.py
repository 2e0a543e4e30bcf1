"""What searches found, put in one order, and whether it answers at all."""

from collections.abc import Sequence

from pincite.agent.extractive.asking import Asking
from pincite.agent.extractive.choosing import Candidate
from pincite.agent.extractive.steps import Returned
from pincite.agent.extractive.words import covered, names, sought
from pincite.reading.language import french_or_english
from pincite.types import Evidence

_STEP = 0.06  # what each place further down costs
_OTHER_PHRASING = 0.9

# A share of the question's words, and what a cosine above that of any two texts is worth beside it.
_ENOUGH, _ENOUGH_WORDS = 0.55, 0.3
_MORE = 0.15  # when nobody is named who is asked about
_ANY_TWO, _COSINE = 0.80, 5.0
_TRANSLATED, _BORROWED = 0.845, 0.7  # the same between two languages, which share few words
# Of 105 questions these let 87 % through where the right document is there, 43 % where it is not: docs/answering.md.
_SURE_WORDS, _SURE = 0.6, 0.86
_ALIKE = 5  # letters that a name and a word made from it have in common: Europe, européen


def standing(returned: Sequence[Returned]) -> dict[Evidence, float]:
    """Each evidence with how well it was found, from 1 down: by its place in the search that found it best."""
    found: dict[Evidence, float] = {}
    for number, each in enumerate(returned):
        worth = _OTHER_PHRASING if number else 1.0
        for place, evidence in enumerate(each.evidence):
            found[evidence] = max(found.get(evidence, 0.0), worth / (1 + _STEP * place))
    return found


def is_answered(asking: Asking, best: Sequence[Candidate], everything: Sequence[Candidate]) -> bool:
    """Whether the best sentences can be an answer: they are about the question, and whom it names was found."""
    if not best:
        return False
    named = names(asking)
    found = frozenset[str]().union(*(one.words | one.above for one in everything)) if named else frozenset[str]()
    is_nameless = bool(named) and all(_is_missing(name, found) for name in named)
    # A document about somebody may say "we" throughout.
    if is_nameless and len({one.evidence.span.document for one in everything}) > 1:
        return False
    weights = {word: word.weight for word in sought(asking)}
    words = max(covered(weights, one.passage, one.above) for one in best)
    meaning = max(one.meaning for one in best)
    spoken = french_or_english(" ".join(one.text for one in best))
    if meaning and spoken and spoken != asking.language:
        return meaning >= _TRANSLATED or words >= _BORROWED
    more = _MORE if is_nameless else 0.0
    if not meaning:
        return words >= _ENOUGH_WORDS + more
    return words + _COSINE * (meaning - _ANY_TWO) >= _ENOUGH + more


def is_sure(asking: Asking, best: Sequence[Candidate]) -> bool:
    """Whether sentences that can be an answer are so near to the question that it need not be looked for elsewhere."""
    weights = {word: word.weight for word in sought(asking)}
    words = max((covered(weights, one.words, one.above) for one in best), default=0.0)
    meaning = max((one.meaning for one in best), default=0.0)
    spoken = french_or_english(" ".join(one.text for one in best))
    is_translated = bool(meaning and spoken and spoken != asking.language)
    return (words >= _SURE_WORDS or is_translated) and (not meaning or meaning >= _SURE)


def _is_missing(name: frozenset[str], everything: frozenset[str]) -> bool:
    return name.isdisjoint(everything) and not any(
        len(word) >= _ALIKE and other.startswith(word[:_ALIKE]) for word in name for other in everything
    )
