"""A few words of a long text, around those that were looked for."""

import re
from collections.abc import Sequence

from pincite.store.folding import fold

_LENGTH = 120  # characters
_BEFORE = 40  # of them before the first word that was looked for
_MARK = re.compile(r"\s?\[\d+(?:\.\d+)?\]")  # of a citation: a number that means nothing here


def excerpt(text: str, sought: Sequence[str]) -> str:
    """About 120 characters of a text on one line, cut between words, around the first word that was looked for."""
    line = " ".join(_MARK.sub("", text).split())
    if len(line) <= _LENGTH:
        return line
    compared = fold(line)
    places = [at for word in sought if (at := compared.find(word)) >= 0]
    start = min(max(min(places, default=0) - _BEFORE, 0), len(line) - _LENGTH)
    end = start + _LENGTH
    if start:
        start = line.find(" ", start, start + _BEFORE) + 1 or start
    if end < len(line):
        end = line.rfind(" ", end - _BEFORE, end) if " " in line[end - _BEFORE : end] else end
    return ("…" if start else "") + line[start:end].strip() + ("…" if end < len(line) else "")
