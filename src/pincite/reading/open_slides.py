"""OpenDocument presentations (.odp): a page a slide, what stands on it in the order it is seen, then the notes."""

from collections.abc import Iterator
from typing import Any

from pincite.reading.opendocument import Writer, open_body, read_points
from pincite.reading.source import Source
from pincite.reading.wordstyles import local, value
from pincite.types import Document

_ROW = 18.0  # points; shapes whose tops differ by less stand in one row
_MARGINS = frozenset({"footer", "header", "date-time", "page-number"})
_DEEP = 60  # groups in one another


def read(source: Source) -> Document:
    """A presentation's document."""
    body, writer, about = open_body(source, "presentation")
    slides = [each for each in body if local(each) == "page"]
    for number, slide in enumerate(slides, 1):
        source.progress(number, len(slides))
        writer.draft.page()
        _write(slide, writer)
        writer.notes()
    return writer.draft.document("pptx", about.pop("title", ""), about)


def _write(slide: Any, writer: Writer) -> None:
    shapes = [shape for shape in slide if local(shape) not in ("notes", "forms")]
    titles = [shape for shape in shapes if value(shape, "class") == "title"]
    for title in titles:
        writer.draft.add(" ".join(filter(None, map(writer.read_words, title.iter("{*}p", "{*}h")))), "heading", 1)
    for shape in _in_order(shapes):
        if shape in titles:
            continue
        if value(shape, "class") in _MARGINS:
            words = " ".join(filter(None, map(writer.read_words, shape.iter("{*}p"))))
            if any(map(str.isalpha, words)):
                writer.draft.add(words, "footer")
        else:
            _write_shape(shape, writer)
    for notes in (each for each in slide if local(each) == "notes"):
        for shape in notes:
            if value(shape, "class") == "notes":
                _write_shape(shape, writer)


def _write_shape(shape: Any, writer: Writer) -> None:
    """Write a frame's text box or table, or the words in a drawn shape."""
    if local(shape) != "frame":
        writer.body(shape)
        return
    for each in shape:
        if local(each) == "text-box":
            writer.body(each)
        elif local(each) == "table":
            writer.body([each])
            break  # a picture of the table follows


def _in_order(shapes: list[Any], depth: int = 0) -> Iterator[Any]:
    """The shapes from top to bottom and left to right, groups opened in their place."""
    for shape in sorted(shapes, key=lambda each: (_top(each) // _ROW, read_points(value(each, "x")))):
        if local(shape) == "g" and depth < _DEEP:
            yield from _in_order(list(shape), depth + 1)
        else:
            yield shape


def _top(shape: Any) -> float:
    inner = [read_points(value(each, "y")) for each in shape] if local(shape) == "g" else []
    return min(inner, default=read_points(value(shape, "y")))
