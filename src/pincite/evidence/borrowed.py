"""Numbers that a sentence takes from a neighbouring sentence of the source, which says them of somebody else."""

from collections.abc import Iterator

from pincite.evidence.comparison import Comparison
from pincite.evidence.wording import LIGHT, Word, may_be_name

_PRONOUNS = frozenset(("it", "he", "she", "they", "il", "elle", "ils", "elles"))
_POINTING = """
its his her their this these that those such there both
son sa ses leur leurs ce cet cette ces celui celle ceux celles cela ceci on y lui
"""
_MEANS_THE_LAST = frozenset(_POINTING.split()) | _PRONOUNS
_OPENING, _NEXT = 3, 5  # words within which a sentence says of whom it speaks


def borrowed(compared: Comparison) -> Iterator[str]:
    """Numbers of the sentence that the source says, in every place, of another name than the sentence does."""
    words, source = compared.sentence.words, compared.source.words
    for i, word in enumerate(words):
        if not word.quantity or not compared.candidates[i]:
            continue
        places = compared.candidates[i]
        stranger = _first_of_all(_stranger(compared, i, n) for n in dict.fromkeys(source[j].sentence for j in places))
        stranger = stranger or _first_of_all(_beside(compared, i, j) for j in places)
        if stranger:
            yield f"the source says {word.text} of {stranger.text}"


def _first_of_all(found: Iterator[Word | None]) -> Word | None:
    """The first, unless one of them is none."""
    first = None
    for each in found:
        if each is None:
            return None
        first = first or each
    return first


def _beside(compared: Comparison, i: int, j: int) -> Word | None:
    """Another's name in a number's clause, where the clause of the sentence's own has a number in its place."""
    words, source = compared.sentence.words, compared.source.words
    clause = source[j].clause
    there = [k for k, word in enumerate(source) if word.clause == clause and k < j]
    named = [k for k, word in enumerate(words) if word.sentence == words[i].sentence and may_be_name(word)]
    owners = {source[k].clause for name in named for k in compared.candidates[name]}
    if not owners or clause in owners:
        return None
    rival = any(
        word.quantity and word.clause in owners and k not in compared.candidates[i] and compared.fit(i, k)
        for k, word in enumerate(source)
    )
    said = {k for found in compared.candidates for k in found}
    return next((source[k] for k in there if source[k].name and k not in said), None) if rival else None


def _stranger(compared: Comparison, i: int, number: int) -> Word | None:
    """Of whom or what a sentence of the source speaks, where it lacks the one of whom the sentence speaks."""
    words, source = compared.sentence.words, compared.source.words
    there = [j for j, word in enumerate(source) if word.sentence == number]
    # "It", "this tower" mean the last; "that year Hale", "its rival Ormond" do not.
    if source[there[0]].plain in _MEANS_THE_LAST and not any(source[j].name for j in there[:_NEXT]):
        return None
    if any(source[j].plain in _PRONOUNS for j in there[:_OPENING]):
        return None
    own = [k for k, word in enumerate(words) if word.sentence == words[i].sentence and word.weight > LIGHT]
    lacking = [
        k for k in own if compared.candidates[k] and all(source[j].sentence != number for j in compared.candidates[k])
    ]
    said = {j for found in compared.candidates for j in found}
    others = [j for j in there if source[j].weight > LIGHT and j not in said]
    if any(may_be_name(words[k]) for k in lacking):
        return next((source[j] for j in others if may_be_name(source[j])), None)
    # A thing has no name: two sentences of one build are told apart by what they begin with.
    opening = next((j for j in there if source[j].weight > LIGHT), None)
    is_other = own and own[0] in lacking and opening in others and _has_rival(compared, i, own[0])
    return source[opening] if is_other and opening is not None else None


def _has_rival(compared: Comparison, i: int, subject: int) -> bool:
    """Does a sentence that speaks of the subject have another number of this one's kind?"""
    source, quantity = compared.source.words, compared.sentence.words[i].quantity
    spoken = {source[j].sentence for j in compared.candidates[subject]}
    return any(
        quantity and other.quantity and other.quantity.measure == quantity.measure and other.sentence in spoken
        for j, other in enumerate(source)
        if j not in compared.candidates[i]
    )
