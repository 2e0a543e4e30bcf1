"""Numbers that a sentence takes from a neighbouring sentence of the source, which says them of somebody else."""

from collections.abc import Iterator

from pincite.evidence.comparison import Comparison
from pincite.evidence.wording import LIGHT, Word, may_be_name

_PRONOUNS = """
it its he she his her they their them this these that those such there both
il elle ils elles son sa ses leur leurs ce cet cette ces celui celle ceux celles cela ceci on y lui
"""
_MEANS_THE_LAST = frozenset(_PRONOUNS.split())
_OPENING = 3  # words within which a sentence says that it speaks on of the same


def borrowed(compared: Comparison) -> Iterator[str]:
    """Numbers of the sentence that the source says, in every place, of another name than the sentence does."""
    words, source = compared.sentence.words, compared.source.words
    if not source or source[-1].sentence == source[0].sentence:
        return
    for i, word in enumerate(words):
        if not word.quantity or not compared.candidates[i]:
            continue
        strangers = [_stranger(compared, i, number) for number in {source[j].sentence for j in compared.candidates[i]}]
        if all(strangers):
            yield f"the source says {word.text} of {next(filter(None, strangers)).text}"


def _stranger(compared: Comparison, i: int, number: int) -> Word | None:
    """The name of which a sentence of the source speaks, where it lacks one that the sentence has."""
    words, source = compared.sentence.words, compared.source.words
    there = [(j, word) for j, word in enumerate(source) if word.sentence == number]
    if any(word.plain in _MEANS_THE_LAST for _, word in there[:_OPENING]):
        return None
    own = [k for k, word in enumerate(words) if word.sentence == words[i].sentence and may_be_name(word)]
    lacking = [
        k for k in own if compared.candidates[k] and all(source[j].sentence != number for j in compared.candidates[k])
    ]
    if not lacking:
        return None
    said = {j for k in range(len(words)) for j in compared.candidates[k]}
    return next((word for j, word in there if may_be_name(word) and word.weight > LIGHT and j not in said), None)
