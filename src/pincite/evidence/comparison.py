"""Two texts word by word: which word of a sentence is which of its source, and what stands in place of the rest."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import Indel

from pincite.evidence.quantities import same
from pincite.evidence.wording import LIGHT, Prepared, Word, may_be_name

_TIGHT = 4  # words, small ones too, that another word's place has at most
_LOOSE = 6  # and of the source
_STRAY = 2
_MANY = 64  # places of one word that are looked at
_AT_HOME = 0.6  # of a sentence, in one sentence of the source: there it belongs
_PREFIX = 6
_SHARE = 0.65
_BOUNDS = 3  # words from "less" to its number


class Gap(NamedTuple):
    """Words of the sentence and words of the source that stand between the same neighbours."""

    claimed: range
    given: range
    firm: bool  # what stands beside it agrees in more than a small word


@dataclass
class Comparison:
    """A sentence laid over its source; everything is worked out once, when it is first asked for."""

    sentence: Prepared
    source: Prepared
    context: Prepared | None = None

    @cached_property
    def candidates(self) -> list[list[int]]:
        """Where in the source each word of the sentence may be found."""
        return [self._candidates(i) for i in range(len(self.sentence.words))]

    def _candidates(self, at: int) -> list[int]:
        word = self.sentence.words[at]
        if word.quantity:
            scales = self.source.scales | (self.context.scales if self.context else frozenset())
            following = self.sentence.words[at + 1 : at + 2]
            # "under 12" may leave out the years; "under 12 parsecs" may not.
            bare = not following or not following[0].weight or following[0].clause != word.clause
            return [
                i
                for i, other in enumerate(self.source.words)
                if other.quantity and same(word.quantity, other.quantity, scales, bare)
            ]
        places = self.source.places
        found: dict[int, None] = {}
        for key in word.keys:
            found.update(dict.fromkeys(places.get(key, ())))
        if len(found) > 1:
            return sorted(found, key=lambda i: self.source.words[i].plain != word.plain)[:_MANY]
        return list(found)

    @cached_property
    def _opcodes(self) -> list[tuple[str, int, int, int, int]]:
        names = list(range(len(self.source.words)))
        claimed = []
        for i, found in enumerate(self.candidates):
            claimed.append(names[found[0]] if found else -1 - i)
            for other in found[1:]:
                if names[other] == other:
                    names[other] = names[found[0]]
        return [(op.tag, op.src_start, op.src_end, op.dest_start, op.dest_end) for op in Indel.opcodes(claimed, names)]

    @cached_property
    def _blocks(self) -> list[tuple[int, int, int, int]]:
        """Stretches that are the same in both, but for a word or two that were sought in another sentence."""
        blocks: list[tuple[int, int, int, int]] = []
        words, source = self.sentence.words, self.source.words
        for tag, a, end, b, last in self._opcodes:
            if tag != "equal":
                continue
            if blocks and end - a <= _STRAY and sum(word.weight > LIGHT for word in words[a:end]) <= 1:
                before = blocks[-1]
                follows = before[1] == a and words[a].sentence == words[a - 1].sentence
                if follows and source[b].sentence != source[before[3] - 1].sentence:
                    continue
            blocks.append((a, end, b, last))
        return blocks

    @cached_property
    def aligned(self) -> dict[int, int]:
        """Each word of the sentence that stands in the source in the same order, with its place there."""
        return {a + k: b + k for a, end, b, _ in self._blocks for k in range(end - a)}

    @cached_property
    def paired(self) -> dict[int, int]:
        """Each word of the sentence that is found in the source, with the place that fits its neighbours best."""
        pairs = {}
        for i, found in enumerate(self.candidates):
            if len(found) == 1:
                pairs[i] = found[0]
            elif found:
                order = self.aligned.get(i, -1)
                pairs[i] = max(found, key=lambda j: (self.fit(i, j) + (j == order), -found.index(j)))
        return pairs

    @cached_property
    def used(self) -> frozenset[int]:
        """Words of the source that words of the sentence are."""
        return frozenset(self.aligned.values()) | frozenset(j for i, j in self.paired.items() if i not in self.aligned)

    @cached_property
    def shares(self) -> dict[tuple[int, int], float]:
        """How much of each sentence of the claim each sentence of the source says."""
        said: dict[tuple[int, int], float] = {}
        totals: dict[int, float] = {}
        for i, word in enumerate(self.sentence.words):
            totals[word.sentence] = totals.get(word.sentence, 0.0) + word.weight
            for number in {self.source.words[j].sentence for j in self.candidates[i]}:
                said[word.sentence, number] = said.get((word.sentence, number), 0.0) + word.weight
        return {pair: weight / (totals[pair[0]] or 1.0) for pair, weight in said.items()}

    def strayed(self, i: int, home: int) -> bool:
        """Is this word found in other sentences alone, though nearly all around it is said in one?"""
        if self.shares.get((self.sentence.words[i].sentence, home), 0.0) < _AT_HOME:
            return False
        return all(self.source.words[j].sentence != home for j in self.candidates[i])

    def settled(self, i: int) -> bool:
        """Does this word stand somewhere in the source before the same word, or between the same ends?"""
        own = self.sentence.after[i]
        for j in self.candidates[i]:
            other = self.source.after[j]
            if own < 0 or other < 0:
                if own == other and self.fit(i, j):
                    return True
            elif other in self.candidates[own]:
                return True
        return False

    def fit(self, i: int, j: int) -> int:
        """How many neighbours a word of the sentence shares with one of the source; the one behind it counts double."""
        score = 0
        own, other = self.sentence.after[i], self.source.after[j]
        if own >= 0 and other >= 0 and other in self.candidates[own]:
            score = 2
        return score + self.follows(i, j)

    def follows(self, i: int, j: int) -> bool:
        """Does the same word stand before a word of the sentence and one of the source?"""
        own, other = self.sentence.before[i], self.source.before[j]
        return own >= 0 and other >= 0 and other in self.candidates[own]

    @cached_property
    def gaps(self) -> list[Gap]:
        """The places where the two texts differ between words that are the same in both."""
        found: list[Gap] = []
        edges = [(0, 0, 0, 0), *self._blocks, (len(self.sentence.words),) * 2 + (len(self.source.words),) * 2]
        for before, after in pairwise(edges):
            claimed, given = range(before[1], after[0]), range(before[3], after[2])
            if claimed or given:
                found.append(Gap(claimed, given, self._firm(before) or self._firm(after)))
        return found

    def _firm(self, block: tuple[int, int, int, int]) -> bool:
        words = self.sentence.words[block[0] : block[1]]
        return len(words) > 1 or any(word.weight > LIGHT for word in words)

    def rivals(self, gap: Gap) -> tuple[list[int], list[int]]:
        """What carries meaning in a small gap, on both sides; in the source only what the sentence says nowhere."""
        first, last = gap.claimed.start, gap.claimed.stop
        given = gap.given
        if len(gap.claimed) > _TIGHT:
            return [], []
        if first == 0:
            given = range(max(given.start, given.stop - _LOOSE), given.stop)
        elif last == len(self.sentence.words):
            given = range(given.start, min(given.stop, given.start + _LOOSE))
        if len(given) > _LOOSE:
            return [], []
        claimed = [i for i in gap.claimed if self.sentence.words[i].weight > LIGHT]
        return claimed, [j for j in given if self.source.words[j].weight > LIGHT and j not in self.used]

    @cached_property
    def loosely(self) -> dict[int, float]:
        """Words that are in the source's context alone, or in another form, with how far that counts."""
        found = {}
        for i, word in enumerate(self.sentence.words):
            if self.candidates[i] or not word.weight or word.quantity:
                continue
            if self.context and any(key in self.context.places for key in word.keys if key[1:2] != ":" or word.name):
                found[i] = 0.8 if may_be_name(word) else 0.4
            elif word.name and word.text.isupper() and self._spelt_out(word.text):
                found[i] = 1.0
            elif self._derived(word):
                found[i] = 0.7
            elif word.sides and self._signed(i):
                found[i] = 1.0
        return found

    def _signed(self, at: int) -> bool:
        """Does a word bound a number that the source bounds by a sign: less than 5, < 5?"""
        following = range(at + 1, min(at + 1 + _BOUNDS, len(self.sentence.words)))
        return any(
            (given := self.source.words[j].quantity) and given.bound[1] for k in following for j in self.candidates[k]
        )

    def _spelt_out(self, acronym: str) -> bool:
        """Do words in a row begin with an acronym's letters?"""
        for prepared in (self.source, self.context):
            if prepared:
                initials = "".join(word.plain[:1] for word in prepared.words if word.weight)
                if len(acronym) > 1 and acronym.casefold() in initials:
                    return True
        return False

    def _derived(self, word: Word) -> bool:
        """Does a word of the source begin as this one does, for most of its length?"""
        if any(map(str.isdigit, word.plain)):
            return False
        for other in self.source.words:
            if other.plain[:4] == word.plain[:4] and other.plain != word.plain and not other.quantity:
                shared = next(
                    (k for k, (a, b) in enumerate(zip(word.plain, other.plain, strict=False)) if a != b),
                    min(len(word.plain), len(other.plain)),
                )
                longest = max(len(word.plain), len(other.plain))
                if shared >= min(_PREFIX, longest) and shared >= _SHARE * longest and not _exclude(word, other):
                    return True
        return False


def _exclude(word: Word, other: Word) -> bool:
    """Do two words stand on different sides of a row, and on the same side of none?"""
    return excluded(word, other) and not set(word.sides) & set(other.sides)


def excluded(word: Word, other: Word) -> bool:
    """Do two words stand on different sides of a row of opposites?"""
    return any(
        row == other_row and side != other_side for row, side in word.sides for other_row, other_side in other.sides
    )
