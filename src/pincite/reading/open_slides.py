"""Read OpenDocument presentations (.odp): a page per slide, its shapes in visual order, then the notes."""

from collections.abc import Iterator
from typing import Any

from pincite.reading.open_text import OpenDocumentWriter, open_body, read_points
from pincite.reading.source import Source
from pincite.reading.word_styles import read_attribute, read_local_name
from pincite.types import Document

_ROW = 18.0  # points; shapes whose tops differ by less are in one row
_MARGINS = frozenset({"footer", "header", "date-time", "page-number"})
_DEEP = 60  # nested groups


def read(source: Source) -> Document:
    """Read a presentation."""
    body, writer, about = open_body(source, "presentation")
    slides = [each for each in body if read_local_name(each) == "page"]
    for number, slide in enumerate(slides, 1):
        source.progress(number, len(slides))
        writer.draft.page()
        _write_slide(slide, writer)
        writer.notes()
    return writer.draft.document("pptx", about.pop("title", ""), about)


def _write_slide(slide: Any, writer: OpenDocumentWriter) -> None:
    shapes = [shape for shape in slide if read_local_name(shape) not in ("notes", "forms")]
    titles = [shape for shape in shapes if read_attribute(shape, "class") == "title"]
    for title in titles:
        writer.draft.add(" ".join(filter(None, map(writer.read_words, title.iter("{*}p", "{*}h")))), "heading", 1)
    for shape in _sort_shapes(shapes):
        if shape in titles:
            continue
        if read_attribute(shape, "class") in _MARGINS:
            words = " ".join(filter(None, map(writer.read_words, shape.iter("{*}p"))))
            if any(map(str.isalpha, words)):
                writer.draft.add(words, "footer")
        else:
            _write_shape(shape, writer)
    for notes in (each for each in slide if read_local_name(each) == "notes"):
        for shape in notes:
            if read_attribute(shape, "class") == "notes":
                _write_shape(shape, writer)


def _write_shape(shape: Any, writer: OpenDocumentWriter) -> None:
    """Write a frame's text box or table, or the words in a drawn shape."""
    if read_local_name(shape) != "frame":
        writer.body(shape)
        return
    for each in shape:
        if read_local_name(each) == "text-box":
            writer.body(each)
        elif read_local_name(each) == "table":
            writer.body([each])
            break  # a picture of the table follows


def _sort_shapes(shapes: list[Any], depth: int = 0) -> Iterator[Any]:
    """Yield the shapes from top to bottom and left to right, with groups replaced by their shapes."""
    for shape in sorted(shapes, key=lambda each: (_find_top(each) // _ROW, read_points(read_attribute(each, "x")))):
        if read_local_name(shape) == "g" and depth < _DEEP:
            yield from _sort_shapes(list(shape), depth + 1)
        else:
            yield shape


def _find_top(shape: Any) -> float:
    inner = [read_points(read_attribute(each, "y")) for each in shape] if read_local_name(shape) == "g" else []
    return min(inner, default=read_points(read_attribute(shape, "y")))
