"""Write a number as a spreadsheet shows it where its format divides it by thousands: "1.2 M" of 1,234,567."""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from operator import eq, ge, gt, le, lt, ne

_LONGEST = 200  # characters of a format
_MOST_DECIMALS = 15
_LARGEST = 1e300
_ALL_DIGITS = Context(prec=400)  # of the largest number
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]{0,99})"|\\(?P<escaped>.)|[_*].|\[\$(?P<currency>[^\]-]{0,9})[^\]]{0,20}\]'
    r"|\[(?P<test>[<>=]{1,2})(?P<bound>-?\d{1,18}(?:\.\d{1,18})?)\]|\[[^\]]{0,40}\]"
    r"|(?P<digits>[#0?](?:[#0?,]{0,40}[#0?])?)(?P<before>,{0,5})(?:\.(?P<decimals>[#0?]{0,30})(?P<after>,{0,5}))?"
    r"|(?P<sign>.)",
    re.DOTALL,
)
_SECTION = re.compile(r'(?:"[^"]*"|\\.|[_*].|[^;])*', re.DOTALL)
_TESTS = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, "<>": ne}


@dataclass(frozen=True, slots=True)
class _Section:
    """A part of a format, for some of the numbers: what stands before and behind the digits, and how these are written.

    `thousands` is how often the number is divided by 1,000.
    """

    before: str = ""
    behind: str = ""
    thousands: int = 0
    has_groups: bool = False
    least: int = 0  # decimals
    most: int = 0
    test: str = ""
    bound: float = 0.0


def format_scaled(value: float, code: str) -> str:
    """Return a number as its format shows it, if the format divides it by thousands; "" otherwise."""
    if "," not in code or not abs(value) < _LARGEST:
        return ""
    sections = _read_format(code)
    section, is_signed = _choose_section(sections, value)
    if section is None or not section.thousands:
        return ""
    amount = abs(Decimal(repr(value))).scaleb(-3 * section.thousands, _ALL_DIGITS)
    rounded = amount.quantize(Decimal(1).scaleb(-section.most), ROUND_HALF_UP, _ALL_DIGITS)
    digits = f"{rounded:{',' * section.has_groups}f}"
    whole, _, decimals = digits.partition(".")
    kept = decimals.rstrip("0").ljust(section.least, "0")
    sign = "-" if value < 0 and not is_signed and digits.strip("0.,") else ""
    shown = f"{sign}{section.before}{whole}{'.' * bool(kept)}{kept}{section.behind}"
    return " ".join(shown.split())


def _choose_section(sections: tuple[_Section, ...], value: float) -> tuple[_Section | None, bool]:
    """Return the section for a number, and whether it writes the sign of a negative number itself."""
    if not sections:
        return None, False
    if any(section.test for section in sections):
        fitting = (each for each in sections if not each.test or _TESTS[each.test](value, each.bound))
        chosen = next(fitting, None)
        return chosen, chosen is not None and chosen.before.endswith("-")
    if value < 0 and len(sections) > 1:
        return sections[1], True
    return sections[2 if value == 0 and len(sections) > 2 else 0], False


@lru_cache(maxsize=256)
def _read_format(code: str) -> tuple[_Section, ...]:
    """Return the sections of a format; none of a format for days, shares or powers of ten, or one that is not known."""
    found = []
    for part in _split_sections(code[: _LONGEST + 1]):
        section = _read_section(part)
        if section is None:
            return ()
        found.append(section)
    return tuple(found) if len(code) <= _LONGEST else ()


def _split_sections(code: str) -> list[str]:
    parts, at = [], 0
    while at <= len(code):
        match = _SECTION.match(code, at)
        end = match.end() if match else len(code)
        parts.append(code[at:end])
        at = end + 1
    return parts[:3]  # the fourth is for words


def _read_section(part: str) -> _Section | None:
    sides = ["", ""]
    number: re.Match[str] | None = None
    test, bound = "", 0.0
    for token in _TOKEN.finditer(part):
        if token["digits"]:
            if number:
                return None
            number = token
        elif token["test"]:
            if token["test"] not in _TESTS:
                return None
            test, bound = token["test"], float(token["bound"])
        elif token["sign"] and (token["sign"].isalpha() or token["sign"] in "%@."):
            return None
        else:
            words = next((token[name] for name in ("quoted", "escaped", "currency", "sign") if token[name]), "")
            sides[number is not None] += words if token[0][0] not in "_*" else " " * (token[0][0] == "_")
    if number is None:
        return _Section(sides[0], test=test, bound=bound)
    decimals = number["decimals"] or ""
    return _Section(
        sides[0],
        sides[1],
        len(number["before"]) + len(number["after"] or ""),
        "," in number["digits"],
        decimals.rstrip("#?").count("0"),
        min(len(decimals), _MOST_DECIMALS),
        test,
        bound,
    )
