"""A reader sees the verdicts on an answer: while they are awaited, when they arrive, and after a reload."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from pincite.events import Citation, TableRow
from tests.browser import papers
from tests.browser.barriers import serious
from tests.browser.conftest import Browse, in_both_browsers
from tests.browser.rooms import ask, chips, complete, exchange, point_at, viewer
from tests.browser.running import Server
from tests.browser.staging import Script, Telling, boxes_of, cite, evidence_of
from tests.browser.words import like, say

QUESTION = "How did the year go?"
AWAITED = {"support": "unchecked", "checking": True}
# Where each character of the answer's own words stands; notes and chips are not among them.
PLACES = """answer => [...answer.querySelectorAll(".sentence")].flatMap(sentence => {
  const found = [];
  const walk = document.createTreeWalker(sentence, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    if (walk.currentNode.parentElement.closest(".chip")) continue;
    for (let at = 0; at < walk.currentNode.length; at++) {
      const range = document.createRange();
      range.setStart(walk.currentNode, at);
      range.setEnd(walk.currentNode, at + 1);
      const { left, top } = range.getBoundingClientRect();
      found.push([walk.currentNode.data[at], Math.round(left), Math.round(top)].join(" "));
    }
  }
  return found;
})"""


@dataclass
class Scene:
    """A question that was asked on a page, and the answer that is being told to it."""

    page: Page
    telling: Telling
    closed: Citation
    staff: Citation
    revenue: Citation
    _ended: bool = False

    @property
    def exchange(self) -> Locator:
        return exchange(self.page, QUESTION)

    @property
    def answer(self) -> Locator:
        return self.exchange.locator("[data-answer]")

    def end(self) -> Locator:
        self._ended = True
        self.telling.end()
        return complete(self.exchange)

    def leave(self) -> None:
        if not self._ended:
            self.telling.end()


@pytest.fixture
def scene(browse: Browse, stage: Server, script: Script, tmp_path: Path) -> Iterator[Scene]:
    document = stage.add(papers.accounts(tmp_path / "accounts.pdf"))
    row = TableRow(heads=["", *papers.YEARS], cells=list(papers.REVENUE), note="in millions of dollars")
    heads = boxes_of(stage, document, " ".join(papers.YEARS))
    made = Scene(
        browse(stage),
        Telling(script),
        cite(stage, document, 1, papers.CLOSED),
        cite(stage, document, 2, papers.STAFF),
        cite(stage, document, 3, " ".join(papers.REVENUE), rows=[row], heads=heads),
    )
    script.tell(*map(evidence_of, (made.closed, made.staff, made.revenue)))
    ask(made.page, QUESTION)
    yield made
    made.leave()


def forms(answer: Locator) -> list[str | None]:
    return [each.get_attribute("data-form") for each in answer.locator(".chip").all()]


@in_both_browsers
def test_a_sentence_goes_from_checking_to_verified_and_no_word_moves(scene: Scene) -> None:
    telling = scene.telling
    first = telling.say("", "The Bergen factory was shut when its lease ran out.", scene.closed, **AWAITED)
    second = telling.say(" ", "About four hundred people work there at three sites.", scene.staff, **AWAITED)
    telling.say("\n\n", "Net revenue was 3,991 million dollars.", scene.revenue, support="verified", basis="quote")
    expect(chips(scene.answer)).to_have_count(3)
    expect(scene.exchange.locator(".summary")).to_contain_text(say("conversation.summed.checking.other", n=2))
    expect(viewer(scene.page).locator("[data-mark][data-chosen]").first).to_be_visible()
    assert forms(scene.answer) == ["checking", "checking", "verified"]
    before = scene.answer.evaluate(PLACES)
    telling.settle(first, support="verified", basis="judge", judge="staged:judge")
    telling.settle(second, support="partial", unsupported=["About four hundred people"], judge="staged:judge")
    expect(scene.answer.locator(".chip[data-form=checking]")).to_have_count(0)
    expect(scene.exchange.locator(".summary")).to_contain_text(say("conversation.summed.verified.other", n=2, judged=3))
    assert forms(scene.answer) == ["verified", "partial", "verified"]
    expect(scene.answer.locator("u")).to_have_text("About four hundred people")
    assert scene.answer.evaluate(PLACES) == before
    scene.end()


@in_both_browsers
def test_a_contradicted_sentence_stands_beside_what_its_source_says(scene: Scene) -> None:
    telling = scene.telling
    index = telling.say("", "The factory in Bergen was closed in May 2015.", scene.closed, **AWAITED)
    telling.say(" ", papers.STAFF, scene.staff, support="verified", basis="quote")
    expect(chips(scene.answer)).to_have_count(2)
    expect(viewer(scene.page).locator("[data-mark][data-chosen]").first).to_be_visible()
    before = scene.answer.evaluate(PLACES)
    telling.settle(index, support="contradicted", source=papers.CLOSED, unsupported=["May 2015"])
    note = scene.answer.locator(".says")
    expect(note).to_contain_text(say("conversation.says"))
    expect(note).to_contain_text(papers.CLOSED)
    expect(scene.answer.locator("u")).to_have_text("May 2015")
    assert scene.answer.evaluate(PLACES) == before
    contradicted, verified = scene.answer.locator(".sentence").all()
    grounds = [each.evaluate("each => getComputedStyle(each).backgroundColor") for each in (contradicted, verified)]
    assert grounds[0] != grounds[1]
    scene.end()


def test_rows_of_a_table_are_marked_in_their_rows(scene: Scene) -> None:
    telling = scene.telling
    telling.say("", "| | 2015 | 2014 |")
    telling.say(
        "\n|---|---|---|\n", "| Net revenue | 3,991 | 5,506 |", scene.revenue, support="verified", basis="quote"
    )
    wrong = {"support": "contradicted", "source": "Net revenue | 2015: 3,991 | 2014: 5,506", "unsupported": ["5,605"]}
    telling.say("\n", "| Revenue, again | 3,991 | 5,605 |", scene.revenue, **wrong)
    scene.end()
    rows = scene.answer.locator("tbody tr")
    expect(rows).to_have_count(3)
    for at, form in enumerate(("verified", "contradicted")):
        expect(rows.nth(at).locator("td").last.locator(f".chip[data-form={form}]")).to_be_visible()
    expect(rows.nth(2)).to_contain_text("Net revenue · 2015: 3,991 · 2014: 5,506")


def test_a_cited_row_is_shown_as_a_table_and_lit_with_its_heads(scene: Scene) -> None:
    sum_ = "3,991 / 5,506 − 1 = −27.5 %"
    fell = {"support": "verified", "basis": "computed", "computed": sum_}
    scene.telling.say("", "Net revenue fell by 27.5 %.", scene.revenue, **fell)
    chip = chips(scene.end()).first
    expect(viewer(scene.page).locator('[data-tone="head"]').first).to_be_visible()
    card = point_at(chip)
    expect(card.get_by_role("row")).to_have_count(2)
    expect(card.get_by_role("columnheader", name="2014")).to_be_visible()
    expect(card.get_by_role("cell", name="5,506")).to_be_visible()
    expect(card).to_contain_text("in millions of dollars")
    expect(card).to_contain_text(sum_)
    expect(chip).to_have_accessible_name(like("conversation.chip", verdict=say("conversation.basis.computed")))


def tell_all(scene: Scene) -> None:
    """An answer with every form that a verdict has, and what was repaired in it."""
    telling, closed, staff = scene.telling, scene.closed, scene.staff
    telling.say("", papers.STAFF, staff, support="verified", basis="quote")
    telling.say(" ", "Nine people joined it.", staff, support="partial", unsupported=["joined it"])
    telling.say(" ", "Bergen closed in May.", closed, support="contradicted", source=papers.CLOSED)
    telling.say("\n\n- ", "A buyer was found.", support="unsupported", suggested=[1])
    telling.say("\n- ", "The lease was not renewed.", closed, support="unchecked")
    telling.say("\n\n", "The sources do not name the landlord.", silent=True)


def test_a_reload_shows_the_same_verdicts(scene: Scene) -> None:
    tell_all(scene)
    scene.end()
    seen = []
    for _ in range(2):
        expect(scene.answer.locator(".chip")).to_have_count(5)
        summary = scene.exchange.locator(".summary").inner_text()
        seen.append((forms(scene.answer), summary, scene.answer.inner_text()))
        scene.page.reload()
        complete(scene.exchange)
    assert seen[0] == seen[1]
    assert seen[0][0] == ["verified", "partial", "contradicted", "unsupported", "unchecked"]
    assert "landlord" in seen[0][2]


def test_every_form_of_a_verdict_can_be_read_by_everybody(scene: Scene) -> None:
    tell_all(scene)
    scene.telling.say("\n\n", "It is still being looked at.", scene.staff, **AWAITED)
    expect(scene.answer.locator(".chip")).to_have_count(6)
    assert serious(scene.page) == []
    scene.page.emulate_media(forced_colors="active")
    drawn = [each.inner_html() for each in scene.answer.locator(".chip .sign").all()]
    assert len(set(drawn)) == 6
    scene.end()


def test_a_contradicted_mark_that_is_chosen_keeps_its_colour(scene: Scene) -> None:
    tell_all(scene)
    scene.end()
    chip = scene.answer.locator(".chip[data-form=contradicted]").first
    colour = "chip => getComputedStyle(chip).color"
    before = chip.evaluate(colour)
    chip.evaluate("chip => chip.setAttribute('data-chosen', 'true')")
    assert chip.evaluate(colour) == before
    assert chip.evaluate("chip => getComputedStyle(chip).boxShadow") != "none"
