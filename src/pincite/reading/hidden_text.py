"""Find characters of a PDF page that a person cannot see: off the page, tiny, or drawn without a visible mark."""

import ctypes
from typing import Any

import numpy as np
import pypdfium2.raw as raw
from numpy.typing import NDArray

from pincite.reading.packed_boxes import Boxes

_TINY = 1.5  # points; a character whose longer side is smaller is unreadable
_LIGHT = 200  # of 255; a fill with all three colours lighter needs a check of its background
_FAINT = 64  # of 255; so does a fill with less opacity
_CONTRAST = 20  # of 255; between the lightest and the darkest pixel where something is drawn
_SIDE = 1600  # pixels; the longest side of a rendered page
_CORE = 0.25  # of a line's height left out above and below, where neighbouring lines overlap
_UNSEEN_MODES = (raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP)

# As in `pdf_characters`: these take plain numbers, because a page has thousands of characters and hundreds of text
# objects.
_text_object = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(
    ctypes.cast(raw.FPDFText_GetTextObject, ctypes.c_void_p).value or 0
)
_render_mode = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(
    ctypes.cast(raw.FPDFTextObj_GetTextRenderMode, ctypes.c_void_p).value or 0
)
_fill_color = ctypes.CFUNCTYPE(ctypes.c_int, *([ctypes.c_void_p] * 5))(
    ctypes.cast(raw.FPDFPageObj_GetFillColor, ctypes.c_void_p).value or 0
)


def find_hidden(
    page: Any, text_page: Any, places: NDArray[np.intp], boxes: Boxes, size: tuple[float, float]
) -> NDArray[np.bool_]:
    """Mark the characters that cannot be seen; `places` are their numbers in the text page, `boxes` their positions.

    A colour alone hides nothing: white words on a dark background are readable, and so is the invisible text that a
    scanner puts over its picture. Such text is hidden only if the rendered page has no mark at its position.
    """
    width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    inside = ((middle >= 0) & (middle <= np.array(size))).all(axis=1)
    hidden: NDArray[np.bool_] = ~inside | (np.maximum(width, height) < _TINY)
    doubtful, unseen = _find_doubtful(text_page, places)
    if (doubtful & ~hidden).any():
        hidden |= _find_unmarked(page, boxes, doubtful & ~hidden, unseen, size)
    return hidden


def _find_doubtful(text_page: Any, places: NDArray[np.intp]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Mark characters whose colour, opacity or mode may hide them, and among them those whose mode draws nothing."""
    handle = ctypes.cast(text_page.raw, ctypes.c_void_p).value
    objects = np.fromiter((_text_object(handle, i) or 0 for i in places.tolist()), np.uint64, len(places))
    doubtful, unseen = np.zeros(len(places), bool), np.zeros(len(places), bool)
    colour = (ctypes.c_uint * 4)()
    parts = [ctypes.addressof(colour) + 4 * i for i in range(4)]
    for each in np.unique(objects[objects > 0]).tolist():
        is_unseen = _render_mode(each) in _UNSEEN_MODES
        is_filled = not is_unseen and _fill_color(each, *parts)
        if is_unseen or (is_filled and (min(colour[:3]) >= _LIGHT or colour[3] < _FAINT)):
            own = objects == each
            doubtful |= own
            if is_unseen:
                unseen |= own
    return doubtful, unseen


def _find_unmarked(
    page: Any,
    boxes: Boxes,
    doubtful: NDArray[np.bool_],
    unseen: NDArray[np.bool_],
    size: tuple[float, float],
) -> NDArray[np.bool_]:
    """Mark the doubtful characters at whose position the rendered page has a single colour, run by run."""
    scale = min(1.0, _SIDE / max(*size, 1.0))
    drawn = page.render(scale=scale, grayscale=True).to_numpy()
    found = np.zeros(len(boxes), bool)
    for run in _split_runs(boxes, doubtful):
        x0, y0 = boxes[run, :2].min(axis=0)
        x1, y1 = boxes[run, 2:].max(axis=0)
        # A scanner's text is only near the words of its picture; other text is exactly where it is drawn.
        edge = -0.5 if unseen[run].any() else _CORE
        top, bottom = y0 + edge * (y1 - y0), y1 - edge * (y1 - y0)
        rows = slice(max(int(top * scale), 0), max(int(np.ceil(bottom * scale)), 0))
        spot = drawn[rows, max(int(x0 * scale), 0) : max(int(np.ceil(x1 * scale)), 0)]
        if not spot.size or int(spot.max()) - int(spot.min()) < _CONTRAST:
            found[run] = True
    return found


def _split_runs(boxes: Boxes, chosen: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
    """Split the chosen characters into runs on one line, without a gap wider than two of them."""
    places = np.flatnonzero(chosen)
    if not len(places):
        return []
    before, after = boxes[places[:-1]], boxes[places[1:]]
    tall = np.maximum(before[:, 3] - before[:, 1], 0.1)
    same_line = np.abs(before[:, 1] - after[:, 1]) < 0.5 * tall
    close = (after[:, 0] - before[:, 2] < 2 * tall) & (after[:, 0] > before[:, 0] - tall)
    return np.split(places, np.flatnonzero(~(same_line & close)) + 1)
