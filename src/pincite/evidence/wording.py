"""A text to its words, ready to be compared: what each is worth, what it may stand for, and what is said of it."""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from pincite.evidence import commonplace, operators
from pincite.evidence.forms import known
from pincite.evidence.operators import Said
from pincite.evidence.quantities import Quantity, table_scales
from pincite.evidence.tokens import Token, clauses, has_digit, mended, tokens

NAME, CODE, PLAIN, LIGHT, LONG = 1.5, 1.5, 1.0, 0.35, 1.2
_LONG = 8  # letters of a word that is rarely a common one
_FAR = 6
_OPENING = re.compile(r"[:;«“\"(•*\n]|\s[-–—]\s")
_SHOUTED, _FEW = 0.7, 7  # capitals tell nothing in a heading


class Word(NamedTuple):
    """A word or a quantity where it stands. Equal keys: may stand for each other; sides: excludes, in these rows."""

    text: str
    plain: str
    keys: tuple[str, ...]
    weight: float
    name: bool
    first: bool
    clause: int
    sentence: int
    cue: int = 0
    said: Said = Said()
    sides: tuple[tuple[int, int], ...] = ()
    quantity: Quantity | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text that is ready to be compared, on either side."""

    text: str
    words: tuple[Word, ...]
    places: dict[str, list[int]]
    scales: frozenset[float]
    before: tuple[int, ...]  # each word's neighbour that carries meaning, in its sentence; -1 for none
    after: tuple[int, ...]


def prepare(text: str) -> Prepared:
    """A text to its words; the costly half of comparing two texts."""
    text = mended(text)
    words = _words(text)
    places: dict[str, list[int]] = {}
    for i, word in enumerate(words):
        for key in word.keys:
            places.setdefault(key, []).append(i)
    before = _neighbours(words, range(len(words)))
    after = _neighbours(words, range(len(words) - 1, -1, -1))
    return Prepared(text, tuple(words), places, table_scales(text), before, after)


def _words(text: str) -> list[Word]:
    found = tokens(text)
    small = commonplace.SMALL[commonplace.language([token.plain for token in found])]
    gaps = [text[a.end : b.start] for a, b in pairwise(found)] + [""]
    numbers, sentences = clauses(found, gaps)
    weights = [_weight(token, small) for token in found]
    capitals = [token.quantity is None and text[token.start].isupper() for token in found]
    shouted = _is_shouted(found, weights, capitals)
    # "né" is no "ne", and NO may be nitric oxide.
    cues = operators.cues([token.lower if token.plain == "ne" else token.plain for token in found], gaps)
    cues = [
        0 if text[token.start : token.end] == "NO" and not shouted else cue
        for token, cue in zip(found, cues, strict=True)
    ]
    said = operators.said(cues, weights, LIGHT, numbers)
    words = []
    for i, (start, end, plain, lower, quantity) in enumerate(found):
        first = i == 0 or sentences[i] != sentences[i - 1] or bool(_OPENING.search(gaps[i - 1]))
        written = text[start:end]
        named = capitals[i] and not first and weights[i] > 0 and len(written) > 1
        named = not shouted and (named or (len(written) > 1 and written.isupper()))
        named = named or (quantity is None and has_digit(plain))
        weight = NAME if named else 0.0 if cues[i] else weights[i]
        keys, sides = ((f"#{i}",), ()) if quantity else known(lower, plain)
        place = numbers[i], sentences[i], cues[i], said[i]
        words.append(Word(written, plain, keys, weight, named, first, *place, sides, quantity))
    return words


def may_be_name(word: Word) -> bool:
    """Is a word a name, or one that begins a sentence and could be?"""
    return word.name or (word.first and word.weight > LIGHT and word.text[:1].isupper())


def _weight(token: Token, small: frozenset[str]) -> float:
    if token.quantity or has_digit(token.plain):
        return CODE
    if token.plain in small or (len(token.plain) == 1 and token.plain.isascii()):
        return 0.0
    if token.plain in commonplace.LIGHT:
        return LIGHT
    return LONG if len(token.plain) >= _LONG else PLAIN


def _is_shouted(found: list[Token], weights: list[float], capitals: list[bool]) -> bool:
    """Do nearly all words that weigh something begin with a capital?"""
    weighty = [c for c, weight, token in zip(capitals, weights, found, strict=True) if weight and not token.quantity]
    return sum(weighty) > _SHOUTED * max(len(weighty), _FEW)


def _neighbours(words: list[Word], order: range) -> tuple[int, ...]:
    """For each word the last one in this order that carries meaning, unless it is far or in another sentence."""
    found, last = [-1] * len(words), -1
    for i in order:
        if last >= 0 and abs(i - last) <= _FAR and words[last].sentence == words[i].sentence:
            found[i] = last
        if words[i].weight > LIGHT:
            last = i
    return tuple(found)
