"""Find words and numbers that another program put out of their place: a cell, a footnote mark, the figure of a heading.

When a passage is aligned with a page, a piece of it may not stand beside its neighbours. It is then taken from beside
the text that the passage already covers. A number is not taken if another number stands in its place: the passage would
then have a changed number.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pincite.locate.alignment import Alignment
from pincite.locate.boxes import list_touched_pages
from pincite.locate.concordance import Concordance, ReadingOrder
from pincite.locate.matching_runs import Bools
from pincite.locate.number_agreement import Numbers
from pincite.reading.packed_boxes import unpack_boxes

Agreement = Literal["same", "missing", "another"]

_GAP = 60  # greatest distance in letters between the two neighbours of a number
_NEAR = 8  # letters around the neighbours in which no other number may stand
_TRIES = 12  # places near its neighbours that are tried for a piece
_LONGEST = 60  # letters of a piece
_SHORTEST = 4  # letters of a word that is worth taking
_BESIDE = 1.5, 0.8  # greatest distance of a piece, across and down, as a share of its height


class DisplacedPieces:
    """The letters that a passage covers on some sheets, to which pieces beside them may be added."""

    def __init__(self, concordance: Concordance, reading: ReadingOrder, start: int, end: int, found: Alignment) -> None:
        self._document = concordance.document
        self._letters = concordance.own.letters[start:end]
        self._where = concordance.squeezed.places[start:end]
        self._words = np.append(concordance.words[start:end], True)
        self._source = reading.source[start:end] - start
        self._own = reading.letters[start:end]
        self._rank = np.argsort(self._source)
        self._orders = [order.source[start:end] - start for order in concordance.readings()]
        self._ranks = [np.argsort(order) for order in self._orders]
        self._found = found
        self._claimed: Bools = np.zeros(end - start, np.bool_)
        self._claimed[self._source[found.places[found.equal]]] = True
        self._boxes: NDArray[np.float32] | None = None

    def gather(self, numbers: Numbers) -> Agreement:
        """Add the missing pieces beside the covered text, and return whether every number was found."""
        missing = list(numbers.missing(self._document.text, self._own, self._where[self._source], self._found))
        for first, last in missing:
            self._release(first, last)
        for whole, words in self._pieces(numbers, missing):
            for first, last in (whole, *words):
                piece = numbers.letters[first : last + 1]
                digits = "".join(filter(str.isdigit, piece))
                # With a word beside it a number is certain, unless another number stands in the place of both.
                if piece != digits and not (digits and self._is_another(first, last, digits, {digits})):
                    self._take(numbers, first, last)
        left = missing
        while left:
            before = len(left)
            left = [number for number in left if not self._found.equal[number[0] : number[1] + 1].all()]
            wanted = {numbers.letters[first : last + 1] for first, last in left}
            for first, last in left:
                if not self._is_another(first, last, numbers.letters[first : last + 1], wanted):
                    self._take(numbers, first, last)
            left = [number for number in left if not self._found.equal[number[0] : number[1] + 1].all()]
            if len(left) == before:
                another = any(self._is_another(*each, numbers.letters[each[0] : each[1] + 1], wanted) for each in left)
                return "another" if another else "missing"
        return "same" if self._is_in_order(numbers, missing) else "another"

    def _is_in_order(self, numbers: Numbers, taken: list[tuple[int, int]]) -> bool:
        """Whether the numbers that were added stand between their neighbours in some reading order of the page.

        Two swapped numbers are a passage with changed numbers, unless the page can be read in that order.
        """
        firsts = [first for first, _ in numbers.spans()]
        moved = {first for first, _ in taken}
        for a, b in pairwise(firsts):
            if (a in moved or b in moved) and self._covers(a) and self._covers(b):
                here, there = (int(self._source[self._found.places[i]]) for i in (a, b))
                if not any(rank[here] < rank[there] for rank in self._ranks):
                    return False
        return True

    def _release(self, first: int, last: int) -> None:
        """Forget what a number was compared with."""
        places, equal = self._found.places[first : last + 1], self._found.equal[first : last + 1]
        self._claimed[self._source[places[equal]]] = False
        places[:] = -1
        equal[:] = False

    def _is_another(self, first: int, last: int, number: str, wanted: set[str]) -> bool:
        """Whether another number, which stands for nothing in the passage, stands in the place of this one."""
        equal, places = self._found.equal, self._found.places
        before = next((int(places[i]) for i in range(first - 1, -1, -1) if equal[i]), None)
        after = next((int(places[i]) for i in range(last + 1, len(places)) if equal[i]), None)
        ends = [end for end in (before, after) if end is not None]
        around: set[int] = {i for end in ends for i in range(end - _NEAR, end + _NEAR + 1)}
        if len(ends) == 2 and ends[0] < ends[1] <= ends[0] + _GAP:
            if any(other != number for other in self._list_unclaimed(range(ends[0] + 1, ends[1]))):
                return True
            around.update(range(*ends))
        lit = sorted(i for start, end in self._found.pieces for i in around.intersection(range(start, end)))
        if any(other not in wanted for other in self._list_unclaimed(lit)):
            return True
        # At the end of the passage, the number has to be the next text of the document.
        following = (
            [] if before is None or after is not None else range(before + 1, min(before + 1 + _NEAR, len(self._own)))
        )
        leading = [] if after is None or before is not None else range(max(after - _NEAR, 0), after)
        return any(other != number for side in (following, leading) for other in self._list_unclaimed(side))

    def _list_unclaimed(self, places: Sequence[int]) -> Iterator[str]:
        """Yield the runs of digits at these places that nothing in the passage stands for."""
        digits = ""
        before = -2
        for place in places:
            letter = self._own[place]
            free = letter.isdigit() and not self._claimed[self._source[place]]
            if digits and (not free or place != before + 1):
                yield digits
                digits = ""
            digits += letter if free else ""
            before = place
        if digits:
            yield digits

    def _pieces(
        self, numbers: Numbers, missing: list[tuple[int, int]]
    ) -> Iterator[tuple[tuple[int, int], list[tuple[int, int]]]]:
        """Yield the stretches of the passage's words that have no place yet, each with its single words."""
        lost = np.zeros(len(self._found.equal), np.bool_)
        for first, last in missing:
            lost[first : last + 1] = True
        run: list[tuple[int, int]] = []
        for first, last in [*numbers.words(), (-1, -1)]:
            if first >= 0 and (lost[first : last + 1].any() or not self._found.equal[first : last + 1].any()):
                run.append((first, last))
            elif run:
                yield (run[0][0], run[-1][1]), run
                run = []

    def _take(self, numbers: Numbers, first: int, last: int) -> bool:
        """Claim the nearest free place that has these letters and stands beside what is covered."""
        length = last + 1 - first
        if length > _LONGEST or self._found.equal[first : last + 1].all():
            return False
        wanted = numbers.letters[first : last + 1]
        if length < _SHORTEST and not wanted.isdigit():
            return False
        near = [int(self._source[self._found.places[i]]) for i in (first - 1, last + 1) if self._covers(i)]
        free = [
            at
            for at in numbers.occurrences(first, last, self._document.text, self._letters, self._where)
            if (wanted.isdigit() or (self._words[at] and self._words[at + length]))
            and not self._claimed[at : at + length].any()
        ]
        free.sort(key=lambda at: min((abs(int(r[at]) - int(r[one])) for r in self._ranks for one in near), default=0))
        at = next((at for at in free[:_TRIES] if self._is_beside(at, length)), None)
        if at is None:
            return False
        places = self._rank[at : at + length]
        self._found.places[first : last + 1] = places
        self._found.equal[first : last + 1] = True
        self._found.pieces += [(int(place), int(place) + 1) for place in places]
        self._claimed[at : at + length] = True
        return True

    def _covers(self, i: int) -> bool:
        return 0 <= i < len(self._found.equal) and bool(self._found.equal[i])

    def _is_beside(self, at: int, length: int) -> bool:
        """Whether a piece stands next to the covered text, in some reading order or on the page."""
        for order, rank in zip(self._orders, self._ranks, strict=True):
            before, after = int(rank[at]) - 1, int(rank[at + length - 1]) + 1
            if (before >= 0 and self._claimed[order[before]]) or (after < len(order) and self._claimed[order[after]]):
                return True
        boxes = self._page_boxes()
        own = boxes[at : at + length]
        x0, y0 = own[:, :2].min(axis=0)
        x1, y1 = own[:, 2:].max(axis=0)
        covered = boxes[self._claimed]
        across = np.maximum(covered[:, 0] - x1, x0 - covered[:, 2])
        down = np.maximum(covered[:, 1] - y1, y0 - covered[:, 3])
        return bool(((across < _BESIDE[0] * (y1 - y0)) & (down < _BESIDE[1] * (y1 - y0))).any())

    def _page_boxes(self) -> NDArray[np.float32]:
        """Return a box for each letter, with the pages below each other; NaN for a letter without one."""
        if self._boxes is None:
            self._boxes = np.full((len(self._where), 4), np.nan, np.float32)
            span = [(int(self._where[0]), int(self._where[-1]) + 1)]
            for page in list_touched_pages(self._document.pages, span):
                first, last = np.searchsorted(self._where, (page.start, page.end))
                if first < last and page.boxes:
                    boxes = unpack_boxes(page.boxes)
                    at = self._where[first:last] - page.start
                    held = at < len(boxes)
                    self._boxes[first:last][held] = boxes[at[held]]
                    self._boxes[first:last, 1::2] += 1e5 * page.number
        return self._boxes
