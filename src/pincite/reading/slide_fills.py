"""Read the colours, lines and pictures of the shapes and backgrounds of slides."""

from collections.abc import Sequence
from typing import Any

from pincite.reading.drawing import DrawnPicture
from pincite.reading.drawing_colours import Palette
from pincite.reading.slide_text_styles import EMU, read_number
from pincite.reading.word_styles import find_child, read_local_name

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_LONGEST_SIDE = 20_000.0
THICK = 0.75  # points: a line without a width


class SlideFills:
    """Reads the fills of one slide, whose colours are those of its theme. `numbers` are the files of the package."""

    def __init__(self, numbers: dict[str, int], theme: Any, palette: Palette) -> None:
        self._numbers = numbers
        self._theme = theme
        self._palette = palette

    def find_background(self, sources: Sequence[Any]) -> tuple[str | None, DrawnPicture | None]:
        """Return the colour or the picture behind a slide: its own, or that of its layout or master."""
        for each in sources:
            own = find_child(each._element, "cSld", "bg")
            if own is None:
                continue
            properties, reference = find_child(own, "bgPr"), find_child(own, "bgRef")
            if properties is not None:
                return self.read_fill(properties), self.read_picture(find_child(properties, "blipFill"), each.part)
            colour = self._palette.read(reference)
            return self._read_theme_fill("bgFillStyleLst", reference, 1000, colour), None
        return None, None

    def find_fill(self, properties: Sequence[Any], reference: Any) -> str | None:
        """Return the colour of a shape, from the first properties that have one or from its style; None for none."""
        for each in properties:
            if any(find_child(each, name) is not None for name in ("noFill", "blipFill", "grpFill")):
                return None
            if found := self.read_fill(each):
                return found
        if reference is None or get_value(reference, "idx") in ("", "0"):
            return None
        return self._palette.read(reference)

    def read_fill(self, properties: Any) -> str | None:
        """Return the colour that fills a shape; of several colours the first."""
        solid = self._palette.read(find_child(properties, "solidFill"))
        stop = find_child(properties, "gradFill", "gsLst", "gs")
        return solid or self._palette.read(stop) or self._palette.read(find_child(properties, "pattFill", "fgClr"))

    def _read_theme_fill(self, name: str, reference: Any, base: int, colour: str | None) -> str | None:
        """Return the colour of a fill of the theme, in which the slide's own colour may be changed."""
        fills = find_child(self._theme, "themeElements", "fmtScheme", name)
        place = int(read_number(get_value(reference, "idx"), 0)) - base - 1
        if fills is None or colour is None or not 0 <= place < len(fills):
            return colour
        fill = fills[place]
        stop = find_child(fill, "gsLst", "gs") if read_local_name(fill) == "gradFill" else fill
        return self._palette.read(stop, colour) or colour

    def find_line(self, properties: Sequence[Any], reference: Any) -> tuple[str | None, float]:
        """Return the colour and the thickness of the line around a shape; None and 0 for none."""
        for each in properties:
            line = find_child(each, "ln")
            if line is None:
                continue
            if find_child(line, "noFill") is not None:
                return None, 0
            if colour := self.read_fill(line):
                return colour, limit_length(read_number(get_value(line, "w"), THICK * EMU) / EMU)
        if reference is None or get_value(reference, "idx") in ("", "0"):
            return None, 0
        return self._palette.read(reference), THICK

    def read_picture(self, fill: Any, part: Any, shape: Any = None) -> DrawnPicture | None:
        """Return the picture in a fill, if it is in the file."""
        blip = find_child(fill, "blip")
        if blip is None:
            return None
        relationship = part.rels[str(blip.get(f"{_R}embed"))]
        if relationship.is_external:
            return None
        number = self._numbers.get(str(relationship.target_part.partname).lstrip("/"))
        if number is None:
            return None
        cut = find_child(fill, "srcRect")
        left, top, right, bottom = (
            min(1.0, max(0.0, read_number(get_value(cut, side), 0) / 100_000)) for side in ("l", "t", "r", "b")
        )
        if left + right >= 1 or top + bottom >= 1:
            left = top = right = bottom = 0
        about = next(iter(shape._element.iter("{*}cNvPr")), None) if shape is not None else None
        return DrawnPicture(
            number=number, description=get_value(about, "descr")[:500], left=left, top=top, right=right, bottom=bottom
        )


def get_value(element: Any, name: str) -> str:
    """Return an attribute of an element, empty if there is none."""
    return str(element.get(name) or "") if element is not None else ""


def read_first(elements: Sequence[Any], name: str) -> str:
    """Return an attribute of the first element that has it."""
    return next((value for value in (get_value(each, name) for each in elements) if value), "")


def limit_length(length: float) -> float:
    """Return a length in points that a page can show."""
    return round(min(_LONGEST_SIDE, max(-_LONGEST_SIDE, length)), 2)
