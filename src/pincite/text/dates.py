"""Find dates in English and French text, and read them as year, month and day."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pincite.text.folding import fold_accents

_NAMES = {
    "en": "january february march april may june july august september october november december",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
}
MONTH_NAMES = {code: tuple(names.split()) for code, names in _NAMES.items()}
_ENGLISH = {name[:3]: number for number, name in enumerate(MONTH_NAMES["en"], 1) if len(name) > 3}
_FRENCH = {"janv": 1, "févr": 2, "avr": 4, "juil": 7, "sept": 9, "déc": 12}
MONTH_ABBREVIATIONS = frozenset((*_ENGLISH, *_FRENCH))
MONTHS = {
    spelling: number
    for code in ("en", "fr")
    for number, name in enumerate(MONTH_NAMES[code], 1)
    for spelling in (name, fold_accents(name))
}
MONTHS |= _ENGLISH | _FRENCH
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
    """A date in a text: where it stands, and its readings as year, month and day.

    A part that is not given is 0. There are two readings where day and month may be either way around.
    """

    start: int
    end: int
    readings: tuple[tuple[int, int, int], ...]


def find_dates(text: str, named: bool = True) -> Iterator[Date]:
    """Yield the dates of a text that do not overlap; a year alone is none. Month names are read with `named`."""
    taken = bytearray(len(text))
    for form in _FORMS if named else _FORMS[:2]:
        for match in form.finditer(text):
            readings = tuple(reading for reading in _read_date(match) if reading[1] <= 12 and reading[2] <= 31)
            if readings and not any(taken[match.start() : match.end()]):
                taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
                yield Date(*match.span(), readings)


def _read_date(match: re.Match[str]) -> Iterator[tuple[int, int, int]]:
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


def is_stated_by(claimed: tuple[int, int, int], given: tuple[int, int, int]) -> bool:
    """Whether the second date gives every part that the first one gives."""
    return all(own in (0, other) for own, other in zip(claimed, given, strict=True))
