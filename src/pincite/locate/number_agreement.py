"""Check that the numbers of a passage and of a place agree digit by digit."""

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from pincite.locate.alignment import Alignment
from pincite.text.squeeze import Places

# Separators inside a number. A plain space is not one: it also separates the cells of a table.
_INSIDE = re.compile("[.,'’\u00a0\u202f]?")
_WORD = re.compile(r"\S+")
_DIGIT = re.compile(r"\d")
_GROUP = re.compile(r"\d{3}(?!\d)")
_POINT = re.compile("[.,]")
_SLIPS = 4  # letters that differ, at least, in a bad copy
_APART = 120  # letters between them, at most
_SIGNS = dict(zip("<≤>≥=≠+-−–", "<<>>=≠+---", strict=True))
_OPPOSITES = ({"<", ">"}, {"=", "≠"}, {"+", "-"}, {"<", "="}, {">", "="})
_FAR = 40  # letters that differ in one place at most
_LOOK_ALIKE = {"0": "oq", "1": "lijt", "2": "z", "3": "e", "4": "a", "5": "s", "6": "bg", "7": "t", "8": "b", "9": "gq"}


class Numbers:
    """The numbers of a passage, to be compared with those of a place in a document."""

    def __init__(self, text: str, letters: str, places: Places) -> None:
        self.letters = letters
        self._text = text
        self._places = places.tolist()
        self._digits = [match.start() for match in _DIGIT.finditer(letters)]

    def agree(self, text: str, letters: str, where: Places, found: Alignment) -> bool:
        """Whether every digit stands in the document too. `letters` of its `text` are the aligned ones, at `where`."""
        return not self._digits or next(self.missing(text, letters, where, found), None) is None

    def missing(self, text: str, letters: str, where: Places, found: Alignment) -> Iterator[tuple[int, int]]:
        """Yield the first and last digit of each number that the document does not have as the passage does."""
        if not self._digits:
            return
        places = found.places.tolist()
        misread = self._find_misread_digits(letters, found)
        noisy = _is_noisy(found)
        taken = {places[i] for i in np.flatnonzero(found.equal).tolist()} | set(misread.values())
        for first, last in self.spans():
            if all(not found.equal[i] and i in misread for i in range(first, last + 1)):
                continue
            a, b = places[first], places[last]
            if (
                b - a != last - first
                or not found.equal[first : last + 1].all()
                or not self._is_same(first, last, text, where[a : b + 1].tolist(), noisy)
                or any(
                    _is_one_number(text, letters, where, min(here, beside)) and beside not in taken
                    for here, beside in ((a, a - 1), (b, b + 1))
                )
                or _is_beyond_another(letters, found, taken, first, last)
            ):
                yield first, last

    def has_same_numbers(self, text: str, letters: str, where: Places, at: int) -> bool:
        """Whether the document's letters from `at` on have the same numbers, and none of them is cut."""
        if not self._digits:
            return True
        if any(_is_one_number(text, letters, where, edge) for edge in (at - 1, at + len(self.letters) - 1)):
            return False
        return all(self._is_same(a, b, text, where[at + a : at + b + 1].tolist()) for a, b in self.spans())

    def words(self) -> list[tuple[int, int]]:
        """Return the first and last letter of each word of the passage."""
        spans = [match.span() for match in _WORD.finditer(self._text)]
        bounds = np.searchsorted(self._places, spans).reshape(-1, 2)
        return [(a, b - 1) for a, b in bounds.tolist() if b > a]

    def occurrences(self, first: int, last: int, text: str, letters: str, where: Places) -> Iterator[int]:
        """Yield where a piece of the passage stands among the document's letters without cutting a number."""
        wanted = self.letters[first : last + 1]
        at = letters.find(wanted)
        while at >= 0:
            end = at + len(wanted)
            whole = not any(
                _is_one_number(text, letters, where, i, loosely=wanted.isdigit()) for i in (at - 1, end - 1)
            )
            if whole and (not wanted.isdigit() or self._is_same(first, last, text, where[at:end].tolist())):
                yield at
            at = letters.find(wanted, at + 1)

    def _is_same(self, first: int, last: int, text: str, where: list[int], noisy: bool = False) -> bool:
        """Whether the points of a number stand after the same digits. A bad copy may lose points, but moves none."""
        places = self._places[first : last + 1]
        if {_find_sign(self._text, places[0]), _find_sign(text, where[0])} in _OPPOSITES:
            return False
        if any(self._is_torn(text, places[i - 1 : i + 1], where[i - 1 : i + 1]) for i in range(1, len(where))):
            return False
        # If the document has the edge of a cell here, the passage's comma separates two numbers.
        edges = {
            i
            for i in range(1, len(where))
            if "\t" in text[where[i - 1] + 1 : where[i]] and "." not in self._text[places[i - 1] + 1 : places[i]]
        }
        own, theirs = _find_decimal_points(self._text, places) - edges, _find_decimal_points(text, where) - edges
        return own == theirs or (noisy and own < theirs)

    def _is_torn(self, text: str, own: list[int], where: list[int]) -> bool:
        """Whether two adjacent digits of the passage stand apart in the document, with other words between them.

        A copy without spaces joins the numbers of neighbouring cells, but never of two rows. Digits behind a
        space belong to the same number only as a group of three.
        """
        between = self._text[own[0] + 1 : own[1]]
        if between.strip() or where[0] == where[1] or (between and not _GROUP.match(self._text, own[1])):
            return False
        return where[0] > where[1] or any(map(str.isalnum, text[where[0] + 1 : where[1]]))

    def spans(self) -> Iterator[tuple[int, int]]:
        """Yield the first and last digit of each number."""
        start = None
        for i, after in pairwise([*self._digits, -1]):
            start = i if start is None else start
            between = self._text[self._places[i] + 1 : self._places[after]] if after == i + 1 else " "
            if not _INSIDE.fullmatch(between):
                yield start, i
                start = None

    def _find_misread_digits(self, letters: str, found: Alignment) -> dict[int, int]:
        """Return digits that a bad copy has in place of a letter, or letters in place of a digit.

        The result maps places in the passage to places in the document. Between two letters that agree, the
        differing letters are compared as a group, since their order is not known.
        """
        pairs: dict[int, int] = {}
        differs = np.flatnonzero(~found.equal)
        for run in np.split(differs, np.flatnonzero(np.diff(differs) != 1) + 1):
            if not len(run):
                continue
            first, last = int(run[0]), int(run[-1])
            before = int(found.places[first - 1]) if first else -1
            after = int(found.places[last + 1]) if last + 1 < len(found.places) else -1
            if before < 0 or not 1 < after - before < _FAR:
                # At an edge or before a leap, only the aligned text is compared.
                before, after = int(found.places[first]) - 1, int(found.places[last]) + 1
            if before < -1 or not 1 < after - before < _FAR:
                continue
            if not _DIGIT.search(letters, before + 1, after) and not _DIGIT.search(self.letters, first, last + 1):
                continue
            free = list(range(before + 1, after))
            for i in range(first, last + 1):
                at = next((at for at in free if self._may_stand_for(i, letters[at])), None)
                if at is not None:
                    pairs[i] = at
                    free.remove(at)
        return pairs

    def _may_stand_for(self, i: int, letter: str) -> bool:
        own = self.letters[i]
        if own.isdigit():
            return letter in _LOOK_ALIKE.get(own, "") and self._in_word(i)
        return own in _LOOK_ALIKE.get(letter, "")

    def _in_word(self, i: int) -> bool:
        """Whether this digit stands in a word, among letters."""
        at = self._places[i]
        before, after = self._text[max(at - _FAR, 0) : at].split(" ")[-1], self._text[at : at + _FAR].split(" ")[0]
        word = (before.split() or [""])[-1] + (after.split() or [""])[0]
        return sum(map(str.isalpha, word)) >= sum(map(str.isdigit, word))


def _is_noisy(found: Alignment) -> bool:
    """Whether the passage is a bad copy, in which single letters differ in words that otherwise agree."""
    changes = np.flatnonzero(np.diff(found.equal))
    lengths = np.diff(changes)
    if not len(found.equal) or len(lengths) < 3:
        return False
    # Equal and unequal stretches alternate; a bad copy has short unequal ones between long equal ones.
    unlike = ~found.equal[changes[:-1] + 1]
    inner = unlike[1:-1] & (lengths[1:-1] <= 2) & (lengths[:-2] >= 3) & (lengths[2:] >= 3)
    return int(inner.sum()) >= max(_SLIPS, len(found.equal) / _APART)


def _is_beyond_another(letters: str, found: Alignment, taken: set[int], first: int, last: int) -> bool:
    """Whether a number is apart from its neighbours in the passage, and another number is beside one of them."""
    sides = [(i, step) for i, step in ((first, -1), (last, 1)) if 0 <= i + step < len(found.equal)]
    beside = [(int(found.places[i + step]) - step, found.places[i]) for i, step in sides if found.equal[i + step]]
    if any(at == own for at, own in beside):
        return False
    return any(letters[at : at + 1].isdigit() and at not in taken for at, _ in beside if at >= 0)


def _is_one_number(text: str, letters: str, where: Places, a: int, loosely: bool = False) -> bool:
    """Whether a letter of the document and the next belong to one number; with `loosely`, a space may separate them."""
    if a < 0 or a + 1 >= len(letters) or not (letters[a].isdigit() and letters[a + 1].isdigit()):
        return False
    x, y = int(where[a]), int(where[a + 1])
    return x < y and (bool(_INSIDE.fullmatch(text[x + 1 : y])) or (loosely and text[x + 1 : y] == " "))


def _find_decimal_points(text: str, places: list[int]) -> set[int]:
    """Return the digits before which a decimal point stands or a fraction begins; thousands separators do not count."""
    marks = [i for i in range(1, len(places)) if _POINT.search(text, places[i - 1] + 1, places[i])]
    # Two digits of one character are those of a fraction, as in ½.
    fractions = {i for i in range(1, len(places)) if places[i] == places[i - 1]}
    return fractions | {mark for mark, end in pairwise([*marks, len(places)]) if (end - mark) % 3}


def _find_sign(text: str, place: int) -> str:
    """Return the sign right before a number: more, less, equal, plus or minus; none when there is none of these."""
    before = text[max(place - 4, 0) : place].rstrip()
    return _SIGNS.get(before[-1:], "")
