"""Draw slides, Word documents and their pictures from the original files, and keep the latest drawings.

Isolated processes draw. A drawing is used only where the text that was read with it is the stored text: then its
ranges are those of the text.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import ValidationError

from pincite.errors import NotFound, Unreadable
from pincite.isolation.process_pool import ProcessPool, lower_limits
from pincite.reading.drawing import (
    PART_HEAD,
    DrawnBlock,
    DrawnRun,
    DrawnSlide,
    ReadSlide,
    ReadStretch,
    list_block_runs,
    list_shape_runs,
)
from pincite.reading.source import Source
from pincite.store.documents import StoredDocument
from pincite.text.display import join_in_place
from pincite.text.storable import clean_text

if TYPE_CHECKING:
    from pincite.settings import ReadingSettings

_SECONDS = 30.0  # for a whole document
_PICTURE_SECONDS = 10.0
_MEMORY_MB = 1536
_TASKS_PER_CHILD = 100
_MOST_BYTES = 32_000_000  # of one drawing
_MOST_PICTURE_BYTES = 16_000_000
_KEPT_BYTES = 64_000_000  # of all drawings
_ROOM = 1_000  # bytes that count for a drawing without parts

_USUAL_WIDTH = 468.0  # points

OpenSource = Callable[[StoredDocument], AbstractContextManager[Source]]
ReadText = Callable[[int, int], str]


@dataclass(frozen=True, slots=True)
class DrawnStretch:
    """The drawn blocks in a range of a text, and the width of its lines in points."""

    width: float
    blocks: list[DrawnBlock]


class DocumentDrawings:
    """Draws documents when they are looked at. Its processes are started when they are first needed."""

    def __init__(self, limits: "ReadingSettings", open_source: OpenSource) -> None:
        small = lower_limits(limits, _MEMORY_MB, _SECONDS)
        self._open_source = open_source
        # One process for each: a caller that waited for a drawing of the same file finds it made.
        self._drawing = ProcessPool(small, 1, _TASKS_PER_CHILD)
        self._pictures = ProcessPool(small, 1, _TASKS_PER_CHILD)
        self._kept: OrderedDict[tuple[str, str], tuple[bytes, ...]] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()

    def close(self) -> None:
        """Wait for running tasks, and end the processes."""
        self._drawing.close()
        self._pictures.close()

    def draw_slide(self, stored: StoredDocument, number: int, text: str, start: int) -> DrawnSlide | None:
        """Return a slide with ranges of the document's text; None if it cannot be drawn.

        `text` is the stored text of the slide, and `start` its first character in the document's text.
        """
        parts = self._draw("draw_slides", stored)
        if not 1 <= number <= len(parts):
            return None
        try:
            read = ReadSlide.model_validate_json(parts[number - 1])
        except ValidationError:
            return None
        own = text.lstrip("\n")
        if read.drawing is None or read.text != own:
            return None
        runs = [run for shape in read.drawing.shapes for run in list_shape_runs(shape)]
        return read.drawing if place_runs(runs, own, 0, start + len(text) - len(own)) else None

    def draw_stretch(self, stored: StoredDocument, start: int, end: int, read_text: ReadText) -> DrawnStretch:
        """Return the blocks of a Word document in a range of its text, without those that cannot be drawn.

        `read_text` returns the stored text of a range.
        """
        blocks: list[DrawnBlock] = []
        width = _USUAL_WIDTH
        for part in self._draw("draw_word", stored):
            if len(part) < PART_HEAD.size:  # a damaged part, which is left out as one without valid JSON is
                continue
            first, last = PART_HEAD.unpack_from(part)
            if first >= end or last <= start:
                continue
            try:
                read = ReadStretch.model_validate_json(part[PART_HEAD.size :])
            except ValidationError:
                continue
            runs = [run for block in read.blocks for run in list_block_runs(block)]
            is_sound = first == read.start and all(first <= each.start <= each.end <= last for each in read.blocks)
            if is_sound and read.text == read_text(first, last) and place_runs(runs, read.text, first, 0):
                width = read.width
                blocks += (each for each in read.blocks if each.start < end and each.end >= start)
        return DrawnStretch(width, blocks)

    def draw_picture(self, stored: StoredDocument, number: int) -> bytes:
        """Return a picture of the document's file as WebP; raise `NotFound` if it has none that can be shown."""
        try:
            with self._open_source(stored) as source, self._pictures.borrow() as child:
                parts = child.draw("draw_picture", source, _PICTURE_SECONDS, _MOST_PICTURE_BYTES, number=number)
        except Unreadable as error:
            raise NotFound(error.message, error.hint, "picture") from None
        made = b"".join(parts)
        if not (made.startswith(b"RIFF") and made[8:12] == b"WEBP"):
            raise NotFound("The picture cannot be shown.", "Open the original file.", "picture")
        return made

    def _draw(self, task: str, stored: StoredDocument) -> tuple[bytes, ...]:
        """Return the parts of a drawing; none of a file that cannot be drawn."""
        key = (task, stored.sha256)
        if (known := self._find(key)) is not None:
            return known
        with self._open_source(stored) as source, self._drawing.borrow() as child:
            if (known := self._find(key)) is not None:  # drawn while this caller waited
                return known
            try:
                made = tuple(child.draw(task, source, _SECONDS, _MOST_BYTES))
            except Unreadable:
                made = ()
        self._keep(key, made)
        return made

    def _find(self, key: tuple[str, str]) -> tuple[bytes, ...] | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def _keep(self, key: tuple[str, str], made: tuple[bytes, ...]) -> None:
        with self._lock:
            self._size += _weigh(made) - (_weigh(self._kept[key]) if key in self._kept else 0)
            self._kept[key] = made
            while self._size > _KEPT_BYTES:
                _, old = self._kept.popitem(last=False)
                self._size -= _weigh(old)


def place_runs(runs: Iterable[DrawnRun], text: str, first: int, shift: int) -> bool:
    """Fill in the text of runs, and shift their ranges. `first` is the place of `text` in the ranges.

    Return False if a range is not in the text, or not after the one before it.
    """
    shown = join_in_place(text)
    last = first
    for run in runs:
        if run.start is None or run.end is None:
            run.start = run.end = None
            run.text = clean_text(run.text)
            continue
        if not last <= run.start < run.end <= first + len(text):
            return False
        last = run.end
        run.text = shown[run.start - first : run.end - first]
        run.start, run.end = shift + run.start, shift + run.end
    return True


def _weigh(made: tuple[bytes, ...]) -> int:
    return _ROOM + sum(map(len, made))
