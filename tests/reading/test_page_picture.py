import io
import os
from pathlib import Path

import pytest
from fpdf import FPDF
from PIL import Image
from tests import pdfs

from pincite.errors import Misuse, Unreadable
from pincite.isolation.child_process import IsolatedProcess
from pincite.reading.page_picture import render_page
from pincite.reading.source import Source
from pincite.settings import ReadingSettings


def source(path: Path) -> Source:
    return Source(path, path.name)


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png))


def coloured(path: Path) -> Path:
    """Two pages, the second with a black square in its upper left corner."""

    def draw(pdf: FPDF) -> None:
        pdf.add_page()
        pdf.add_page()
        pdf.rect(0, 0, 100, 100, style="F")

    return pdfs.make(path, draw)


def test_a_page_of_a_pdf_is_drawn_as_it_is_seen(tmp_path: Path) -> None:
    path = coloured(tmp_path / "a.pdf")
    first, second = (opened(render_page(source(path), page, 72)).convert("L") for page in (1, 2))
    assert first.size == second.size == (596, 842)
    assert first.getpixel((50, 50)) == 255
    assert second.getpixel((50, 50)) == 0
    assert second.getpixel((500, 800)) == 255


def test_a_turned_page_is_drawn_upright(tmp_path: Path) -> None:
    path = pdfs.by_hand(tmp_path / "a.pdf", "0 0 50 50 re f", page="/Rotate 90")
    drawn = opened(render_page(source(path), 1, 72)).convert("L")
    # The lower left corner of a page of 400 x 300 comes to stand at the upper left.
    assert drawn.size == (300, 400)
    assert drawn.getpixel((20, 20)) == 0


def test_more_dots_per_inch_give_a_larger_picture_and_a_poster_is_held_to_a_sensible_one(tmp_path: Path) -> None:
    path = coloured(tmp_path / "a.pdf")
    assert opened(render_page(source(path), 1, 144)).width == pytest.approx(1191, abs=1)
    poster = pdfs.by_hand(tmp_path / "b.pdf", "", tree="/MediaBox [0 0 14000 14000]")
    drawn = opened(render_page(source(poster), 1, 300))
    assert drawn.width * drawn.height < 13_000_000


def test_a_picture_is_drawn_too_turned_upright_and_on_white(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    given = Image.new("RGBA", (400, 200))
    exif = Image.Exif()
    exif[0x0112] = 6  # lies on its side
    given.save(path, exif=exif)
    drawn = opened(render_page(source(path), 1, 96))
    assert drawn.size == (200, 400)
    assert drawn.convert("L").getpixel((5, 5)) == 255


def test_a_page_that_is_not_there_and_a_document_without_pages_are_told(tmp_path: Path) -> None:
    path = coloured(tmp_path / "a.pdf")
    for page in (0, 3):
        with pytest.raises(Misuse, match=f"no page {page}") as caught:
            render_page(source(path), page, 72)
        assert "It has 2" in caught.value.hint
    text = tmp_path / "a.txt"
    text.write_text("No pages here.")
    with pytest.raises(Misuse, match="no pages that can be drawn"):
        render_page(source(text), 1, 72)
    with pytest.raises(Unreadable, match="no file"):
        render_page(source(tmp_path / "gone.pdf"), 1, 72)


def test_the_process_that_reads_draws_too_and_goes_on_reading(tmp_path: Path) -> None:
    path = pdfs.simple(tmp_path / "a.pdf")
    with IsolatedProcess(ReadingSettings()) as reader:
        before = reader.read(source(path)).text
        assert opened(reader.picture(source(path), 1, 72)).size == (596, 842)
        assert reader.read(source(path)).text == before
        with pytest.raises(Unreadable, match="no page 9"):
            reader.picture(source(path), 9, 72)


@pytest.mark.parametrize(("deed", "said"), [("os.abort()", "crashed"), ("time.sleep(600)", "took too long")])
def test_a_page_that_brings_drawing_down_costs_that_picture_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deed: str, said: str
) -> None:
    mischief = f"""
import os, time
import pincite.reading.page_picture as picture
real = picture._render_pdf
def _render_pdf(source, page, dpi):
    if page == 2: {deed}
    return real(source, page, dpi)
picture._render_pdf = _render_pdf
"""
    (tmp_path / "sitecustomize.py").write_text(mischief)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    path = coloured(tmp_path / "a.pdf")
    with IsolatedProcess(ReadingSettings()) as reader:
        assert reader.picture(source(path), 1, 72)
        reader._limits = ReadingSettings(page_seconds=2)
        with pytest.raises(Unreadable, match=f"Drawing page 2 {said}"):
            reader.picture(source(path), 2, 72)
        reader._limits = ReadingSettings()
        assert reader.picture(source(path), 1, 72)
