"""Failed cases as pictures: the words that were meant in green, what was lit in magenta."""

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import Unreadable
from pincite.evaluate.cases import Case, pdf
from pincite.evaluate.geometry import GoldPages, Rect
from pincite.isolation.process import Isolated
from pincite.reading.source import Source
from pincite.types import PageBoxes

if TYPE_CHECKING:
    from PIL.Image import Image

_DPI = 110
_GOLD = (0, 150, 60)
_FOUND = (210, 0, 140)
_MOST_PAGES = 4


def draw(
    pictures: Path, case: Case, found: Sequence[PageBoxes], gold: GoldPages, reader: Isolated, folder: Path
) -> Path | None:
    """A PNG with the pages a case is about side by side, gold and found words drawn over them; None if none can be."""
    lit = {page.page: page for page in found}
    meant: dict[int, list[Rect]] = {}
    for words in case.gold[0] if case.gold else ():
        meant.setdefault(words[0], []).extend(gold.rects(words))
    path = pdf(folder, case)
    drawn = []
    for number in sorted({*meant, *lit})[:_MOST_PAGES]:
        try:
            png = reader.picture(Source(path, path.name), number, _DPI)
        except Unreadable:
            continue
        rects = lit[number].rects if number in lit else ()
        drawn.append(_over(png, [(meant.get(number, ()), _GOLD, 0.0), (rects, _FOUND, 1.5)]))
    if not drawn:
        return None
    pictures.mkdir(parents=True, exist_ok=True)
    target = pictures / re.sub(r"[^\w.-]+", "-", f"{case.id}-{case.kind}-{case.change}.png")
    _side_by_side(drawn).save(target)
    return target


def _over(png: bytes, layers: Sequence[tuple[Sequence[Rect], tuple[int, int, int], float]]) -> "Image":
    """A page with each layer's rectangles tinted and outlined; a layer may stand off so that both are seen."""
    from PIL import Image, ImageDraw

    page = Image.open(io.BytesIO(png)).convert("RGBA")
    tint = Image.new("RGBA", page.size)
    pen = ImageDraw.Draw(tint)
    for rects, colour, off in layers:
        for x0, y0, x1, y1 in rects:
            corners = [value * _DPI / 72 for value in (x0 - off, y0 - off, x1 + off, y1 + off)]
            pen.rectangle(corners, fill=(*colour, 40), outline=(*colour, 255), width=2)
    return Image.alpha_composite(page, tint).convert("RGB")


def _side_by_side(pages: "Sequence[Image]") -> "Image":
    from PIL import Image

    joined = Image.new("RGB", (sum(page.width for page in pages), max(page.height for page in pages)), "white")
    x = 0
    for page in pages:
        joined.paste(page, (x, 0))
        x += page.width
    return joined
