"""Find the numbers of a text with their units, as values that can be compared: 1 234,5 = 1,234.5; 12 % = 0.12."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from pincite.text import dates
from pincite.text.bounds import Bound, find_bound
from pincite.text.numerals import (
    AMBIGUOUS,
    DIGITS,
    FRACTIONS,
    ORDINALS,
    SCALE_LETTERS,
    SCALES,
    SPELLED,
    WORDS,
    read_digits,
    read_number_words,
)
from pincite.text.units import CURRENCIES, PREFIXES, look_up_unit

_ORDINAL = "|".join(sorted(ORDINALS, key=len, reverse=True))
_NUMBER = re.compile(
    rf"(?P<before>(?:{PREFIXES})\s?)?(?P<sign>(?<![\w)\]])[-−–])?(?:(?<![\w])(?<![^\W\d_][-.])|(?P<glued>(?<=[a-zà-ÿ]{{3}})))"
    rf"(?P<number>{DIGITS})"
    r"(?:(?P<ordinal>st|nd|rd|th|er|ère|re|e|ème|ième|eme)\b)?"
)
_SPELLED = re.compile(rf"(?<![\w-])(?P<number>{WORDS})(?!\w)", re.IGNORECASE)
_SCALE = re.compile(r"\s?([^\W\d_]+)(?:\s+(?:de|of)\b|\s+d['’])?")
_LETTERS = "[^\\W\\d_]+[²³23]?"
_UNIT = re.compile(rf"[\s-]?((?:°|\$|US\$|%|‰|€|£|¥|¢|℃|℉)[CF]?(?!\w)|{_LETTERS})(?:\s?/\s?({_LETTERS}))?(?!\w|['’]\w)")
# Web pages join words: "au maximum5 ansà compter de".
_GLUED_UNIT = re.compile(
    r"\s?(ans|mois|jours?|heures?|minutes?|semaines?|euros?|€|%)(?=(?:à|aux?|d[eu]s?|et|ou|en|par|pour|dans|sur)\b)"
)
_FRACTION = re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(FRACTIONS, key=len, reverse=True))})(?![\w-])", re.IGNORECASE)
_NTH = re.compile(rf"(?<![\w-])(?:{_ORDINAL})(?![\w-])", re.IGNORECASE)
_QUARTER = re.compile(
    rf"\b(?:[QT](?P<n>[1-4])\b|(?:(?P<nth>{_ORDINAL})|(?P<digit>[1-4])(?:st|nd|rd|th|er|e|ème))[\s-]+"
    r"(?:fiscal\s+)?(?:quarter|trimestre)\b)",
    re.IGNORECASE,
)
_FISCAL = re.compile(r"\bFY\s?['’]?(?P<year>\d{4}|\d\d)\b")
_TIME = re.compile(
    r"(?<![\w:.,])(?P<hour>[01]?\d|2[0-4])(?:\s?[hH]\s?(?P<french>[0-5]\d)|:(?P<minute>[0-5]\d)(?::[0-5]\d)?)?"
    r"(?:\s?(?P<half>[ap])\.?m\b\.?)?(?!\w|[.,:]\d)"
)
_ROUGHLY = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|approx|nearly|almost|some|circa|close to|environ|près de|presque|"
    r"quelque|à peu près|autour de|more than|over|plus de|less than|under|moins de)|[~≈≃])\W*$",
    re.IGNORECASE,
)
# "10 to 12 kg", "entre 5 et 10 %": the first number has the unit of the last.
_JOINS = re.compile(
    r"\s*(?:[-–—]|to|and|or|à|et|ou|,|,? ?and|by|x|×|±)\s*(?:(?:about|environ|au moins)\s*)?", re.IGNORECASE
)
_TABLE_SCALE = re.compile(
    r"(?:\b(?:in|en)\s+|\(\s*|[$€£]\s?)(?P<scale>thousands|millions|billions|milliers|milliards|million|milliard|billion)\b"
    r"|\b(?P<k>[kK]€|[M]€|\$m)\b",
    re.IGNORECASE,
)
_TABLE_PERCENT = re.compile(r"\(\s*(?:(?:in|en)\s*)?%\s*\)|\b(?:in|en)\s+(?:%|percent\b|pourcentage\b)", re.IGNORECASE)
PERCENT = 0.01
_FRENCH_Y = re.compile(r"\sy\s+[^\W\d_]")  # "dix y vont": a word before a verb, no unit
_WORDS_TOO = frozenset(("an", "s", "d"))  # after a year: "in 1990 an engineer", "the 1990s"
_PHRASES = (
    *("per cent", "pour cent", "percentage point", "percentage points", "points de pourcentage"),
    *("basis points", "basis point", "points de base", "point de base"),
)
_NUMBER_WORDS = frozenset(re.split("[- ]", " ".join((*SPELLED, *FRACTIONS, *ORDINALS)))) - {"a", "le", "et"}
_ANY_WORD = re.compile(r"[^\W\d_]+|½")

Kind = Literal["number", "ordinal", "date", "time", "quarter"]


class Quantity(NamedTuple):
    """A number in a text: its possible values in the base unit of its measure, and how the text writes it."""

    kind: Kind
    start: int
    end: int
    worth: tuple[float, ...]
    measure: str = ""
    size: float = 1.0
    step: float = 0.0  # the value of the last digit that is not a zero
    rough: bool = False
    readings: tuple[tuple[int, int, int], ...] = ()
    bound: tuple[Bound, bool] = ("", False)
    grain: float = 0.0  # the value of the last digit written, zero or not
    factor: float = 1.0  # of the scale word: 1e6 for "2 million"


def find_quantities(text: str) -> list[Quantity]:
    """Return the numbers, dates and times of a text in their order, none overlapping another."""
    found: list[Quantity] = []
    taken = bytearray(len(text))
    for quantity in _find_candidates(text):
        if not any(taken[quantity.start : quantity.end]):
            taken[quantity.start : quantity.end] = b"\1" * (quantity.end - quantity.start)
            found.append(quantity._replace(bound=find_bound(text, quantity.start, quantity.end)))
    found.sort(key=lambda quantity: quantity.start)
    return _share_units(text, found)


def find_table_scales(text: str) -> frozenset[float]:
    """Return the factors for the numbers of a table whose text says "in millions" or "in %"."""
    found = set()
    for match in _TABLE_SCALE.finditer(text):
        word = (match["scale"] or "").casefold()
        short = 1e3 if (match["k"] or "m")[0].casefold() == "k" else 1e6
        found.add(SCALES.get(word, SCALES.get(word.removesuffix("s"), short)))
    if _TABLE_PERCENT.search(text):
        found.add(PERCENT)
    return frozenset(found)


def _find_candidates(text: str) -> Iterator[Quantity]:
    """Yield everything that may be a quantity, the more certain kinds first."""
    digits = any(map(str.isdigit, text))
    words = [(match.start(), match[0].casefold()) for match in _ANY_WORD.finditer(text)]
    counting = [(at, word) for at, word in words if word in _NUMBER_WORDS]
    if digits:
        for date in dates.find_dates(text, not dates.MONTHS.keys().isdisjoint(word for _, word in words)):
            yield Quantity("date", date.start, date.end, (), readings=date.readings)
        yield from _find_times(text)
        for match in _FISCAL.finditer(text):
            year = float(match["year"])
            yield Quantity("number", *match.span(), (year if year > 99 else year + 2000,))
    if digits or counting:
        for match in _QUARTER.finditer(text):
            n = match["n"] or match["digit"] or ORDINALS[match["nth"].casefold()]
            if int(n) <= 4:
                yield Quantity("quarter", *match.span(), (float(n),))
    if digits:
        for match in _NUMBER.finditer(text):
            if quantity := _read_number(text, match):
                yield quantity
    yield from _find_in_words(text, counting)


def _find_in_words(text: str, counting: list[tuple[int, str]]) -> Iterator[Quantity]:
    for at, _ in counting:
        article = 2 if text[max(at - 2, 0) : at].casefold() == "a " else 0  # "a tenth"
        if match := _FRACTION.match(text, at - article) or _FRACTION.match(text, at):
            rough = bool(_ROUGHLY.search(text[max(match.start() - 20, 0) : match.start()]))
            worth = (FRACTIONS[match[0].casefold()],)
            yield Quantity("number", *match.span(), worth, "percent", 0.01, step=0.1, rough=rough, grain=0.01)
    for at, _ in counting:
        match = _SPELLED.match(text, at)
        if match and (quantity := _read_spelled_number(text, match)):
            yield quantity
    for at, word in counting:
        match = _NTH.match(text, at)
        if match and word not in ("first", "premier", "première", "second", "seconde"):
            yield Quantity("ordinal", *match.span(), (float(ORDINALS[match[0].casefold()]),))


def _find_times(text: str) -> Iterator[Quantity]:
    for match in _TIME.finditer(text):
        if match["french"] or match["minute"] or match["half"]:
            hour = int(match["hour"]) % 12 + 12 * (match["half"].casefold() == "p") if match["half"] else match["hour"]
            minutes = 60 * int(hour) + int(match["french"] or match["minute"] or 0)
            yield Quantity("time", *match.span(), (float(minutes),))


def _read_number(text: str, match: re.Match[str]) -> Quantity | None:
    worth = read_digits(match["number"])
    if not worth:
        return None
    if match["ordinal"]:
        return Quantity("ordinal", *match.span(), worth)
    sign = -1 if match["sign"] else 1
    found = _add_measure(text, match, [sign * value for value in worth], match["before"] or "")
    if match["glued"] is not None and not found.measure:  # a code: "python3"
        return None
    is_part_of_code = found.end < len(text) and text[found.end].isalpha() and not found.measure
    return None if is_part_of_code else found


def _read_spelled_number(text: str, match: re.Match[str]) -> Quantity | None:
    words = match["number"].casefold()
    value = read_number_words(words)
    if value is None:
        return None
    found = _add_measure(text, match, [value], "")
    if words not in AMBIGUOUS or (found.end > match.end() and words in ("one", "un", "une", "neuf")):
        return found
    return None


def _add_measure(text: str, match: re.Match[str], worth: list[float], before: str) -> Quantity:
    """Return a number with the scale and the unit that stand around it."""
    end, factor = match.end("number"), 1.0
    money = look_up_unit(before.strip().lstrip("USCA")) or look_up_unit(before.strip()) if before else None
    scaled = _SCALE.match(text, end)
    if scaled and (scale := _read_scale(text, scaled, money is not None)):
        factor, end = scale, scaled.end() if money is None and _UNIT.match(text, scaled.end()) else scaled.end(1)
    known, after = _read_unit(text, end, abs(worth[0]))
    if known is None and scaled and factor != 1.0:
        end = scaled.end(1)
    name, size = money or known or ("", 1.0)
    end = after if known and (money is None or known[0] == name) else end
    step = _find_step(match["number"]) * factor * size
    rough = bool(_ROUGHLY.search(text[max(match.start() - 20, 0) : match.start()]))
    worths = tuple(w * factor * size for w in worth)
    grain = _find_grain(match["number"]) * factor * size
    return Quantity("number", match.start(), end, worths, name, size, step, rough, grain=grain, factor=factor)


def _read_scale(text: str, match: re.Match[str], money: bool) -> float:
    """Return the factor that the word behind a number stands for; 0 if it is no scale word."""
    word = match[1]
    if word.casefold() in SCALES:
        return SCALES[word.casefold()]
    if len(word) > 1 or word not in "kKmMbB":
        return 0.0
    followed = _UNIT.match(text, match.end(1))
    paid = look_up_unit(followed[1]) if followed else None
    glued = match.start(1) == match.start()
    if money or (paid and paid[0] in CURRENCIES) or (glued and word in "kK"):
        return SCALE_LETTERS[word.casefold()]
    return 0.0


def _read_unit(text: str, at: int, value: float) -> tuple[tuple[str, float] | None, int]:
    """Return the unit that stands at a place, and where it ends."""
    for phrase in _PHRASES:
        if text.startswith(phrase, at + 1) and text[at : at + 1].isspace():
            return look_up_unit(phrase), at + 1 + len(phrase)
    match = _GLUED_UNIT.match(text, at) or _UNIT.match(text, at)
    known = look_up_unit(match[1]) if match else None
    if match is None or known is None:
        return None, at
    if value >= 1000 and match[1].casefold() in _WORDS_TOO:
        return None, at
    if match[1] == "y" and _FRENCH_Y.match(text, at):
        return None, at
    below = look_up_unit(match[2]) if match.re is _UNIT and match[2] else None
    if below:
        return (f"{known[0]}/{below[0]}", known[1] / below[1]), match.end()
    return known, match.end(1)


def _find_step(digits: str) -> float:
    """Return the value of the last digit that is not a zero; where a separator is ambiguous, the smaller value."""
    if not digits:
        return 0.0
    plain = re.sub("[ \u00a0\u202f'’]", "", digits).replace("·", ".")
    _, mark, decimals = plain.replace(",", ".").rpartition(".")
    if mark and len(decimals) != 3:
        return float(10.0 ** -len(decimals))
    whole = plain.replace(",", "").replace(".", "")
    return float(10.0 ** (len(whole) - len(whole.rstrip("0"))))


def _find_grain(digits: str) -> float:
    """Return the value of the last digit written."""
    if not digits[:1].isdigit():
        return 1.0
    return min(_find_step(digits), 1.0)


def _share_units(text: str, found: list[Quantity]) -> list[Quantity]:
    for i in range(len(found) - 2, -1, -1):
        own, after = found[i], found[i + 1]
        if own.kind == after.kind == "number" and not own.measure and after.measure:
            between = text[own.end : after.start]
            if _JOINS.fullmatch(between) and len(between.strip()) < 12 and not _is_year(own, between):
                factors = {1.0, after.factor} if own.factor == 1.0 else {1.0}  # "850 to 950 million"
                worth = tuple(w * after.size * factor for w in own.worth for factor in sorted(factors, reverse=True))
                step, grain = own.step * after.size, own.grain * after.size
                found[i] = own._replace(worth=worth, measure=after.measure, size=after.size, step=step, grain=grain)
    return found


def _is_year(quantity: Quantity, between: str) -> bool:
    """Whether a number is a year before a comma and not part of a list: "in 2020, 15 %"."""
    return "," in between or (len(quantity.worth) == 1 and 1900 <= quantity.worth[0] <= 2100)
