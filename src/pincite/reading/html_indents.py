"""Measure the indentation of row labels in HTML tables: no-break spaces before a label, or the padding of its cell.

The extractor of main content drops both, so labels are marked before it runs and the marks are read afterwards.
"""

import re
from typing import Any

from pincite.reading.indents import indent_labels

_MARK = "\N{SYMBOL FOR SPACE}"  # printable, because the extractor drops other characters
_SPACES = re.compile(r"[ \t\r\n\f]*((?:[\u00a0\u2002\u2003\u2007][ \t\r\n\f]*)+)")
_MARKS = re.compile(rf"\s*({_MARK}+)")
_PROPERTY = re.compile(r"(padding|margin|padding-left|margin-left|text-indent)\s*:\s*([^;]+)", re.IGNORECASE)
_LENGTH = re.compile(r"(-?[\d.]+)\s*(px|pt|pc|r?em|ex|ch|in|cm|mm)?", re.IGNORECASE)
_POINTS = {"px": 0.75, "pt": 1, "pc": 12, "em": 12, "rem": 12, "ex": 6, "ch": 6, "in": 72, "cm": 28.35, "mm": 2.835}
_SPACE = 3.0  # points for a no-break space


def measure_indent(cell: Any) -> float:
    """Return the indentation of a cell's text: in points, or in marks after labels are marked."""
    length, element = 0.0, cell
    while True:
        length += _read_style(str(element.get("style") or ""))
        text = element.text or ""
        if marks := _MARKS.match(text):
            return float(len(marks[1]))
        if spaces := _SPACES.match(text):
            length += _SPACE * sum(not sign.isascii() for sign in spaces[1])
        first = next(element.iterchildren(), None)
        if text.strip() or first is None:
            return max(length, 0.0)
        element = first


def drop_marks(text: str) -> str:
    """Return a text without the marks at its start."""
    marks = _MARKS.match(text)
    return text[marks.end() :] if marks else text


def mark_labels(root: Any) -> None:
    """Write marks before the indented labels of a page's tables."""
    for table in root.iter("table"):
        cells = [cell for row in table.iter("tr") if (cell := next(row.iterchildren("td", "th"), None)) is not None]
        lengths = [measure_indent(cell) for cell in cells]
        if not any(lengths):
            continue
        labels = [["x" if "".join(cell.itertext()).strip() else ""] for cell in cells]
        for cell, (label, *_) in zip(cells, indent_labels(labels, lengths), strict=True):
            if depth := len(label) - len(label.lstrip(" ")):
                cell.text = _MARK * depth + (cell.text or "").lstrip()


def remove_marks(root: Any) -> None:
    """Remove the marks outside the first cells of rows: the extractor may have broken up a table."""
    for element in root.iter():
        if element.text and _MARK in element.text and not _is_label(element):
            element.text = drop_marks(element.text)


def _is_label(element: Any) -> bool:
    return element.tag in ("td", "th") and element.getparent().tag == "tr" and element.getprevious() is None


def _read_style(style: str) -> float:
    lengths = {"padding": 0.0, "margin": 0.0, "text-indent": 0.0}
    for name, value in _PROPERTY.findall(style):
        parts = value.split()
        property_, _, side = name.lower().partition("-")
        if name.lower() == "text-indent":
            lengths["text-indent"] = _read_length(parts[0] if parts else "")
        elif side or len(parts) == 4:
            lengths[property_] = _read_length(parts[-1] if parts else "")
    return sum(lengths.values())


def _read_length(length: str) -> float:
    found = _LENGTH.fullmatch(length)
    try:
        return round(float(found[1]) * _POINTS[(found[2] or "px").lower()], 1) if found else 0.0
    except ValueError:
        return 0.0
