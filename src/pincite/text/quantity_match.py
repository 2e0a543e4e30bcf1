"""Decide whether two quantities give the same number."""

import math

from pincite.text.bounds import may_agree
from pincite.text.dates import is_stated_by
from pincite.text.quantities import PERCENT, Quantity
from pincite.text.units import CURRENCIES

_TINY = 1e-9
_SHARES = ("percent", "permille")
_CONVERTED = 0.005  # of a number that was converted from another unit


def is_same_quantity(
    claimed: Quantity, given: Quantity, scales: frozenset[float] = frozenset(), bare: bool = False
) -> bool:
    """Whether a source's number says the same as a sentence's.

    A year matches a date that has it. With `bare`, a number without a unit matches a number of years: an age.
    """
    if not may_agree(claimed.bound, given.bound):
        return False
    if claimed.kind == "date":
        if given.kind == "date":
            return any(is_stated_by(own, other) for own in claimed.readings for other in given.readings)
        return False
    if given.kind == "date":
        years = {float(reading[0]) for reading in given.readings}
        return claimed.kind == "number" and not claimed.measure and bool(years & set(claimed.worth))
    if claimed.kind != given.kind:
        return False
    if claimed.measure == given.measure:
        return _is_equal(claimed, given) or (not claimed.measure and _is_equal_scaled(claimed, given, scales))
    if given.measure == "":
        if claimed.measure in CURRENCIES:  # in a table the currency stands above
            return bool(scales - {PERCENT}) and (_is_equal(claimed, given) or _is_equal_scaled(claimed, given, scales))
        return claimed.measure in _SHARES and (
            _is_equal(claimed, given) or _is_equal_scaled(claimed, given, scales & {PERCENT})
        )
    if claimed.measure:
        return False
    if bare and given.measure == "time":
        return _is_equal(claimed, given._replace(worth=tuple(w / given.size for w in given.worth), size=claimed.size))
    return given.measure in _SHARES and _is_equal(claimed, given)


def _is_equal(claimed: Quantity, given: Quantity) -> bool:
    near = _TINY if claimed.size == given.size else _CONVERTED
    for own in claimed.worth:
        for other in given.worth:
            if math.isclose(own, other, rel_tol=near, abs_tol=1e-12):
                return True
            if claimed.rough and abs(own - other) <= claimed.step / 2 and abs(own - other) <= 0.05 * abs(other):
                return True
    return False


def _is_equal_scaled(claimed: Quantity, given: Quantity, scales: frozenset[float]) -> bool:
    return any(_is_equal(claimed, given._replace(worth=tuple(w * scale for w in given.worth))) for scale in scales)
