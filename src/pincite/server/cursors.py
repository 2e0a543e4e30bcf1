"""Encode and decode the cursors with which clients page through lists."""

import re

from pincite.errors import Misuse

_CURSOR = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)-([0-9a-f]{32})")

Place = tuple[float, str]  # a time, and the id of the item with that time


def encode_cursor(place: Place) -> str:
    """Return a place in a list as a cursor."""
    return f"{place[0]!r}-{place[1]}"


def decode_cursor(cursor: str | None) -> Place | None:
    """Return the place of a cursor, or None for the beginning. Raise `Misuse` if the cursor is invalid."""
    if cursor is None:
        return None
    found = _CURSOR.fullmatch(cursor)
    if not found:
        raise Misuse(
            "`before` is not a valid cursor.", "Send the `next` of a page, or leave it out for the first page."
        )
    return float(found[1]), found[2]
