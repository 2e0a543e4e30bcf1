"""Read the heading level and the number of a paragraph from Word's style sheet and numbering."""

import re
from dataclasses import dataclass
from typing import Any

# Word stores English names; other programs write the names that their users see.
_HEADING = re.compile(
    r"(?:heading|titre|überschrift|título|titulo|titolo|kop|rubrik|overskrift|nagłówek|otsikko|заголовок)\s*([1-9])",
    re.IGNORECASE,
)
_DEEPEST_LEVEL = 8  # of a list, from 0
_LEVELS = frozenset(map(str, range(_DEEPEST_LEVEL + 1)))
_LONGEST_CHAIN = 50  # styles based on one another; Word allows eleven
_TITLE = re.compile(r"title|titre|titel|título|titolo", re.IGNORECASE)


def find_heading_level(name: str) -> int:
    """Return the heading level of a style by its name, from 1; 0 if it is not a heading style."""
    match = _HEADING.fullmatch(name.strip())
    return int(match[1]) if match else int(bool(_TITLE.fullmatch(name.strip())))


def read_local_name(element: Any) -> str:
    """Return an element's name without its namespace; "" for anything but an element."""
    return str(element.tag).rpartition("}")[2] if isinstance(element.tag, str) else ""


def find_child(element: Any, *names: str) -> Any:
    """Return the descendant found by a path of names, or None."""
    for name in names:
        if element is None:
            return None
        element = next((each for each in element if read_local_name(each) == name), None)
    return element


def read_attribute(element: Any, name: str = "val") -> str:
    """Return an attribute by its name without namespace, or ""."""
    if element is None:
        return ""
    return next((str(text) for key, text in element.attrib.items() if str(key).rpartition("}")[2] == name), "")


def is_switched_on(element: Any) -> bool:
    """Return whether an on/off property is present and not switched off."""
    return element is not None and read_attribute(element) not in ("0", "false", "off", "none")


@dataclass(frozen=True, slots=True)
class Style:
    name: str
    parent: str
    properties: Any


class Styles:
    """A style sheet that finds the heading level of a paragraph."""

    def __init__(self, root: Any) -> None:
        found = [each for each in root if read_local_name(each) == "style"] if root is not None else []
        self._styles = {
            read_attribute(each, "styleId"): Style(
                read_attribute(find_child(each, "name")),
                read_attribute(find_child(each, "basedOn")),
                find_child(each, "pPr"),
            )
            for each in found
        }

    def chain(self, paragraph: Any) -> list[tuple[str, Style]]:
        """Return the paragraph's style and those it is based on, nearest first."""
        identity, chain = read_attribute(find_child(paragraph, "pPr", "pStyle")), dict[str, Style]()
        while identity and identity not in chain and len(chain) < _LONGEST_CHAIN:
            chain[identity] = self._styles.get(identity, Style(identity, "", None))
            identity = chain[identity].parent
        return list(chain.items())

    def level(self, paragraph: Any) -> int:
        """Return the paragraph's heading level from 1; 0 if it is not a heading."""
        own = read_attribute(find_child(paragraph, "pPr", "outlineLvl"))
        if own.isdecimal():
            return int(own) + 1 if int(own) < 9 else 0
        for identity, style in self.chain(paragraph):
            outline = read_attribute(find_child(style.properties, "outlineLvl"))
            if outline.isdecimal():
                return int(outline) + 1 if int(outline) < 9 else 0
            if match := _HEADING.fullmatch(style.name.strip()) or _HEADING.fullmatch(identity):
                return int(match[1])
            if _TITLE.fullmatch(style.name.strip()):
                return 1
        return 0

    def indent(self, paragraph: Any) -> int:
        """Return the indentation of a paragraph's first line in twentieths of a point: its own, or its style's."""
        for properties in (find_child(paragraph, "pPr"), *(style.properties for _, style in self.chain(paragraph))):
            indent = find_child(properties, "ind")
            if indent is not None:
                left = _parse_number(read_attribute(indent, "left") or read_attribute(indent, "start"))
                return (
                    left
                    + _parse_number(read_attribute(indent, "firstLine"))
                    - _parse_number(read_attribute(indent, "hanging"))
                )
        return 0


class Numbering:
    """The running numbers of a document's lists and headings, as Word would print them."""

    def __init__(self, root: Any, styles: Styles) -> None:
        self._styles = styles
        each = list(root) if root is not None else []
        self._levels = {
            read_attribute(abstract, "abstractNumId"): {
                read_attribute(level, "ilvl"): level for level in abstract if read_local_name(level) == "lvl"
            }
            for abstract in each
            if read_local_name(abstract) == "abstractNum"
        }
        self._numbers = {read_attribute(number, "numId"): number for number in each if read_local_name(number) == "num"}
        self._counts: dict[str, dict[int, int]] = {}
        self._begun: set[str] = set()

    def label(self, paragraph: Any) -> str:
        """Return the number or mark before a paragraph, or "". Call it once for each paragraph, in order."""
        identity, level = self._place(paragraph)
        number = self._numbers.get(identity)
        if number is None:
            return ""
        abstract = read_attribute(find_child(number, "abstractNumId"))
        levels = self._levels.get(abstract, {})
        counts = self._counts.setdefault(abstract, {})
        if identity not in self._begun:
            self._begun.add(identity)
            for override in (each for each in number if read_local_name(each) == "lvlOverride"):
                start = read_attribute(find_child(override, "startOverride"))
                place = read_attribute(override, "ilvl") or "0"
                if start.isdecimal() and len(start) < 10 and place in _LEVELS:
                    counts[int(place)] = int(start) - 1
        counts[level] = counts.get(level, _find_start(levels, level) - 1) + 1
        for deeper in [each for each in counts if each > level]:
            del counts[deeper]
        definition = levels.get(str(level))
        if read_attribute(find_child(definition, "numFmt")) == "bullet" or definition is None:
            return "-"

        def write_number(match: re.Match[str]) -> str:
            place = int(match[1]) - 1
            return format_number(
                counts.get(place, _find_start(levels, place)),
                read_attribute(find_child(levels.get(str(place)), "numFmt")),
            )

        return re.sub(r"%([1-9])", write_number, read_attribute(find_child(definition, "lvlText")))

    def find_level(self, paragraph: Any) -> Any:
        """Return the definition of the paragraph's level in its list; None if it is in none."""
        identity, level = self._place(paragraph)
        abstract = read_attribute(find_child(self._numbers.get(identity), "abstractNumId"))
        return self._levels.get(abstract, {}).get(str(level))

    def _place(self, paragraph: Any) -> tuple[str, int]:
        """Return the paragraph's list and its level in it, from itself or its style."""
        chain = self._styles.chain(paragraph)
        for properties in (find_child(paragraph, "pPr"), *(style.properties for _, style in chain)):
            numbered = find_child(properties, "numPr")
            if numbered is None:
                continue
            identity = read_attribute(find_child(numbered, "numId"))
            level = read_attribute(find_child(numbered, "ilvl"))
            if identity:
                own = min(int(level), _DEEPEST_LEVEL) if level.isdecimal() and len(level) < 7 else None
                names = {name for name, _ in chain}
                return identity, own if own is not None else self._level_of(identity, names)
        return "", 0

    def _level_of(self, identity: str, names: set[str]) -> int:
        abstract = read_attribute(find_child(self._numbers.get(identity), "abstractNumId"))
        for place, level in self._levels.get(abstract, {}).items():
            if (
                read_attribute(find_child(level, "pStyle")) in names
                and place.isdecimal()
                and int(place) <= _DEEPEST_LEVEL
            ):
                return int(place)
        return 0


def _parse_number(text: str) -> int:
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 7 else 0


def _find_start(levels: dict[str, Any], level: int) -> int:
    start = read_attribute(find_child(levels.get(str(level)), "start"))
    return int(start) if start.isdecimal() and len(start) < 10 else 1


def format_number(number: int, form: str) -> str:
    """Format a number in one of Word's formats; an unknown format gives digits."""
    if form.endswith("Letter") and 0 < number <= 26 * 30:
        text = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
    elif form.endswith("Roman") and 0 < number < 4000:
        text = _format_roman(number)
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


def _format_roman(number: int) -> str:
    text = ""
    for worth, sign in _ROMAN:
        text += sign * (number // worth)
        number %= worth
    return text
