"""A person keeps sentences, answers and passages in a notebook, and marks and comments on sources."""

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import papers
from tests.browser.barriers import serious
from tests.browser.conftest import Browse, in_both_browsers
from tests.browser.rooms import arrive, ask, complete, composer, exchange, point_at, set_undo_time
from tests.browser.running import Server
from tests.browser.speaking import Speaker
from tests.browser.staging import Script, Telling, cite, evidence_of
from tests.browser.test_access import PHONE, wide_as_the_window
from tests.browser.words import like, say
from tests.clock import PATIENCE

QUESTION = "How many people work in Bergen?"


@pytest.fixture
def answered(browse: Browse, stage: Server, script: Script, tmp_path: Path) -> Page:
    """A page with an answer of two sentences, of which one is contradicted, and its source beside it."""
    document = stage.add(papers.accounts(tmp_path / "accounts.pdf"))
    closed, staff = cite(stage, document, 1, papers.CLOSED), cite(stage, document, 2, papers.STAFF)
    page, telling = browse(stage), Telling(script)
    script.tell(evidence_of(closed), evidence_of(staff))
    asked = ask(page, QUESTION)
    telling.say("", papers.STAFF, staff, support="verified", basis="quote")
    telling.say(" ", "Bergen closed in May.", closed, support="contradicted", source=papers.CLOSED)
    telling.end()
    complete(asked)
    return page


def make_notebook(server: Server, title: str, *words: str) -> str:
    """A notebook with own words in it; its id."""
    made = _post(server, "/api/notebooks", {"title": title})
    for each in words:
        _post(server, f"/api/notebooks/{made['id']}/items", {"kind": "text", "text": each})
    return str(made["id"])


def _post(server: Server, path: str, body: Any) -> Any:
    import httpx

    answer = httpx.post(f"{server.address}{path}", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def panel(page: Page) -> Locator:
    return page.get_by_role("complementary", name=say("notebook.panel"))


def kept(place: Page | Locator) -> Locator:
    return place.locator(".kept-item")


def act(item: Locator, name: str) -> None:
    """Choose an action in the menu of a kept thing."""
    item.get_by_role("button", name=like("notebook.acts")).click()
    item.page.get_by_role("menuitem", name=say(name)).click()


@in_both_browsers
def test_a_sentence_and_an_answer_are_kept_beside_the_conversation_with_their_verdict_and_their_pin(
    answered: Page,
) -> None:
    page = answered
    point_at(page.locator(".chip[data-form=contradicted]")).get_by_role(
        "button", name=say("notebook.keepSentence")
    ).click()
    page.get_by_role("button", name=say("notebook.look"), exact=True).click()
    sentence = kept(panel(page)).filter(has_text="Bergen closed in May.", has_not_text=papers.STAFF).last
    expect(sentence).to_contain_text("Bergen closed in May.")
    expect(sentence.locator(".says")).to_contain_text(papers.CLOSED)
    expect(sentence.locator(".kept-verdict")).to_have_count(0)  # which would say the same once more
    page.get_by_role("button", name=say("notebook.keepAnswer")).click()
    expect(kept(panel(page)).last).to_contain_text(papers.STAFF)
    # A mark of a kept thing opens the source with exactly its words.
    page.keyboard.press("Escape")
    sentence.locator(".chip").click()
    chosen = page.locator(".marks .lit.chosen").first
    expect(chosen).to_be_in_viewport()
    assert (chosen.get_attribute("data-mark") or "").startswith("found:kept-")


def test_a_row_of_a_table_is_kept_with_its_head_and_once(browse: Browse, scripted: Server, tmp_path: Path) -> None:
    text = "# Herring\n\n| Port | 1990 | 1991 |\n|---|---|---|\n| Alta | 120 | 130 |\n| Vardo | 20 | 30 |\n"
    document = scripted.add(papers.write(tmp_path / "herring.md", text))
    question = "How much herring in Vardo in 1991?"
    page = browse(scripted, f"/c/{scripted.ask(question, document, chatModel='extractive')}", locale="fr-FR")
    keep = page.get_by_role("button", name=say("notebook.keepPassage", "fr")).first
    keep.click()
    page.get_by_role("button", name=say("notebook.look", "fr"), exact=True).click()
    beside = page.get_by_role("complementary", name=say("notebook.panel", "fr"))
    expect(kept(beside).last.get_by_role("columnheader")).to_have_text(["Port", "1990", "1991"])
    count = kept(beside).count()
    keep.click()
    expect(page.get_by_text(say("notebook.keptBefore", "fr").split("«")[0])).to_be_visible()
    assert kept(beside).count() == count


@pytest.mark.parametrize("width", [390, 768, 1100])
def test_where_little_fits_the_notebook_covers_no_conversation_and_a_source_that_is_opened_takes_its_place(
    answered: Page, width: int
) -> None:
    page = answered
    page.get_by_role("button", name=say("notebook.keepAnswer")).click()
    page.get_by_role("button", name=say("notebook.look"), exact=True).click()
    page.set_viewport_size({"width": width, "height": 900})
    beside = panel(page).bounding_box()
    menu = page.get_by_role("button", name=say("conversation.menu")).bounding_box()
    assert beside
    assert menu
    if width > PHONE["width"]:
        assert menu["x"] + menu["width"] <= beside["x"]
    source = page.get_by_role("complementary", name=say("viewer.source"))
    expect(source).to_be_hidden()
    panel(page).get_by_role("button", name=say("notebook.write")).click()
    panel(page).get_by_role("textbox", name=say("notebook.words")).fill("Half a note")
    kept(panel(page)).last.locator(".chip").first.click()
    expect(source).to_be_visible()
    expect(panel(page)).to_be_hidden()
    page.get_by_role("button", name=say("notebook.panel"), exact=True).click()
    expect(panel(page).get_by_role("textbox", name=say("notebook.words"))).to_have_value("Half a note")


def test_where_no_source_can_stand_beside_a_mark_opens_the_document_at_its_passage(
    browse: Browse, stage: Server, script: Script, tmp_path: Path
) -> None:
    book, deed = stage.add(papers.ledger(tmp_path / "book.pdf", 6)), stage.add(papers.ledger(tmp_path / "deed.pdf", 3))
    places = [
        (book, "Entry number2 of the ledger."),
        (book, "Entry number5 of the ledger."),
        (deed, "Entry number3 of the ledger."),
    ]
    cited = [cite(stage, document, n, quote) for n, (document, quote) in enumerate(places, 1)]
    page, telling = browse(stage), Telling(script)
    script.tell(*map(evidence_of, cited))
    asked = ask(page, "Which entries are there?")
    for citation in cited:
        telling.say(" ", citation.quote, citation, support="verified", basis="quote")
    telling.end()
    complete(asked)
    page.get_by_role("button", name=say("notebook.keepAnswer")).click()
    page.get_by_role("button", name=say("notebook.look"), exact=True).click()
    for view in ("shell.settings", "shell.conversations"):
        page.get_by_role("link", name=say(view), exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(say(view))
        press_mark(page, 0)
        assert_lit_on(page, book, 2)
    # On the page of the same document the other mark leads to its own passage, and again after the reader has left it.
    press_mark(page, 1)
    assert_lit_on(page, book, 5)
    page.locator("[data-scroller]").evaluate("(pages) => pages.scrollTo(0, 0)")
    expect(page.locator(".marks .lit.chosen").first).not_to_be_in_viewport()
    press_mark(page, 1)
    assert_lit_on(page, book, 5)
    press_mark(page, 2)
    assert_lit_on(page, deed, 3)
    page.go_back()
    assert_lit_on(page, book, 5)
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    press_mark(page, 2)
    expect(panel(page)).to_be_hidden()
    assert_lit_on(page, deed, 3)


def press_mark(page: Page, place: int) -> None:
    """Press a mark of the last kept thing, in the panel beside the view."""
    kept(panel(page)).last.locator(".chip").nth(place).click()


def assert_lit_on(page: Page, document: str, number: int) -> None:
    """Assert that the document's own view shows the chosen passage on this page."""
    page.wait_for_url(f"**/d/{document}?span=*")
    expect(page.locator(f"[data-page='{number}'] .marks .lit.chosen").first).to_be_in_viewport()


def test_the_keyboard_keeps_the_sentence_of_a_mark(answered: Page) -> None:
    page = answered
    page.locator(".chip[data-form=verified]").focus()
    page.keyboard.press("b")
    expect(page.get_by_text(like("notebook.kept"))).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text(say("keys.keep"))


def test_kept_things_are_put_in_order_by_dragging(browse: Browse, scripted: Server) -> None:
    # Not in Firefox: its remote control begins to drag and never drops.
    notebook = make_notebook(scripted, "Dragged", "First note.", "Second note.", "Third note.")
    page = browse(scripted, f"/notebooks/{notebook}")
    expect(kept(page)).to_have_count(3)
    kept(page).nth(2).locator(".kept-handle").drag_to(kept(page).nth(0), target_position={"x": 60, "y": 4})
    assert_order(page, "Third note.", "First note.", "Second note.")
    page.reload()
    assert_order(page, "Third note.", "First note.", "Second note.")


@in_both_browsers
def test_kept_things_are_put_in_order_by_the_menu(browse: Browse, scripted: Server) -> None:
    notebook = make_notebook(scripted, "Order", "First note.", "Second note.", "Third note.")
    page = browse(scripted, f"/notebooks/{notebook}")
    expect(kept(page)).to_have_count(3)
    act(kept(page).nth(0), "notebook.down")
    assert_order(page, "Second note.", "First note.", "Third note.")
    page.reload()
    assert_order(page, "Second note.", "First note.", "Third note.")


def assert_order(page: Page, *words: str) -> None:
    for place, each in enumerate(words):
        expect(kept(page).nth(place)).to_contain_text(each)


def test_a_notebook_is_renamed_and_what_is_removed_comes_back_when_it_is_undone(
    browse: Browse, scripted: Server
) -> None:
    notebook = make_notebook(scripted, "Lease of the boat", "Only note.")
    page = browse(scripted, "/notebooks")
    set_undo_time(page, PATIENCE)
    page.get_by_role("link", name="Lease of the boat").click()
    page.get_by_role("button", name=say("notebook.menu")).click()
    page.get_by_role("menuitem", name=say("notebook.rename")).click()
    page.get_by_role("textbox", name=say("notebook.name")).fill("Lease of the ferry")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Lease of the ferry")).to_be_visible()
    act(kept(page).first, "notebook.remove")
    expect(kept(page)).to_have_count(0)
    expect(page.get_by_text(say("notebook.empty"))).to_be_visible()
    page.get_by_role("button", name=say("library.undo")).click()
    expect(kept(page)).to_have_count(1)
    page.get_by_role("button", name=say("notebook.menu")).click()
    page.get_by_role("menuitem", name=say("notebook.delete")).click()
    expect(page.get_by_role("link", name="Lease of the ferry")).to_have_count(0)
    page.get_by_role("button", name=say("library.undo")).click()
    expect(page.get_by_role("link", name="Lease of the ferry")).to_be_visible()
    assert scripted.get(f"/api/notebooks/{notebook}")["title"] == "Lease of the ferry"


def make_export(server: Server, folder: Path) -> str:
    """A notebook with a kept passage of a new document; its id."""
    document = server.add(papers.lease(folder / "lease-0.pdf"))
    start, end = server.span(document, papers.RENT)
    notebook = make_notebook(server, "Export")
    passage = {"kind": "passage", "document": document, "start": start, "end": end}
    _post(server, f"/api/notebooks/{notebook}/items", passage)
    return notebook


def download(page: Page, menu: str, item: str) -> bytes:
    """What a menu downloads."""
    page.get_by_role("button", name=say(menu)).click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name=say(item)).click()
    return Path(download.value.path()).read_bytes()


def test_a_notebook_is_exported_with_footnotes_in_each_format(browse: Browse, scripted: Server, tmp_path: Path) -> None:
    page = browse(scripted, f"/notebooks/{make_export(scripted, tmp_path)}")
    with zipfile.ZipFile(io.BytesIO(download(page, "notebook.menu", "notebook.export.docx"))) as archive:
        assert b"Lease of the mill, page 1" in archive.read("word/footnotes.xml")
        assert b"footnoteReference" in archive.read("word/document.xml")
    for item in ("notebook.export.md", "notebook.export.html"):
        text = download(page, "notebook.menu", item).decode()
        assert "Lease of the mill, page 1" in text
        assert ("<html" in text) == (item == "notebook.export.html")
    assert download(page, "notebook.menu", "notebook.export.pdf").startswith(b"%PDF-")
    kept(page).get_by_role("button", name="Lease of the mill, p. 1").click()
    expect(page.locator(".marks .lit.chosen").first).to_be_in_viewport()


def test_a_notebook_is_asked_about_and_the_model_gets_what_is_kept_in_it(
    browse: Browse, scripted: Server, speaker: Speaker, tmp_path: Path
) -> None:
    notebook = make_export(scripted, tmp_path)
    _post(scripted, f"/api/notebooks/{notebook}/items", {"kind": "text", "text": "It seems high."})
    page = browse(scripted, f"/notebooks/{notebook}", locale="fr-FR")
    page.get_by_role("button", name=say("notebook.ask", "fr"), exact=True).click()
    expect(composer(page, "fr")).to_be_focused()
    chip = page.get_by_role("form").get_by_text("Sur le carnet «\u00a0Export\u00a0»", exact=True)
    expect(chip).to_be_visible()
    page.reload()
    expect(chip).to_be_visible()
    assert serious(page) == []
    speaker.will(f"{papers.RENT} [1]")
    composer(page, "fr").fill("Quel est le loyer ?")
    composer(page, "fr").press("Enter")
    expect(exchange(page, "Quel est le loyer ?").locator(".chip[data-form=verified]")).to_be_visible()
    sent = next(each.body for each in speaker.wire.asked if each.body and each.body.get("stream"))
    told = [str(each["content"]) for each in sent["messages"]]
    assert "- Own words: It seems high." in told[0]
    assert papers.RENT in told[-1]  # a tool result that the model did not ask for
    expect(chip).to_be_visible()
    page.get_by_role("button", name=say("conversation.scope.remove", "fr", title="Export")).click()
    expect(chip).to_have_count(0)


def test_own_words_are_saved_and_asked_about(browse: Browse, scripted: Server) -> None:
    page = browse(scripted, f"/notebooks/{make_notebook(scripted, 'Thoughts')}")
    about = page.get_by_role("button", name=say("notebook.ask"), exact=True)
    expect(about).to_be_disabled()
    page.get_by_role("button", name=say("notebook.write")).click()
    page.get_by_role("textbox", name=say("notebook.words")).fill("The rent seems high.")
    page.get_by_role("button", name=say("notebook.save")).click()
    expect(kept(page)).to_contain_text("The rent seems high.")
    page.reload()
    expect(kept(page)).to_contain_text("The rent seems high.")
    about.click()
    expect(composer(page)).to_be_focused()
    expect(page.get_by_role("form").get_by_text("About notebook “Thoughts”", exact=True)).to_be_visible()


def test_all_highlights_are_exported_from_the_list_of_notebooks(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    for name in ("ferry", "coach"):
        text = f"The {name} leaves at nine."
        document = scripted.add(papers.write(tmp_path / f"{name}.md", f"# {name.title()}\n\n{text}\n"))
        start, end = scripted.span(document, text)
        _post(scripted, f"/api/documents/{document}/annotations", {"start": start, "end": end, "comment": "Early!"})
    page = browse(scripted, "/notebooks")
    for item in ("notes.export.md", "notes.export.csv"):
        text = download(page, "notes.export.all", item).decode()
        assert "The ferry leaves at nine." in text
        assert "The coach leaves at nine." in text
        assert "Early!" in text


def test_notebooks_keep_nobody_out_and_fit_a_phone_in_french(browse: Browse, scripted: Server) -> None:
    notebook = make_notebook(scripted, "Carnet", "Une note.")
    empty = make_notebook(scripted, "Vide")
    page = browse(scripted, locale="fr-FR", viewport=PHONE)
    for path in ("/notebooks", f"/notebooks/{notebook}", f"/notebooks/{empty}"):
        arrive(page, path)
        expect(page.get_by_role("heading", level=1)).not_to_be_empty()
        assert serious(page) == [], path
        assert wide_as_the_window(page), path
