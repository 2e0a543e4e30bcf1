"""Find how the paragraphs and runs of a Word document look: their own properties, then those of their styles."""

import re
from dataclasses import dataclass, replace
from typing import Any

from pincite.reading.slide_text_styles import read_number
from pincite.reading.word_styles import find_child, is_switched_on, read_attribute, read_local_name

_HEX = re.compile(r"[0-9A-Fa-f]{6}")
_LONGEST_CHAIN = 50  # styles based on one another
_USUAL_SIZE = 20  # half points
_LINE = 240  # in a line of the font's height
_MARKERS = {
    "yellow": "#ffff00",
    "green": "#00ff00",
    "cyan": "#00ffff",
    "magenta": "#ff00ff",
    "blue": "#0000ff",
    "red": "#ff0000",
    "darkBlue": "#000080",
    "darkCyan": "#008080",
    "darkGreen": "#008000",
    "darkMagenta": "#800080",
    "darkRed": "#800000",
    "darkYellow": "#808000",
    "darkGray": "#808080",
    "lightGray": "#c0c0c0",
    "black": "#000000",
}
_NONE = ("", "nil", "none")


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a run. `size` is in points."""

    size: float
    bold: bool
    italic: bool
    underline: bool
    strike: bool
    shift: int
    colour: str | None
    ground: str | None
    font: str


@dataclass(frozen=True, slots=True)
class ParagraphLook:
    """The look of a paragraph. Lengths are in twentieths of a point; `line` is a multiple of the font's height."""

    align: str
    left: float
    first: float
    before: float
    after: float
    line: float
    is_tight: bool  # no space between paragraphs of a list


class WordLooks:
    """A style sheet that finds the look of paragraphs, runs and tables."""

    def __init__(self, root: Any) -> None:
        found = [each for each in root if read_local_name(each) == "style"] if root is not None else []
        self._styles = {read_attribute(each, "styleId"): each for each in found}
        self._default = next(
            (
                read_attribute(each, "styleId")
                for each in found
                if read_attribute(each, "type") == "paragraph" and read_attribute(each, "default") in ("1", "true")
            ),
            "",
        )
        defaults = find_child(root, "docDefaults")
        self._run_default = find_child(defaults, "rPrDefault", "rPr")
        self._paragraph_default = find_child(defaults, "pPrDefault", "pPr")
        self._chains: dict[str, list[Any]] = {}

    def read_paragraph(self, paragraph: Any, level: Any = None) -> ParagraphLook:
        """Return the look of a paragraph; `level` has the properties of its level in a list."""
        own = find_child(paragraph, "pPr")
        styles = [find_child(each, "pPr") for each in self._list_styles(own)]
        sources = [own, level, *styles, self._paragraph_default]
        spacing = [find_child(each, "spacing") for each in (own, *styles, self._paragraph_default)]
        indents = [find_child(each, "ind") for each in sources]
        line = read_number(_first(spacing, "line"), _LINE)
        exact = _first(spacing, "lineRule") in ("exact", "atLeast")
        hanging = read_number(_first(indents, "hanging"), 0)
        return ParagraphLook(
            align=next((found for each in sources if (found := read_attribute(find_child(each, "jc")))), ""),
            left=read_number(_first(indents, "left") or _first(indents, "start"), 0),
            first=-hanging if hanging else read_number(_first(indents, "firstLine"), 0),
            before=read_number(_first(spacing, "before"), 0),
            after=read_number(_first(spacing, "after"), 0),
            line=1.0 if exact else line / _LINE,
            is_tight=any(is_switched_on(find_child(each, "contextualSpacing")) for each in sources[:3]),
        )

    def list_run_sources(self, paragraph: Any) -> list[Any]:
        """Return the properties of the runs of a paragraph that are not their own, the strongest first."""
        styles = self._list_styles(find_child(paragraph, "pPr"))
        return [*(find_child(each, "rPr") for each in styles), self._run_default]

    def read_run(self, run: Any, sources: list[Any], table: Look | None = None) -> Look:
        """Return the look of a run, or of a label without one. `sources` are those of its paragraph.

        `table` has the look of the row that the paragraph is in, which is weaker than its own and its style's.
        """
        own = find_child(run, "rPr") if run is not None else None
        named = self._chain(read_attribute(find_child(own, "rStyle")))
        return self._read([own, *(find_child(each, "rPr") for each in named), *sources], table)

    def read_table_head(self, table: Any) -> Look | None:
        """Return the look of a table's first row, if its style has one and the table shows it."""
        properties = find_child(table, "tblPr")
        shown = find_child(properties, "tblLook")
        flags = read_attribute(shown, "firstRow") or str(int(_is_hex_flag(read_attribute(shown), 0x20)))
        if flags not in ("1", "true"):
            return None
        for style in self._chain(read_attribute(find_child(properties, "tblStyle"))):
            for each in style:
                if read_local_name(each) == "tblStylePr" and read_attribute(each, "type") == "firstRow":
                    made = self._read([find_child(each, "rPr")], None)
                    fill = read_colour(read_attribute(find_child(each, "tcPr", "shd"), "fill"))
                    return replace(made, ground=fill)
        return None

    def read_line(self, table: Any) -> str | None:
        """Return the colour of the lines between the cells of a table; None if there are none."""
        properties = find_child(table, "tblPr")
        styles = self._chain(read_attribute(find_child(properties, "tblStyle")))
        for each in (properties, *(find_child(style, "tblPr") for style in styles)):
            borders = find_child(each, "tblBorders")
            if borders is None:
                continue
            lines = [line for line in borders if read_attribute(line) not in _NONE]
            if not lines:
                return None
            return next((colour for line in lines if (colour := read_colour(read_attribute(line, "color")))), "#808080")
        return None

    def _read(self, sources: list[Any], table: Look | None) -> Look:
        def find(name: str) -> Any:
            return next((found for each in sources if (found := find_child(each, name)) is not None), None)

        bold, colour = find("b"), read_colour(read_attribute(find("color")))
        fonts = find("rFonts")
        shift = read_attribute(find("vertAlign"))
        shade = read_colour(read_attribute(find("shd"), "fill"))
        return Look(
            size=read_number(read_attribute(find("sz")), _USUAL_SIZE) / 2,
            bold=is_switched_on(bold) or (bold is None and table is not None and table.bold),
            italic=is_switched_on(find("i")),
            underline=read_attribute(find("u")) not in _NONE,
            strike=is_switched_on(find("strike")) or is_switched_on(find("dstrike")),
            shift={"superscript": 1, "subscript": -1}.get(shift, 0),
            colour=colour or (table.colour if table else None),
            ground=_MARKERS.get(read_attribute(find("highlight"))) or shade,
            font=read_attribute(fonts, "ascii") or read_attribute(fonts, "hAnsi"),
        )

    def _list_styles(self, properties: Any) -> list[Any]:
        return self._chain(read_attribute(find_child(properties, "pStyle")) or self._default)

    def _chain(self, identity: str) -> list[Any]:
        """Return a style and those it is based on, nearest first."""
        if identity not in self._chains:
            found: dict[str, Any] = {}
            at = identity
            while at in self._styles and at not in found and len(found) < _LONGEST_CHAIN:
                found[at] = self._styles[at]
                at = read_attribute(find_child(found[at], "basedOn"))
            self._chains[identity] = list(found.values())
        return self._chains[identity]


def read_colour(value: str) -> str | None:
    """Return a colour of six digits; None for another value, such as `auto`."""
    return f"#{value.lower()}" if _HEX.fullmatch(value) else None


def _first(sources: list[Any], name: str) -> str:
    return next((found for each in sources if (found := read_attribute(each, name))), "")


def _is_hex_flag(value: str, flag: int) -> bool:
    try:
        return bool(int(value[:8], 16) & flag)
    except ValueError:
        return False
