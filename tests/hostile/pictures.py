"""Pictures that claim much, and sound files with damage."""

import io
import struct
import zlib
from random import Random

from tests import files
from tests.hostile.damage import damage
from tests.hostile.kinds import kind


@kind("png", 1_000, 60_000, is_steady=False)
def picture_claims(chance: Random, size: int) -> bytes:
    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * min(size * size, 1_000_000))

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@kind("tiff", 20, 500, is_steady=False)
def picture_frames(chance: Random, size: int) -> bytes:
    from PIL import Image

    frames = [Image.new("1", (8, 8)) for _ in range(size)]
    data = io.BytesIO()
    frames[0].save(data, "TIFF", save_all=True, append_images=frames[1:])
    return data.getvalue()


@kind("gif", 20, 1_000, is_steady=False)
def picture_film(chance: Random, size: int) -> bytes:
    from PIL import Image

    frames = [Image.new("P", (8, 8), place % 2) for place in range(size)]
    data = io.BytesIO()
    frames[0].save(data, "GIF", save_all=True, append_images=frames[1:])
    return data.getvalue()


def _damaged(ending: str) -> None:
    """Enter the kind of files of one format that are damaged somewhere."""
    sound = files.samples()[f"a.{ending}"]

    def maker(chance: Random, size: int) -> bytes:
        return damage(chance, sound)

    maker.__name__ = f"damaged_{ending}"
    kind(ending, 1, 1, is_steady=False)(maker)


for _ending in ("docx", "pptx", "xlsx", "epub", "eml", "html", "rtf", "odt", "ipynb", "json"):
    _damaged(_ending)
