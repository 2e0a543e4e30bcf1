"""Where words stand on a drawn page and where light lies on it, in pixels of the window, both as the browser has them.

The words' places are those of pdf.js's text layer. It draws each run in a font of its own choice, stretched to the
run's width: the ends of a run are exact, what lies between is not. So the tests quote whole runs, and compare the ends
of each line. Across the line, the layer's box is as high as its font, the server's as high as its letters may be: a
tenth of a line lies between them, and half a pixel in Firefox, which rounds the height of a font.
"""

import time
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from tests.clock import PATIENCE

NEAR = 2.0
_ROUNDED = 0.5


@dataclass(frozen=True)
class Rect:
    left: float
    top: float
    right: float
    bottom: float


_WORDS = """
([page, quote]) => {
  const sheet = document.querySelector(`[data-page="${page}"]`);
  if (!sheet) return [];
  const walker = document.createTreeWalker(sheet, NodeFilter.SHOW_TEXT);
  const letters = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (let at = 0; at < node.data.length; at++)
      if (/\\S/.test(node.data[at])) letters.push({ node, at });
  const wanted = quote.replace(/\\s+/g, "");
  const start = letters.map(({ node, at }) => node.data[at]).join("").indexOf(wanted);
  if (start < 0) return [];
  const lines = new Map();
  for (const { node, at } of letters.slice(start, start + wanted.length)) {
    const [first] = lines.get(node) ?? [at];
    lines.set(node, [first, at + 1]);
  }
  return [...lines].map(([node, [first, end]]) => {
    const range = document.createRange();
    range.setStart(node, first);
    range.setEnd(node, end);
    const { left, top, right, bottom } = range.getBoundingClientRect();
    return { left, top, right, bottom };
  });
}
"""
_LIT = """
([page, which]) => [...document.querySelectorAll(`[data-page="${page}"] [data-tone]${which}`)]
  .map((mark) => mark.getBoundingClientRect())
  .map(({ left, top, right, bottom }) => ({ left, top, right, bottom }))
"""


def words(page: Page, number: int, quote: str) -> list[Rect]:
    """A rectangle for each line of these words on a page, as the text layer has them; none while it is not there."""
    return _rects(page.evaluate(_WORDS, [number, quote]))


def lit(page: Page, number: int, which: str) -> list[Rect]:
    """The rectangles that are lit on a page, of those that this selects."""
    return _rects(page.evaluate(_LIT, [number, which]))


def assert_lit(page: Page, *quotes: tuple[int, str], which: str = "[data-chosen]") -> list[Rect]:
    """The chosen light lies on these words of these pages, soon and to the pixel, and nowhere else; where they are."""
    end = time.monotonic() + PATIENCE
    while True:
        pairs = [(lit(page, number, which), words(page, number, quote)) for number, quote in quotes]
        if all(lies_on(light, lines) for light, lines in pairs):
            return [line for _, lines in pairs for line in lines]
        assert time.monotonic() < end, f"Light and words: {pairs}"
        page.wait_for_timeout(50)


def lies_on(light: list[Rect], lines: list[Rect]) -> bool:
    """Whether every line has its rectangle, ends on ends, and no rectangle is without a line."""
    return bool(lines) and len(light) == len(lines) and all(any(_covers(r, line) for r in light) for line in lines)


def _covers(rect: Rect, line: Rect) -> bool:
    across = max(NEAR, min(line.right - line.left, line.bottom - line.top) / 10) + _ROUNDED
    wide, high = (NEAR, across) if line.right - line.left >= line.bottom - line.top else (across, NEAR)
    return (
        max(abs(rect.left - line.left), abs(rect.right - line.right)) <= wide
        and max(abs(rect.top - line.top), abs(rect.bottom - line.bottom)) <= high
    )


def _rects(found: list[dict[str, Any]]) -> list[Rect]:
    return [Rect(**each) for each in found]
