"""The numbers of a text, with their units, as values that can be compared: 1 234,5 = 1,234.5; 12 % = 0.12."""

import math
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from pincite.evidence import dates
from pincite.evidence.bounds import Bound, agree, bound
from pincite.evidence.numerals import AMBIGUOUS, DIGITS, FRACTIONS, ORDINALS, SCALES, SPELLED, WORDS, spelled, values
from pincite.evidence.units import CURRENCIES, PREFIXES, measure

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
# Words of web pages run together: "au maximum5 ansà compter de".
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
# "10 to 12 kg", "entre 5 et 10 %": the last one's unit is the first one's too.
_JOINS = re.compile(
    r"\s*(?:[-–—]|to|and|or|à|et|ou|,|,? ?and|by|x|×|±)\s*(?:(?:about|environ|au moins)\s*)?", re.IGNORECASE
)
_TABLE_SCALE = re.compile(
    r"(?:\b(?:in|en)\s+|\(\s*|[$€£]\s?)(?P<scale>thousands|millions|billions|milliers|milliards|million|milliard|billion)\b"
    r"|\b(?P<k>[kK]€|[M]€|\$m)\b",
    re.IGNORECASE,
)
_TABLE_PERCENT = re.compile(r"\(\s*(?:(?:in|en)\s*)?%\s*\)|\b(?:in|en)\s+(?:%|percent\b|pourcentage\b)", re.IGNORECASE)
_TINY = 1e-9
_PERCENT = 0.01
_SHARES = ("percent", "permille")
_CONVERTED = 0.005
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
    """A number where it stands: what it may be worth in the measure's own unit, and how it was said."""

    kind: Kind
    start: int
    end: int
    worth: tuple[float, ...]
    measure: str = ""
    size: float = 1.0
    step: float = 0.0  # what the last digit said stands for
    rough: bool = False
    readings: tuple[tuple[int, int, int], ...] = ()
    bound: tuple[Bound, bool] = ("", False)
    grain: float = 0.0  # the worth of the last digit written, zero or not
    factor: float = 1.0  # of the scale word: 1e6 for "2 million"


def quantities(text: str) -> list[Quantity]:
    """The numbers, dates and times of a text in their order, none overlapping another."""
    found: list[Quantity] = []
    taken = bytearray(len(text))
    for quantity in _all(text):
        if not any(taken[quantity.start : quantity.end]):
            taken[quantity.start : quantity.end] = b"\1" * (quantity.end - quantity.start)
            found.append(quantity._replace(bound=bound(text, quantity.start, quantity.end)))
    found.sort(key=lambda quantity: quantity.start)
    return _shared_units(text, found)


def table_scales(text: str) -> frozenset[float]:
    """By how much the numbers of a table may be multiplied, where its text says "in millions" or "in %"."""
    found = set()
    for match in _TABLE_SCALE.finditer(text):
        word = (match["scale"] or "").casefold()
        short = 1e3 if (match["k"] or "m")[0].casefold() == "k" else 1e6
        found.add(SCALES.get(word, SCALES.get(word.removesuffix("s"), short)))
    if _TABLE_PERCENT.search(text):
        found.add(_PERCENT)
    return frozenset(found)


def same(claimed: Quantity, given: Quantity, scales: frozenset[float] = frozenset(), bare: bool = False) -> bool:
    """Does the source's number say what the sentence's does? A year may stand within a date, a bare age for years."""
    if not agree(claimed.bound, given.bound):
        return False
    if claimed.kind == "date":
        if given.kind == "date":
            return any(dates.agree(own, other) for own in claimed.readings for other in given.readings)
        return False
    if given.kind == "date":
        years = {float(reading[0]) for reading in given.readings}
        return claimed.kind == "number" and not claimed.measure and bool(years & set(claimed.worth))
    if claimed.kind != given.kind:
        return False
    if claimed.measure == given.measure:
        return _equal(claimed, given) or (not claimed.measure and _scaled(claimed, given, scales))
    if given.measure == "":
        if claimed.measure in CURRENCIES:  # in a table the currency stands above
            return bool(scales - {_PERCENT}) and (_equal(claimed, given) or _scaled(claimed, given, scales))
        return claimed.measure in _SHARES and (_equal(claimed, given) or _scaled(claimed, given, scales & {_PERCENT}))
    if claimed.measure:
        return False
    if bare and given.measure == "time":
        return _equal(claimed, given._replace(worth=tuple(w / given.size for w in given.worth), size=claimed.size))
    return given.measure in _SHARES and _equal(claimed, given)


def _equal(claimed: Quantity, given: Quantity) -> bool:
    near = _TINY if claimed.size == given.size else _CONVERTED
    for own in claimed.worth:
        for other in given.worth:
            if math.isclose(own, other, rel_tol=near, abs_tol=1e-12):
                return True
            if claimed.rough and abs(own - other) <= claimed.step / 2 and abs(own - other) <= 0.05 * abs(other):
                return True
    return False


def _scaled(claimed: Quantity, given: Quantity, scales: frozenset[float]) -> bool:
    return any(_equal(claimed, given._replace(worth=tuple(w * scale for w in given.worth))) for scale in scales)


def _all(text: str) -> Iterator[Quantity]:
    """What may be a quantity, the surer first."""
    digits = any(map(str.isdigit, text))
    words = [(match.start(), match[0].casefold()) for match in _ANY_WORD.finditer(text)]
    counting = [(at, word) for at, word in words if word in _NUMBER_WORDS]
    if digits:
        for date in dates.dates(text, not dates.MONTHS.keys().isdisjoint(word for _, word in words)):
            yield Quantity("date", date.start, date.end, (), readings=date.readings)
        yield from _times(text)
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
            if quantity := _number(text, match):
                yield quantity
    yield from _in_words(text, counting)


def _in_words(text: str, counting: list[tuple[int, str]]) -> Iterator[Quantity]:
    for at, _ in counting:
        article = 2 if text[max(at - 2, 0) : at].casefold() == "a " else 0  # "a tenth"
        if match := _FRACTION.match(text, at - article) or _FRACTION.match(text, at):
            rough = bool(_ROUGHLY.search(text[max(match.start() - 20, 0) : match.start()]))
            worth = (FRACTIONS[match[0].casefold()],)
            yield Quantity("number", *match.span(), worth, "percent", 0.01, step=0.1, rough=rough, grain=0.01)
    for at, _ in counting:
        match = _SPELLED.match(text, at)
        if match and (quantity := _spelled(text, match)):
            yield quantity
    for at, word in counting:
        match = _NTH.match(text, at)
        if match and word not in ("first", "premier", "première", "second", "seconde"):
            yield Quantity("ordinal", *match.span(), (float(ORDINALS[match[0].casefold()]),))


def _times(text: str) -> Iterator[Quantity]:
    for match in _TIME.finditer(text):
        if match["french"] or match["minute"] or match["half"]:
            hour = int(match["hour"]) % 12 + 12 * (match["half"].casefold() == "p") if match["half"] else match["hour"]
            minutes = 60 * int(hour) + int(match["french"] or match["minute"] or 0)
            yield Quantity("time", *match.span(), (float(minutes),))


def _number(text: str, match: re.Match[str]) -> Quantity | None:
    worth = values(match["number"])
    if not worth:
        return None
    if match["ordinal"]:
        return Quantity("ordinal", *match.span(), worth)
    sign = -1 if match["sign"] else 1
    found = _measured(text, match, [sign * value for value in worth], match["before"] or "")
    if match["glued"] is not None and not found.measure:  # a code: "python3"
        return None
    is_part_of_code = found.end < len(text) and text[found.end].isalpha() and not found.measure
    return None if is_part_of_code else found


def _spelled(text: str, match: re.Match[str]) -> Quantity | None:
    words = match["number"].casefold()
    value = spelled(words)
    if value is None:
        return None
    found = _measured(text, match, [value], "")
    if words not in AMBIGUOUS or (found.end > match.end() and words in ("one", "un", "une", "neuf")):
        return found
    return None


def _measured(text: str, match: re.Match[str], worth: list[float], before: str) -> Quantity:
    """A number with the scale and the unit that stand around it."""
    end, factor = match.end("number"), 1.0
    money = measure(before.strip().lstrip("USCA")) or measure(before.strip()) if before else None
    scaled = _SCALE.match(text, end)
    if scaled and (scale := _scale(text, scaled, money is not None)):
        factor, end = scale, scaled.end() if money is None and _UNIT.match(text, scaled.end()) else scaled.end(1)
    known, after = _unit(text, end, abs(worth[0]))
    if known is None and scaled and factor != 1.0:
        end = scaled.end(1)
    name, size = money or known or ("", 1.0)
    end = after if known and (money is None or known[0] == name) else end
    step = _step(match["number"]) * factor * size
    rough = bool(_ROUGHLY.search(text[max(match.start() - 20, 0) : match.start()]))
    worths = tuple(w * factor * size for w in worth)
    grain = _grain(match["number"]) * factor * size
    return Quantity("number", match.start(), end, worths, name, size, step, rough, grain=grain, factor=factor)


def _scale(text: str, match: re.Match[str], money: bool) -> float:
    """What the word behind a number multiplies it by; 0 when it does not."""
    word = match[1]
    if word.casefold() in SCALES:
        return SCALES[word.casefold()]
    if len(word) > 1 or word not in "kKmMbB":
        return 0.0
    followed = _UNIT.match(text, match.end(1))
    paid = measure(followed[1]) if followed else None
    glued = match.start(1) == match.start()
    if money or (paid and paid[0] in CURRENCIES) or (glued and word in "kK"):
        return {"k": 1e3, "m": 1e6, "b": 1e9}[word.casefold()]
    return 0.0


def _unit(text: str, at: int, value: float) -> tuple[tuple[str, float] | None, int]:
    """The unit that stands at a place, and where it ends."""
    for phrase in _PHRASES:
        if text.startswith(phrase, at + 1) and text[at : at + 1].isspace():
            return measure(phrase), at + 1 + len(phrase)
    match = _GLUED_UNIT.match(text, at) or _UNIT.match(text, at)
    known = measure(match[1]) if match else None
    if match is None or known is None:
        return None, at
    if value >= 1000 and match[1].casefold() in _WORDS_TOO:
        return None, at
    if match[1] == "y" and _FRENCH_Y.match(text, at):
        return None, at
    below = measure(match[2]) if match.re is _UNIT and match[2] else None
    if below:
        return (f"{known[0]}/{below[0]}", known[1] / below[1]), match.end()
    return known, match.end(1)


def _step(digits: str) -> float:
    """What the last digit that is not a zero stands for; where it is open what a mark means, the smaller."""
    if not digits:
        return 0.0
    plain = re.sub("[ \u00a0\u202f'’]", "", digits).replace("·", ".")
    _, mark, decimals = plain.replace(",", ".").rpartition(".")
    if mark and len(decimals) != 3:
        return float(10.0 ** -len(decimals))
    whole = plain.replace(",", "").replace(".", "")
    return float(10.0 ** (len(whole) - len(whole.rstrip("0"))))


def _grain(digits: str) -> float:
    """What the last digit written stands for."""
    if not digits[:1].isdigit():
        return 1.0
    return min(_step(digits), 1.0)


def _shared_units(text: str, found: list[Quantity]) -> list[Quantity]:
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
    """Is this a year before a comma, and no part of a list: "in 2020, 15 %"?"""
    return "," in between or (len(quantity.worth) == 1 and 1900 <= quantity.worth[0] <= 2100)
