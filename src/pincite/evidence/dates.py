"""Days, months and years as people write them, in English and French, to year, month and day."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_MONTHS = """
january jan janvier janv
february feb février févr fevrier
march mar mars
april apr avril avr
may mai
june jun juin
july jul juillet juil
august aug août aout
september sep sept septembre
october oct octobre
november nov novembre
december dec décembre déc decembre
"""
MONTHS = {name: number for number, row in enumerate(_MONTHS.strip().split("\n"), 1) for name in row.split()}
_MONTH = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th|er)?"
_YEAR = r"(?P<year>1\d{3}|2[01]\d\d)(?!\d|[.,]\d)"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?<![\d-])(?P<year>1\d{3}|2[01]\d\d)[-/](?P<month>[01]\d)[-/](?P<day>[0-3]\d)(?!\d)",
        r"(?<![\d./-])(?P<first>[0-3]?\d)(?P<mark>[./-])(?P<second>[0-3]?\d)(?P=mark)(?P<year>(?:1\d|2[01])?\d\d)(?![\d])",
        rf"(?<![\w.,]){_DAY}(?:\s+of|\s+de)?\s+{_MONTH}(?:,?\s+{_YEAR})?",
        rf"\b{_MONTH}\s+(?:the\s+)?{_DAY}(?![\w%€])(?![.,]\d)(?:,?\s+{_YEAR})?",
        rf"\b{_MONTH}(?:\s+of|,)?\s+{_YEAR}",
    )
)


class Date(NamedTuple):
    """What stands where, as year, month and day, 0 for what is not said; two readings where the order is open."""

    start: int
    end: int
    readings: tuple[tuple[int, int, int], ...]


def dates(text: str, named: bool = True) -> Iterator[Date]:
    """The dates in a text that are more than a year, none overlapping another; `named` when months are."""
    taken = bytearray(len(text))
    for form in _FORMS if named else _FORMS[:2]:
        for match in form.finditer(text):
            readings = tuple(reading for reading in _readings(match) if reading[1] <= 12 and reading[2] <= 31)
            if readings and not any(taken[match.start() : match.end()]):
                taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
                yield Date(*match.span(), readings)


def _readings(match: re.Match[str]) -> Iterator[tuple[int, int, int]]:
    said = match.groupdict()
    year = int(said.get("year") or 0)
    if said.get("mark"):
        first, second = int(said["first"]), int(said["second"])
        year += 0 if year > 99 else 2000 if year < 50 else 1900
        if first and second:
            yield from dict.fromkeys(((year, second, first), (year, first, second)))
        return
    month = said["month"].rstrip(".")
    yield year, int(month) if month.isdigit() else MONTHS[month.casefold()], int(said.get("day") or 0)


def agree(claimed: tuple[int, int, int], given: tuple[int, int, int]) -> bool:
    """Is everything that the first date says, said by the second?"""
    return all(own in (0, other) for own, other in zip(claimed, given, strict=True))
