"""Pictures and scans: a page a frame, its text recognised, with a box for every character."""

from dataclasses import replace

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from pincite.errors import TooLarge, Unreadable
from pincite.reading import ocr
from pincite.reading.boxes import pack
from pincite.reading.source import Source
from pincite.types import Block, Document, Page

MAX_PIXELS = 100_000_000
MAX_FRAMES = 2000
A4_WIDTH = 595.0
WIDEST = 1000.0  # points; a picture without a trusted resolution is shown no wider


def read(source: Source) -> Document:
    """A picture's document; without OCR it has pages and no text, and says so."""
    text, pages, blocks, problems = "", list[Page](), list[Block](), list[str]()
    recognised = ocr.available(source.ocr)
    if not recognised and source.ocr:
        problems.append(f"This image has no text that can be read here: {ocr.MISSING}.")
    elif not source.ocr:
        problems.append("This image has no text that can be read: OCR is switched off in the settings.")
    with opened(source) as picture:
        # Only TIFF frames are pages; those of a GIF or WebP are a film.
        count = min(getattr(picture, "n_frames", 1), MAX_FRAMES) if picture.format == "TIFF" else 1
        for number in range(1, count + 1):
            source.progress(number, count)
            try:
                page, found = _page(picture, number, source, recognised=recognised and number not in source.skip)
            except (OSError, ValueError, SyntaxError, EOFError, Unreadable) as error:
                if count == 1 or isinstance(error, TooLarge):
                    raise
                problems.append(f"Page {number} cannot be read: {error}")
                page, found = Page(number, 0, 0), ocr.transcript([])
            if number in source.skip:
                problems.append(f"Page {number} was skipped: reading it took too long or failed before.")
            start = len(text)
            text += found.text + ("\n\n" if found.text and number < count else "")
            pages.append(replace(page, start=start, end=len(text), boxes=_packed(found, len(text) - start)))
            blocks += [Block(each.kind, start + each.start, start + each.end) for each in found.blocks]
    if recognised and not text:
        problems.append("No text was found in this image.")
    return Document("image", text, pages=tuple(pages), blocks=tuple(blocks), problems=tuple(problems))


def opened(source: Source) -> Image.Image:
    """The file as Pillow has it, its frames not yet decoded."""
    try:
        picture = Image.open(source.path)
    except Image.DecompressionBombError as error:
        raise _too_large(source.name) from error
    except UnidentifiedImageError as error:
        raise Unreadable(f"{source.name} is a damaged picture.", "Save it again as PNG or JPEG.") from error
    return picture


def _page(picture: Image.Image, number: int, source: Source, *, recognised: bool) -> tuple[Page, ocr.Transcript]:
    """One frame as a page, and what is written on it."""
    shown, dpi = frame(picture, number, source)
    scale = 72 / dpi
    words = ocr.words(shown, source.ocr, dpi) if recognised else []
    return Page(number, 0, 0, shown.width * scale, shown.height * scale), ocr.transcript(words, scale)


def frame(picture: Image.Image, number: int, source: Source) -> tuple[Image.Image, float]:
    """One frame upright on white, and its dots per inch."""
    if picture.format == "TIFF":
        picture.seek(number - 1)
    if picture.width * picture.height > MAX_PIXELS:
        raise _too_large(source.name)
    given = picture.info.get("dpi")
    shown = ImageOps.exif_transpose(picture)
    if shown.mode in ("RGBA", "LA", "PA") or "transparency" in shown.info:
        clear = shown.convert("RGBA")
        shown = Image.alpha_composite(Image.new("RGBA", clear.size, "white"), clear).convert("RGB")
    return shown, _resolution(given, shown.width)


def _resolution(given: object, width: int) -> float:
    """Dots per inch: the file's own when a scanner may have set it, else what shows the picture at a fair size."""
    own = float(round(given[0])) if isinstance(given, tuple) and given else 0.0
    if 100 <= own <= 2400:
        return own
    return 96.0 if width * 72 / 96 <= WIDEST else width * 72 / A4_WIDTH


def _packed(found: ocr.Transcript, length: int) -> bytes:
    """The boxes of a page's whole slice of text; the gap after it has none."""
    gap = np.full((length - len(found.boxes), 4), np.nan, dtype=np.float32)
    return pack(np.concatenate([found.boxes, gap]))


def _too_large(name: str) -> TooLarge:
    return TooLarge(f"{name} has over {MAX_PIXELS // 1_000_000} million pixels.", "Save it at a lower resolution.")
