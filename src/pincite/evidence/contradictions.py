"""Where a source says something else than the sentence: another number, an opposite, a denial, or turned round."""

from collections import Counter
from collections.abc import Iterator

from pincite.evidence.comparison import Comparison, excluded
from pincite.evidence.operators import NOT
from pincite.evidence.quantities import Quantity
from pincite.evidence.turned import Conflict, turned
from pincite.evidence.wording import LIGHT, Word

_PREFIXES = ("in", "im", "il", "ir", "un", "non", "dis", "mal", "anti", "de", "des")
_STEM = 4  # letters that a word keeps without its prefix, at least
_SMALL_GAP = 3
_PLACE = 6
_WITH_NE = frozenset(("aucun", "aucune", "jamais", "ni", "nul", "nulle"))


def contradictions(compared: Comparison) -> Iterator[Conflict]:
    """Everything in which the source contradicts the sentence."""
    yield from _misplaced(compared)
    yield from _opposed(compared)
    yield from _denied(compared)
    yield from _prefixed(compared)
    yield from _exchanged(compared)
    yield from turned(compared)


def _misplaced(compared: Comparison) -> Iterator[Conflict]:
    """Numbers that the source has, but where it has this one's neighbours, another stands."""
    for i, word in enumerate(compared.sentence.words):
        if not word.quantity:
            continue
        own = max((compared.fit(i, j) for j in compared.candidates[i]), default=-1)
        for j, other in enumerate(compared.source.words):
            if other.quantity is None or j in compared.candidates[i]:
                continue
            if _rivals(word.quantity, other.quantity) and compared.fit(i, j) > max(own, 1):
                yield i, j, _instead(other, word)


def _exchanged(compared: Comparison) -> Iterator[Conflict]:
    """Numbers that the source does not have, where another of their kind stands in their place."""
    for gap in compared.gaps:
        claimed, given = compared.rivals(gap)
        for i in claimed:
            own = compared.sentence.words[i].quantity
            if own is None or compared.candidates[i] or not gap.firm:
                continue
            rivals = [j for j in given if _rivals(own, compared.source.words[j].quantity)]
            if rivals:
                yield i, rivals[0], _instead(compared.source.words[rivals[0]], compared.sentence.words[i])


def _rivals(own: Quantity, other: Quantity | None) -> bool:
    """Are these two of one kind, and not one the other rounded?"""
    if other is None or (own.kind, own.measure) != (other.kind, other.measure):
        return False
    return not any(abs(a - b) <= own.step / 2 for a in own.worth for b in other.worth)


def _opposed(compared: Comparison) -> Iterator[Conflict]:
    """Words in whose place the source has an opposite, or in whose stead it has nothing but one."""
    source = compared.source.words
    sided = [j for j, other in enumerate(source) if other.sides and j not in compared.used]
    placed = {i: gap for gap in compared.gaps for i in gap.claimed}
    for i, word in enumerate(compared.sentence.words):
        if not word.sides:
            continue
        same = [j for j in compared.candidates[i] if not excluded(word, source[j])]
        best = max((compared.fit(i, j) + (compared.aligned.get(i) == j) for j in same), default=-1)
        for j in sided:
            other = source[j]
            if not excluded(word, other) or set(word.sides) & set(other.sides):
                continue
            gap = placed.get(i)
            in_place = gap is not None and j in gap.given and len(gap.given) <= _PLACE
            in_place = in_place and (best < 2 or compared.strayed(i, other.sentence))
            alone = not same and word.weight > 0 and other.weight > 0
            if in_place or alone or compared.fit(i, j) > max(best, 0):
                yield i, j, _instead(other, word)


def _denied(compared: Comparison) -> Iterator[Conflict]:
    """What one of the two denies and the other does not."""
    sentence, source = compared.sentence.words, compared.source.words
    denying, denied = _denials(sentence), _denials(source)
    for i, j in compared.paired.items():
        own, other = sentence[i], source[j]
        near = compared.aligned.get(i) == j or compared.fit(i, j) > 0 or len(compared.candidates[i]) == 1
        if not own.weight or own.cue or not near:
            continue
        fewer, more = denied[other.clause] < denying[own.clause], denied[other.clause] > denying[own.clause]
        if own.said.directly & NOT and fewer and not other.said.loosely & NOT:
            yield i, j, f"the sentence denies “{own.text}”, the source does not"
        elif other.said.directly & NOT and more and not own.said.loosely & NOT:
            yield i, j, f"the source denies “{other.text}”, the sentence does not"
    for gap in compared.gaps:
        if gap.firm and len(gap.claimed) <= _SMALL_GAP and len(gap.given) <= _SMALL_GAP:
            places = min(gap.claimed.start, len(sentence) - 1), min(gap.given.start, len(source) - 1)
            claimed, given = _beside(sentence, gap.claimed, denying), _beside(source, gap.given, denied)
            if claimed > given and _denies(gap.claimed, sentence):
                yield *places, "the sentence denies what the source says"
            elif given > claimed and _denies(gap.given, source):
                yield *places, "the source denies what the sentence says"


def _denials(words: tuple[Word, ...]) -> Counter[int]:
    """How often something is denied in each clause; "ne" with "aucun", "jamais" or "ni" is once."""
    found: Counter[int] = Counter()
    whole = {word.clause for word in words if word.plain == "ne" and word.cue & NOT}
    for word in words:
        if word.cue & NOT and not (word.plain in _WITH_NE and word.clause in whole):
            found[word.clause] += 1
    return found


def _denies(place: range, words: tuple[Word, ...]) -> bool:
    """Does something in a gap deny what is not in the gap itself?"""
    return any(
        words[i].cue & NOT and not any(words[j].weight > LIGHT and not words[j].cue for j in range(i + 1, place.stop))
        for i in place
    )


def _beside(words: tuple[Word, ...], place: range, denials: Counter[int]) -> int:
    """How often something is denied in the clauses in and around a gap, at most."""
    around = range(max(place.start - 1, 0), min(place.stop + 1, len(words)))
    return max((denials[words[i].clause] for i in around), default=0)


def _prefixed(compared: Comparison) -> Iterator[Conflict]:
    """Words in whose place the source has the same with a prefix that denies it, or without it."""
    sentence, source = compared.sentence.words, compared.source.words
    for gap in compared.gaps:
        claimed, given = compared.rivals(gap)
        for i in claimed:
            for j in given:
                if _is_negative(sentence[i], source[j]) or _is_negative(source[j], sentence[i]):
                    yield i, j, _instead(source[j], sentence[i])


def _is_negative(word: Word, other: Word) -> bool:
    """Is one word the other with a prefix that denies it?"""
    return any(
        word.plain.startswith(prefix) and len(other.plain) >= _STEM and word.plain[len(prefix) :] == other.plain
        for prefix in _PREFIXES
    )


def _instead(other: Word, word: Word) -> str:
    return f"the source says {other.text}, the sentence says {word.text}"


def doubts(compared: Comparison) -> Iterator[str]:
    """Clauses that deny something of which the other text speaks, without a denial, in no clause that matches."""
    sentence, source = compared.sentence.words, compared.source.words
    denying, denied = _denials(sentence), _denials(source)
    pairs = [(sentence[i].clause, source[j].clause) for i, j in compared.paired.items() if sentence[i].weight > LIGHT]
    for clause in sorted(denied):
        met = [own for own, other in pairs if other == clause]
        if met and not any(denying[own] for own in met):
            yield "the source denies something of this"
    for clause in sorted(denying):
        met = [other for own, other in pairs if own == clause]
        if met and not any(denied[other] for other in met):
            yield "the source does not deny any of this"
