import io
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image
from tests.files import zipped

from pincite.errors import TooLarge, Unsupported
from pincite.reading.office_picture import WIDEST, draw_picture
from pincite.reading.source import Source


def container(folder: Path, data: bytes) -> Source:
    path = folder / "a.pptx"
    path.write_bytes(zipped({"[Content_Types].xml": "<x/>", "ppt/media/image1": data}))
    return Source(path, "a.pptx")


def made(mode: str, size: tuple[int, int], kind: str, **given: object) -> bytes:
    data = io.BytesIO()
    Image.new(mode, size, 1 if mode in ("P", "1") else None).save(data, kind, **given)
    return data.getvalue()


@pytest.mark.parametrize(("mode", "kind"), [("RGB", "PNG"), ("RGBA", "PNG"), ("CMYK", "JPEG"), ("P", "GIF")])
def test_a_picture_is_drawn_again_and_small_enough(tmp_path: Path, mode: str, kind: str) -> None:
    told = draw_picture(container(tmp_path, made(mode, (WIDEST * 2, 40), kind)), 1)
    with Image.open(io.BytesIO(told)) as picture:
        assert (picture.format, picture.size) == ("WEBP", (WIDEST, 20))


def test_nothing_of_the_original_bytes_is_kept(tmp_path: Path) -> None:
    from PIL.PngImagePlugin import PngInfo

    notes = PngInfo()
    notes.add_text("Comment", "<script>alert(1)</script>")
    told = draw_picture(container(tmp_path, made("RGB", (8, 8), "PNG", pnginfo=notes)), 1)
    assert b"script" not in told


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"\xd7\xcd\xc6\x9a" + bytes(80),
        made("RGB", (8, 8), "PNG")[:40],
    ],
    ids=["empty", "svg", "wmf", "cut"],
)
def test_a_picture_of_another_kind_or_damaged_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(Unsupported):
        draw_picture(container(tmp_path, data), 1)


def test_too_many_pixels_and_a_number_of_nothing_are_refused(tmp_path: Path) -> None:
    small = made("1", (1, 1), "PNG")
    # The size stands at the beginning, with a checksum after it.
    size = small[12:16] + struct.pack(">II", 30_000, 30_000) + small[24:29]
    claimed = small[:12] + size + struct.pack(">I", zlib.crc32(size)) + small[33:]
    with pytest.raises(TooLarge):
        draw_picture(container(tmp_path, claimed), 1)
    with pytest.raises(Unsupported):
        draw_picture(container(tmp_path, b""), 7)
