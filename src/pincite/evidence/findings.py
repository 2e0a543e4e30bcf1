"""What speaks for and against a sentence when it is laid over its source, each as a figure and as a reason."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from pincite.evidence.comparison import Comparison, excluded
from pincite.evidence.operators import MAY, MUST, NOT, ONLY
from pincite.evidence.wording import LIGHT, Word

_PREFIXES = ("in", "im", "il", "ir", "un", "non", "dis", "mal", "anti", "de", "des")
_SAME_MATTER = 0.35  # of the sentence that a sentence of the source says, to contradict it
_STEM = 4  # letters that a word keeps without its prefix, at least


Conflict = tuple[int, int, str]  # a place in the sentence, one in the source, and the reason


@dataclass(frozen=True, slots=True)
class Findings:
    """Shares are of the sentence's weight; the tuples hold reasons, the graver kinds first."""

    coverage: float
    amount: float
    runs: float
    polarity: float
    conflict: float
    against: tuple[str, ...]
    missing: tuple[str, ...]
    replaced: tuple[str, ...]
    stronger: tuple[str, ...]
    size: int


def findings(compared: Comparison) -> Findings:
    """Everything that the comparison of a sentence with its source shows."""
    words = compared.sentence.words
    total = sum(word.weight for word in words)
    covered = sum(words[i].weight for i in compared.paired)
    covered += sum(words[i].weight * share for i, share in compared.loosely.items())
    shares = _shares(compared)
    held = [
        (shares.get((words[i].sentence, compared.source.words[j].sentence), 0.0), reason)
        for check in (_misplaced, _opposed, _denied, _swapped)
        for i, j, reason in check(compared)
    ]
    against = [reason for share, reason in held if share >= _SAME_MATTER]
    return Findings(
        coverage=covered / total if total else 0.0,
        amount=covered,
        runs=_runs(compared),
        polarity=_polarity(compared, shares),
        conflict=max((share for share, _ in held), default=0.0),
        against=tuple(dict.fromkeys(against)),
        missing=tuple(dict.fromkeys(_missing(compared))),
        replaced=tuple(dict.fromkeys(_replaced(compared))),
        stronger=tuple(dict.fromkeys(_stronger(compared))),
        size=sum(word.weight > LIGHT for word in words),
    )


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


def _shares(compared: Comparison) -> dict[tuple[int, int], float]:
    """How much of each sentence of the claim each sentence of the source says."""
    said: dict[tuple[int, int], float] = {}
    totals: dict[int, float] = {}
    for i, word in enumerate(compared.sentence.words):
        totals[word.sentence] = totals.get(word.sentence, 0.0) + word.weight
        for number in {compared.source.words[j].sentence for j in compared.candidates[i]}:
            said[word.sentence, number] = said.get((word.sentence, number), 0.0) + word.weight
    return {pair: weight / (totals[pair[0]] or 1.0) for pair, weight in said.items()}


def _polarity(compared: Comparison, shares: dict[tuple[int, int], float]) -> float:
    """How much of a sentence is said by one of the source, when one of the two denies and the other does not."""
    if not shares:
        return 0.0
    own, other = max(shares, key=lambda pair: shares[pair])
    denied = any(word.cue & NOT for word in compared.source.words if word.sentence == other)
    denies = any(word.cue & NOT for word in compared.sentence.words if word.sentence == own)
    return shares[own, other] if denied != denies else 0.0


def _missing(compared: Comparison) -> Iterator[str]:
    """Numbers and names of the sentence that the source does not have."""
    for i, word in enumerate(compared.sentence.words):
        if not compared.candidates[i] and i not in compared.loosely and (word.quantity or word.name):
            yield f"{word.text} is not in the source"


def _misplaced(compared: Comparison) -> Iterator[Conflict]:
    """Numbers that the source has, but where it has this one's neighbours, another stands."""
    source = compared.source.words
    for i, word in enumerate(compared.sentence.words):
        if not word.quantity:
            continue
        own = max((compared.fit(i, j) for j in compared.candidates[i]), default=-1)
        for j, other in enumerate(source):
            rival = other.quantity and other.quantity.kind == word.quantity.kind and j not in compared.candidates[i]
            if rival and compared.fit(i, j) > max(own, 1):
                yield i, j, f"the source says {other.text}, the sentence says {word.text}"


def _opposed(compared: Comparison) -> Iterator[Conflict]:
    """Words in whose place the source has an opposite."""
    source = compared.source.words
    placed = {i: gap for gap in compared.gaps for i in gap.claimed}
    for i, word in enumerate(compared.sentence.words):
        if not word.sides:
            continue
        same = [j for j in compared.candidates[i] if not excluded(word, source[j])]
        best = max((compared.fit(i, j) + (compared.aligned.get(i) == j) for j in same), default=-1)
        for j, other in enumerate(source):
            if not other.sides or not excluded(word, other) or set(word.sides) & set(other.sides):
                continue
            gap = placed.get(i)
            in_place = gap is not None and j in gap.given and len(gap.given) <= 6 and j not in compared.used
            if (in_place and best < 2) or (compared.fit(i, j) > max(best, 0) and j not in compared.used):
                yield i, j, f"the source says {other.text}, the sentence says {word.text}"


def _denied(compared: Comparison) -> Iterator[Conflict]:
    """What one of the two denies and the other does not."""
    sentence, source = compared.sentence.words, compared.source.words
    for i, j in compared.paired.items():
        own, other = sentence[i], source[j]
        if own.weight <= LIGHT or own.cue:
            continue
        near = compared.aligned.get(i) == j or compared.fit(i, j) > 0 or len(compared.candidates[i]) == 1
        if not near:
            continue
        if own.said.directly & NOT and not other.said.loosely & NOT:
            yield i, j, f"the sentence denies “{own.text}”, the source does not"
        elif other.said.directly & NOT and not own.said.loosely & NOT:
            yield i, j, f"the source denies “{other.text}”, the sentence does not"
    for gap in compared.gaps:
        claimed, given = compared.rivals(gap)
        if len(gap.claimed) <= 3 and len(gap.given) <= 3 and gap.firm:
            denied = {any(sentence[i].cue & NOT for i in gap.claimed), any(source[j].cue & NOT for j in gap.given)}
            if len(denied) == 2:
                yield _edge(gap.claimed, sentence), _edge(gap.given, source), "one denies what the other says"
        for i in claimed:
            for j in given:
                if _is_negative(sentence[i], source[j]) or _is_negative(source[j], sentence[i]):
                    yield i, j, f"the source says {source[j].text}, the sentence says {sentence[i].text}"


def _edge(place: range, words: tuple[Word, ...]) -> int:
    return min(place.start, len(words) - 1)


def _is_negative(word: Word, other: Word) -> bool:
    """Is one word the other with a prefix that denies it?"""
    return any(
        word.plain.startswith(prefix) and len(other.plain) >= _STEM and word.plain[len(prefix) :] == other.plain
        for prefix in _PREFIXES
    )


def _replaced(compared: Comparison) -> Iterator[str]:
    """Words that stand in the place of another of the source's, which the sentence says nowhere."""
    sentence, source = compared.sentence.words, compared.source.words
    for gap in compared.gaps:
        claimed, given = compared.rivals(gap)
        if not gap.firm or not claimed or not given:
            continue
        fresh = [
            i for i in claimed if (compared.loosely.get(i, 0) < 0.7 or sentence[i].name) and not compared.settled(i)
        ]
        if fresh:
            said, stood = " ".join(sentence[i].text for i in fresh), " ".join(source[j].text for j in given)
            yield f"where the source says “{stood}”, the sentence says “{said}”"


def _stronger(compared: Comparison) -> Iterator[str]:
    """Where the source says may, or some, and the sentence says more."""
    sentence, source = compared.sentence.words, compared.source.words
    for i, j in compared.paired.items():
        own, other = sentence[i], source[j]
        if own.weight <= LIGHT or own.cue:
            continue
        if other.said.directly & MAY and not own.said.loosely & (MAY | NOT) and compared.fit(i, j):
            yield f"the source only says that “{other.text}” may be"
        if own.said.directly & MUST and other.said.loosely & MAY:
            yield f"the sentence says must, the source says may: “{own.text}”"
        if own.said.directly & ONLY and not other.said.loosely & ONLY and compared.fit(i, j):
            yield f"the source does not say that it is only “{other.text}”"


def _swapped(compared: Comparison) -> Iterator[Conflict]:
    """Two names that stand on the other sides of the same word in the source."""
    sentence, source = compared.sentence.words, compared.source.words
    for pivot, place in compared.paired.items():
        if sentence[pivot].weight <= LIGHT or sentence[pivot].name or sentence[pivot].quantity:
            continue
        left, right = _named(sentence, pivot, -1), _named(sentence, pivot, 1)
        before, after = _named(source, place, -1), _named(source, place, 1)
        if left is None or right is None or before is None or after is None:
            continue
        crossed = after in compared.candidates[left] and before in compared.candidates[right]
        straight = before in compared.candidates[left] or after in compared.candidates[right]
        turned = _passive(sentence, pivot, right) != _passive(source, place, after)
        if (crossed and not straight and not turned) or (straight and not crossed and turned):
            yield (
                pivot,
                place,
                f"{sentence[left].text} and {sentence[right].text} stand the other way round in the source",
            )


def _named(words: tuple[Word, ...], at: int, step: int) -> int | None:
    """The nearest name on one side of a word, within its clause."""
    i = at + step
    while 0 <= i < len(words) and abs(i - at) <= 5 and words[i].clause == words[at].clause:
        if words[i].name or (words[i].first and words[i].weight > LIGHT and words[i].text[:1].isupper()):
            return i
        i += step
    return None


def _passive(words: tuple[Word, ...], pivot: int, right: int) -> bool:
    return any(word.plain in ("by", "par") for word in words[pivot + 1 : right])
