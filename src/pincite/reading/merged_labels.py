"""Mark the cells that one above is merged over: they have a space of their own instead of nothing.

The page shows the words of the merged cell once, and so does the text. The mark tells that they hold for the row, while
an empty place tells that the row has none, as under a rule.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

MERGED = "\u205f"  # a space that no reader writes into a cell of words
_RANGE = re.compile(
    rb"<(?:\w{1,20}:)?mergeCell\b[^<>]{0,200}?\bref\s*=\s*[\"']([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})[\"']"
)
_LONGEST = 300  # bytes of an element that names a range
_CHUNK = 1 << 20
_MOST = 100_000  # ranges of one sheet

Range = tuple[int, int, int]  # the first row, the last row and the first column of a cell merged over several rows


class MergedCells:
    """Follows the rows of a sheet from top to bottom, and gives the columns in which a cell above is merged over each.

    The first column is 0, and the first row 1.
    """

    def __init__(self, ranges: Iterable[Range]) -> None:
        self._waiting = sorted(ranges, reverse=True)  # those below the row, the nearest last
        self._open: dict[int, int] = {}  # by column, the last row that a cell covers

    def find_columns(self, row: int) -> list[int]:
        """Return the columns of a row that cells above it cover."""
        while self._waiting and self._waiting[-1][0] < row:
            _, last, column = self._waiting.pop()
            self._open[column] = max(last, self._open.get(column, 0))
        self._open = {column: last for column, last in self._open.items() if last >= row}
        return list(self._open)


def read_merged_ranges(part: Any) -> list[Range]:
    """Return the cells of a sheet that are merged over several rows, from its XML."""
    found = islice(_find_ranges(part), _MOST)
    ranges = {(int(first), int(last), _read_column(letters) - 1) for letters, first, last in found}
    return [each for each in ranges if each[0] < each[1]]


def _find_ranges(part: Any) -> Iterator[tuple[bytes, bytes, bytes]]:
    kept = b""
    while chunk := part.read(_CHUNK):
        data = kept + chunk
        end = 0
        for match in _RANGE.finditer(data):
            yield match[1], match[2], match[3]
            end = match.end()
        kept = data[max(end, len(data) - _LONGEST) :]


def _read_column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number
