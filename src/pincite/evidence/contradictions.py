"""Where a source says something else than the sentence: another number, an opposite, a denial, or turned round."""

from collections import Counter
from collections.abc import Iterator

from pincite.evidence.comparison import Comparison, excluded
from pincite.evidence.operators import NOT
from pincite.evidence.wording import LIGHT, Word, may_be_name

Conflict = tuple[int, int, str]  # a place in the sentence, one in the source, and the reason

_PREFIXES = ("in", "im", "il", "ir", "un", "non", "dis", "mal", "anti", "de", "des")
_STEM = 4  # letters that a word keeps without its prefix, at least
_SMALL_GAP = 3
_PLACE = 6
_CLOSE = 5
_WITH_NE = frozenset(("aucun", "aucune", "jamais", "ni", "nul", "nulle"))
_TOWARDS = frozenset(("to", "a", "au", "jusqu", "until", "vers"))


def contradictions(compared: Comparison) -> Iterator[Conflict]:
    """Everything in which the source contradicts the sentence."""
    yield from _misplaced(compared)
    yield from _opposed(compared)
    yield from _denied(compared)
    yield from _prefixed(compared)
    yield from _swapped(compared)
    yield from _reversed(compared)


def _misplaced(compared: Comparison) -> Iterator[Conflict]:
    """Numbers that the source has, but where it has this one's neighbours, another stands."""
    for i, word in enumerate(compared.sentence.words):
        if not word.quantity:
            continue
        own = max((compared.fit(i, j) for j in compared.candidates[i]), default=-1)
        for j, other in enumerate(compared.source.words):
            if other.quantity is None or j in compared.candidates[i]:
                continue
            rival = (other.quantity.kind, other.quantity.measure) == (word.quantity.kind, word.quantity.measure)
            if rival and compared.fit(i, j) > max(own, 1):
                yield i, j, _instead(other, word)


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


def _swapped(compared: Comparison) -> Iterator[Conflict]:
    """Two names that stand on the other sides of the same word in the source."""
    sentence, source = compared.sentence.words, compared.source.words
    if sum(map(may_be_name, sentence)) < 2 or sum(map(may_be_name, source)) < 2:
        return
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
            named = f"{sentence[left].text} and {sentence[right].text}"
            yield pivot, place, f"{named} stand the other way round in the source"


def _named(words: tuple[Word, ...], at: int, step: int) -> int | None:
    """The nearest name on one side of a word, within its clause."""
    i = at + step
    while 0 <= i < len(words) and abs(i - at) <= _CLOSE and words[i].clause == words[at].clause:
        if may_be_name(words[i]):
            return i
        i += step
    return None


def _passive(words: tuple[Word, ...], pivot: int, right: int) -> bool:
    return any(word.plain in ("by", "par") for word in words[pivot + 1 : right])


def _reversed(compared: Comparison) -> Iterator[Conflict]:
    """From one number to another, where the source goes from the other to the one."""
    given = list(_courses(compared.source.words))
    for first, last in _courses(compared.sentence.words):
        for start, end in given:
            there = start in compared.candidates[first] or end in compared.candidates[last]
            if end in compared.candidates[first] and start in compared.candidates[last] and not there:
                said = compared.sentence.words
                yield first, start, f"the source goes from {said[last].text} to {said[first].text}"


def _courses(words: tuple[Word, ...]) -> Iterator[tuple[int, int]]:
    for i in range(len(words) - 2):
        if words[i].quantity and words[i + 2].quantity and words[i + 1].plain in _TOWARDS:
            yield i, i + 2


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
