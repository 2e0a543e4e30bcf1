"""Mark the rows that a label above is merged over: their first place has a space of its own instead of nothing.

The page shows the label once, and so does the text. The mark tells that the label holds for the row, while an empty
place tells that the row has none, as under a rule.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

MERGED = "\u205f"  # a space that no reader writes into a cell of words
_RANGE = re.compile(
    rb"<(?:\w{1,20}:)?mergeCell\b[^<>]{0,200}?\bref\s*=\s*[\"']([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})[\"']"
)
_LONGEST = 300  # bytes of an element that names a range
_CHUNK = 1 << 20
_MOST = 100_000  # ranges of one sheet

Ranges = Mapping[int, Sequence[tuple[int, int]]]  # by column, the first and the last rows of merged cells, in order


def read_merged_ranges(part: Any) -> Ranges:
    """Return the cells of a sheet that are merged over several rows, from its XML; columns and rows count from 1."""
    found: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for number, (letters, first, last) in enumerate(_find_ranges(part)):
        if number >= _MOST:
            break
        if int(first) < int(last):
            found[_read_column(letters)].add((int(first), int(last)))
    return {column: sorted(ranges) for column, ranges in found.items()}


def is_continued(ranges: Ranges, row: int, column: int) -> bool:
    """Return whether a cell is covered by a merged one above it."""
    known = ranges.get(column, ())
    at = bisect_left(known, (row,)) - 1  # the last one that begins above the row
    return at >= 0 and row <= known[at][1]


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
