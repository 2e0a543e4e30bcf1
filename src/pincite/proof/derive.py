"""Recompute figures that follow from cited ones: sums, differences, ratios, changes, means and products."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pincite.proof.arithmetic import Calculation, Operand, Operation, calculate
from pincite.proof.claim_case import ClaimCase
from pincite.proof.figures import SHARES, Figure, find_years, is_near, is_round, may_be_unscaled
from pincite.proof.operands import find_factors, find_pairs, find_terms, is_part, is_share, list_quoted_figures
from pincite.text.numerals import DIGITS, read_digits
from pincite.text.quantities import Quantity
from pincite.text.units import CURRENCIES

_PAIRS = 300
_SUMS = 600
_DIGITS = re.compile(DIGITS)
_TIMES = re.compile(r"\s*(?:times|fois|x\b|-fold)", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|de|du|d['’])\s*[$€£]?\s?$", re.IGNORECASE)
_TO = re.compile(r"\b(?:to|à|au)\s*[$€£]?\s?$", re.IGNORECASE)
_ABOUT = 0.025  # of a derived figure behind "about"
_SLACK = 0.005  # and in any case
_LEAST_DIGITS = 2  # digits that a figure must have to be found by division, unless it is exact


@dataclass(frozen=True, slots=True)
class Derivation:
    """A calculation written for a reader, and the figure of the sentence that it assumes."""

    shown: str
    assumed: Quantity | None = None


def find_derivation(case: ClaimCase, quantity: Quantity) -> Derivation | None:
    """Return the calculation by which cited figures give a claimed one; None without any."""
    order = _find_stated_order(case, quantity)
    for first, last, quoted in islice(find_pairs(case, quantity), _PAIRS):
        for operation in _list_operations(case, quantity, first, last, quoted):
            if operation == "change" and order and order == (first, last):
                continue  # "from 5,506 to 3,991" is no change from 3,991
            if calculation := _fit_operation(quantity, operation, (first, last)):
                return Derivation(_show_calculation(quantity, calculation))
    for terms in islice(find_terms(case, quantity), _SUMS):
        if calculation := _fit_operation(quantity, "sum", terms):
            return Derivation(_show_calculation(quantity, calculation))
    for first, last, assumed in islice(find_factors(case, quantity), _PAIRS):
        if calculation := _fit_product(quantity, first, last):
            return Derivation(_show_calculation(quantity, calculation), assumed)
    return None


def _find_stated_order(case: ClaimCase, quantity: Quantity) -> tuple[Figure, Figure] | None:
    """Return the two figures of a sentence that says "from … to …", the first and the last."""
    same = [pair for pair in list_quoted_figures(quantity, case.found) if not is_share(pair[1])]
    if len(same) != 2:
        return None
    (one, first), (other, last) = same
    before = [case.claim[max(each.start - 8, 0) : each.start] for each in (one, other)]
    return (first, last) if _FROM.search(before[0]) and _TO.search(before[1]) else None


def find_expected_calculation(case: ClaimCase, quantity: Quantity) -> str:
    """Return the right calculation where a sentence names two figures and a share or difference that is not theirs."""
    same = [pair for pair in list_quoted_figures(quantity, case.found) if not is_share(pair[1])]
    if quantity.measure in SHARES and len(same) == 2:
        (one, first), (other, last) = same
        if one.measure != other.measure or (
            one.measure not in CURRENCIES and not one.measure and one.factor != other.factor
        ):
            return ""
        later, earlier = (last, first) if _find_stated_order(case, quantity) else _sort_by_time(first, last)
        found_change = calculate("change", _make_operands((later, earlier)))
        return _show_calculation(quantity, found_change) if found_change else ""
    return ""


def _sort_by_time(first: Figure, last: Figure) -> tuple[Figure, Figure]:
    """Return two figures, the later first: by the years of their columns, or else by their order in the sentence."""
    years = [max(find_years(figure.cell.head), default=0) if figure.cell else 0 for figure in (first, last)]
    return (first, last) if years[0] > years[1] else (last, first)


def _is_backward(first: Figure, last: Figure) -> bool:
    """Tell whether a change from the second to the first would go back in time."""
    years = [max(find_years(figure.cell.head), default=0) if figure.cell else 0 for figure in (first, last)]
    return 0 < years[0] < years[1]


def _list_operations(
    case: ClaimCase, quantity: Quantity, first: Figure, last: Figure, quoted: bool
) -> Iterator[Operation]:
    """Yield the operations whose result has the claimed figure's measure."""
    one, other = first.quantity.measure, last.quantity.measure
    alike = one == other or "" in (one, other) or {one, other} <= {"money", *CURRENCIES}
    if quantity.measure in SHARES:
        if is_share(first) and is_share(last):
            yield "difference"
            if "points" in (one, other):
                yield "sum"
            if quoted:
                yield "mean"
            if quantity.measure == "percent" and quoted:
                yield "change"
        elif not is_share(first) and not is_share(last) and alike:
            part = is_part(first, last) or is_part(last, first)
            same_row = first.row is None or last.row is None or first.row is last.row
            if same_row and not part and not _is_backward(first, last):
                yield "change"
            apart = first.row is None or first.row is not last.row or (quoted and not case.claim_years)
            if apart or is_part(first, last):
                yield "ratio"
        return
    if _TIMES.match(case.claim, quantity.end):
        if alike:
            yield "ratio"
        return
    if is_share(first) != is_share(last):
        return
    if is_share(first) and not quantity.measure:
        yield "difference"
    elif alike:
        yield "difference"
        if quoted and (first.row is None or first.row is last.row):
            yield "mean"
    if is_share(first) or not _is_precise(quantity):
        return
    if quoted and quantity.measure in CURRENCIES and one != other:
        yield "ratio"
    elif not other and one == quantity.measure and _is_used(case, first, last):
        yield "ratio"  # an average


def _is_used(case: ClaimCase, first: Figure, last: Figure) -> bool:
    return first.row is None and last.row is None and not case.used_figures.isdisjoint((first, last))


def _is_precise(quantity: Quantity) -> bool:
    """Tell whether a figure has digits enough not to be met by chance."""
    return abs(quantity.worth[0]) >= 10 ** (_LEAST_DIGITS - 1) * quantity.grain if quantity.worth else False


def _make_operands(figures: Sequence[Figure], reading: int = 0) -> list[Operand]:
    """Return the values of figures; the last reading of a cell is without the scale of its table."""
    return [Operand(figure.quantity.worth[reading], figure.text.strip()) for figure in figures]


def _fit_operation(quantity: Quantity, operation: Operation, figures: Sequence[Figure]) -> Calculation | None:
    # A derived figure is rounded to the digits the sentence gives it.
    rounded = _round_derived(quantity)
    readings = [0, -1] if all(may_be_unscaled(quantity, figure) for figure in figures) else [0]
    for reading in readings:
        calculation = calculate(operation, _make_operands(figures, reading))
        if calculation is None or not calculation.result:
            continue
        bare_share = operation in ("difference", "mean") and is_share(figures[0]) and not quantity.measure
        result = calculation.result / 0.01 if bare_share else calculation.result
        if is_near(rounded, result, 1e-12):
            return calculation
    return None


def _round_derived(quantity: Quantity) -> Quantity:
    """Return a derived figure with the rounding it may have: half of its last digit, a little more behind "about"."""
    grain = quantity.grain or 1.0
    if quantity.rough and quantity.worth:
        value = abs(quantity.worth[0])
        grain = max(grain, min(quantity.step, 2 * _ABOUT * value), 2 * _SLACK * value if is_round(quantity) else 0.0)
    return quantity._replace(worth=quantity.worth[:1], rough=False, factor=max(quantity.factor, 2.0), grain=grain)


def _fit_product(quantity: Quantity, first: Figure, last: Figure) -> Calculation | None:
    """Return a product that has the claimed unit: rate times amount, rate times count, or amount times count."""
    for one, other in ((first, last), (last, first)):
        amount, count = one.quantity, other.quantity
        unit = amount.measure if amount.measure != "money" or quantity.measure not in CURRENCIES else quantity.measure
        bare_cell = one.cell is not None and not unit and quantity.measure in CURRENCIES
        if (unit != quantity.measure and not bare_cell) or not amount.worth or not count.worth:
            continue
        if count.measure == "percent" and amount.measure not in SHARES:
            value = count.worth[0]
        elif count.measure in ("", "time") and other.raw > 1 and float(other.raw).is_integer():
            value = other.raw
        else:
            continue
        operands = (Operand(amount.worth[0], one.text.strip()), Operand(value, other.text.strip()))
        if calculation := calculate("product", operands):
            exact = _round_derived(quantity)
            exact = exact if _is_precise(quantity) else exact._replace(grain=quantity.grain)
            if calculation.result and is_near(exact, calculation.result, 1e-12 if _is_precise(quantity) else 0.0):
                return calculation
    return None


def _show_calculation(quantity: Quantity, calculation: Calculation) -> str:
    share = quantity.measure in SHARES
    if share:
        decimals = max(1, _count_decimals(quantity.grain / 0.01))
        return calculation.write(0.01, "%", decimals)
    factor = _find_scale_factor(calculation)
    value = calculation.result / (factor if calculation.operation != "ratio" else 1.0)
    decimals = max(_count_decimals(quantity.grain / (quantity.size * quantity.factor)), 0)
    if calculation.operation == "ratio":
        return calculation.write(1.0, "", max(decimals, 1))
    exact = 0 if float(value).is_integer() else max(decimals, 1)
    return calculation.write(factor, "", exact)


def _find_scale_factor(calculation: Calculation) -> float:
    """Return the scale that the operands leave out as the source writes them: 1e6 under "in millions"."""
    first = calculation.operands[0]
    match = _DIGITS.search(first.text)
    written = read_digits(match[0])[:1] if match else ()
    return abs(first.value) / written[0] if written and written[0] and first.value else 1.0


def _count_decimals(grain: float) -> int:
    return 0 if grain >= 1 else 1 if grain >= 0.1 else 2 if grain >= 0.01 else 3
