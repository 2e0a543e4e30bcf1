"""Draw the slides of a presentation: where each shape is, how it looks, and where its words are in the text.

A slide is written again as the reader writes it, so that the ranges are those of the text that was stored.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pincite.errors import Unreadable
from pincite.reading import zip_container
from pincite.reading.document_draft import Draft
from pincite.reading.drawing import (
    DrawnCell,
    DrawnParagraph,
    DrawnPicture,
    DrawnRun,
    DrawnShape,
    DrawnSlide,
    DrawnTable,
    ReadSlide,
    list_shape_runs,
)
from pincite.reading.drawing_colours import Palette
from pincite.reading.finish import clean_characters
from pincite.reading.office_flaws import OFFICE_FLAWS
from pincite.reading.slide_text_styles import EMU, SlideTextStyle, read_number
from pincite.reading.slides import BULLET, is_body, open_deck, write_slide
from pincite.reading.source import Source
from pincite.reading.text_alignment import Misaligned, TextAligner
from pincite.reading.word_styles import find_child, read_attribute, read_local_name

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MOST_SHAPES = 2_000  # of a slide, its layout and its master
_MOST_BYTES = 24_000_000  # of all slides
_MOST_SLIDE_BYTES = 2_000_000
_UNDRAWN = ReadSlide(text="").model_dump_json().encode()
_DEEP = 20  # nested groups
_SUBSTITUTE_SIZE = 12.0  # points: the words of a chart or a diagram, in its place
_LONGEST_SIDE = 20_000.0
_TITLES = ("title", "ctrTitle")
_MARGINS = ("dt", "ftr", "sldNum", "hdr")
_ELLIPSE = 0.146  # of its width or height, from its edge to the rectangle inside it
_THICK = 0.75  # points: a line without a width
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


def draw_slides(source: Source) -> Iterator[bytes]:
    """Yield each slide as JSON of `ReadSlide`, in order; none for a presentation of another format."""
    with zip_container.open_zip(source.path, source.name) as package:
        if zip_container.is_open_document(package):
            return
        numbers = {name: number for number, name in enumerate(package.namelist())}
    try:
        deck = open_deck(source)
        slides = list(deck.slides)
        artist = _Artist(deck, numbers)
    except Exception as error:  # whatever a library raises for a damaged file
        raise Unreadable(f"{source.name} cannot be drawn.", "Open the original file.") from error
    size = 0
    for number, slide in enumerate(slides, 1):
        source.progress(number, len(slides))
        draft = Draft(source.limits)
        drawing = None
        try:
            written = list(write_slide(slide, draft))
            drawing = artist.draw(slide, clean_characters(draft.text), written) if size < _MOST_BYTES else None
        except OFFICE_FLAWS:  # also values out of bounds: the slide is shown as text
            drawing = None
        made = ReadSlide(text=clean_characters(draft.text), drawing=drawing)
        data = made.model_dump_json(exclude_defaults=True).encode("utf-8", "replace")
        size += len(data)
        yield data if len(data) <= _MOST_SLIDE_BYTES else _UNDRAWN


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where the coordinates of a group are on the slide: points = offset + scale × EMU."""

    x: float = 0.0
    y: float = 0.0
    across: float = 1 / EMU
    down: float = 1 / EMU

    def place(self, left: float, top: float, width: float, height: float) -> tuple[float, float, float, float]:
        return self.x + left * self.across, self.y + top * self.down, width * self.across, height * self.down

    def enter(self, group: Any) -> "_Frame":
        """Return the frame of the shapes in a group."""
        where = find_child(group._element, "grpSpPr", "xfrm")
        inner, size = find_child(where, "chOff"), find_child(where, "chExt")
        outer, outer_size = find_child(where, "off"), find_child(where, "ext")
        if any(each is None for each in (inner, size, outer, outer_size)):
            return self
        across = self.across * _ratio(_number(outer_size, "cx"), _number(size, "cx"))
        down = self.down * _ratio(_number(outer_size, "cy"), _number(size, "cy"))
        x, y, _, _ = self.place(_number(outer, "x"), _number(outer, "y"), 0, 0)
        return _Frame(x - across * _number(inner, "x"), y - down * _number(inner, "y"), across, down)


class _Artist:
    """Draws the slides of one deck."""

    def __init__(self, deck: Any, numbers: dict[str, int]) -> None:
        self._deck = deck._element
        self._numbers = numbers
        self._size = (deck.slide_width or 0) / EMU, (deck.slide_height or 0) / EMU
        self._themes: dict[Any, Any] = {}

    def draw(self, slide: Any, text: str, written: Sequence[tuple[Any, int, int]]) -> DrawnSlide:
        """Return a slide as it looks. `written` tells where its shapes are in the text."""
        layout = slide.slide_layout
        master = layout.slide_master
        theme = self._read_theme(master)
        palette = Palette(theme, _read_names(slide, layout, master))
        painter = _SlidePainter(self._deck, self._numbers, master, theme, palette, text)
        ranges = {shape._element: (start, end) for shape, start, end in written}
        shapes: list[DrawnShape] = []
        decoration = [] if _hides_master(slide) else [layout] if _hides_master(layout) else [master, layout]
        for each in decoration:
            for shape, frame in _list_layers(each.shapes, _Frame()):
                if not shape.is_placeholder:
                    shapes += painter.draw(shape, frame, None, len(shapes))
        for shape, frame in _list_layers(slide.shapes, _Frame()):
            if len(shapes) >= _MOST_SHAPES:
                raise ValueError("The slide has too many shapes.")
            shapes += painter.draw(shape, frame, ranges.get(shape._element), len(shapes))
        width, height = self._size
        background, picture = painter.find_background([slide, layout, master])
        return DrawnSlide(
            width=width,
            height=height,
            background=background,
            picture=picture,
            # In the order of the text, so that a selection goes from its first to its last word.
            shapes=sorted((each for each in shapes if _is_seen(each, width, height)), key=_find_first),
        )

    def _read_theme(self, master: Any) -> Any:
        if master.part not in self._themes:
            parts = (each for each in master.part.rels.values() if str(each.reltype).endswith("/theme"))
            part = next((each.target_part for each in parts if not each.is_external), None)
            self._themes[master.part] = zip_container.parse_xml(part.blob) if part is not None else None
        return self._themes[master.part]


class _SlidePainter:
    """Draws the shapes of one slide."""

    def __init__(
        self, deck: Any, numbers: dict[str, int], master: Any, theme: Any, palette: Palette, text: str
    ) -> None:
        self._deck = deck
        self._numbers = numbers
        self._master = master
        self._theme = theme
        self._palette = palette
        self._text = text
        fonts = find_child(theme, "themeElements", "fontScheme")
        major, minor = (_get(find_child(fonts, kind, "latin"), "typeface") for kind in ("majorFont", "minorFont"))
        self._fonts = major, minor

    def draw(self, shape: Any, frame: _Frame, written: tuple[int, int] | None, layer: int) -> list[DrawnShape]:
        """Return a shape as a list of one; an empty list if there is nothing to show or it cannot be drawn."""
        try:
            drawn = self._draw(shape, frame, written, layer)
        except (*OFFICE_FLAWS, Misaligned):
            return []
        return [drawn] if drawn else []

    def find_background(self, sources: Sequence[Any]) -> tuple[str | None, DrawnPicture | None]:
        """Return the colour or the picture behind a slide: its own, or that of its layout or master."""
        for each in sources:
            own = find_child(each._element, "cSld", "bg")
            if own is None:
                continue
            properties, reference = find_child(own, "bgPr"), find_child(own, "bgRef")
            if properties is not None:
                return self._read_fill(properties), self._read_picture(find_child(properties, "blipFill"), each.part)
            colour = self._palette.read(reference)
            return self._read_theme_fill("bgFillStyleLst", reference, 1000, colour), None
        return None, None

    def _draw(self, shape: Any, frame: _Frame, written: tuple[int, int] | None, layer: int) -> DrawnShape | None:
        element = shape._element
        if any(each is None for each in (shape.left, shape.top, shape.width, shape.height)) or _is_hidden(element):
            return None
        chain = [each._element for each in _list_chain(shape)]
        properties = [find_child(each, "spPr") for each in chain]
        left, top, width, height = frame.place(shape.left, shape.top, shape.width, shape.height)
        drawn = DrawnShape(
            left=_limit(left),
            top=_limit(top),
            width=_limit(width),
            height=_limit(height),
            layer=layer,
            turn=round(float(getattr(shape, "rotation", 0) or 0) % 360, 2),
            form=_read_form(element),
        )
        style = find_child(element, "style")
        if read_local_name(element) == "pic":
            drawn.picture = self._read_picture(find_child(element, "blipFill"), shape.part, shape)
        if read_local_name(element) != "graphicFrame":
            drawn.fill = self._find_fill(properties, find_child(style, "fillRef"))
            drawn.line, drawn.thickness = self._find_line(properties, find_child(style, "lnRef"))
            if drawn.picture is None:
                drawn.picture = self._read_picture(find_child(properties[0], "blipFill"), shape.part)
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
            if _read_first(bodies, "vert") not in ("", "horz"):
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
        drawn.anchor = _ANCHORS.get(_read_first(bodies, "anchor"), "top")
        drawn.wraps = _read_first(bodies, "wrap") != "none"
        usual = (("lIns", 91_440), ("tIns", 45_720), ("rIns", 91_440), ("bIns", 45_720))
        left, top, right, bottom = (_limit(read_number(_read_first(bodies, name), emu) / EMU) for name, emu in usual)
        if drawn.form == "ellipse":  # words stand in the rectangle inside it
            left, right = (_limit(each + _ELLIPSE * drawn.width) for each in (left, right))
            top, bottom = (_limit(each + _ELLIPSE * drawn.height) for each in (top, bottom))
        drawn.insets = left, top, right, bottom

    def _draw_table(self, shape: Any, aligner: TextAligner) -> DrawnTable:
        table = shape.table
        about = find_child(table._tbl, "tblPr")
        identity = getattr(find_child(about, "tableStyleId"), "text", "") or ""
        accent = _MEDIUM_STYLES.get(identity)
        has_head, has_bands = (_get(about, name) in ("1", "true") for name in ("firstRow", "bandRow"))
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
                fill = self._read_fill(properties)
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
            widths=[_limit((each.width or 0) / EMU) for each in table.columns],
            heights=[_limit((each.height or 0) / EMU) for each in table.rows],
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
        drawn.line, drawn.thickness = _lighten(colour, 0.3), _THICK
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

    def _find_fill(self, properties: Sequence[Any], reference: Any) -> str | None:
        for each in properties:
            if any(find_child(each, name) is not None for name in ("noFill", "blipFill", "grpFill")):
                return None
            if found := self._read_fill(each):
                return found
        if reference is None or _get(reference, "idx") in ("", "0"):
            return None
        return self._palette.read(reference)

    def _read_fill(self, properties: Any) -> str | None:
        """Return the colour that fills a shape; of several colours the first."""
        solid = self._palette.read(find_child(properties, "solidFill"))
        stop = find_child(properties, "gradFill", "gsLst", "gs")
        return solid or self._palette.read(stop) or self._palette.read(find_child(properties, "pattFill", "fgClr"))

    def _read_theme_fill(self, name: str, reference: Any, base: int, colour: str | None) -> str | None:
        """Return the colour of a fill of the theme, in which the slide's own colour may be changed."""
        fills = find_child(self._theme, "themeElements", "fmtScheme", name)
        place = int(read_number(_get(reference, "idx"), 0)) - base - 1
        if fills is None or colour is None or not 0 <= place < len(fills):
            return colour
        fill = fills[place]
        stop = find_child(fill, "gsLst", "gs") if read_local_name(fill) == "gradFill" else fill
        return self._palette.read(stop, colour) or colour

    def _find_line(self, properties: Sequence[Any], reference: Any) -> tuple[str | None, float]:
        for each in properties:
            line = find_child(each, "ln")
            if line is None:
                continue
            if find_child(line, "noFill") is not None:
                return None, 0
            if colour := self._read_fill(line):
                return colour, _limit(read_number(_get(line, "w"), _THICK * EMU) / EMU)
        if reference is None or _get(reference, "idx") in ("", "0"):
            return None, 0
        return self._palette.read(reference), _THICK

    def _read_picture(self, fill: Any, part: Any, shape: Any = None) -> DrawnPicture | None:
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
            min(1.0, max(0.0, read_number(_get(cut, side), 0) / 100_000)) for side in ("l", "t", "r", "b")
        )
        if left + right >= 1 or top + bottom >= 1:
            left = top = right = bottom = 0
        about = next(iter(shape._element.iter("{*}cNvPr")), None) if shape is not None else None
        return DrawnPicture(
            number=number, description=_get(about, "descr")[:500], left=left, top=top, right=right, bottom=bottom
        )


def _list_layers(shapes: Any, frame: _Frame, depth: int = 0) -> Iterator[tuple[Any, _Frame]]:
    """Yield the shapes from the lowest to the highest, with groups replaced by their shapes."""
    for shape in shapes:
        if hasattr(shape, "shapes"):
            if depth < _DEEP:
                yield from _list_layers(shape.shapes, frame.enter(shape), depth + 1)
        else:
            yield shape, frame


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
    return _get(mark, "type") or "obj"


def _read_names(slide: Any, layout: Any, master: Any) -> dict[str, str]:
    """Return the names that a slide gives to the colours of its theme."""
    for each in (slide, layout):
        own = find_child(each._element, "clrMapOvr", "overrideClrMapping")
        if own is not None:
            return {str(key): str(value) for key, value in own.attrib.items()}
    names = find_child(master._element, "clrMap")
    return {str(key): str(value) for key, value in names.attrib.items()} if names is not None else {}


def _read_form(element: Any) -> Form:
    preset = _get(find_child(element, "spPr", "prstGeom"), "prst")
    if read_local_name(element) == "cxnSp" or preset in ("line", "straightConnector1"):
        where = find_child(element, "spPr", "xfrm")
        flips = [_get(where, name) in ("1", "true") for name in ("flipH", "flipV")]
        return "up" if flips[0] != flips[1] else "down"
    return "ellipse" if preset == "ellipse" else "round" if preset.startswith(("round", "flowChartTerm")) else "box"


def _hides_master(slide: Any) -> bool:
    return _get(slide._element, "showMasterSp") in ("0", "false")


def _is_hidden(element: Any) -> bool:
    about = next(iter(element.iter("{*}cNvPr")), None)
    return read_attribute(about, "hidden") in ("1", "true")


def _is_seen(shape: DrawnShape, width: float, height: float) -> bool:
    """Return whether a part of a shape is on the slide; the words of another are shown below it."""
    return (
        shape.left < width
        and shape.top < height
        and shape.left + max(shape.width, 1) > 0
        and shape.top + max(shape.height, 1) > 0
    )


def _find_first(shape: DrawnShape) -> tuple[int, int]:
    first = next((run.start for run in list_shape_runs(shape) if run.start is not None), -1)
    return first, shape.layer


def _get(element: Any, name: str) -> str:
    return str(element.get(name) or "") if element is not None else ""


def _read_first(elements: Sequence[Any], name: str) -> str:
    return next((value for value in (_get(each, name) for each in elements) if value), "")


def _number(element: Any, name: str) -> float:
    return read_number(_get(element, name), 0)


def _ratio(whole: float, part: float) -> float:
    return min(1_000.0, max(0.0, whole / part)) if part else 1.0


def _limit(length: float) -> float:
    return round(min(_LONGEST_SIDE, max(-_LONGEST_SIDE, length)), 2)


def _lighten(colour: str, share: float) -> str:
    """Return so much of a colour, mixed with white."""
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 - share * (255 - part)):02x}" for part in parts)
