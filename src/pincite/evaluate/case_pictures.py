"""Draw failed cases as pictures: the gold words in green, the highlighted ones in magenta."""

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import Unreadable
from pincite.evaluate.geometry import GoldPages, Rect
from pincite.evaluate.locate_cases import LocateCase, find_pdf_file
from pincite.isolation.child_process import IsolatedProcess
from pincite.reading.source import Source
from pincite.types import PageBoxes

if TYPE_CHECKING:
    from PIL.Image import Image

_DPI = 110
_GOLD = (0, 150, 60)
_FOUND = (210, 0, 140)
_MOST_PAGES = 4


def draw_case(
    pictures: Path, case: LocateCase, found: Sequence[PageBoxes], gold: GoldPages, reader: IsolatedProcess, folder: Path
) -> Path | None:
    """Write a PNG with the pages of a case side by side, gold and found words marked.

    Return None if no page can be drawn.
    """
    lit = {page.page: page for page in found}
    meant: dict[int, list[Rect]] = {}
    for words in case.gold[0] if case.gold else ():
        meant.setdefault(words[0], []).extend(gold.rects(words))
    path = find_pdf_file(folder, case)
    drawn = []
    for number in sorted({*meant, *lit})[:_MOST_PAGES]:
        try:
            png = reader.picture(Source(path, path.name), number, _DPI)
        except Unreadable:
            continue
        rects = lit[number].rects if number in lit else ()
        drawn.append(_draw_layers(png, [(meant.get(number, ()), _GOLD, 0.0), (rects, _FOUND, 1.5)]))
    if not drawn:
        return None
    pictures.mkdir(parents=True, exist_ok=True)
    target = pictures / re.sub(r"[^\w.-]+", "-", f"{case.id}-{case.kind}-{case.change}.png")
    _join_pages(drawn).save(target)
    return target


def _draw_layers(png: bytes, layers: Sequence[tuple[Sequence[Rect], tuple[int, int, int], float]]) -> "Image":
    """Draw the rectangles of each layer over a page; an offset keeps both layers visible."""
    from PIL import Image, ImageDraw

    page = Image.open(io.BytesIO(png)).convert("RGBA")
    tint = Image.new("RGBA", page.size)
    pen = ImageDraw.Draw(tint)
    for rects, colour, off in layers:
        for x0, y0, x1, y1 in rects:
            corners = [value * _DPI / 72 for value in (x0 - off, y0 - off, x1 + off, y1 + off)]
            pen.rectangle(corners, fill=(*colour, 40), outline=(*colour, 255), width=2)
    return Image.alpha_composite(page, tint).convert("RGB")


def _join_pages(pages: "Sequence[Image]") -> "Image":
    from PIL import Image

    joined = Image.new("RGB", (sum(page.width for page in pages), max(page.height for page in pages)), "white")
    x = 0
    for page in pages:
        joined.paste(page, (x, 0))
        x += page.width
    return joined
