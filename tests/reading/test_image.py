import io
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tests.files import assert_sound, picture, read_bytes

from pincite.errors import TooLarge, Unreadable
from pincite.reading import image, ocr
from pincite.reading.packed_boxes import unpack_boxes
from pincite.text.display import put_on_one_line

needs_tesseract = pytest.mark.skipif(not ocr.is_available("eng"), reason="tesseract-ocr with eng is not installed")


@needs_tesseract
def test_every_character_of_a_picture_has_a_box_where_it_stands(tmp_path: Path) -> None:
    document = read_bytes(tmp_path, "a.png", picture("Invoice total", dpi=(150, 150)))
    assert_sound(document)
    assert document.text == "Invoice total"
    page = document.pages[0]
    assert (page.width, page.height) == (900 * 72 / 150, 200 * 72 / 150)
    boxes = unpack_boxes(page.boxes)
    assert len(boxes) == len(document.text)
    assert np.isnan(boxes[document.text.index(" ")]).all()
    first, last = boxes[0], boxes[-1]
    assert 36 < first[0] * 150 / 72 < 60
    assert 60 < first[1] * 150 / 72 < first[3] * 150 / 72 < 125
    assert first[2] <= last[0] < last[2] < page.width


@needs_tesseract
def test_a_word_that_a_line_end_of_a_picture_divides_is_whole(tmp_path: Path) -> None:
    lines = "The museum keeps a col-\nlection of well-\nknown herons."
    document = read_bytes(tmp_path, "a.png", picture(lines, (900, 300), dpi=(150, 150)))
    assert_sound(document)
    assert put_on_one_line(document.text) == "The museum keeps a collection of well-known herons."
    assert len(unpack_boxes(document.pages[0].boxes)) == len(document.text)


@needs_tesseract
def test_frames_of_a_tiff_are_pages(tmp_path: Path) -> None:
    frames = [Image.open(io.BytesIO(picture(text))) for text in ("Page one", "Page two")]
    data = io.BytesIO()
    frames[0].save(data, "TIFF", save_all=True, append_images=frames[1:])
    document = read_bytes(tmp_path, "a.tif", data.getvalue())
    assert_sound(document)
    assert [document.text[page.start : page.end].strip() for page in document.pages] == ["Page one", "Page two"]
    assert all(len(unpack_boxes(page.boxes)) == page.end - page.start for page in document.pages)


@needs_tesseract
def test_a_photo_taken_sideways_is_turned_upright(tmp_path: Path) -> None:
    upright = Image.open(io.BytesIO(picture("Facture numero")))
    exif = Image.Exif()
    exif[0x0112] = 6
    data = io.BytesIO()
    upright.rotate(90, expand=True).save(data, "JPEG", exif=exif, quality=95)
    document = read_bytes(tmp_path, "a.jpg", data.getvalue())
    assert "Facture" in document.text
    assert document.pages[0].width > document.pages[0].height


@needs_tesseract
def test_letters_on_a_transparent_ground_are_read(tmp_path: Path) -> None:
    black = Image.open(io.BytesIO(picture("Transparent"))).convert("L").point(lambda level: 255 - level)
    clear = Image.merge("LA", (Image.new("L", black.size, 0), black))
    data = io.BytesIO()
    clear.save(data, "PNG")
    assert read_bytes(tmp_path, "a.png", data.getvalue()).text == "Transparent"


@needs_tesseract
def test_a_blank_picture_says_that_nothing_was_found(tmp_path: Path) -> None:
    assert read_bytes(tmp_path, "a.png", picture("")).problems == ("No text was found in this image.",)


def test_without_ocr_a_picture_is_a_page_that_says_why_it_is_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    off = read_bytes(tmp_path, "a.png", picture(), ocr="")
    assert "switched off" in off.problems[0]
    monkeypatch.setattr(ocr, "_list_installed", frozenset)
    missing = read_bytes(tmp_path, "a.png", picture())
    assert "install tesseract-ocr" in missing.problems[0]
    for document in (off, missing):
        assert (document.text, len(document.pages), document.title) == ("", 1, "a")
        assert_sound(document)


def test_a_picture_of_too_many_pixels_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image, "MAX_PIXELS", 1000)
    with pytest.raises(TooLarge, match="million pixels"):
        read_bytes(tmp_path, "a.png", picture())


def test_a_pixel_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    data = bytearray(picture(size=(64, 64)))
    at = data.index(b"IHDR") + 4
    data[at : at + 8] = (60_000).to_bytes(4, "big") * 2
    data[at + 13 : at + 17] = zlib.crc32(data[at - 4 : at + 13]).to_bytes(4, "big")
    with pytest.raises(TooLarge):
        read_bytes(tmp_path, "a.png", bytes(data))


def test_a_cut_off_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        read_bytes(tmp_path, "a.png", picture()[:300])


@pytest.mark.parametrize(
    ("given", "width", "expected"),
    [((300, 300), 2480, 595), ((72, 72), 1000, 750), (None, 4000, 595), ((0, 0), 800, 600)],
)
def test_a_picture_without_a_trusted_resolution_gets_a_fair_width(given: Any, width: int, expected: float) -> None:
    assert width * 72 / image._choose_resolution(given, width) == pytest.approx(expected, abs=1)
