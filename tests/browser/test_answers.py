"""A reader finds the doubtful sentences of a whole answer, its sources, its versions and its formulas."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import papers
from tests.browser.conftest import Browse, in_both_browsers, in_both_browsers_at_once
from tests.browser.rooms import ask, complete, exchange, shown_for_a_moment, viewer, wait_until_settled
from tests.browser.running import Server
from tests.browser.staging import Script, Telling, cite, evidence_of
from tests.browser.words import like, say
from tests.clock import wait_until

QUESTION = "How did the year go?"
# How a sentence is drawn where colours are forced: its line, its frame and the icon after it.
DRAWN = """chip => {
  const { textDecorationLine, textDecorationStyle, outlineStyle } = getComputedStyle(chip.closest(".sentence"));
  return [textDecorationLine, textDecorationStyle, outlineStyle, chip.querySelector(".sign").innerHTML].join();
}"""


@pytest.fixture
def doubtful(browse: Browse, stage: Server, script: Script, tmp_path: Path) -> Page:
    """A page with an answer that has every verdict, and its source beside it."""
    document = stage.add(papers.accounts(tmp_path / "accounts.pdf"))
    closed, staff = cite(stage, document, 1, papers.CLOSED), cite(stage, document, 2, papers.STAFF)
    page, telling = browse(stage), Telling(script)
    script.tell(evidence_of(closed), evidence_of(staff))
    asked = ask(page, QUESTION)
    telling.say("", papers.STAFF, staff, support="verified", basis="quote")
    telling.say(" ", "Nine people joined it.", staff, support="partial", unsupported=["joined it"])
    telling.say(" ", "Bergen closed in May.", closed, support="contradicted", source=papers.CLOSED)
    telling.say(" ", "A buyer was found.", support="unsupported")
    telling.say(" ", "The lease was not renewed.", closed, support="unchecked")
    telling.end()
    complete(asked)
    expect(viewer(page).locator("[data-mark][data-chosen]").first).to_be_visible()
    page.keyboard.press("Escape")  # leaves the question
    return page


@in_both_browsers_at_once
def test_keys_step_through_the_doubtful_sentences_alone(doubtful: Page) -> None:
    focused, card = doubtful.locator(".chip:focus"), doubtful.get_by_role("tooltip")
    for form in ("partial", "contradicted", "unsupported", "unchecked", "partial"):
        doubtful.keyboard.press("d")
        expect(focused).to_have_attribute("data-form", form)
        expect(card).to_contain_text(say(f"conversation.{form}"))
    doubtful.keyboard.press("Shift+D")
    doubtful.keyboard.press("Shift+D")
    doubtful.keyboard.press("Shift+D")
    expect(focused).to_have_attribute("data-form", "contradicted")
    expect(focused).to_have_attribute("data-chosen", "true")  # and the source shows what it says instead
    doubtful.keyboard.press("?")
    expect(doubtful.get_by_role("dialog")).to_contain_text(say("keys.doubtful"))
    expect(card).to_have_count(0)
    doubtful.keyboard.press("Escape")
    expect(focused).to_have_attribute("data-form", "contradicted")
    doubtful.wait_for_timeout(300)  # twice the time after which a card shows
    expect(card).to_have_count(0)  # it would cover the line that sums the answer up
    doubtful.get_by_role("button", name=like("conversation.summed.unsupported.one", n=1)).click()
    expect(focused).to_have_attribute("data-form", "unsupported")


@in_both_browsers
def test_every_doubtful_sentence_shows_its_card_while_its_source_goes_from_page_to_page(
    browse: Browse, stage: Server, script: Script, tmp_path: Path
) -> None:
    document = stage.add(papers.ledger(tmp_path / "ledger.pdf", pages=14))
    cited = [cite(stage, document, n, f"Entry number{page} of the ledger.") for n, page in enumerate((2, 13, 5, 9), 1)]
    page = browse(stage)
    telling = Telling(script)
    script.tell(*map(evidence_of, cited))
    asked = ask(page, QUESTION)
    for each in cited:
        telling.say(" " if each.n > 1 else "", f"Entry {each.n} was made twice.", each, support="unchecked")
    telling.end()
    complete(asked)
    expect(viewer(page).locator("[data-mark][data-chosen]").first).to_be_visible()
    page.keyboard.press("Escape")  # leaves the question
    for each in (*cited, cited[0]):
        page.keyboard.press("d")
        expect(viewer(page).locator(f'[data-mark$=":{each.n}"][data-chosen]').first).to_be_in_viewport()
        expect(page.get_by_role("tooltip")).to_contain_text(each.quote)
        wait_until_settled(page)
        expect(page.get_by_role("tooltip")).to_contain_text(each.quote)


def test_five_verdicts_have_five_forms_where_colours_are_forced(doubtful: Page) -> None:
    doubtful.emulate_media(forced_colors="active")
    drawn = [each.evaluate(DRAWN) for each in doubtful.locator("[data-answer] .chip").all()]
    assert len(set(drawn)) == len(drawn) == 5
    contradicted = doubtful.locator('.sentence[data-form="contradicted"]')
    assert contradicted.evaluate("each => getComputedStyle(each).outlineStyle") == "solid"
    expect(doubtful.locator("[data-answer] .says").first).to_contain_text(papers.CLOSED)


# The part of each mark that a pointer reaches: it is asked 11 pixels from its middle, on all four sides.
REACHED = """chip => {
  const { left, top, width, height } = chip.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  return [[11, 0], [-11, 0], [0, 11], [0, -11]].every(
    ([right, down]) => document.elementFromPoint(x + right, y + down)?.closest(".chip") === chip);
}"""
# Whether the open card covers a line of the sentence of a mark, or the mark after it.
COVERS = """([card, chip, next]) => {
  const { left, right, top, bottom } = card.getBoundingClientRect();
  const boxes = [...chip.closest(".sentence").getClientRects(), ...(next ? [next.getBoundingClientRect()] : [])];
  return boxes.some((box) => box.left < right && box.right > left && box.top < bottom && box.bottom > top);
}"""


@pytest.mark.parametrize("width", [1440, 390])
def test_a_card_covers_neither_its_sentence_nor_the_next_mark_and_marks_are_easy_to_hit(
    browse: Browse, stage: Server, script: Script, tmp_path: Path, width: int
) -> None:
    document = stage.add(papers.accounts(tmp_path / "accounts.pdf"))
    closed, staff = cite(stage, document, 1, papers.CLOSED), cite(stage, document, 2, papers.STAFF)
    page, telling = browse(stage, viewport={"width": width, "height": 800}), Telling(script)
    asked = ask(page, QUESTION)
    telling.say("", papers.STAFF, staff, closed, support="verified", basis="quote")
    for lead, words in (
        (" ", "It is."),
        (" ", "It was said."),
        ("\n\n", "One more."),
        ("\n- ", "A list."),
        ("\n- ", "B."),
    ):
        telling.say(lead, words, closed, staff, support="partial", unsupported=["It"])
        telling.say(" ", "Nowhere.", support="unsupported")
    telling.end()
    complete(asked)
    if viewer(page).count():
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        expect(viewer(page)).to_have_count(0)
    marks = asked.locator("[data-answer] .chip").all()
    assert len(marks) == 17
    missed, covered = [], []
    for at, mark in enumerate(marks):
        mark.scroll_into_view_if_needed()
        if not mark.evaluate(REACHED):
            missed.append(at)
        mark.focus()
        page.keyboard.press("Shift")  # so that the focus is seen
        mark.hover()
        expect(mark).to_have_attribute("aria-describedby", "citation-card")
        after = marks[at + 1].element_handle() if at + 1 < len(marks) else None
        card = page.get_by_role("tooltip").element_handle()
        if page.evaluate(COVERS, [card, mark.element_handle(), after]):
            covered.append(at)
    assert (missed, covered) == ([], [])


def test_sixty_citations_are_one_line_for_each_document_and_fit_a_phone(
    browse: Browse, stage: Server, script: Script, tmp_path: Path
) -> None:
    document = stage.add(papers.accounts(tmp_path / "accounts.pdf"))
    closed, staff = cite(stage, document, 1, papers.CLOSED), cite(stage, document, 2, papers.STAFF)
    page, telling = browse(stage, viewport={"width": 390, "height": 800}), Telling(script)
    asked = ask(page, QUESTION)
    for n in range(1, 61):
        cited = (closed if n % 2 else staff).model_copy(update={"n": 2 * n - 1})
        telling.say(" " if n > 1 else "", f"Sentence {n} says so.", cited, support="verified", basis="quote")
    telling.end()
    sources = complete(asked).locator(".sources")
    expect(sources.locator(".source")).to_have_count(1)
    expect(sources).to_contain_text("1, 3, 5, 7 …")
    sources.get_by_role("button", name=like("conversation.sources.places.other", n=60)).click()
    expect(sources.locator(".source-places .source")).to_have_count(60)
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wide
    sources.locator(".source-places .source").last.click()
    expect(viewer(page).locator("[data-mark$=':119'][data-chosen]").first).to_be_visible()


def test_numbers_run_through_a_conversation(browse: Browse, server: Server, tmp_path: Path) -> None:
    server.add(papers.lease(tmp_path / "lease.pdf"))
    page = browse(server)
    complete(ask(page, "How long is the notice period of the tenant?"))
    complete(ask(page, "How much is the rent a month?"))
    complete(ask(page, "How long is the notice period for the tenant and the owner?"))
    messages = server.get(f"/api/conversations/{page.url.rpartition('/')[2]}")["messages"]
    told = [each["answer"]["citations"] for each in messages if each["answer"]]
    places = {((each["document"], each["start"], each["end"]), each["n"]) for cited in told for each in cited}
    assert len(told) == 3
    assert len({n for _, n in places}) == len({place for place, _ in places}) == len(places)
    assert {each["n"] for each in told[0]} & {each["n"] for each in told[2]}
    shown = page.locator("main article").last.locator(".chip").first
    expect(shown).to_have_text(str(messages[-1]["answer"]["passages"][0]["n"]))


def test_sources_are_saved_for_other_programs_and_copied_as_a_list(
    browse: Browse, stage: Server, script: Script, tmp_path: Path
) -> None:
    document = stage.add(papers.accounts(tmp_path / "accounts.pdf"))
    closed = cite(stage, document, 1, papers.CLOSED)
    page, telling = browse(stage, permissions=["clipboard-read", "clipboard-write"]), Telling(script)
    asked = ask(page, QUESTION)
    telling.say("", papers.CLOSED, closed, support="verified", basis="quote")
    telling.end()
    complete(asked).get_by_role("button", name=like("conversation.sources.places.one", n=1)).click()
    for menu in (
        asked.get_by_role("button", name=like("conversation.references.one")),
        asked.get_by_role("button", name=say("conversation.copy"), exact=True),
        page.get_by_role("button", name=say("conversation.menu")),
    ):
        menu.click()
        with page.expect_download() as saved:
            page.get_by_role("menuitem", name=say("conversation.references.bib")).locator("visible=true").click()
        assert saved.value.suggested_filename == "How-did-the-year-go.bib"
        assert "title = {{Annual accounts}}" in saved.value.path().read_text(encoding="utf-8")
        expect(page.get_by_text(say("conversation.copied"), exact=True)).to_have_count(0)
        menu.click()
        with shown_for_a_moment(page, say("conversation.copied")):
            page.get_by_role("menuitem", name=say("conversation.references.copy")).locator("visible=true").click()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith("Annual accounts (")
        assert copied.endswith("). p. 1.")
        page.evaluate("navigator.clipboard.writeText('')")
    # Messages come above the question box, which a person uses next.
    lowest = page.locator(".toasts").evaluate("(each) => innerHeight - parseFloat(getComputedStyle(each).bottom)")
    box = page.locator("form.composer").bounding_box()
    assert box
    assert lowest <= box["y"]


def test_a_very_long_question_is_folded_until_it_is_wanted(browse: Browse, stage: Server, script: Script) -> None:
    page = browse(stage)
    long = "Where is the lease, and " + "what does it say of the rent and the notice, " * 178
    asked = ask(page, long.strip())
    telling = Telling(script)
    telling.say("", "Nowhere.", support="unsupported")
    telling.end()
    asked = page.locator("main article").last
    complete(asked)
    words, fold = asked.locator("h2"), asked.get_by_role("button", name=say("conversation.question.whole"))
    folded = words.evaluate("each => each.offsetHeight")
    assert folded < 200
    expect(fold).to_have_attribute("aria-expanded", "false")
    fold.click()
    assert words.evaluate("each => each.offsetHeight") > 4 * folded
    asked.get_by_role("button", name=say("conversation.question.fold")).click()
    assert words.evaluate("each => each.offsetHeight") == folded


def test_formulas_are_drawn_and_prices_stay_prices(browse: Browse, stage: Server, script: Script) -> None:
    page, telling = browse(stage), Telling(script)
    asked = ask(page, QUESTION)
    telling.say("", "It costs $5 and $10.", support="unchecked")
    telling.say("\n\n", r"The energy is $E = mc^2$, or \(\sqrt{x_1}\) of it.", support="unchecked")
    telling.say("\n\n", "$$\\int_0^1 x\\,dx = \\frac{1}{2}$$", support="unchecked")
    telling.end()
    answer = complete(asked).locator("[data-answer]")
    expect(answer.locator(".katex")).to_have_count(3)
    expect(answer.locator(".sentence").first).to_contain_text("It costs $5 and $10.")
    # Playwright's own way to wait evaluates a string in the page, which the page forbids.
    wait_until(lambda: bool(page.evaluate("document.fonts.check('16px KaTeX_Math')")))
    fonts = page.evaluate(
        "performance.getEntriesByType('resource').map(each => each.name).filter(name => /katex/i.test(name))"
    )
    assert fonts
    assert all(name.startswith(stage.address) for name in fonts)
    assert not [name for name in fonts if name.endswith((".woff", ".ttf"))]


def test_a_rating_may_have_words_which_stay(browse: Browse, stage: Server, script: Script) -> None:
    page, telling = browse(stage), Telling(script)
    asked = ask(page, QUESTION)
    telling.say("", "Nowhere.", support="unsupported")
    telling.end()
    complete(asked).get_by_role("button", name=say("conversation.bad")).click()
    asked.get_by_role("textbox", name=say("conversation.rating.bad")).fill("The year is missing.")
    asked.get_by_role("button", name=say("conversation.rating.send")).click()
    expect(asked.get_by_text("The year is missing.")).to_be_visible()
    page.reload()
    expect(complete(asked).get_by_text("The year is missing.")).to_be_visible()
    expect(asked.get_by_role("button", name=say("conversation.bad"))).to_have_attribute("aria-pressed", "true")


def test_on_a_phone_nothing_lies_over_the_button_that_sends_the_words_of_a_rating(
    browse: Browse, stage: Server, script: Script
) -> None:
    page, telling = browse(stage, viewport={"width": 390, "height": 700}), Telling(script)
    asked = ask(page, QUESTION)
    for n in range(12):
        telling.say(
            "\n\n" if n else "", "Nothing of it is written anywhere, and nobody asked before.", support="unsupported"
        )
    telling.end()
    complete(asked)
    to_end = page.get_by_role("button", name=say("conversation.toEnd"))
    page.locator(".talk").evaluate("talk => talk.scrollTo(0, talk.scrollHeight - talk.clientHeight - 200)")
    expect(to_end).to_be_visible()
    asked.get_by_role("button", name=say("conversation.bad")).click()
    expect(asked.get_by_role("textbox", name=say("conversation.rating.bad"))).to_be_visible()
    page.locator(".talk").evaluate("talk => talk.scrollTo(0, talk.scrollHeight - talk.clientHeight - 100)")
    expect(to_end).to_be_hidden()


def test_suggested_questions_come_from_headings_near_the_citations(
    browse: Browse, stage: Server, script: Script, tmp_path: Path
) -> None:
    path = tmp_path / "lakes.md"
    path.write_text(
        "# Lakes of Norway\n\n## Depth\n\nHornindalsvatnet is 514 metres deep.\n\n## Water colour\n\nIt is green.\n\n"
        "## Ice in winter\n\nIt never freezes.\n",
        encoding="utf-8",
    )
    document = stage.add(path)
    deep = cite(stage, document, 1, "Hornindalsvatnet is 514 metres deep.")
    page, telling = browse(stage), Telling(script)
    asked = ask(page, "What of the ice in winter?")
    telling.say("", "It is 514 metres deep.", deep, support="verified", basis="quote")
    telling.end()
    complete(asked)
    following = page.get_by_role("list", name=say("conversation.followUps"))
    # The heading of the cited passage and the one that was asked about are not among them.
    expect(following.get_by_role("button")).to_have_count(1)
    question = say("conversation.suggest.heading", title="Lakes of Norway", heading="Water colour")
    following.get_by_role("button", name=question).click()
    following_telling = Telling(script)
    following_telling.say("", "It is green.", support="unchecked")
    following_telling.end()
    complete(exchange(page, question))


def test_an_edited_question_keeps_both_versions_after_a_reload_too(
    browse: Browse, stage: Server, script: Script
) -> None:
    page = browse(stage)

    def answer(words: str) -> None:
        telling = Telling(script)
        telling.say("", words, support="unchecked")
        telling.end()

    first = ask(page, "How deep is the lake?")
    answer("It is deep.")
    complete(first)
    second = ask(page, "And how cold?")
    answer("It is cold.")
    complete(second)
    first.hover()
    first.get_by_role("button", name=say("conversation.edit")).click()
    page.locator(".question-edit textarea").fill("How wide is the lake?")
    page.locator(".question-edit textarea").press("Enter")
    answer("It is wide.")
    edited = exchange(page, "How wide is the lake?")
    complete(edited)
    place = edited.get_by_role("group", name=say("conversation.versions"))
    expect(place).to_contain_text(say("conversation.versions.place", n=2, all=2))
    expect(second).to_have_count(0)
    place.get_by_role("button", name=say("conversation.versions.before")).click()
    expect(first).to_be_visible()
    expect(second.get_by_text("It is cold.")).to_be_visible()
    expect(edited).to_have_count(0)
    page.reload()
    complete(second)
    expect(first.get_by_text(say("conversation.versions.place", n=1, all=2))).to_be_visible()
    first.get_by_role("button", name=say("conversation.versions.after")).click()
    expect(edited.get_by_text("It is wide.")).to_be_visible()
    expect(second).to_have_count(0)
