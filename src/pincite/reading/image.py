"""Read pictures and scans: a page per frame, its text recognised, with a box for every character."""

from dataclasses import replace

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from pincite.errors import TooLarge, Unreadable
from pincite.reading import ocr
from pincite.reading.line_end_hyphens import resolve_hyphens
from pincite.reading.packed_boxes import pack_boxes
from pincite.reading.source import Source
from pincite.types import Block, Document, Page

MAX_PIXELS = 100_000_000
MAX_FRAMES = 2000
A4_WIDTH = 595.0
WIDEST = 1000.0  # points; a picture without a reliable resolution is no wider


def read(source: Source) -> Document:
    """Read a picture; without OCR it has pages, no text, and a problem that says so."""
    text, pages, blocks, problems = "", list[Page](), list[Block](), list[str]()
    recognised = ocr.is_available(source.ocr)
    if not recognised and source.ocr:
        problems.append(f"This image has no text that can be read here: {ocr.MISSING}.")
    elif not source.ocr:
        problems.append("This image has no text that can be read: OCR is switched off in the settings.")
    with open_picture(source) as picture:
        # Only TIFF frames are pages; those of a GIF or WebP are an animation.
        count = min(getattr(picture, "n_frames", 1), MAX_FRAMES) if picture.format == "TIFF" else 1
        for number in range(1, count + 1):
            source.progress(number, count)
            try:
                page, found = _read_page(picture, number, source, recognised=recognised and number not in source.skip)
            except (OSError, ValueError, SyntaxError, EOFError, Unreadable) as error:
                if count == 1 or isinstance(error, TooLarge):
                    raise
                problems.append(f"Page {number} cannot be read: {error}")
                page, found = Page(number, 0, 0), ocr.make_ocr_text([])
            if number in source.skip:
                problems.append(f"Page {number} was skipped: reading it took too long or failed before.")
            start = len(text)
            text += found.text + ("\n\n" if found.text and number < count else "")
            pages.append(replace(page, start=start, end=len(text), boxes=_pack_page_boxes(found, len(text) - start)))
            blocks += [Block(each.kind, start + each.start, start + each.end) for each in found.blocks]
    if recognised and not text:
        problems.append("No text was found in this image.")
    text = resolve_hyphens(text, {page.start for page in pages})
    return Document("image", text, pages=tuple(pages), blocks=tuple(blocks), problems=tuple(problems))


def open_picture(source: Source) -> Image.Image:
    """Open the file with Pillow; its frames are not decoded yet."""
    try:
        picture = Image.open(source.path)
    except Image.DecompressionBombError as error:
        raise _make_size_error(source.name) from error
    except UnidentifiedImageError as error:
        raise Unreadable(f"{source.name} is a damaged picture.", "Save it again as PNG or JPEG.") from error
    return picture


def _read_page(picture: Image.Image, number: int, source: Source, *, recognised: bool) -> tuple[Page, ocr.OcrText]:
    """Read one frame as a page, and recognise its text."""
    shown, dpi = read_frame(picture, number, source)
    scale = 72 / dpi
    words = ocr.recognise_words(shown, source.ocr, dpi) if recognised else []
    return Page(number, 0, 0, shown.width * scale, shown.height * scale), ocr.make_ocr_text(words, scale)


def read_frame(picture: Image.Image, number: int, source: Source) -> tuple[Image.Image, float]:
    """Return one frame upright on white, and its dots per inch."""
    if picture.format == "TIFF":
        picture.seek(number - 1)
    if picture.width * picture.height > MAX_PIXELS:
        raise _make_size_error(source.name)
    given = picture.info.get("dpi")
    shown = ImageOps.exif_transpose(picture)
    if shown.mode in ("RGBA", "LA", "PA") or "transparency" in shown.info:
        clear = shown.convert("RGBA")
        shown = Image.alpha_composite(Image.new("RGBA", clear.size, "white"), clear).convert("RGB")
    return shown, _choose_resolution(given, shown.width)


def _choose_resolution(given: object, width: int) -> float:
    """Return the dots per inch: the file's own if a scanner may have set it, else a value that gives a fair size."""
    own = float(round(given[0])) if isinstance(given, tuple) and given else 0.0
    if 100 <= own <= 2400:
        return own
    return 96.0 if width * 72 / 96 <= WIDEST else width * 72 / A4_WIDTH


def _pack_page_boxes(found: ocr.OcrText, length: int) -> bytes:
    """Pack the boxes of a page's whole text; the gap after it has none."""
    gap = np.full((length - len(found.boxes), 4), np.nan, dtype=np.float32)
    return pack_boxes(np.concatenate([found.boxes, gap]))


def _make_size_error(name: str) -> TooLarge:
    return TooLarge(f"{name} has over {MAX_PIXELS // 1_000_000} million pixels.", "Save it at a lower resolution.")
