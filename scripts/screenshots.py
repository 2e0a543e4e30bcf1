"""Take screenshots of every view, light and dark, in English and French, with the samples and a local test web.

They are written to docs/screenshots.

make screenshots
"""

import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect
from tests import sites
from tests.browser.chrome import chromium
from tests.program import run, serving

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "screenshots"
WIDE: ViewportSize = {"width": 1360, "height": 850}
PHONE: ViewportSize = {"width": 390, "height": 844}
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
QUESTIONS = {"en": "Why did operating profit fall?", "fr": "Quelle est la durée du bail ?"}
PARTS = {
    "en": "What does the report say about net sales and what does the press say about the bicycle market?",
    "fr": "Que dit le bail sur le préavis et que dit la loi ?",
}
PROJECT = {
    "en": "How is the price of an order computed?",
    "fr": "Où est calculé le prix d'une commande (order price) ?",
}
PROJECT_FILES = {
    "README.md": "# Shop\n\nOrders, prices and stock of a small shop.\n",
    "shop/orders.py": '''"""Orders and their prices."""

from dataclasses import dataclass

from shop.stock import take_from_stock

DISCOUNT_FROM = 100.0


@dataclass(frozen=True)
class Order:
    """The articles of one customer."""

    customer: str
    prices: tuple[float, ...]


def compute_price(order: Order) -> float:
    """Return the price of an order, with a discount of ten percent from 100 euros."""
    total = sum(order.prices)
    return total * 0.9 if total >= DISCOUNT_FROM else total


def send_order(order: Order) -> None:
    """Take the articles of an order from the stock."""
    take_from_stock(len(order.prices))
''',
    "shop/stock.py": '"""The stock."""\n\n\ndef take_from_stock(count: int) -> None:\n    """Take articles."""\n',
}
RESEARCH = {"en": "Research", "fr": "Recherche"}
REPORTS = {"en": "What is known about the dam and the lake at Corvel?", "fr": "Que faut-il savoir du bail commercial ?"}
PAGES = {
    "/market": (
        "The bicycle market in 2023",
        "The bicycle market shrank by 9 percent in 2023, says the association of makers, after three record years.",
        "Net sales of electric bicycles held up best, while shops still sold what they had ordered in 2022.",
    ),
    "/lake": (
        "The lake at Corvel, for walkers",
        "A path of eleven kilometres leads around the lake at Corvel, and over the dam.",
        "The dam at Corvel is 44 metres high, and open to walkers from April to October.",
    ),
    "/preavis": (
        "Le préavis du bail commercial",
        "La loi fixe à six mois le préavis du locataire d'un bail commercial, à la fin de chaque période de trois ans.",
        "Le préavis est donné par lettre recommandée ou par acte extrajudiciaire, sinon le congé est nul.",
    ),
}


def empty(page: Page, language: str) -> None:
    page.goto("/")
    expect(page.locator("#ask")).to_be_visible()


def conversation(page: Page, language: str) -> None:
    empty(page, language)
    page.locator("#ask").fill(QUESTIONS[language])
    page.keyboard.press("Enter")
    page.wait_for_url("**/c/*")
    lit(page)


def lit(page: Page) -> None:
    """Wait until the source is shown with its text and highlights."""
    expect(page.locator("[data-scroller] [data-mark]").first).to_be_visible(timeout=30_000)
    if page.locator("[data-page]").count():
        expect(page.locator("[data-page] span", has_text=".").first).to_be_attached()
        page.wait_for_timeout(1500)  # the image of a page appears after its text


def parts(page: Page, language: str) -> None:
    """Show a question in parts, answered from a document and the web."""
    empty(page, language)
    page.locator("#ask").fill(PARTS[language])
    page.keyboard.press("Enter")
    page.locator(".actions").wait_for(timeout=60_000)
    page.locator("[data-answer] .chip").last.click()
    lit(page)
    page.locator(".fold-button").first.click()


def report(page: Page, language: str) -> None:
    """Show a report with its table of contents."""
    empty(page, language)
    page.locator("[aria-haspopup=menu]").first.click()
    page.get_by_role("menuitemradio", name=re.compile(f"^{RESEARCH[language]}")).click()
    page.locator("#ask").fill(REPORTS[language])
    page.keyboard.press("Enter")
    page.locator(".actions").wait_for(timeout=60_000)


def project(page: Page, language: str) -> None:
    """Show an answer about the files of a project."""
    empty(page, language)
    page.locator(".composer [aria-haspopup]").nth(1).click()
    page.get_by_label("shop", exact=True).check()
    page.keyboard.press("Escape")
    page.locator("#ask").fill(PROJECT[language])
    page.keyboard.press("Enter")
    page.locator(".actions").wait_for(timeout=60_000)
    page.locator("[data-answer] .chip").first.click()
    lit(page)


def library(page: Page, language: str) -> None:
    page.goto("/library")
    expect(page.get_by_text("Corvel Cycles").first).to_be_visible()


def conversations(page: Page, language: str) -> None:
    page.goto("/conversations")
    expect(page.locator("[data-conversation]").first).to_be_visible()


def settings(page: Page, language: str) -> None:
    page.goto("/settings")
    expect(page.locator("main select, main input").first).to_be_visible()


ROOMS: dict[str, Callable[[Page, str], None]] = {
    "empty": empty,
    "conversation": conversation,
    "parts": parts,
    "report": report,
    "project": project,
    "library": library,
    "conversations": conversations,
    "settings": settings,
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    wanted = sys.argv[1:] or list(ROOMS)
    with tempfile.TemporaryDirectory() as data, chromium() as browser:
        run("add", "--sample", data=Path(data))
        shop = make_project(Path(data) / "shop")
        with (
            web() as settings,
            serving(Path(data), 0, PROJECTS__FOLDERS=json.dumps([str(shop)]), **settings) as address,
        ):
            for language in ("en", "fr"):
                for theme in THEMES:
                    for room in wanted:
                        with opened(browser, address, language, theme) as page:
                            ROOMS[room](page, language)
                            keep(page, f"{room}-{language}-{theme}")
            if "conversation" in wanted:
                with opened(browser, address, "en", "light", PHONE) as page:
                    conversation_on_a_phone(page)
                    keep(page, "phone-en-light")


def make_project(folder: Path) -> Path:
    for path, text in PROJECT_FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


@contextmanager
def web() -> Iterator[dict[str, str]]:
    """Yield settings for a small test web and a search engine that finds all its pages."""
    with sites.serving() as site:
        for path, (title, *said) in PAGES.items():
            body = "".join(f"<p>{words}</p>" for words in said)
            site.pages[path] = sites.html(f"<title>{title}</title><article><h1>{title}</h1>{body}</article>")
        found = [{"url": site.url(path), "title": title, "content": said} for path, (title, said, *_) in PAGES.items()]
        site.pages["/search"] = sites.searxng(*found)
        yield {"WEB__SEARCH_URL": site.url(""), "WEB__ALLOW": json.dumps([site.host]), "WEB__PAUSE_SECONDS": "0"}


def conversation_on_a_phone(page: Page) -> None:
    page.goto("/conversations")
    page.locator("[data-conversation] a", has_text=QUESTIONS["en"]).first.click()
    page.locator("[data-answer] [data-form=verified][data-mark]").first.click()
    lit(page)


@contextmanager
def opened(browser: Browser, address: str, language: str, theme: Theme, size: ViewportSize = WIDE) -> Iterator[Page]:
    context = browser.new_context(
        base_url=address,
        viewport=size,
        locale={"en": "en-GB", "fr": "fr-FR"}[language],
        color_scheme=theme,
        reduced_motion="reduce",
    )
    yield context.new_page()
    context.close()


def keep(page: Page, name: str) -> None:
    """Save a screenshot with 256 colours: a quarter of the size without visible difference."""
    page.wait_for_timeout(700)  # wait for animations to end
    picture = Image.open(BytesIO(page.screenshot()))
    picture.convert("RGB").quantize(256).save(FOLDER / f"{name}.png", optimize=True)
    sys.stdout.write(f"docs/screenshots/{name}.png\n")


if __name__ == "__main__":
    main()
