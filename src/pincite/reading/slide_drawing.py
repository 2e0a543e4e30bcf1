"""Draw the slides of a presentation: where each shape is, how it looks, and where its words are in the text.

A slide is written again as the reader writes it, so that the ranges are those of the text that was stored.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from pincite.errors import Unreadable
from pincite.reading import zip_container
from pincite.reading.document_draft import Draft
from pincite.reading.drawing import (
    DrawnShape,
    DrawnSlide,
    ReadSlide,
    list_shape_runs,
)
from pincite.reading.drawing_colours import Palette
from pincite.reading.finish import clean_characters
from pincite.reading.office_flaws import OFFICE_FLAWS
from pincite.reading.slide_fills import SlideFills, get_value
from pincite.reading.slide_shapes import ShapePainter, SlideFrame
from pincite.reading.slide_text_styles import EMU
from pincite.reading.slides import open_deck, write_slide
from pincite.reading.source import Source
from pincite.reading.word_styles import find_child

_MOST_SHAPES = 2_000  # of a slide, its layout and its master
_MOST_BYTES = 24_000_000  # of all slides
_MOST_SLIDE_BYTES = 2_000_000
_UNDRAWN = ReadSlide(text="").model_dump_json().encode()
_DEEP = 20  # nested groups


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
    except Exception as error:  # a library may raise any error for a damaged file
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
        fills = SlideFills(self._numbers, theme, palette)
        painter = ShapePainter(self._deck, master, theme, palette, fills, text)
        ranges = {shape._element: (start, end) for shape, start, end in written}
        shapes: list[DrawnShape] = []
        decoration = [] if _hides_master(slide) else [layout] if _hides_master(layout) else [master, layout]
        for each in decoration:
            for shape, frame in _list_layers(each.shapes, SlideFrame()):
                if not shape.is_placeholder:
                    shapes += painter.draw(shape, frame, None, len(shapes))
        for shape, frame in _list_layers(slide.shapes, SlideFrame()):
            if len(shapes) >= _MOST_SHAPES:
                raise ValueError("The slide has too many shapes.")
            shapes += painter.draw(shape, frame, ranges.get(shape._element), len(shapes))
        width, height = self._size
        background, picture = fills.find_background([slide, layout, master])
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


def _list_layers(shapes: Any, frame: SlideFrame, depth: int = 0) -> Iterator[tuple[Any, SlideFrame]]:
    """Yield the shapes from the lowest to the highest, with groups replaced by their shapes."""
    for shape in shapes:
        if hasattr(shape, "shapes"):
            if depth < _DEEP:
                yield from _list_layers(shape.shapes, frame.enter(shape), depth + 1)
        else:
            yield shape, frame


def _read_names(slide: Any, layout: Any, master: Any) -> dict[str, str]:
    """Return the names that a slide gives to the colours of its theme."""
    for each in (slide, layout):
        own = find_child(each._element, "clrMapOvr", "overrideClrMapping")
        if own is not None:
            return {str(key): str(value) for key, value in own.attrib.items()}
    names = find_child(master._element, "clrMap")
    return {str(key): str(value) for key, value in names.attrib.items()} if names is not None else {}


def _hides_master(slide: Any) -> bool:
    return get_value(slide._element, "showMasterSp") in ("0", "false")


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
