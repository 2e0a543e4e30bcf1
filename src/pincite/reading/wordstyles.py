"""What Word's style sheet and numbering say about a paragraph: its heading level and its number."""

import re
from dataclasses import dataclass
from typing import Any

# Word keeps English names inside; other programs write the ones their users see.
_HEADING = re.compile(
    r"(?:heading|titre|überschrift|título|titulo|titolo|kop|rubrik|overskrift|nagłówek|otsikko|заголовок)\s*([1-9])",
    re.IGNORECASE,
)
_DEEPEST_LEVEL = 8  # of a list, from 0
_LEVELS = frozenset(map(str, range(_DEEPEST_LEVEL + 1)))
_LONGEST_CHAIN = 50  # styles that are based on one another; Word allows eleven
_TITLE = re.compile(r"title|titre|titel|título|titolo", re.IGNORECASE)


def heading_level(name: str) -> int:
    """The level of the headings that a style of this name makes, from 1; 0 when it makes none."""
    match = _HEADING.fullmatch(name.strip())
    return int(match[1]) if match else int(bool(_TITLE.fullmatch(name.strip())))


def local(element: Any) -> str:
    """An element's name without its namespace; "" for what is no element."""
    return str(element.tag).rpartition("}")[2] if isinstance(element.tag, str) else ""


def child(element: Any, *names: str) -> Any:
    """The element found by going down one name after another, or None."""
    for name in names:
        if element is None:
            return None
        element = next((each for each in element if local(each) == name), None)
    return element


def value(element: Any, name: str = "val") -> str:
    """An attribute's text by its name without namespace; "" where there is none."""
    if element is None:
        return ""
    return next((str(text) for key, text in element.attrib.items() if str(key).rpartition("}")[2] == name), "")


def switched_on(element: Any) -> bool:
    """Whether an on/off property is there and not switched off."""
    return element is not None and value(element) not in ("0", "false", "off", "none")


@dataclass(frozen=True, slots=True)
class Style:
    name: str
    parent: str
    properties: Any


class Styles:
    """A style sheet that knows the heading level of a paragraph."""

    def __init__(self, root: Any) -> None:
        found = [each for each in root if local(each) == "style"] if root is not None else []
        self._styles = {
            value(each, "styleId"): Style(value(child(each, "name")), value(child(each, "basedOn")), child(each, "pPr"))
            for each in found
        }

    def chain(self, paragraph: Any) -> list[tuple[str, Style]]:
        """The paragraph's style and those it is based on, nearest first."""
        identity, chain = value(child(paragraph, "pPr", "pStyle")), dict[str, Style]()
        while identity and identity not in chain and len(chain) < _LONGEST_CHAIN:
            chain[identity] = self._styles.get(identity, Style(identity, "", None))
            identity = chain[identity].parent
        return list(chain.items())

    def level(self, paragraph: Any) -> int:
        """The paragraph's heading level from 1; 0 when it is none."""
        own = value(child(paragraph, "pPr", "outlineLvl"))
        if own.isdecimal():
            return int(own) + 1 if int(own) < 9 else 0
        for identity, style in self.chain(paragraph):
            outline = value(child(style.properties, "outlineLvl"))
            if outline.isdecimal():
                return int(outline) + 1 if int(outline) < 9 else 0
            if match := _HEADING.fullmatch(style.name.strip()) or _HEADING.fullmatch(identity):
                return int(match[1])
            if _TITLE.fullmatch(style.name.strip()):
                return 1
        return 0

    def indent(self, paragraph: Any) -> int:
        """How far a paragraph's first line is indented, in twentieths of a point: its own, or its style's."""
        for properties in (child(paragraph, "pPr"), *(style.properties for _, style in self.chain(paragraph))):
            indent = child(properties, "ind")
            if indent is not None:
                left = _number(value(indent, "left") or value(indent, "start"))
                return left + _number(value(indent, "firstLine")) - _number(value(indent, "hanging"))
        return 0


class Numbering:
    """The running numbers of a document's lists and headings, as Word would print them."""

    def __init__(self, root: Any, styles: Styles) -> None:
        self._styles = styles
        each = list(root) if root is not None else []
        self._levels = {
            value(abstract, "abstractNumId"): {
                value(level, "ilvl"): level for level in abstract if local(level) == "lvl"
            }
            for abstract in each
            if local(abstract) == "abstractNum"
        }
        self._numbers = {value(number, "numId"): number for number in each if local(number) == "num"}
        self._counts: dict[str, dict[int, int]] = {}
        self._begun: set[str] = set()

    def label(self, paragraph: Any) -> str:
        """The number or mark before a paragraph; "" when it has none. Ask once for each, in order."""
        identity, level = self._place(paragraph)
        number = self._numbers.get(identity)
        if number is None:
            return ""
        abstract = value(child(number, "abstractNumId"))
        levels = self._levels.get(abstract, {})
        counts = self._counts.setdefault(abstract, {})
        if identity not in self._begun:
            self._begun.add(identity)
            for override in (each for each in number if local(each) == "lvlOverride"):
                start = value(child(override, "startOverride"))
                place = value(override, "ilvl") or "0"
                if start.isdecimal() and len(start) < 10 and place in _LEVELS:
                    counts[int(place)] = int(start) - 1
        counts[level] = counts.get(level, _start(levels, level) - 1) + 1
        for deeper in [each for each in counts if each > level]:
            del counts[deeper]
        definition = levels.get(str(level))
        if value(child(definition, "numFmt")) == "bullet" or definition is None:
            return "-"

        def shown(match: re.Match[str]) -> str:
            place = int(match[1]) - 1
            return _written(counts.get(place, _start(levels, place)), value(child(levels.get(str(place)), "numFmt")))

        return re.sub(r"%([1-9])", shown, value(child(definition, "lvlText")))

    def _place(self, paragraph: Any) -> tuple[str, int]:
        """The paragraph's list and its level in it, its own or its style's."""
        chain = self._styles.chain(paragraph)
        for properties in (child(paragraph, "pPr"), *(style.properties for _, style in chain)):
            numbered = child(properties, "numPr")
            if numbered is None:
                continue
            identity = value(child(numbered, "numId"))
            level = value(child(numbered, "ilvl"))
            if identity:
                own = min(int(level), _DEEPEST_LEVEL) if level.isdecimal() and len(level) < 7 else None
                names = {name for name, _ in chain}
                return identity, own if own is not None else self._level_of(identity, names)
        return "", 0

    def _level_of(self, identity: str, names: set[str]) -> int:
        abstract = value(child(self._numbers.get(identity), "abstractNumId"))
        for place, level in self._levels.get(abstract, {}).items():
            if value(child(level, "pStyle")) in names and place.isdecimal() and int(place) <= _DEEPEST_LEVEL:
                return int(place)
        return 0


def _number(text: str) -> int:
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 7 else 0


def _start(levels: dict[str, Any], level: int) -> int:
    start = value(child(levels.get(str(level)), "start"))
    return int(start) if start.isdecimal() and len(start) < 10 else 1


def _written(number: int, form: str) -> str:
    """A number in one of Word's forms; what is not known is written in digits."""
    if form.endswith("Letter") and 0 < number <= 26 * 30:
        text = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
    elif form.endswith("Roman") and 0 < number < 4000:
        text = _roman(number)
    elif form == "decimalZero":
        return f"{number:02d}"
    elif form == "none":
        return ""
    else:
        return str(number)
    return text.upper() if form.startswith("upper") else text


_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)


def _roman(number: int) -> str:
    text = ""
    for worth, sign in _ROMAN:
        text += sign * (number // worth)
        number %= worth
    return text
