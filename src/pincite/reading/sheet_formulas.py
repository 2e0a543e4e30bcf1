"""Count the formulas of a sheet that its file stores without a result, as programs do that calculate nothing."""

import re
from typing import Any

_P = rb"(?:\w{1,20}:)?"  # the prefix of an element
_UNCALCULATED = re.compile(
    rb"<" + _P + rb"c(?=[\s>])(?![^<>]{0,300}\bt\s?=\s?[\"']str)[^<>]{0,300}>\s{0,20}"
    rb"<" + _P + rb"f(?=[\s/>])(?:[^<>]{0,300}/>|[^<>]{0,300}>[^<]{0,9000}</" + _P + rb"f\s?>)\s{0,20}"
    rb"(?:<" + _P + rb"v\s?/>|<" + _P + rb"v>\s{0,20}</" + _P + rb"v>)?\s{0,20}</" + _P + rb"c\s?>"
)
_LONGEST = 10_000  # bytes of a cell with a formula
_CHUNK = 1 << 20


def count_uncalculated(part: Any) -> int:
    """Return the number of formulas without a result in a sheet's XML. The result of a text may be empty."""
    count, kept = 0, b""
    while chunk := part.read(_CHUNK):
        data, end = kept + chunk, 0
        for match in _UNCALCULATED.finditer(data):
            count, end = count + 1, match.end()
        kept = data[max(end, len(data) - _LONGEST) :]
    return count


def describe_uncalculated(count: int) -> str:
    """Return the problem that formulas have no result."""
    told = "1 formula has" if count == 1 else f"{count:,} formulas have"
    return f"{told} no stored result: open and save the file in a spreadsheet program."
