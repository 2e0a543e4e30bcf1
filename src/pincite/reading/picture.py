"""A page as a picture: what a person sees when the file is opened, for drawing boxes over."""

import io
import math
from typing import TYPE_CHECKING

from pincite.errors import Misuse, Unreadable
from pincite.reading.sniff import sniff
from pincite.reading.source import Source

if TYPE_CHECKING:
    from PIL.Image import Image

_MOST_PIXELS = 12_000_000  # a poster is shown at fewer dots per inch


def picture(source: Source, page: int, dpi: float) -> bytes:
    """A page of a PDF, a picture or a scan as PNG, upright, at so many dots per inch or as many as are sensible."""
    if not source.path.is_file():
        raise Unreadable(f"There is no file {source.name}.", "Check the path, and that the file was not moved.")
    kind = sniff(source.path, source.name)
    if kind == "pdf":
        drawn = _pdf(source, page, dpi)
    elif kind == "image":
        drawn = _image(source, page, dpi)
    else:
        raise Misuse(f"{source.name} has no pages that can be drawn.", "PDFs and pictures have.")
    out = io.BytesIO()
    drawn.convert("RGB").save(out, "PNG", optimize=False, compress_level=6)
    return out.getvalue()


def _pdf(source: Source, page: int, dpi: float) -> "Image":
    import pypdfium2 as pdfium

    from pincite.reading.pdf import open_pdf

    file = open_pdf(source)
    try:
        _check(source, page, len(file))
        try:
            shown = file[page - 1]
            width, height = shown.get_size()
            bitmap = shown.render(scale=_scale(width, height, dpi / 72))
        except pdfium.PdfiumError as error:
            raise Unreadable(f"Page {page} of {source.name} cannot be drawn.", "Open it in a PDF viewer.") from error
        found: Image = bitmap.to_pil().copy()
        return found
    finally:
        file.close()


def _image(source: Source, page: int, dpi: float) -> "Image":
    from PIL import Image

    from pincite.reading.image import frame, opened

    with opened(source) as file:
        _check(source, page, getattr(file, "n_frames", 1) if file.format == "TIFF" else 1)
        shown, own_dpi = frame(file, page, source)
        ratio = min(1.0, _scale(shown.width, shown.height, dpi / own_dpi))
        size = max(1, round(shown.width * ratio)), max(1, round(shown.height * ratio))
        return shown.convert("RGB").resize(size, Image.Resampling.LANCZOS)


def _check(source: Source, page: int, pages: int) -> None:
    if not 1 <= page <= pages:
        raise Misuse(f"{source.name} has no page {page}.", f"It has {pages}, counted from 1.")


def _scale(width: float, height: float, wanted: float) -> float:
    return min(wanted, math.sqrt(_MOST_PIXELS / max(width * height, 1)))
