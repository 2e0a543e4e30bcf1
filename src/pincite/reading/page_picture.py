"""Render a page as a picture, for drawing boxes over it."""

import io
import math
from typing import TYPE_CHECKING

from pincite.errors import Misuse, Unreadable
from pincite.reading.sniff import sniff
from pincite.reading.source import Source

if TYPE_CHECKING:
    from PIL.Image import Image

_MOST_PIXELS = 12_000_000  # a poster is rendered at a lower resolution


def render_page(source: Source, page: int, dpi: float) -> bytes:
    """Render a page of a PDF, a picture or a scan as PNG, upright, at the given dots per inch or fewer."""
    if not source.path.is_file():
        raise Unreadable(f"There is no file {source.name}.", "Check the path, and that the file was not moved.")
    kind = sniff(source.path, source.name)
    if kind == "pdf":
        drawn = _render_pdf(source, page, dpi)
    elif kind == "image":
        drawn = _render_image(source, page, dpi)
    else:
        raise Misuse(f"{source.name} has no pages that can be drawn.", "Only PDFs and pictures have pages to draw.")
    out = io.BytesIO()
    drawn.convert("RGB").save(out, "PNG", optimize=False, compress_level=6)
    return out.getvalue()


def _render_pdf(source: Source, page: int, dpi: float) -> "Image":
    import pypdfium2 as pdfium

    from pincite.reading.pdf import open_pdf

    file = open_pdf(source)
    try:
        _check_page(source, page, len(file))
        try:
            shown = file[page - 1]
            width, height = shown.get_size()
            bitmap = shown.render(scale=_limit_scale(width, height, dpi / 72))
        except pdfium.PdfiumError as error:
            raise Unreadable(f"Page {page} of {source.name} cannot be drawn.", "Open it in a PDF viewer.") from error
        found: Image = bitmap.to_pil().copy()
        return found
    finally:
        file.close()


def _render_image(source: Source, page: int, dpi: float) -> "Image":
    from PIL import Image

    from pincite.reading.image import open_picture, read_frame

    with open_picture(source) as file:
        _check_page(source, page, getattr(file, "n_frames", 1) if file.format == "TIFF" else 1)
        shown, own_dpi = read_frame(file, page, source)
        ratio = min(1.0, _limit_scale(shown.width, shown.height, dpi / own_dpi))
        size = max(1, round(shown.width * ratio)), max(1, round(shown.height * ratio))
        return shown.convert("RGB").resize(size, Image.Resampling.LANCZOS)


def _check_page(source: Source, page: int, pages: int) -> None:
    if not 1 <= page <= pages:
        raise Misuse(f"{source.name} has no page {page}.", f"It has {pages}, counted from 1.")


def _limit_scale(width: float, height: float, wanted: float) -> float:
    return min(wanted, math.sqrt(_MOST_PIXELS / max(width * height, 1)))
