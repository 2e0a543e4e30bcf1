"""Barriers for people with disabilities on a page, as axe finds them."""

from functools import cache
from pathlib import Path

from playwright.sync_api import Page

_AXE = Path(__file__).parents[2] / "ui" / "node_modules" / "axe-core" / "axe.min.js"
# Another theme changes colours alone.
COLOURS = ("color-contrast", "link-in-text-block")
# Colours have changed once the next frames are drawn.
SETTLED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
_SERIOUS = """async (rules) => {
  const options = { resultTypes: ["violations"], preload: false, ...(rules && { runOnly: rules }) };
  const { violations } = await axe.run(document, options);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}"""


def serious(page: Page) -> list[str]:
    """Return the serious barriers on a page with light colours, and what dark colours add to them."""
    load_axe(page)
    light: list[str] = page.evaluate(_SERIOUS, None)
    page.emulate_media(color_scheme="dark")
    page.evaluate(SETTLED)
    dark: list[str] = page.evaluate(_SERIOUS, COLOURS)
    page.emulate_media(color_scheme="light")
    page.evaluate(SETTLED)
    return [*light, *(f"dark: {each}" for each in dark)]


def load_axe(page: Page) -> None:
    """Load axe into a page that does not have it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_read_axe())


@cache
def _read_axe() -> str:
    return _AXE.read_text(encoding="utf-8")
