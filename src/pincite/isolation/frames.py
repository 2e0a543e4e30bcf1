"""The frames on the pipe of the isolated process: a letter, a length and a payload of limited size."""

import struct
from collections.abc import Iterator
from typing import IO

FRAME = struct.Struct("<cQ")
PROGRESS = b"P"  # a page begins: its number, and the number of pages
RESULT = b"R"  # a part of the result
DONE = b"D"  # the result is complete; b"1" when the process should be replaced
ERROR = b"E"
ENDED = b"X"  # made by the parent when the pipe ends

LARGEST = 16_000_000  # bytes of one part of a result
_LARGEST_NOTE = 65_536  # bytes of a frame of any other kind


def split_bytes(data: bytes, most: int = LARGEST) -> Iterator[bytes]:
    """Yield bytes in parts of limited size; one empty part when there are none."""
    view = memoryview(data)
    for at in range(0, max(len(data), 1), most):
        yield bytes(view[at : at + most])


def read_frames(stream: IO[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the frames of a pipe until it ends, or until a frame is unknown or too large."""
    while len(head := stream.read(FRAME.size)) == FRAME.size:
        letter, length = FRAME.unpack(head)
        known = letter in (PROGRESS, RESULT, DONE, ERROR)
        if not known or length > (LARGEST if letter == RESULT else _LARGEST_NOTE):
            return
        payload = stream.read(length)
        if len(payload) < length:
            return
        yield letter, payload
