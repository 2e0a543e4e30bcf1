"""Cut an excerpt out of a long text around the words of a search."""

from collections.abc import Sequence

from pincite.text.citation_marks import strip_marks
from pincite.text.folding import fold_in_place

_LENGTH = 120  # characters
_BEFORE = 40  # of them before the first word that was looked for


def make_excerpt(text: str, sought: Sequence[str]) -> str:
    """About 120 characters of a text on one line, without marks and emphasis, around the first word looked for."""
    line = " ".join(strip_marks(text).replace("**", "").split())
    if len(line) <= _LENGTH:
        return line
    compared = fold_in_place(line)
    places = [at for word in sought if (at := compared.find(word)) >= 0]
    start = min(max(min(places, default=0) - _BEFORE, 0), len(line) - _LENGTH)
    end = start + _LENGTH
    if start:
        start = line.find(" ", start, start + _BEFORE) + 1 or start
    if end < len(line):
        end = line.rfind(" ", end - _BEFORE, end) if " " in line[end - _BEFORE : end] else end
    return ("…" if start else "") + line[start:end].strip() + ("…" if end < len(line) else "")
