"""Take screenshots of every view, light and dark, in English and French, with the samples and a local test web.

They are written to docs/screenshots.

make screenshots
PYTHONPATH=. .venv/bin/python scripts/screenshots.py library notebook fr-dark   (these views, in this form)
"""

import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Literal

import httpx2
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect
from tests import sites
from tests.browser.chrome import chromium
from tests.browser.running import Server
from tests.browser.staging import Script, Telling, cite, evidence_of, staged
from tests.browser.words import say
from tests.llm.speaking_server import run_model_server
from tests.program import run, serving

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "src" / "pincite" / "library" / "samples"
FOLDER = ROOT / "docs" / "screenshots"
WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
LANGUAGES = ("en", "fr")
NOWHERE = "http://127.0.0.1:9/v1"
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
RESEARCH = {"en": "Report", "fr": "Rapport"}
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
    page.locator(".talk").evaluate("(view) => { view.scrollTop = 0; }")


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
    expect(page.locator("main .spinner")).to_have_count(0, timeout=30_000)


@dataclass(frozen=True)
class Stage:
    """A server whose answers are told here, and the document that they cite."""

    server: Server
    script: Script
    document: str

    def post(self, path: str, body: object) -> None:
        httpx2.post(self.server.address + path, json=body).raise_for_status()


# A question, and the sentences of its answer with the words of the source that each cites.
TOLD = {
    "en": "How did 2023 go for Corvel Cycles?",
    "fr": "Comment s’est passée l’année 2023 pour Corvel Cycles ?",
}
SOLD = "Corvel Cycles sold 12,400 bicycles in 2023, 8 % more than in 2022."
FELL = "Operating profit fell to 1.9 million euros, because the price of aluminium rose by 17 %"
CHAIR = "Claire Martin was elected chair on\n12 May 2023"
STAFF = "At the end of the year the company had 148 employees, of whom 41 worked part-time."
SENTENCES = {
    "en": (
        SOLD,
        "Operating profit fell to 1.9 million euros, mostly because of the price of aluminium.",
        "Claire Martin was elected chair on 12 March 2023.",
        "The company has 148 employees, of whom 41 worked part-time.",
        "The bicycle market shrank in the same year.",
    ),
    "fr": (
        "Corvel Cycles a vendu 12 400 vélos en 2023, 8 % de plus qu’en 2022.",
        "Le résultat d’exploitation a baissé à 1,9 million d’euros, surtout à cause du prix de l’aluminium.",
        "Claire Martin a été élue présidente le 12 mars 2023.",
        "L’entreprise compte 148 salariés, dont 41 à temps partiel.",
        "La même année, le marché du vélo s’est contracté.",
    ),
}
DOUBTED = {"en": "mostly", "fr": "surtout"}
COMMENTS = {"en": "Compare with the offer of 2025.", "fr": "À comparer avec l’offre de 2025."}
WORDS = {"en": "board", "fr": "loyer"}


def tell_answer(page: Page, language: str, stage: Stage) -> None:
    """Ask once, and have an answer told that has every verdict."""
    asked = stage.server.get("/api/conversations")["conversations"]
    known = [each["id"] for each in asked if each["title"] == TOLD[language]]
    page.goto(f"/c/{known[0]}" if known else "/")
    if known:
        page.locator(".actions").wait_for(timeout=60_000)
        lit(page)
        return
    sold, fell, chair, staff = (
        cite(stage.server, stage.document, n, words) for n, words in enumerate((SOLD, FELL, CHAIR, STAFF), 1)
    )
    first, second, third, fourth, fifth = SENTENCES[language]
    telling = Telling(stage.script)
    stage.script.tell(*(evidence_of(each) for each in (sold, fell, chair, staff)))
    page.locator("#ask").fill(TOLD[language])
    page.keyboard.press("Enter")
    telling.say("", first, sold, support="verified", basis="judge")
    telling.say(" ", second, fell, support="partial", unsupported=[DOUBTED[language]])
    telling.say(" ", fourth, staff, support="unchecked")
    telling.say("\n\n", fifth, support="unsupported")
    telling.say("\n\n", third, chair, support="contradicted", source=chair.quote.replace("\n", " "))
    telling.end()
    page.locator(".actions").wait_for(timeout=60_000)
    lit(page)


def start(page: Page, language: str, stage: Stage) -> None:
    """Show the page as it is found first: nothing in it, and a sample on offer."""
    page.goto("/")
    expect(page.locator(".beginning-bare")).to_be_visible()


def models(page: Page, language: str, stage: Stage) -> None:
    """Show how a model is set up: one that was found on the machine, tried."""
    page.goto("/settings")
    page.get_by_role("button", name=say("settings.setup.try", language), exact=True).first.click()
    expect(page.locator(".model-trial li[data-outcome]:not([data-outcome=running])")).to_have_count(3, timeout=60_000)


def doubt(page: Page, language: str, stage: Stage) -> None:
    """Show the sentences that are not verified, one of them contradicted, as the key `d` goes through them."""
    tell_answer(page, language, stage)
    page.locator("#ask").press("Escape")  # outside of the field it would close the source
    page.keyboard.press("Shift+D")  # the last one
    expect(page.get_by_role("tooltip")).to_be_visible()
    lit(page)


def notebook(page: Page, language: str, stage: Stage) -> None:
    """Show a notebook with an answer, a sentence and own words."""
    tell_answer(page, language, stage)
    notebooks = stage.server.get("/api/notebooks")
    known = {each["title"] for each in notebooks}
    title = {"en": "Board meeting", "fr": "Conseil d’administration"}[language]
    if title not in known:
        stage.post("/api/notebooks", {"title": title})
    (own,) = [each for each in stage.server.get("/api/notebooks") if each["title"] == title]
    path = f"/api/notebooks/{own['id']}/items"
    if not own["items"]:
        message = page.locator("[data-answer]").last.get_attribute("data-answer")
        for sentence in (0, 4):
            stage.post(path, {"kind": "sentence", "message": message, "sentence": sentence})
        stage.post(path, {"kind": "text", "text": COMMENTS[language]})
    page.goto(f"/notebooks/{own['id']}")
    expect(page.locator(".kept-item")).to_have_count(3)


def highlights(page: Page, language: str, stage: Stage) -> None:
    """Show highlights with a comment in a document, and the panel that lists them."""
    path = f"/api/documents/{stage.document}/annotations"
    for known in stage.server.get(path):
        httpx2.delete(f"{stage.server.address}/api/annotations/{known['id']}").raise_for_status()
    for words, colour, comment in ((SOLD, "green", ""), (FELL, "yellow", COMMENTS[language])):
        start, end = stage.server.span(stage.document, words)
        stage.post(path, {"start": start, "end": end, "colour": colour, "comment": comment})
    page.goto(f"/d/{stage.document}")
    page.get_by_role("button", name=say("viewer.panel", language)).click()
    page.get_by_role("button", name=say("notes.tab", language), exact=True).click()
    drawn(page)


def selection(page: Page, language: str, stage: Stage) -> None:
    """Show the menu beside words that are selected in a document."""
    page.goto(f"/d/{stage.document}")
    drawn(page)
    line = page.locator(".words-layer > span", has_text="The board proposes a dividend").first
    box = line.bounding_box()
    assert box
    page.mouse.move(box["x"] + 1, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()
    expect(page.get_by_role("toolbar", name=say("selection.menu", language))).to_be_visible()


def card(page: Page, language: str, stage: Stage) -> None:
    """Show the card of a document that arrived: its outline, and questions to ask."""
    page.goto("/")
    given = {"en": SAMPLES / "corvel-cycles-report.pdf", "fr": SAMPLES / "bail-rue-des-tanneurs.md"}[language]
    page.locator("input[type=file]").first.set_input_files(given)
    expect(page.locator(".document-card .card-questions")).to_be_visible(timeout=60_000)
    for known in httpx2.get(f"{page.url}api/documents").json()["documents"]:
        httpx2.delete(f"{page.url}api/documents/{known['id']}").raise_for_status()  # the next one is new again


def search(page: Page, language: str, stage: Stage) -> None:
    """Show the search over everything."""
    conversations(page, language)
    page.keyboard.press("Control+k")
    page.locator(".everything input").fill(WORDS[language])
    expect(page.locator(".everything mark").first).to_be_visible(timeout=30_000)
    expect(page.locator(".everything .spinner")).to_have_count(0)


def workspaces(page: Page, language: str, stage: Stage) -> None:
    """Show the workspaces, and the last conversations."""
    if not stage.server.get("/api/workspaces"):
        for name in ("Corvel Cycles", "14, rue des Tanneurs"):
            stage.post("/api/workspaces", {"name": name, "instructions": "", "libraries": []})
    page.goto("/")
    page.locator(".workspace-button").click()
    expect(page.get_by_role("menu")).to_be_visible()


def keys(page: Page, language: str, stage: Stage) -> None:
    """Show the list of the keys."""
    library(page, language)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name=say("shell.help", language))).to_be_visible()


def phone(page: Page, language: str, stage: Stage) -> None:
    """Show a source on a phone."""
    tell_answer(page, language, stage)
    page.set_viewport_size(PHONE)
    page.reload()
    page.locator("[data-answer] .chip").first.click()
    lit(page)


def drawn(page: Page) -> None:
    """Wait until the first page of a document is drawn."""
    expect(page.locator("[data-page] span", has_text="Corvel").first).to_be_attached(timeout=30_000)
    page.wait_for_timeout(1500)  # the image of a page appears after its text


Room = Callable[[Page, str, Stage], None]


def alone(show: Callable[[Page, str], None]) -> Room:
    """Return a view that needs no answers told."""
    return lambda page, language, stage: show(page, language)


# The views by the server on which they are shown.
ROOMS: dict[str, dict[str, Room]] = {
    "bare": {"start": start, "card": card},
    "models": {"models": models},
    "staged": {
        "doubt": doubt,
        "notebook": notebook,
        "highlights": highlights,
        "selection": selection,
        "phone": phone,
        "workspaces": workspaces,
    },
    "samples": {
        "empty": alone(empty),
        "conversation": alone(conversation),
        "parts": alone(parts),
        "report": alone(report),
        "project": alone(project),
        "library": alone(library),
        "conversations": alone(conversations),
        "settings": alone(settings),
        "search": search,
        "keys": keys,
    },
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    forms = [(language, theme) for language in LANGUAGES for theme in THEMES]
    names = [name for rooms in ROOMS.values() for name in rooms]
    given = sys.argv[1:]
    wanted = [name for name in names if name in given] or names
    forms = [form for form in forms if "-".join(form) in given] or forms
    with chromium() as browser, staging() as stage:
        for kind, rooms in ROOMS.items():
            if not set(wanted) & set(rooms):
                continue
            with SERVERS[kind](stage) as address:
                for language, theme in forms:
                    for name in [each for each in rooms if each in wanted]:
                        with opened(browser, address, language, theme) as page:
                            rooms[name](page, language, stage)
                            keep(page, f"{name}-{language}-{theme}")


@contextmanager
def staging() -> Iterator[Stage]:
    """Run a server whose answers are told here."""
    script = Script()
    with tempfile.TemporaryDirectory() as data, staged(Path(data), script) as server:
        yield Stage(server, script, server.add(SAMPLES / "corvel-cycles-report.pdf"))


@contextmanager
def serve_staged(stage: Stage) -> Iterator[str]:
    yield stage.server.address


@contextmanager
def serve_bare(stage: Stage) -> Iterator[str]:
    """Run a server with nothing in it."""
    with tempfile.TemporaryDirectory() as data, serving(Path(data), 0, EMBEDDING__PROVIDER="none") as address:
        yield address


@contextmanager
def serve_models(stage: Stage) -> Iterator[str]:
    """Run a server that finds a server of models on its machine."""
    with tempfile.TemporaryDirectory() as data, run_model_server() as local:
        urls = {"OLLAMA": local.url, "LMSTUDIO": NOWHERE, "LLAMACPP": NOWHERE, "VLLM": NOWHERE}
        given = {f"PROVIDERS__{name}__URL": url for name, url in urls.items()}
        with serving(Path(data), 0, EMBEDDING__PROVIDER="none", **given) as address:
            yield address


@contextmanager
def serve_samples(stage: Stage) -> Iterator[str]:
    """Run a server with the samples, a project and a small web."""
    with ExitStack() as opened:
        data = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        run("add", "--sample", data=data)
        shop = make_project(data / "shop")
        given = opened.enter_context(web())
        yield opened.enter_context(serving(data, 0, PROJECTS__FOLDERS=json.dumps([str(shop)]), **given))


SERVERS: dict[str, Callable[[Stage], AbstractContextManager[str]]] = {
    "bare": serve_bare,
    "models": serve_models,
    "staged": serve_staged,
    "samples": serve_samples,
}


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


@contextmanager
def opened(browser: Browser, address: str, language: str, theme: Theme) -> Iterator[Page]:
    context = browser.new_context(
        base_url=address,
        viewport=WIDE,
        locale={"en": "en-GB", "fr": "fr-FR"}[language],
        color_scheme=theme,
        reduced_motion="reduce",
    )
    yield context.new_page()
    context.close()


def keep(page: Page, name: str) -> None:
    """Save a screenshot with 128 colours: a fraction of the size without visible difference."""
    expect(page.locator(".side-wait")).to_have_count(0)
    page.wait_for_timeout(700)  # wait for animations to end
    picture = Image.open(BytesIO(page.screenshot()))
    picture.convert("RGB").quantize(128).save(FOLDER / f"{name}.png", optimize=True)
    sys.stdout.write(f"docs/screenshots/{name}.png\n")


if __name__ == "__main__":
    main()
