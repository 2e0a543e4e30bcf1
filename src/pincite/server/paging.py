"""Where a page of a list ends, as a word that a client gives back for the next one."""

import re

from pincite.errors import Misuse

_CURSOR = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)-([0-9a-f]{32})")

Place = tuple[float, str]  # a time, and the id of what happened then


def cursor(place: Place) -> str:
    """A place in a list as a word."""
    return f"{place[0]!r}-{place[1]}"


def place(cursor: str | None) -> Place | None:
    """The place that a word means, None for the beginning; `Misuse` when it means none."""
    if cursor is None:
        return None
    found = _CURSOR.fullmatch(cursor)
    if not found:
        raise Misuse("`before` is not the `next` of a page.", "Leave it out for the first page.")
    return float(found[1]), found[2]
