"""Encode and decode the cursors with which clients page through lists."""

import base64
import json
import math
import re
from collections.abc import Sequence

from pincite.errors import Misuse

_CURSOR = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)-([0-9a-f]{32})")
_MOST = 2**63 - 1  # of a number in a database

Place = tuple[float, str]  # a time, and the id of the item with that time
Value = str | int | float


def encode_cursor(place: Place) -> str:
    """Return a place in a list as a cursor."""
    return f"{place[0]!r}-{place[1]}"


def decode_cursor(cursor: str | None) -> Place | None:
    """Return the place of a cursor, or None for the beginning. Raise `Misuse` if the cursor is invalid."""
    if cursor is None:
        return None
    found = _CURSOR.fullmatch(cursor)
    if not found:
        raise _make_error()
    return float(found[1]), found[2]


def encode_values(values: Sequence[Value]) -> str:
    """Return the values by which a list is sorted, those of its last item, as a cursor."""
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")


def decode_values(cursor: str, kinds: Sequence[type[Value]]) -> tuple[Value, ...]:
    """Return the values of a cursor, which must be of these kinds. Raise `Misuse` if the cursor is invalid."""
    try:
        values = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
        is_valid = isinstance(values, list) and len(values) == len(kinds)
        if not is_valid or not all(map(_is_valid, values, kinds)):
            raise ValueError(cursor)
    except (ValueError, RecursionError) as error:
        raise _make_error() from error
    return tuple(values)


def _is_valid(value: object, kind: type[Value]) -> bool:
    if not isinstance(value, kind) or isinstance(value, bool):
        return False
    if isinstance(value, str):
        value.encode()  # raises UnicodeEncodeError, a ValueError, for half of a pair
        return "\0" not in value
    return math.isfinite(value) and abs(value) <= _MOST


def _make_error() -> Misuse:
    return Misuse("`before` is not a valid cursor.", "Send the `next` of a page, or leave it out for the first page.")
