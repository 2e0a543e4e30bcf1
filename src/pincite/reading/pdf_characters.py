"""Read pdfium's characters on a page: code points and boxes in points from the top left of the displayed page."""

import ctypes
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pypdfium2.raw as raw
from numpy.typing import NDArray

from pincite.reading.hidden_text import find_hidden
from pincite.reading.packed_boxes import Boxes

_BOLD = re.compile(rb"bold|black|heavy|semibold|demi|[-,]bd\b", re.IGNORECASE)
_REPLACEMENT = 0xFFFD
HYPHEN = 0x02  # pdfium's mark for a word divided at a line's end; its text has 0xFFFE there
# Accents that some fonts set as separate characters, and their combining forms.
_ACCENTS = dict(
    zip(
        map(ord, "`´ˆ˜¨˚¸ˇ˘¯˙"),
        map(ord, "\u0300\u0301\u0302\u0303\u0308\u030a\u0327\u030c\u0306\u0304\u0307"),
        strict=True,
    )
)
_DOTLESS = {0x131: ord("i"), 0x237: ord("j")}

# pypdfium2's own bindings convert every argument; a page has thousands of characters, so these take plain numbers.
_unicode = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_void_p, ctypes.c_int)(
    ctypes.cast(raw.FPDFText_GetUnicode, ctypes.c_void_p).value or 0
)
_loose_box = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(
    ctypes.cast(raw.FPDFText_GetLooseCharBox, ctypes.c_void_p).value or 0
)


@dataclass(frozen=True, slots=True)
class Glyphs:
    """A page's characters in the file's order: codes, boxes, which are visible; and the page's size.

    `hidden` marks characters that are not blank but that a person cannot see on the page.
    """

    codes: NDArray[np.uint32]
    boxes: Boxes
    visible: NDArray[np.bool_]
    size: tuple[float, float]
    bold: Callable[[int], bool]
    hidden: NDArray[np.bool_]


def read_glyphs(page: Any, text_page: Any) -> Glyphs:
    """Read the characters of a page, cleaned one for one: no lone surrogates, accents joined to their letters."""
    # Not get_cropbox(), which returns 612 x 792 if the box is inherited.
    codes, boxes, size = _read_characters(text_page, page.get_bbox(), page.get_rotation())
    codes, kept = _join_surrogates(codes)
    boxes = boxes[kept]
    visible = _find_visible(codes, boxes)
    hidden = np.zeros(len(codes), bool)
    hidden[visible] = find_hidden(page, text_page, kept[visible], boxes[visible], size)
    codes = np.where(codes == 0xFFFE, np.uint32(HYPHEN), codes)
    wrong = (codes > 0x10FFFF) | ((codes >= 0xD800) & (codes < 0xE000)) | (codes == 0)
    codes, boxes = _join_accents(np.where(wrong, np.uint32(_REPLACEMENT), codes), boxes)
    bold = _make_bold_reader(text_page)
    return Glyphs(codes, boxes, visible & ~hidden, size, lambda index: bold(int(kept[index])), hidden)


def _join_surrogates(codes: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.intp]]:
    """Join characters beyond 16 bits, which pdfium lists in two halves; return also the indices that are kept."""
    high = (codes[:-1] >= 0xD800) & (codes[:-1] < 0xDC00) & (codes[1:] >= 0xDC00) & (codes[1:] < 0xE000)
    first = np.flatnonzero(high)
    if not len(first):
        return codes, np.arange(len(codes))
    joined = codes.copy()
    joined[first] = 0x10000 + ((codes[first] - 0xD800) << 10) + (codes[first + 1] - 0xDC00)
    kept = np.delete(np.arange(len(codes)), first + 1)
    return joined[kept], kept


def _read_characters(
    text_page: Any, frame: tuple[float, ...], turn: int
) -> tuple[NDArray[np.uint32], Boxes, tuple[float, float]]:
    count = text_page.count_chars()
    left, bottom, right, top = frame
    width, height = (top - bottom, right - left) if turn in (90, 270) else (right - left, top - bottom)
    if count <= 0:
        return np.empty(0, np.uint32), np.empty((0, 4), np.float32), (width, height)
    handle = ctypes.cast(text_page.raw, ctypes.c_void_p).value
    codes = np.frombuffer(_read_text(text_page, count).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    if len(codes) != count:
        codes = np.fromiter((_unicode(handle, i) for i in range(count)), dtype=np.uint32, count=count)
    store = (ctypes.c_float * (4 * count))()
    address = ctypes.addressof(store)
    for i in range(count):
        _loose_box(handle, i, address + 16 * i)
    x0, y1, x1, y0 = np.frombuffer(store, dtype=np.float32).reshape(count, 4).T  # left, top, right, bottom
    if turn == 90:
        corners = y0 - bottom, x0 - left, y1 - bottom, x1 - left
    elif turn == 180:
        corners = right - x1, y0 - bottom, right - x0, y1 - bottom
    elif turn == 270:
        corners = top - y1, right - x1, top - y0, right - x0
    else:
        corners = x0 - left, top - y1, x1 - left, top - y0
    return codes, np.stack(corners, axis=1).astype(np.float32), (width, height)


def _read_text(text_page: Any, count: int) -> str:
    """Return the page's characters in one call; the length differs from the count if pdfium leaves some out."""
    buffer = (ctypes.c_ushort * (count + 1))()
    raw.FPDFText_GetText(text_page.raw, 0, count, buffer)
    return bytes(buffer)[:-2].decode("utf-16-le", "surrogatepass").rstrip("\0")


def _find_visible(codes: NDArray[np.uint32], boxes: Boxes) -> NDArray[np.bool_]:
    blank = (codes <= 0x20) | ((codes >= 0x7F) & (codes <= 0xA0)) | ((codes >= 0x2000) & (codes <= 0x200B))
    blank |= (codes == 0x3000) | (codes == 0xFEFF) | (codes == 0x2028) | (codes == 0x2029) | (codes == 0x202F)
    hyphen = (codes == HYPHEN) | (codes == 0xFFFE)
    sound = (
        np.logical_and.reduce(np.isfinite(boxes), axis=1) & (boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])
    )
    near: NDArray[np.bool_] = np.logical_and.reduce(np.abs(boxes) < 1e5, axis=1)
    visible: NDArray[np.bool_] = (~blank | hyphen) & sound & near
    return visible


def _join_accents(codes: NDArray[np.uint32], boxes: Boxes) -> tuple[NDArray[np.uint32], Boxes]:
    """Turn a spacing accent over a letter, before or after it, into its combining mark; the counts stay."""
    accents = np.flatnonzero(np.isin(codes, list(_ACCENTS)))
    if not len(accents):
        return codes, boxes
    codes, boxes = codes.copy(), boxes.copy()
    for i in accents.tolist():
        middle = (boxes[i, 0] + boxes[i, 2]) / 2
        for letter in (i + 1, i - 1):
            if not 0 <= letter < len(codes) or not chr(codes[letter]).isalpha():
                continue
            if boxes[letter, 0] < middle < boxes[letter, 2] and boxes[letter, 1] < boxes[i, 3]:
                mark = np.uint32(_ACCENTS[int(codes[i])])
                codes[letter] = _DOTLESS.get(int(codes[letter]), codes[letter])
                if letter > i:
                    codes[i], codes[letter] = codes[letter], mark
                    boxes[[i, letter]] = boxes[[letter, i]]
                else:
                    codes[i] = mark
                break
    return codes, boxes


def _make_bold_reader(text_page: Any) -> Callable[[int], bool]:
    """Return a function that tells whether the font of a character is bold."""
    buffer = ctypes.create_string_buffer(128)
    flags = ctypes.c_int()

    def bold(index: int) -> bool:
        length = raw.FPDFText_GetFontInfo(text_page.raw, index, buffer, 128, flags)
        return bool(length and _BOLD.search(buffer.raw[: min(length, 128)])) or (
            raw.FPDFText_GetFontWeight(text_page.raw, index) >= 600
        )

    return bold
