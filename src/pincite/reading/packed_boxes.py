"""Pack a box for every character into two or three bytes: [x0, y0, x1, y1] in points from the top left of the page.

Also pack the position of each character in the order in which the file draws them.
"""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

Boxes = NDArray[np.float32]

_UNITS_PER_POINT = 20.0
_NO_BOX = -0x8000
_LIMIT = 0x7FFF

Places = NDArray[np.int32]


def pack_boxes(boxes: Boxes) -> bytes:
    """Pack boxes (one row per character, NaN for none), to a twentieth of a point on common pages."""
    if not len(boxes):
        return b""
    missing: NDArray[np.bool_] = ~np.logical_and.reduce(np.isfinite(boxes), axis=1)
    known = np.where(missing[:, None], np.float32(0), boxes)
    reach = float(np.abs(known).max(initial=0.0))
    scale = min(_UNITS_PER_POINT, _LIMIT / 2 / reach) if reach else _UNITS_PER_POINT
    units = np.rint(known * scale).astype(np.int32)
    # A character without a box repeats the previous one, so that it takes no space.
    last = np.maximum.accumulate(np.where(missing, -1, np.arange(len(units))))
    units = np.where((last >= 0)[:, None], units[np.maximum(last, 0)], 0)
    planes = np.empty((4, len(units)), dtype=np.int32)
    planes[0] = np.diff(units[:, 0], prepend=0)
    planes[1] = np.diff(units[:, 1], prepend=0)
    planes[2] = units[:, 2] - units[:, 0]
    planes[3] = units[:, 3] - units[:, 1]
    planes[2][missing] = _NO_BOX
    stored = planes.astype("<i2").view(np.uint8).reshape(4, -1, 2)
    return struct.pack("<fI", scale, len(units)) + zlib.compress(stored.transpose(0, 2, 1).tobytes(), 1)


def unpack_boxes(data: bytes) -> Boxes:
    """Unpack boxes from `pack_boxes`, one row per character, NaN for none."""
    if not data:
        return np.empty((0, 4), dtype=np.float32)
    scale, count = struct.unpack_from("<fI", data)
    stored = np.frombuffer(zlib.decompress(data[8:]), dtype=np.uint8).reshape(4, 2, count)
    planes = np.ascontiguousarray(stored.transpose(0, 2, 1)).reshape(4, -1).view("<i2").astype(np.int32)
    missing = planes[2] == _NO_BOX
    x0, y0 = np.cumsum(planes[0]), np.cumsum(planes[1])
    boxes = np.stack([x0, y0, x0 + planes[2], y0 + planes[3]], axis=1).astype(np.float32)
    boxes /= np.float32(scale)
    boxes[missing] = np.nan
    return boxes


def pack_places(places: Places) -> bytes:
    """Pack each character's position in the order of drawing, -1 if it is not drawn; neighbours take little space."""
    return zlib.compress(np.diff(places, prepend=0).astype("<i4").tobytes(), 1) if len(places) else b""


def unpack_places(data: bytes) -> Places:
    """Unpack positions from `pack_places`."""
    return np.cumsum(np.frombuffer(zlib.decompress(data), "<i4"), dtype=np.int32) if data else np.empty(0, np.int32)
