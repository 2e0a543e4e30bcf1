"""Compare the years, dates and times of a sentence with those of its sources."""

from collections.abc import Iterator, Sequence

from pincite.proof import named_codes
from pincite.proof.claim_case import GIVEN, ClaimCase
from pincite.proof.figures import find_years, is_year
from pincite.proof.text_positions import slice_around
from pincite.text.quantities import Quantity, find_quantities
from pincite.types import Reason


def check_years(case: ClaimCase) -> Iterator[Reason]:
    for quantity in case.quantities:
        if not is_year(quantity, case.claim):
            continue
        year = int(quantity.worth[0])
        if year in case.years or ({year + 1, year - 1} & case.claim_years & case.years):
            continue
        rivals = find_years(case.cited) - case.claim_years
        text = case.words_of(quantity)
        if len(rivals) == 1:
            yield Reason("fact_differs", text, str(next(iter(rivals))))
        else:
            yield Reason("fact_missing", text)


def check_dates(case: ClaimCase) -> Iterator[Reason]:
    asked = [q for q in case.quantities if q.kind in ("date", "time", "quarter")]
    if not asked:
        return
    given = [q for q in find_quantities(case.everything) if q.kind in ("date", "time", "quarter")][:GIVEN]
    cited = [q for q in find_quantities(case.cited) if q.kind in ("date", "time", "quarter")]
    for quantity in asked:
        if any(_is_same_moment(quantity, other, case.years) for other in given):
            if rival := _find_rival_by_code(case, quantity, cited):
                yield Reason("fact_differs", case.words_of(quantity), rival)
            continue
        if quantity.kind == "date" and all(not day for _, _, day in quantity.readings):
            year, month, _ = quantity.readings[0]  # "December 2020" for "December 23, 2020" was tried above
            if any(
                other.kind == "date" and (year, month) == reading[:2] for other in given for reading in other.readings
            ):
                continue
        text = case.words_of(quantity)
        rivals = {
            case.cited[other.start : other.end].strip(" .")
            for other in cited
            if other.kind == quantity.kind and not any(_is_same_moment(own, other, case.years) for own in asked)
        }
        if len(rivals) == 1:
            yield Reason("fact_differs", text, next(iter(rivals)))
        elif quantity.kind != "quarter" or rivals:
            yield Reason("fact_missing", text)


def _is_same_moment(claimed: Quantity, given: Quantity, years: frozenset[int]) -> bool:
    if claimed.kind != given.kind:
        return False
    if claimed.kind != "date":
        return bool(set(claimed.worth) & set(given.worth))
    for own in claimed.readings:
        for other in given.readings:
            if all(a == b or not a or not b for a, b in zip(own, other, strict=True)) and (
                other[0] or not own[0] or own[0] in years
            ):
                return True
    return False


def _find_rival_by_code(case: ClaimCase, claimed: Quantity, cited: Sequence[Quantity]) -> str | None:
    """Return the one date beside the code that a sentence names, if its own date stands beside another code."""
    codes = {code for code in named_codes.find_codes(case.claim) if code in case.cited}
    place = next((other for other in cited if _is_same_moment(claimed, other, case.years)), None)
    if not codes or place is None:
        return None
    sentence = slice_around(case.cited, place.start)
    other_codes = set(named_codes.find_codes(case.cited[slice(*sentence)]))
    if not other_codes or other_codes & codes:
        return None
    beside = [q for q in cited if q.kind == claimed.kind and _has_code(case.cited, q, codes)]
    return case.cited[beside[0].start : beside[0].end].strip(" .") if len(beside) == 1 else None


def _has_code(text: str, quantity: Quantity, codes: set[str]) -> bool:
    return bool(set(named_codes.find_codes(text[slice(*slice_around(text, quantity.start))])) & codes)
