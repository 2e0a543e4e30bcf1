"""Read presentations: a page per slide, its shapes in visual order, then the speaker's notes."""

from collections.abc import Iterable, Iterator
from typing import Any

from pincite.reading import zip_container
from pincite.reading.document_draft import Draft
from pincite.reading.merged_labels import MERGED
from pincite.reading.office_flaws import OFFICE_FLAWS
from pincite.reading.properties import read_core_properties
from pincite.reading.source import Source
from pincite.types import Document

ROW = 228_600  # EMU, a quarter of an inch; shapes whose tops differ by less are in one row
BULLET = "- "  # before the paragraphs of a body
_MARGINS = frozenset({"DATE", "FOOTER", "SLIDE_NUMBER", "HEADER"})


def read(source: Source) -> Document:
    """Read a presentation; a slide that cannot be read is left empty and reported."""
    with zip_container.open_zip(source.path, source.name) as package:
        if zip_container.is_open_document(package):
            from pincite.reading import open_slides

            return open_slides.read(source)
        about = read_core_properties(package)
    slides = list(open_deck(source).slides)
    draft = Draft(source.limits)
    for number, slide in enumerate(slides, 1):
        source.progress(number, len(slides))
        draft.page()
        try:
            for _ in write_slide(slide, draft):
                pass
        except OFFICE_FLAWS as error:
            draft.problem(f"Slide {number} cannot be read completely: {type(error).__name__}.")
    return draft.document("pptx", about.pop("title", ""), about)


def open_deck(source: Source) -> Any:
    """Open a presentation of the Office formats whose container was checked."""
    from pptx.package import Package

    # Not pptx.Presentation, which rejects slide shows and templates because of their content type.
    return Package.open(str(source.path)).main_document_part.presentation


def write_slide(slide: Any, draft: Draft) -> Iterator[tuple[Any, int, int]]:
    """Write a slide, and yield each shape with the range of the draft's text that it was written to."""

    def note(shape: Any, start: int) -> tuple[Any, int, int]:
        return shape, start, len(draft)

    title = slide.shapes.title
    if title is not None and title.has_text_frame:
        start = len(draft)
        draft.add(" ".join(_normalise_breaks(title.text_frame.text).split()), "heading", 1)
        yield note(title, start)
    margins = []
    for shape in _list_shapes(slide.shapes):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if (
            shape.is_placeholder
            and shape.placeholder_format.type is not None
            and shape.placeholder_format.type.name in _MARGINS
        ):
            margins.append(shape)
        else:
            start = len(draft)
            _write_shape(shape, draft)
            yield note(shape, start)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        draft.add(_normalise_breaks(slide.notes_slide.notes_text_frame.text))
    for shape in margins:
        start = len(draft)
        text = _normalise_breaks(shape.text_frame.text).strip()
        if any(map(str.isalpha, text)):
            draft.add(text, "footer")
        yield note(shape, start)


def _list_shapes(shapes: Iterable[Any]) -> Iterator[Any]:
    """Yield the shapes from top to bottom and left to right, with groups replaced by their shapes."""
    for shape in sorted(shapes, key=lambda each: ((each.top or 0) // ROW, each.left or 0)):
        if hasattr(shape, "shapes"):
            yield from _list_shapes(shape.shapes)
        else:
            yield shape


def _write_shape(shape: Any, draft: Draft) -> None:
    if shape.has_text_frame:
        _write_text(shape, draft)
    elif getattr(shape, "has_table", False):
        draft.table([_read_cell(cell) for cell in row.cells] for row in shape.table.rows)
    elif getattr(shape, "has_chart", False):
        _write_chart(shape.chart, draft)
    else:
        draft.add("\n".join(_read_diagram(shape)), "list")


def _read_cell(cell: Any) -> str:
    """Return a cell's text; of a merged cell once, and a mark in the rows below it."""
    if cell.is_spanned:
        return "" if cell._tc.hMerge else MERGED
    return _normalise_breaks(cell.text)


def _write_text(shape: Any, draft: Draft) -> None:
    """Write a body's paragraphs as a list, indented by level; those of a text box as paragraphs."""
    lines = [
        ("  " * paragraph.level, _normalise_breaks(paragraph.text).strip()) for paragraph in shape.text_frame.paragraphs
    ]
    filled = [(indent, line) for indent, line in lines if line]
    if len(filled) > 1 and is_body(shape):
        draft.add("\n".join(f"{indent}{BULLET}{line}" for indent, line in filled), "list")
    else:
        draft.add("\n".join(line for _, line in filled))


def is_body(shape: Any) -> bool:
    """Return whether a shape is a body, whose paragraphs are written as a list if there are several."""
    if not shape.is_placeholder or shape.placeholder_format.type is None:
        return False
    return shape.placeholder_format.type.name in ("BODY", "OBJECT", "VERTICAL_BODY")


def _write_chart(chart: Any, draft: Draft) -> None:
    if chart.has_title and chart.chart_title.has_text_frame:
        draft.add(_normalise_breaks(chart.chart_title.text_frame.text))
    for plot in chart.plots:
        series = list(plot.series)
        categories = _read_points(next(plot._element.iter("{*}cat"), None))
        rows = [["", *(str(each.name) for each in series)]]
        columns = [_read_points(next(each._element.iter("{*}val", "{*}yVal"), None)) for each in series]
        for place in sorted({*categories, *(place for column in columns for place in column)}):
            values = [_write_number(column.get(place, "")) for column in columns]
            rows.append([categories.get(place, ""), *values])
        draft.table(rows)


def _read_points(element: Any) -> dict[int, str]:
    """Return the labels or values of a chart by index. The library searches all others for each of them."""
    if element is None:
        return {}
    level = next(element.iter("{*}lvl"), element)  # the innermost of several
    points = ((str(point.get("idx")), next(point.iter("{*}v"), None)) for point in level.iter("{*}pt"))
    return {int(place): str(v.text or "") for place, v in points if place.isdecimal() and v is not None}


def _write_number(value: str) -> str:
    try:
        return f"{float(value):.15g}"
    except ValueError:
        return value


def _read_diagram(shape: Any) -> Iterator[str]:
    """Yield the texts of a SmartArt diagram, which are in a separate part."""
    for element in shape._element.iter("{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"):
        identity = element.get("{http://schemas.openxmlformats.org/officeDocument/2006/relationships}dm")
        root = zip_container.parse_xml(shape.part.related_part(identity).blob)
        for point in root.iter("{*}pt"):
            words = " ".join("".join(text.text or "" for text in point.iter("{*}t")).split())
            if words:
                yield f"- {words}"


def _normalise_breaks(text: str) -> str:
    return text.replace("\v", "\n").replace("\r", "\n")
