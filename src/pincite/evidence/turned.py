"""Where a sentence turns its source round: who did it to whom, which of two rose, and from what to what."""

from collections.abc import Iterator

from pincite.evidence.comparison import Comparison, excluded
from pincite.evidence.wording import LIGHT, Prepared, Word, may_be_name

Conflict = tuple[int, int, str]  # a place in the sentence, one in the source, and the reason

_CLOSE = 5
_TOWARDS = frozenset(("to", "a", "au", "jusqu", "until", "vers"))
_OF = frozenset(("of", "de", "du", "des", "d", "and", "et", "or", "ou", "with", "avec", "between", "entre"))
_OUT, _IN, _BY = "from", "to", "by"
_ROLES = {"from": _OUT, "contre": _OUT, "to": _IN, "à": _IN, "au": _IN, "by": _BY}
_MOVED = frozenset(("passe", "passes", "passee", "passer", "passent", "went", "moved", "changed"))
_COURSE = 0  # the row of opposites that rises and falls


def turned(compared: Comparison) -> Iterator[Conflict]:
    """Everything that stands the other way round in the source."""
    yield from _swapped(compared)
    yield from _parties(compared)
    yield from _crossed(compared)
    yield from _reversed(compared)
    yield from _courses_swapped(compared)


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
        if not (left and right and before and after):
            continue
        crossed = _meet(compared, left, after) and _meet(compared, right, before)
        straight = _meet(compared, left, before) or _meet(compared, right, after)
        is_turned = _passive(sentence, pivot, right[0]) != _passive(source, place, after[0])
        if (crossed and not straight and not is_turned) or (straight and not crossed and is_turned):
            yield pivot, place, _other_way(sentence[left[-1]], sentence[right[0]])


def _named(words: tuple[Word, ...], at: int, step: int) -> list[int]:
    """The nearest name on one side of a word, within its clause, with all its parts: Brunel SARL."""
    found: list[int] = []
    i = at + step
    while 0 <= i < len(words) and abs(i - at) <= _CLOSE and words[i].clause == words[at].clause:
        if may_be_name(words[i]):
            found.append(i)
        elif found:
            break
        i += step
    return sorted(found)


def _meet(compared: Comparison, own: list[int], other: list[int]) -> bool:
    """Is any part of one name a part of the other?"""
    return any(j in compared.candidates[i] for i in own for j in other)


def _passive(words: tuple[Word, ...], pivot: int, right: int) -> bool:
    return any(word.plain in ("by", "par") for word in words[pivot + 1 : right])


def _parties(compared: Comparison) -> Iterator[Conflict]:
    """Two other words that stand on the other sides of what one does to the other."""
    sentence, source = compared.sentence, compared.source
    for pivot, place in compared.paired.items():
        word = sentence.words[pivot]
        if word.weight <= LIGHT or word.name or word.quantity:
            continue
        sides, others = _sides(sentence, pivot), _sides(source, place)
        if sides is None or others is None:
            continue
        (left, right), (before, after) = sides, others
        crossed = after in compared.candidates[left] and before in compared.candidates[right]
        straight = before in compared.candidates[left] or after in compared.candidates[right]
        active = not _passive(sentence.words, pivot, right) and not _passive(source.words, place, after)
        if crossed and not straight and active:
            yield pivot, place, _other_way(sentence.words[left], sentence.words[right])


def _sides(text: Prepared, at: int) -> tuple[int, int] | None:
    """What stands before and behind a word that may be a verb between them; nothing where "of" or "and" ties them."""
    left, right = text.before[at], text.after[at]
    words = text.words
    if left < 0 or right < 0 or words[left].clause != words[at].clause or words[right].clause != words[at].clause:
        return None
    if words[left].quantity or words[right].quantity or right - left == 2:
        # Words with nothing between them may be one noun: "cancer risk assessment".
        return None
    return None if any(word.plain in _OF for word in words[left:right]) else (left, right)


def _crossed(compared: Comparison) -> Iterator[Conflict]:
    """What rose, where the source says that it fell, and that something else rose."""
    sentence, source = compared.sentence, compared.source
    for i, word in enumerate(sentence.words):
        subject = sentence.before[i]
        if not word.sides or subject < 0 or sentence.words[subject].clause != word.clause:
            continue
        said = {
            j: source.before[j]
            for j, other in enumerate(source.words)
            if other.sides and source.before[j] in compared.candidates[subject]
            if source.words[source.before[j]].clause == other.clause
        }
        if not said or sentence.words[subject].sides or not compared.candidates[i]:
            continue
        opposite = [j for j in said if excluded(word, source.words[j]) and j not in compared.candidates[i]]
        if opposite and len(opposite) == len(said) and not any(compared.follows(i, j) for j in compared.candidates[i]):
            yield i, opposite[0], f"the source says {source.words[opposite[0]].text}, the sentence says {word.text}"


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


def _courses_swapped(compared: Comparison) -> Iterator[Conflict]:
    """Numbers to which the sentence comes, where the source comes from them, or by as much."""
    sentence, source = compared.sentence.words, compared.source.words
    if not any(_moves(word) for word in sentence) or not any(_moves(word) for word in source):
        return
    for i, word in enumerate(sentence):
        role = _role(sentence, i) if word.quantity else ""
        given = {j: _role(source, j) for j in compared.candidates[i]} if role else {}
        if given and all(other and other != role for other in given.values()):
            j, other = next(iter(given.items()))
            yield i, j, f"the source says {other} {source[j].text}, the sentence says {role} {word.text}"


def _role(words: tuple[Word, ...], at: int) -> str:
    """What a number is in a course: where it starts, where it ends or by how much."""
    if not at:
        return ""
    before = words[at - 1]
    if before.text.casefold() == "de" and at > 1:
        return _OUT if words[at - 2].plain in _MOVED else _BY if _moves(words[at - 2]) else ""
    return _ROLES.get(before.text.casefold(), "")


def _moves(word: Word) -> bool:
    return word.plain in _MOVED or any(row == _COURSE for row, _ in word.sides)


def _other_way(word: Word, other: Word) -> str:
    return f"{word.text} and {other.text} stand the other way round in the source"
