"""What speaks for and against a sentence when it is laid over its source, each as a figure and as a reason."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from pincite.evidence.borrowed import borrowed
from pincite.evidence.comparison import Comparison, Gap
from pincite.evidence.contradictions import contradictions, doubts
from pincite.evidence.framing import framed
from pincite.evidence.operators import MAY, MUST, NOT, ONLY
from pincite.evidence.wording import LIGHT, may_be_name

_EXCHANGED, _CLOSELY = 2, 4  # words of a gap in which one was put for another
_USUALLY_UNKNOWN = 0.25
_IN_A_ROW = 3  # sentences of a source that one sentence is taken from, at most
_ANOTHER_FORM = 0.7
_TOUCHING, _SAME_MATTER = 0.35, 0.55  # of the sentence that one of the source says, to question it, to contradict it


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found; shares are of the sentence's weight, the tuples hold reasons, the graver kinds first.

    Covered: anywhere in the source; gathered: in a few sentences in a row; anchored: in one; runs: beside the same
    words. The amount is in words. Polarity and conflict are shares that one of the two denies or contradicts.
    """

    coverage: float
    gathered: float
    anchored: float
    amount: float
    runs: float
    polarity: float
    conflict: float
    unknown: float
    against: tuple[str, ...]
    missing: tuple[str, ...]
    replaced: tuple[str, ...]
    stronger: tuple[str, ...]


def findings(compared: Comparison) -> Findings:
    """Everything that the comparison of a sentence with its source shows."""
    words = compared.sentence.words
    total = sum(word.weight for word in words)
    covered = sum(words[i].weight for i in compared.paired)
    covered += sum(words[i].weight * share for i, share in compared.loosely.items())
    held = [(_matter(compared, i, j), reason) for i, j, reason in contradictions(compared)]
    against = [reason for share, reason in held if share >= _SAME_MATTER]
    questions = [reason for share, reason in held if _TOUCHING <= share < _SAME_MATTER]
    return Findings(
        coverage=covered / total if total else 0.0,
        gathered=_gathered(compared),
        anchored=_anchored(compared),
        amount=covered,
        runs=_runs(compared),
        polarity=_polarity(compared),
        conflict=max((share for share, _ in held if share >= _SAME_MATTER), default=0.0),
        unknown=_unknown(compared),
        against=tuple(dict.fromkeys(against)),
        missing=tuple(dict.fromkeys(_missing(compared))),
        replaced=tuple(dict.fromkeys(_replaced(compared))),
        stronger=tuple(
            dict.fromkeys((*questions, *_stronger(compared), *doubts(compared), *framed(compared), *borrowed(compared)))
        ),
    )


def _matter(compared: Comparison, i: int, j: int) -> float:
    """How much of the sentence around one word the source says around another; a number that it lacks aside."""
    words = compared.sentence.words
    share = compared.shares.get((words[i].sentence, compared.source.words[j].sentence), 0.0)
    if compared.candidates[i] or not words[i].quantity:
        return share
    total = sum(word.weight for word in words if word.sentence == words[i].sentence)
    rest = total - words[i].weight
    return min(share * total / rest, 1.0) if rest else share


def _runs(compared: Comparison) -> float:
    """The share of neighbouring words that carry meaning and are neighbours in the source too."""
    words = compared.sentence.words
    heavy = [i for i, word in enumerate(words) if word.weight > LIGHT]
    pairs = list(pairwise(heavy))
    if not pairs:
        return float(bool(heavy) and heavy[0] in compared.paired)
    places = compared.paired
    together = [i in places and j in places and 0 < places[j] - places[i] <= j - i + 2 for i, j in pairs]
    return sum(together) / len(pairs)


def _gathered(compared: Comparison) -> float:
    """How much of the sentence a few sentences of the source in a row say; words that only its context has aside."""
    words = compared.sentence.words
    held: dict[int, float] = {}
    total = 0.0
    together = _IN_A_ROW + (words[-1].sentence if words else 0)
    for i, word in enumerate(words):
        loosely = compared.loosely.get(i, 0.0)
        if not word.weight or (loosely and not compared.candidates[i]):
            continue
        total += word.weight
        numbers = {compared.source.words[j].sentence - k for j in compared.candidates[i] for k in range(together)}
        for number in numbers:
            held[number] = held.get(number, 0.0) + word.weight
    return max(held.values(), default=0.0) / total if total else 1.0


def _anchored(compared: Comparison) -> float:
    """How much of each sentence one sentence of the source says, of the one of which it says least."""
    words = compared.sentence.words
    known = {word.sentence for i, word in enumerate(words) if word.weight and i not in compared.loosely}
    best = dict.fromkeys(known, 0.0)
    for (own, _), share in compared.shares.items():
        if own in best:
            best[own] = max(best[own], share)
    return min(best.values(), default=1.0)


def _polarity(compared: Comparison) -> float:
    """How much of a sentence is said by one of the source, when one of the two denies and the other does not."""
    shares = compared.shares
    if not shares:
        return 0.0
    own, other = max(shares, key=lambda pair: shares[pair])
    denied = any(word.cue & NOT for word in compared.source.words if word.sentence == other)
    denies = any(word.cue & NOT for word in compared.sentence.words if word.sentence == own)
    return shares[own, other] if denied != denies else 0.0


def _unknown(compared: Comparison) -> float:
    """The share of the sentence's names and numbers that the source has not; the usual share where it has none."""
    told = [i for i, word in enumerate(compared.sentence.words) if word.name or word.quantity]
    lacking = sum(not compared.candidates[i] and i not in compared.loosely for i in told)
    return lacking / len(told) if told else _USUALLY_UNKNOWN


def _missing(compared: Comparison) -> Iterator[str]:
    """Numbers and names of the sentence that the source does not have."""
    for i, word in enumerate(compared.sentence.words):
        if not compared.candidates[i] and i not in compared.loosely and (word.quantity or word.name):
            yield f"{word.text} is not in the source"


def _replaced(compared: Comparison) -> Iterator[str]:
    """Words that stand in the place of another of the source's, which the sentence says nowhere."""
    sentence, source = compared.sentence.words, compared.source.words
    for gap in compared.gaps:
        claimed, given = compared.rivals(gap)
        if not gap.firm or not claimed or not given:
            continue
        fresh = [i for i in claimed if _is_fresh(compared, gap, i, given)]
        if fresh:
            said, stood = " ".join(sentence[i].text for i in fresh), " ".join(source[j].text for j in given)
            yield f"where the source says “{stood}”, the sentence says “{said}”"


def _is_fresh(compared: Comparison, gap: Gap, i: int, given: list[int]) -> bool:
    """Is a word in this gap not the source's, or another's in its place?"""
    word, source = compared.sentence.words[i], compared.source.words
    if word.quantity:
        rivals = [source[j].quantity for j in given]
        return any(rival and rival.measure == word.quantity.measure for rival in rivals) and not compared.settled(i)
    inside = gap.claimed.start > 0 and gap.claimed.stop < len(compared.sentence.words)
    wide = inside and len(gap.given) > _CLOSELY
    if not word.text[:1].isupper() and (wide or all(source[j].name for j in given)):
        return False
    if not compared.candidates[i]:
        return compared.loosely.get(i, 0) < (1.0 if may_be_name(word) else _ANOTHER_FORM)
    # The source has the word, but elsewhere: it was exchanged only if nothing else changed here.
    exchanged = len(gap.claimed) == len(gap.given) <= _EXCHANGED
    if not (any(source[j].name for j in given) if word.name else exchanged):
        return False
    return not compared.settled(i) or compared.strayed(i, source[given[0]].sentence)


def _stronger(compared: Comparison) -> Iterator[str]:
    """Where the source says may, or some, and the sentence says more."""
    sentence, source = compared.sentence.words, compared.source.words
    for i, j in compared.paired.items():
        own, other = sentence[i], source[j]
        if not own.weight or own.cue:
            continue
        if other.said.directly & MAY and not own.said.loosely & (MAY | NOT) and compared.fit(i, j):
            yield f"the source only says that “{other.text}” may be"
        if own.said.directly & MUST and other.said.loosely & MAY:
            yield f"the sentence says must, the source says may: “{own.text}”"
        if own.said.directly & ONLY and not other.said.loosely & ONLY and compared.fit(i, j):
            yield f"the source does not say that it is only “{other.text}”"
