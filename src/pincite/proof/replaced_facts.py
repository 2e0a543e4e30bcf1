"""Find replaced facts: a sentence that equals a sentence of its source except for a name, a figure or a unit."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from pincite.text.folding import fold_alphanumerics, fold_word
from pincite.text.sentences import split_sentences
from pincite.text.units import look_up_unit

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:[.'’&-][^\W_]+)*|[^\W_]+")
_ALIKE = 0.75  # of the words of both, in the same order
_SHORT = 4  # words that take another's place, at most
_FEWEST = 5  # words that are the same
_LONGEST = 300  # words of a sentence that is compared
_BEGINNING = 3  # letters that a country and its people share


def find_replaced(claim: str, cited: str) -> Iterator[tuple[str, str]]:
    """Yield a fact of a sentence and the fact that the cited sentence has in its place, if the rest is the same."""
    own = list(_TOKEN.finditer(claim))[:_LONGEST]
    plain = [fold_word(match[0]) for match in own]
    for start, end in split_sentences(cited):
        given = list(_TOKEN.finditer(cited, start, end))[:_LONGEST]
        matcher = SequenceMatcher(None, plain, [fold_word(match[0]) for match in given], autojunk=False)
        if matcher.real_quick_ratio() < _ALIKE or matcher.quick_ratio() < _ALIKE or matcher.ratio() < _ALIKE:
            continue
        if sum(block.size for block in matcher.get_matching_blocks()) < _FEWEST:
            continue
        for kind, a, b, c, d in matcher.get_opcodes():
            if kind == "replace" and b - a <= _SHORT and d - c <= _SHORT:
                said, stood = claim[own[a].start() : own[b - 1].end()], cited[given[c].start() : given[d - 1].end()]
                is_name = _is_name(said, a) and _is_name(stood, c) and not _may_be_same(said, stood, cited[start:end])
                if is_name or (_is_other_figure(said, stood) and said not in (match[0] for match in given)):
                    yield said, stood


def _is_other_figure(said: str, stood: str) -> bool:
    """Whether two words are figures written alike, or units, that are not the same."""
    if said[0].isdigit() and stood[0].isdigit():
        return re.sub(r"\d", "0", said) == re.sub(r"\d", "0", stood)
    one, other = look_up_unit(said), look_up_unit(stood)
    return one is not None and other is not None and one != other


def _is_name(words: str, place: int) -> bool:
    """Whether words have a capital that no beginning of a sentence explains."""
    tokens = [match[0] for match in _TOKEN.finditer(words)]
    return any(token[:1].isupper() and (place or at or token.isupper()) for at, token in enumerate(tokens))


def _may_be_same(said: str, stood: str, sentence: str) -> bool:
    """Whether two names may be one: an acronym and its words, two forms of a word, or a name said elsewhere there."""
    one, other = fold_alphanumerics(said), fold_alphanumerics(stood)
    if one in fold_alphanumerics(sentence) or other in one or one[:_BEGINNING] == other[:_BEGINNING]:
        return True
    initials = ["".join(match[0][0] for match in _TOKEN.finditer(words)).casefold() for words in (said, stood)]
    return one == initials[1] or other == initials[0]
