"""Where a sentence turns its source round: who did it to whom, which of two rose, and from what to what."""

from collections.abc import Iterator

from pincite.evidence.comparison import Comparison, excluded
from pincite.evidence.wording import LIGHT, Prepared, Word, may_be_name

Conflict = tuple[int, int, str]  # a place in the sentence, one in the source, and the reason

_CLOSE = 5
_TOWARDS = frozenset(("to", "a", "au", "jusqu", "until", "vers"))
_LOOSE = "of de du des d and et or ou with avec between entre as comme like"
_TIES = dict.fromkeys(_LOOSE.split(), "of") | dict.fromkeys(("is", "are", "was", "were", "est", "sont"), "is")
_TIES |= {"by": "by", "par": "by", "than": "than", "que": "than", "qu": "than"}
_ALIKE, _FIXED = frozenset(("is", "by", "than")), frozenset(("by", "than"))
_OUT, _IN, _BY = "from", "to", "by"
_ROLES = {"from": _OUT, "contre": _OUT, "to": _IN, "à": _IN, "au": _IN, "by": _BY}
_WAYS = {"from": _OUT, "to": _IN, "into": _IN, "towards": _IN, "vers": _IN, "depuis": _OUT, "à": _IN}
_MOVED = frozenset(("passe", "passes", "passee", "passer", "passent", "went", "moved", "changed"))
_COURSE = 0  # the row of opposites that rises and falls


def turned(compared: Comparison) -> Iterator[Conflict]:
    """Everything that stands the other way round in the source."""
    yield from _swapped(compared)
    yield from _parties(compared)
    yield from _crossed(compared)
    yield from _reversed(compared)
    yield from _courses_swapped(compared)
    yield from _ways(compared)


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
        if not word.weight or word.name or word.quantity:
            continue
        left, before = _subject(sentence, pivot), _subject(source, place)
        if left is None or before is None or before in compared.candidates[left]:
            continue
        right = next((i for i in _objects(sentence, pivot) if before in compared.candidates[i]), None)
        after = next((j for j in _objects(source, place) if j in compared.candidates[left]), None)
        if right is None or after is None:
            continue
        ties, others = _ties(sentence.words[left:right]), _ties(source.words[before:after])
        # "Helped by" turns both round, or none.
        if ties <= _ALIKE and others <= _ALIKE and ties & _FIXED == others & _FIXED and (ties & _FIXED or not ties):
            yield pivot, place, _other_way(sentence.words[left], sentence.words[right])


def _subject(text: Prepared, at: int) -> int | None:
    """What stands before a word in its clause."""
    left, words = text.before[at], text.words
    return left if left >= 0 and words[left].clause == words[at].clause and not words[left].quantity else None


def _objects(text: Prepared, at: int) -> Iterator[int]:
    """What stands behind a word in its clause."""
    for i in range(at + 1, min(at + 1 + _CLOSE, len(text.words))):
        if (
            text.words[i].clause == text.words[at].clause
            and text.words[i].weight > LIGHT
            and not text.words[i].quantity
        ):
            yield i


def _ties(words: tuple[Word, ...]) -> frozenset[str]:
    """How words are tied that may be turned round: the risk of cancer, prices and wages, helped by."""
    return frozenset(_TIES[word.plain] for word in words if word.plain in _TIES)


def _crossed(compared: Comparison) -> Iterator[Conflict]:
    """What rose, where the source says that it fell, and that something else rose."""
    sentence, source = compared.sentence, compared.source
    for i, word in enumerate(sentence.words):
        found = compared.candidates[i]
        if not word.sides or not found or any(compared.fit(i, j) for j in found):
            continue
        for own, other in ((sentence.before, source.before), (sentence.after, source.after)):
            thing = own[i]
            if thing < 0 or sentence.words[thing].clause != word.clause or sentence.words[thing].sides:
                continue
            said = [j for j, given in enumerate(source.words) if given.sides and _tells(compared, thing, j, other[j])]
            opposite = [j for j in said if excluded(word, source.words[j]) and j not in found]
            if opposite and len(opposite) == len(said):
                yield i, opposite[0], f"the source says {source.words[opposite[0]].text}, the sentence says {word.text}"


def _tells(compared: Comparison, thing: int, j: int, neighbour: int) -> bool:
    """Does a word of the source have a thing of the sentence beside it, in its clause?"""
    words = compared.source.words
    return neighbour in compared.candidates[thing] and words[neighbour].clause == words[j].clause


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


def _ways(compared: Comparison) -> Iterator[Conflict]:
    """Two names of which the sentence goes to the one, and the source to the other."""
    sentence, source = compared.sentence.words, compared.source.words
    single = {
        i: found[0] for i, found in enumerate(compared.candidates) if len(found) == 1 and may_be_name(sentence[i])
    }
    roles = {i: (_way(sentence, i), _way(source, j)) for i, j in single.items()}
    for i, (own, given) in roles.items():
        other = next((k for k, (role, there) in roles.items() if own and there == own != role), None)
        if other is not None and given != own:
            yield (
                i,
                single[i],
                f"the source says {own} {sentence[other].text}, the sentence says {own} {sentence[i].text}",
            )


def _way(words: tuple[Word, ...], at: int) -> str:
    return _WAYS.get(words[at - 1].text.casefold(), "") if at else ""


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
