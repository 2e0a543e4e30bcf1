"""An answer without a model on the page: passages with their places, what answers lit, and each opens its source."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from pincite.events import Citation
from tests import files
from tests.browser import papers
from tests.browser.conftest import Browse
from tests.browser.geometry import assert_lit
from tests.browser.rooms import ask, chips, complete, composer, exchange, viewer
from tests.browser.running import Server
from tests.browser.staging import Script, Telling, boxes_of, cite
from tests.browser.words import say

QUESTION = "How much is the rent?"
WHOLE = f"{papers.NOTICE} {papers.RENT} {papers.DEPOSIT}"


@dataclass
class Scene:
    """A page before a server whose answers the test tells."""

    page: Page
    server: Server
    telling: Telling

    def passage(self, n: int, document: str, text: str, answering: str, **shown: Any) -> Citation:
        """Tell a passage of a document, with the words of it that answer."""
        start, end = self.server.span(document, answering)
        boxes = boxes_of(self.server, document, answering)
        citation = cite(self.server, document, n, text).model_copy(update={"lit": [(start, end)], "boxes": boxes})
        at = text.index(answering)
        self.telling.quote(citation, lit=[(at, at + len(answering))], **shown)
        return citation


@pytest.fixture
def lease(stage: Server, tmp_path: Path) -> str:
    return stage.add(papers.lease(tmp_path / "lease.pdf"))


@pytest.fixture
def accounts(stage: Server, tmp_path: Path) -> str:
    return stage.add(papers.accounts(tmp_path / "accounts.pdf"))


@pytest.fixture
def scene(browse: Browse, stage: Server, script: Script) -> Scene:
    return Scene(browse(stage), stage, Telling(script))


def passages(answered: Locator) -> Locator:
    return answered.locator(".passage")


def test_a_passage_that_is_pressed_opens_its_source_with_the_words_that_answer_lit(scene: Scene, lease: str) -> None:
    scene.telling.say("", "Found in your documents:")
    scene.passage(1, lease, WHOLE, papers.RENT, headings=["Lease of the mill at Sandvik"])
    scene.telling.end()
    answered = complete(ask(scene.page, QUESTION))
    card = passages(answered)
    expect(card).to_contain_text("page 1 · Lease of the mill at Sandvik")
    expect(card.locator("mark")).to_have_text(papers.RENT)
    assert_lit(scene.page, (1, papers.RENT))
    scene.page.keyboard.press("Escape")
    scene.page.keyboard.press("Escape")
    expect(viewer(scene.page)).to_have_count(0)
    card.get_by_text(papers.DEPOSIT).click()
    assert_lit(scene.page, (1, papers.RENT))
    # The passage around them has one bar in the margin, and no light of its own.
    expect(viewer(scene.page).locator('[data-tone="passage"]')).to_have_count(1)


def test_the_keys_step_through_the_passages_that_are_shown(scene: Scene, lease: str, accounts: str) -> None:
    scene.passage(1, lease, WHOLE, papers.RENT)
    scene.passage(2, accounts, f"{papers.CLOSED} {papers.STAFF}", papers.STAFF)
    scene.passage(3, accounts, papers.CLOSED, papers.CLOSED, more=True)
    scene.telling.end()
    page = scene.page
    answered = complete(ask(page, QUESTION))
    expect(chips(answered)).to_have_count(2)
    expect(viewer(page)).to_contain_text(say("viewer.citationNumber", n=1))
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    expect(chips(answered).nth(1)).to_have_attribute("data-chosen", "true")
    expect(viewer(page)).to_contain_text(say("viewer.citationNumber", n=2))
    assert_lit(page, (1, papers.STAFF))
    page.keyboard.press("k")
    expect(chips(answered).first).to_have_attribute("data-chosen", "true")
    assert_lit(page, (1, papers.RENT))
    page.keyboard.press("Escape")
    expect(viewer(page)).to_have_count(0)
    page.keyboard.press("o")
    assert_lit(page, (1, papers.RENT))


def test_further_passages_come_on_demand_and_open_their_source_too(scene: Scene, lease: str, accounts: str) -> None:
    scene.passage(1, lease, WHOLE, papers.RENT)
    scene.passage(2, accounts, papers.CLOSED, papers.CLOSED, more=True)
    scene.telling.end()
    answered = complete(ask(scene.page, QUESTION))
    expect(passages(answered)).to_have_count(1)
    answered.get_by_role("button", name=say("conversation.passages.more.one", n=1)).click()
    expect(passages(answered)).to_have_count(2)
    chips(answered).last.click()
    assert_lit(scene.page, (1, papers.CLOSED))
    expect(passages(answered)).to_have_count(2)


def test_tables_lists_and_code_are_drawn_as_what_they_are(scene: Scene, lease: str, accounts: str) -> None:
    table = cite(scene.server, accounts, 1, " ".join(papers.REVENUE))
    rows = [list(papers.REVENUE), list(papers.COSTS)]
    scene.telling.quote(table, form="table", heads=[["", *papers.YEARS]], rows=rows, lit_rows=[0], lead="In millions")
    listed = "The tenant pays:\n\n- the rent;\n- the deposit."
    scene.telling.quote(cite(scene.server, lease, 2, papers.RENT), form="list", text=listed, lit=[(18, 29)])
    scene.telling.quote(cite(scene.server, lease, 3, papers.DEPOSIT), form="code", text="make page", lead="Then type:")
    scene.telling.end()
    shown = passages(complete(ask(scene.page, QUESTION)))
    expect(shown.nth(0).get_by_role("columnheader")).to_have_text(["", *papers.YEARS])
    expect(shown.nth(0).locator("tr[data-lit]")).to_have_text("".join(papers.REVENUE))
    expect(shown.nth(1).locator("[data-item]")).to_have_text(["the rent;", "the deposit."])
    expect(shown.nth(1).locator("mark")).to_have_text("the rent;")
    expect(shown.nth(2).locator("pre")).to_have_text("make page")
    expect(shown.nth(2)).to_contain_text("Then type:")


def test_where_no_document_has_a_name_that_is_said_and_nothing_is_opened(scene: Scene, lease: str) -> None:
    scene.telling.say("", "No document mentions Kubernetes.", silent=True)
    scene.passage(1, lease, WHOLE, papers.RENT, more=True)
    scene.telling.end(refused=True, missing=["Kubernetes"])
    answered = complete(ask(scene.page, "What does Kubernetes cost?"))
    expect(answered).to_contain_text("No document mentions Kubernetes.")
    expect(passages(answered)).to_have_count(0)
    expect(viewer(scene.page)).to_have_count(0)
    answered.get_by_role("button", name=say("conversation.passages.nearest.one")).click()
    expect(passages(answered)).to_contain_text(papers.RENT)


def test_an_answer_is_read_from_its_question_on(scene: Scene, lease: str, accounts: str) -> None:
    rows = [[f"Row {n}", str(n)] for n in range(60)]
    scene.telling.quote(cite(scene.server, lease, 1, papers.RENT), form="table", rows=rows, lit_rows=[3])
    scene.telling.quote(cite(scene.server, accounts, 2, papers.STAFF))
    scene.telling.end()
    answered = complete(ask(scene.page, QUESTION))
    expect(passages(answered)).to_have_count(2)
    expect(answered.get_by_role("heading", name=QUESTION)).to_be_in_viewport()
    scene.page.reload()
    expect(passages(complete(exchange(scene.page, QUESTION)))).to_have_count(2)
    expect(scene.page.get_by_role("heading", name=QUESTION, level=2)).to_be_in_viewport()


@pytest.mark.parametrize(("locale", "named"), [("en-US", "slide 2"), ("fr-FR", "diapositive 2")])
def test_a_passage_of_a_slide_says_which_slide(
    browse: Browse, scripted: Server, tmp_path: Path, locale: str, named: str
) -> None:
    def build(deck: Any) -> None:
        for title, words in (("Quay", "The quay was built of oak."), ("Crane", "The crane of Brevik lifts nine tons.")):
            slide = deck.slides.add_slide(deck.slide_layouts[1])
            slide.shapes.title.text, slide.placeholders[1].text = title, words

    deck = tmp_path / "harbour.pptx"
    deck.write_bytes(files.slides(build))
    question = "How many tons does the crane of Brevik lift?"
    conversation = scripted.ask(question, scripted.add(deck), chatModel="extractive")
    page = browse(scripted, f"/c/{conversation}", locale=locale)
    card = passages(exchange(page, question)).first
    expect(card).to_contain_text(named)
    expect(card.locator("mark")).to_have_text("The crane of Brevik lifts nine tons.")
    expect(card.locator(".chip")).to_have_attribute("aria-label", re.compile(f", {named}$"))


def test_on_a_phone_a_passage_fits_and_its_answer_stands_on_the_sheet(
    browse: Browse, stage: Server, script: Script, lease: str
) -> None:
    page = browse(stage, viewport={"width": 390, "height": 844}, has_touch=True)
    scene = Scene(page, stage, Telling(script))
    rows = [["Net revenue of all divisions", "3,991.5 million", "5,506.2 million", "4,100.0 million", "9 %"]]
    scene.telling.quote(cite(stage, lease, 1, papers.NOTICE), form="table", rows=rows, lit_rows=[0])
    scene.passage(2, lease, WHOLE, papers.RENT)
    scene.telling.end()
    composer(page).fill(QUESTION)
    composer(page).press("Enter")
    answered = complete(exchange(page, QUESTION))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for card in answered.locator(".passage-card").all():
        box = card.bounding_box()
        assert box
        assert box["x"] + box["width"] <= 390
    passages(answered).last.get_by_text(papers.DEPOSIT).tap()
    expect(viewer(page)).to_contain_text(papers.RENT)
