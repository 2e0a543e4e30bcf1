"""Draw one shape of a slide: its place, its look, and its words, which are text, a table or those of a chart."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from pincite.reading.drawing import DrawnCell, DrawnParagraph, DrawnRun, DrawnShape, DrawnTable
from pincite.reading.drawing_colours import Palette
from pincite.reading.office_flaws import OFFICE_FLAWS
from pincite.reading.slide_fills import THICK, SlideFills, get_value, limit_length, read_first
from pincite.reading.slide_text_styles import EMU, SlideTextStyle, read_number
from pincite.reading.slides import BULLET, is_body
from pincite.reading.text_alignment import Misaligned, TextAligner
from pincite.reading.word_styles import find_child, read_attribute, read_local_name

_SUBSTITUTE_SIZE = 12.0  # points: the words of a chart or a diagram, in its place
_TITLES = ("title", "ctrTitle")
_MARGINS = ("dt", "ftr", "sldNum", "hdr")
_ELLIPSE = 0.146  # of its width or height, from its edge to the rectangle inside it
# Styles of tables that every program knows, with the colour of the theme that they use.
_MEDIUM_STYLES = {
    "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}": "accent1",
    "{21E4AEA4-8DFA-4A89-87EB-49C32662AFE0}": "accent2",
    "{F5AB1C69-6EDB-4FF4-983F-18BD219EF322}": "accent3",
    "{00A15C55-8517-42AA-B614-E9B94910E393}": "accent4",
    "{7DF18680-E054-41AD-8BC1-D1AEF772440D}": "accent5",
    "{93296810-A885-4BE3-A3E7-6D5BEEA58F35}": "accent6",
    "{073A0DAA-6AF3-43AB-8588-CEC1D06C72B9}": "tx1",
}
_NO_GRID = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}"

_ANCHORS: dict[str, Literal["top", "middle", "bottom"]] = {"ctr": "middle", "b": "bottom"}

Form = Literal["box", "round", "ellipse", "down", "up"]


@dataclass(frozen=True, slots=True)
class SlideFrame:
    """Where the coordinates of a group are on the slide: points = offset + scale × EMU."""

    x: float = 0.0
    y: float = 0.0
    across: float = 1 / EMU
    down: float = 1 / EMU

    def place(self, left: float, top: float, width: float, height: float) -> tuple[float, float, float, float]:
        """Return where a rectangle of the group is on the slide: left, top, width and height in points."""
        return self.x + left * self.across, self.y + top * self.down, width * self.across, height * self.down

    def enter(self, group: Any) -> "SlideFrame":
        """Return the frame of the shapes in a group."""
        where = find_child(group._element, "grpSpPr", "xfrm")
        inner, size = find_child(where, "chOff"), find_child(where, "chExt")
        outer, outer_size = find_child(where, "off"), find_child(where, "ext")
        if any(each is None for each in (inner, size, outer, outer_size)):
            return self
        across = self.across * _ratio(_number(outer_size, "cx"), _number(size, "cx"))
        down = self.down * _ratio(_number(outer_size, "cy"), _number(size, "cy"))
        x, y, _, _ = self.place(_number(outer, "x"), _number(outer, "y"), 0, 0)
        return SlideFrame(x - across * _number(inner, "x"), y - down * _number(inner, "y"), across, down)


class ShapePainter:
    """Draws the shapes of one slide."""

    def __init__(self, deck: Any, master: Any, theme: Any, palette: Palette, fills: SlideFills, text: str) -> None:
        self._deck = deck
        self._master = master
        self._palette = palette
        self._fills = fills
        self._text = text
        fonts = find_child(theme, "themeElements", "fontScheme")
        major, minor = (get_value(find_child(fonts, kind, "latin"), "typeface") for kind in ("majorFont", "minorFont"))
        self._fonts = major, minor

    def draw(self, shape: Any, frame: SlideFrame, written: tuple[int, int] | None, layer: int) -> list[DrawnShape]:
        """Return a shape as a list of one; an empty list if there is nothing to show or it cannot be drawn."""
        try:
            drawn = self._draw(shape, frame, written, layer)
        except (*OFFICE_FLAWS, Misaligned):
            return []
        return [drawn] if drawn else []

    def _draw(self, shape: Any, frame: SlideFrame, written: tuple[int, int] | None, layer: int) -> DrawnShape | None:
        element = shape._element
        if any(each is None for each in (shape.left, shape.top, shape.width, shape.height)) or _is_hidden(element):
            return None
        chain = [each._element for each in _list_chain(shape)]
        properties = [find_child(each, "spPr") for each in chain]
        left, top, width, height = frame.place(shape.left, shape.top, shape.width, shape.height)
        drawn = DrawnShape(
            left=limit_length(left),
            top=limit_length(top),
            width=limit_length(width),
            height=limit_length(height),
            layer=layer,
            turn=round(float(getattr(shape, "rotation", 0) or 0) % 360, 2),
            form=_read_form(element),
        )
        style = find_child(element, "style")
        if read_local_name(element) == "pic":
            drawn.picture = self._fills.read_picture(find_child(element, "blipFill"), shape.part, shape)
        if read_local_name(element) != "graphicFrame":
            drawn.fill = self._fills.find_fill(properties, find_child(style, "fillRef"))
            drawn.line, drawn.thickness = self._fills.find_line(properties, find_child(style, "lnRef"))
            if drawn.picture is None:
                drawn.picture = self._fills.read_picture(find_child(properties[0], "blipFill"), shape.part)
        self._draw_content(shape, chain, drawn, written)
        shows = drawn.fill or drawn.line or drawn.picture or drawn.paragraphs or drawn.table
        return drawn if shows else None

    def _draw_content(self, shape: Any, chain: list[Any], drawn: DrawnShape, written: tuple[int, int] | None) -> None:
        """Draw the words of a shape."""
        aligner = TextAligner(self._text, *written) if written and written[0] < written[1] else None
        if getattr(shape, "has_table", False):
            if aligner:
                drawn.table = self._draw_table(shape, aligner)
                drawn.insets = (0, 0, 0, 0)
        elif shape.has_text_frame:
            bodies = [find_child(each, "txBody", "bodyPr") for each in chain]
            if read_first(bodies, "vert") not in ("", "horz"):
                raise Misaligned("Vertical text is not drawn.")
            paragraphs = list(shape.text_frame._txBody.iterchildren("{*}p"))
            if aligner or any(each.text for each in shape.text_frame.paragraphs):
                self._draw_body(shape, chain, bodies, drawn, aligner, paragraphs)
        elif written and aligner:
            self._draw_substitute(drawn, *written)
        if aligner and drawn.table is None and not drawn.paragraphs:
            raise Misaligned("The words of the shape are not drawn.")

    def _draw_body(
        self,
        shape: Any,
        chain: list[Any],
        bodies: list[Any],
        drawn: DrawnShape,
        aligner: TextAligner | None,
        paragraphs: list[Any],
    ) -> None:
        lists = [find_child(each, "txBody", "lstStyle") for each in chain]
        font = find_child(shape._element, "style", "fontRef")
        colour = self._palette.read(font) if font is not None else None
        style = SlideTextStyle(
            self._palette, [*lists, *self._list_defaults(shape)], bodies, self._fonts_of(shape), colour
        )
        is_list = is_body(shape) and sum(bool(each.text.strip()) for each in shape.text_frame.paragraphs) > 1
        drawn.paragraphs = [style.draw(each, aligner, BULLET if is_list else "") for each in paragraphs]
        if aligner:
            aligner.finish()
        drawn.anchor = _ANCHORS.get(read_first(bodies, "anchor"), "top")
        drawn.wraps = read_first(bodies, "wrap") != "none"
        usual = (("lIns", 91_440), ("tIns", 45_720), ("rIns", 91_440), ("bIns", 45_720))
        left, top, right, bottom = (
            limit_length(read_number(read_first(bodies, name), emu) / EMU) for name, emu in usual
        )
        if drawn.form == "ellipse":  # words stand in the rectangle inside it
            left, right = (limit_length(each + _ELLIPSE * drawn.width) for each in (left, right))
            top, bottom = (limit_length(each + _ELLIPSE * drawn.height) for each in (top, bottom))
        drawn.insets = left, top, right, bottom

    def _draw_table(self, shape: Any, aligner: TextAligner) -> DrawnTable:
        table = shape.table
        about = find_child(table._tbl, "tblPr")
        identity = getattr(find_child(about, "tableStyleId"), "text", "") or ""
        accent = _MEDIUM_STYLES.get(identity)
        has_head, has_bands = (get_value(about, name) in ("1", "true") for name in ("firstRow", "bandRow"))
        rows = []
        for number, row in enumerate(table.rows):
            is_head = number == 0 and has_head
            ground = self._choose_ground(accent, is_head, has_bands and (number % 2 == int(has_head)))
            cells = []
            for cell in row.cells:
                if cell.is_spanned:
                    continue
                properties = find_child(cell._tc, "tcPr")
                style = SlideTextStyle(
                    self._palette,
                    [find_child(cell._tc, "txBody", "lstStyle"), find_child(self._deck, "defaultTextStyle")],
                    [],
                    self._fonts,
                    self._palette.get("bg1") if accent and is_head else None,
                    is_bold=is_head,
                )
                fill = self._fills.read_fill(properties)
                is_plain = fill is None and find_child(properties, "noFill") is None
                paragraphs = find_child(cell._tc, "txBody")
                cells.append(
                    DrawnCell(
                        paragraphs=[
                            style.draw(each, aligner)
                            for each in (paragraphs if paragraphs is not None else ())
                            if read_local_name(each) == "p"
                        ],
                        columns=min(1_000, cell.span_width if cell.is_merge_origin else 1),
                        rows=min(1_000, cell.span_height if cell.is_merge_origin else 1),
                        fill=ground if is_plain else fill,
                    )
                )
            rows.append(cells)
        aligner.finish()
        line = None if identity == _NO_GRID else self._palette.get("bg1" if accent else "tx1")
        return DrawnTable(
            widths=[limit_length((each.width or 0) / EMU) for each in table.columns],
            heights=[limit_length((each.height or 0) / EMU) for each in table.rows],
            rows=rows,
            line=line,
        )

    def _choose_ground(self, accent: str | None, is_head: bool, is_band: bool) -> str | None:
        """Return the colour of a row in a known style of tables."""
        if accent is None:
            return None
        colour = self._palette.get(accent)
        return colour if is_head else _lighten(colour, 0.4 if is_band else 0.2)

    def _draw_substitute(self, drawn: DrawnShape, start: int, end: int) -> None:
        """Draw the words of a chart or a diagram in its place: lines with tabs as a table, others as paragraphs."""
        rows: list[list[DrawnCell]] = []
        at = start
        colour = self._palette.get("tx1")
        for line in self._text[start:end].split("\n"):
            cells, place = [], at
            for cell in line.split("\t"):
                sign = len(BULLET) if cell.startswith(BULLET) else 0
                first, last = place + sign, place + len(cell.rstrip())
                runs = [DrawnRun(start=first, end=last, size=_SUBSTITUTE_SIZE, colour=colour)] if first < last else []
                cells.append(DrawnCell(paragraphs=[DrawnParagraph(runs=runs, bullet="•" if sign else "")]))
                place += len(cell) + 1
            at += len(line) + 1
            if not line.strip():
                continue
            if "\t" in line:
                rows.append(cells)
            else:
                drawn.paragraphs += cells[0].paragraphs
        if rows:
            most = max(map(len, rows))
            rows = [[*row, *[DrawnCell()] * (most - len(row))] for row in rows]
            drawn.table = DrawnTable(rows=rows, line=_lighten(colour, 0.3))
        drawn.line, drawn.thickness = _lighten(colour, 0.3), THICK
        drawn.anchor = "middle"

    def _list_defaults(self, shape: Any) -> list[Any]:
        """Return the list styles of the master and of the presentation for a shape."""
        styles = find_child(self._master._element, "txStyles")
        kind = _read_placeholder(shape)
        name = "titleStyle" if kind in _TITLES else "otherStyle" if kind in _MARGINS else "bodyStyle"
        return [find_child(styles, name) if kind else None, find_child(self._deck, "defaultTextStyle")]

    def _fonts_of(self, shape: Any) -> tuple[str, str]:
        major, minor = self._fonts
        return (major, major) if _read_placeholder(shape) in _TITLES else (major, minor)


def _list_chain(shape: Any) -> Iterator[Any]:
    """Yield a shape, and the placeholders of the layout and the master that it takes its properties from."""
    for _ in range(3):
        yield shape
        shape = getattr(shape, "_base_placeholder", None) if shape.is_placeholder else None
        if shape is None:
            return


def _read_placeholder(shape: Any) -> str | None:
    """Return the kind of a placeholder, such as `title`; None for another shape."""
    if not shape.is_placeholder:
        return None
    mark = next(iter(shape._element.iter("{*}ph")), None)
    return get_value(mark, "type") or "obj"


def _read_form(element: Any) -> Form:
    preset = get_value(find_child(element, "spPr", "prstGeom"), "prst")
    if read_local_name(element) == "cxnSp" or preset in ("line", "straightConnector1"):
        where = find_child(element, "spPr", "xfrm")
        flips = [get_value(where, name) in ("1", "true") for name in ("flipH", "flipV")]
        return "up" if flips[0] != flips[1] else "down"
    return "ellipse" if preset == "ellipse" else "round" if preset.startswith(("round", "flowChartTerm")) else "box"


def _is_hidden(element: Any) -> bool:
    about = next(iter(element.iter("{*}cNvPr")), None)
    return read_attribute(about, "hidden") in ("1", "true")


def _number(element: Any, name: str) -> float:
    return read_number(get_value(element, name), 0)


def _ratio(whole: float, part: float) -> float:
    return min(1_000.0, max(0.0, whole / part)) if part else 1.0


def _lighten(colour: str, share: float) -> str:
    """Return so much of a colour, mixed with white."""
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 - share * (255 - part)):02x}" for part in parts)
