"""Check facts by code: each figure, date and code of a sentence must stand in its cited words, in the same role."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from pincite.proof import derive, named_codes
from pincite.proof.claim_case import LONGEST, CitedSource, ClaimCase
from pincite.proof.dates_and_years import check_dates, check_years
from pincite.proof.figures import Figure, has_same_value, is_year
from pincite.proof.list_roles import find_rival_in_list
from pincite.proof.prose_roles import find_rival_for_missing, find_rival_in_prose, find_rival_of_neighbour
from pincite.proof.replaced_facts import find_replaced
from pincite.proof.shared_words import clean_text
from pincite.proof.table_roles import find_rival_in_named_row, find_rival_in_tables
from pincite.text import bounds
from pincite.text.folding import fold_alphanumerics
from pincite.text.quantities import Quantity
from pincite.types import Reason

__all__ = ["CitedSource", "Facts", "check_facts"]

_RANGE = re.compile(r"(?:19|20)\d\d\s?[-–/]$")
_SMALL = 12  # up to here a number in words may count things that the source lists
_TYPOGRAPHY = re.compile(r"[\s\"'“”„‘’«»*_`]+")
_STOPS = ".!?…"
_YEAR = 31_557_600.0  # seconds
_CLAIM = 4_000  # characters

_SIDES = {"below": "< ", "above": "> "}


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of a sentence that differ from the cited words or are missing there, and a recomputed calculation."""

    differing: tuple[Reason, ...] = ()
    missing: tuple[Reason, ...] = ()
    computed: str = ""

    @property
    def agree(self) -> bool:
        return not self.differing and not self.missing


def check_facts(claim: str, sources: Sequence[CitedSource]) -> Facts:
    """Check the figures, dates, names and codes of a sentence against the words it cites."""
    claim = clean_text(claim[:_CLAIM])
    if not fold_alphanumerics(claim) or any(
        _is_word_for_word(claim, clean_text(source.text[:LONGEST])) for source in sources
    ):
        return Facts()
    case = ClaimCase(claim, sources)
    differing: list[Reason] = []
    missing: list[Reason] = []
    numbers = [
        q for q in case.quantities if q.kind == "number" and not is_year(q, claim) and not _is_range_end(claim, q)
    ]
    for quantity in numbers:
        case.found[quantity] = [figure for figure in case.figures if has_same_value(quantity, figure, case.scales)]
    for reason in (*check_years(case), *check_dates(case)):
        (differing if reason.code == "fact_differs" else missing).append(reason)
    outcomes = {quantity: _check_number(case, quantity) for quantity in numbers}
    derived = [outcome for outcome in outcomes.values() if isinstance(outcome, derive.Derivation)]
    assumed = {each.assumed for each in derived}
    for quantity, outcome in outcomes.items():
        if isinstance(outcome, Reason) and quantity not in assumed:
            (differing if outcome.code == "fact_differs" else missing).append(outcome)
    if not differing:
        differing.extend(Reason("fact_differs", said, stood) for said, stood in find_replaced(claim, case.cited))
    absent = (
        *named_codes.find_missing_codes(claim, case.everything),
        *named_codes.find_missing_names(claim, case.everything),
    )
    missing.extend(Reason("fact_missing", name) for name in absent)
    return Facts(tuple(differing), tuple(missing), "; ".join(dict.fromkeys(each.shown for each in derived)))


def _is_range_end(claim: str, quantity: Quantity) -> bool:
    """Tell whether a number is the end of a range of years: "2012-13"."""
    return bool(_RANGE.search(claim, max(quantity.start - 6, 0), quantity.start)) and quantity.end - quantity.start < 3


def _is_word_for_word(claim: str, source: str) -> bool:
    """Return whether a source has a sentence in the same words, apart from spaces, quotation marks and the final stop.

    Signs of figures count, and no word or number may go on before or after it: "5 million" is not in "15 million".
    """
    own = _TYPOGRAPHY.sub("", claim).casefold().rstrip(_STOPS)
    words = _TYPOGRAPHY.split(source.casefold())
    joined, edges = "".join(words), [0, *accumulate(map(len, words))]
    start = joined.find(own)
    while start >= 0:
        end = start + len(own)
        before = joined[edges[bisect_right(edges, start) - 1] : start]
        after = joined[end : edges[bisect_left(edges, end)]]
        # Thousands may be apart: "1 500". Whatever is rejected here is checked by its figures.
        goes_on = _has_digits(joined[start - 1 : start + 1]) or _has_digits(joined[end - 1 : end + 1])
        if not goes_on and not before.strip("([") and not after.strip(_STOPS + ",;:)]"):
            return True
        start = joined.find(own, start + 1)
    return False


def _has_digits(pair: str) -> bool:
    return len(pair) == 2 and pair.isdigit()


def _check_number(case: ClaimCase, quantity: Quantity) -> Reason | derive.Derivation | None:
    """Say why a number does not agree, or how it was calculated; None where it stands in the source."""
    text = case.words_of(quantity)
    found = case.found[quantity]
    if any(has_same_value(quantity, figure) for figure in case.labels) or _is_within_label(case, quantity):
        return None
    if not found and _is_span(case, quantity):
        return None
    if bound := _find_other_bound(quantity, found):
        return Reason("fact_differs", text, bound)
    if found:
        rival = _find_rival_in_role(case, quantity, found)
        if rival is None:
            return None
        cited = any(figure.cited for figure in found)
        return (None if cited else derive.find_derivation(case, quantity)) or Reason("fact_differs", text, rival)
    if _is_part_of_code(case, text):
        return None
    if derived := derive.find_derivation(case, quantity):
        return derived
    soft = _is_soft(quantity, text)
    expected = "" if soft else derive.find_expected_calculation(case, quantity)
    if rival := expected or find_rival_for_missing(case, quantity):
        return None if soft and quantity.measure == "percent" else Reason("fact_differs", text, rival)
    if soft:
        return None
    return Reason("fact_missing", text)


def _find_other_bound(quantity: Quantity, found: Sequence[Figure]) -> str:
    """Return the cited figure if every figure with this value is a bound on the other side, or has another sign."""
    prose = [figure for figure in found if figure.cell is None and figure.cited]
    other = [
        figure
        for figure in prose
        if not bounds.may_agree(quantity.bound, figure.quantity.bound) or _has_other_sign(quantity, figure.quantity)
    ]
    return _SIDES.get(other[0].quantity.bound[0], "") + other[0].text if other and len(other) == len(prose) else ""


def _has_other_sign(quantity: Quantity, given: Quantity) -> bool:
    """Whether one of two temperatures is below zero and the other is not."""
    is_below = [any(worth < 0 for worth in each.worth) for each in (quantity, given)]
    return quantity.measure == given.measure in ("celsius", "fahrenheit") and is_below[0] != is_below[1]


def _is_within_label(case: ClaimCase, quantity: Quantity) -> bool:
    """Tell whether a figure is a case of a cited row: a boat of 10 m, in the row "from 8 to 12 m"."""
    for low, high in pairwise(case.labels):
        unit = low.quantity.measure == high.quantity.measure == quantity.measure != ""
        if (
            unit
            and low.sentence is high.sentence
            and low.quantity.worth[0] <= quantity.worth[0] <= high.quantity.worth[0]
        ):
            return True
    return False


def _is_span(case: ClaimCase, quantity: Quantity) -> bool:
    """Tell whether a number of years is the time between two years that a sentence says, its ends counted or not."""
    if quantity.measure != "time" or len(case.claim_years) != 2 or not case.claim_years <= case.years:
        return False
    span = max(case.claim_years) - min(case.claim_years)
    return quantity.worth[0] / _YEAR in (span, span + 1) and quantity.size == _YEAR


def _is_part_of_code(case: ClaimCase, text: str) -> bool:
    """Tell whether a number is part of a code that the source has too: "10-K", "Article L. 123-4"."""
    if not any(map(str.isalpha, text)):
        return False
    return bool(re.search(rf"(?<![\w.,-]){re.escape(text)}(?![\w,-]|\.\d)", case.everything))


def _is_soft(quantity: Quantity, text: str) -> bool:
    """Tell whether a number in words may be the writer's own count, such as "three reasons", that no source has."""
    if any(map(str.isdigit, text)):
        return False
    return bool(quantity.worth) and (abs(quantity.worth[0]) <= _SMALL or quantity.measure == "percent")


def _find_rival_in_role(case: ClaimCase, quantity: Quantity, found: Sequence[Figure]) -> str | None:
    """Return the source's figure for the same row, year or subject if it is another one; None if this may be right."""
    cells = [figure for figure in found if figure.cell is not None]
    prose = [figure for figure in found if figure.cell is None]
    if rival := find_rival_in_list(case, quantity, [figure for figure in prose if figure.cited] or prose):
        return rival
    if any(figure.cited for figure in prose):
        return find_rival_in_prose(case, quantity, [figure for figure in prose if figure.cited])
    if cells:
        cited = [figure for figure in cells if figure.cited]
        rival = find_rival_in_tables(case, quantity, cited or cells)
        if prose:
            return None
        return rival if rival or cited else find_rival_in_named_row(case, quantity, cells)
    return find_rival_of_neighbour(case, quantity, found)
