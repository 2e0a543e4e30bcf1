"""The first ten minutes: an empty library offers a sample, and a document that has arrived shows itself."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests import pdfs
from tests.browser import papers
from tests.browser.barriers import serious
from tests.browser.conftest import Browse, in_both_browsers, start_server
from tests.browser.rooms import ask, complete, composer, drop, viewer
from tests.browser.running import Server, until
from tests.browser.speaking import Speaker
from tests.browser.words import like, say

FERRY = """# Rapport sur le bac

## Horaires du bac

Le bac part à sept heures tous les matins, sauf le dimanche.

| Année | Passagers |
|-------|-----------|
| 2023  | 4 120     |
| 2024  | 5 300     |

## Prix des billets

Un billet coûte trois euros pour les adultes et rien pour les enfants.
"""


def show_card(page: Page, title: str) -> Locator:
    """The card of a document in the list, shown by its menu."""
    row = page.get_by_role("listitem").filter(has_text=title).first
    row.get_by_role("button", name=say("library.acts", title=title)).click()
    page.get_by_role("menuitem", name=say("library.card.show")).click()
    return page.get_by_role("region", name=say("library.card", title=title))


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Server]:
    """The program with nothing in it yet."""
    started = start_server(tmp_path / "data", EMBEDDING__PROVIDER="none")
    yield started
    started.stop()


@in_both_browsers
def test_an_empty_library_offers_a_sample_and_two_presses_lead_to_a_cited_answer(browse: Browse, empty: Server) -> None:
    page = browse(empty)
    expect(composer(page)).to_be_focused()
    page.get_by_role("button", name=say("library.sample")).click()
    suggested = page.get_by_role("list", name=say("conversation.suggestions"))
    expect(suggested.get_by_role("button")).to_have_count(3)
    expect(page.get_by_role("button", name=say("library.sample"))).to_have_count(0)
    suggested.get_by_role("button").first.click()
    answered = complete(page.get_by_role("main").get_by_role("article"))
    expect(answered.locator(".passage mark").first).to_be_visible()
    expect(viewer(page)).to_contain_text("Corvel")


def test_a_question_to_an_empty_library_asks_for_a_document_and_has_the_buttons(browse: Browse, empty: Server) -> None:
    page = browse(empty)
    answered = complete(ask(page, "How high is the dam?"))
    expect(answered).to_contain_text("There are no documents here yet. Add a document, then ask again.")
    expect(answered).not_to_contain_text("I found nothing")
    expect(answered.get_by_role("button", name=say("conversation.empty.add"))).to_be_visible()
    answered.get_by_role("button", name=say("library.sample")).click()
    expect(answered).to_contain_text(say("conversation.empty.ready"))
    again = complete(ask(page, "How high is the wall of the dam?"))
    expect(again).to_contain_text("33 m high")


def test_a_document_that_arrives_shows_itself_and_its_title_can_be_changed(browse: Browse, empty: Server) -> None:
    page = browse(empty, "/library")
    page.get_by_role("button", name=say("library.sample")).click()
    expect(page.locator('.document[data-status="ready"]')).to_have_count(3)
    paper = empty.data.parent / "ferry.md"
    paper.write_text(FERRY, encoding="utf-8")
    page.get_by_label(say("library.files"), exact=True).set_input_files(paper)
    card = page.get_by_role("region", name=say("library.card", title="Rapport sur le bac"))
    expect(card).to_contain_text("French")
    expect(card.get_by_role("button", name="Horaires du bac", exact=True)).to_be_visible()
    expect(card.get_by_role("list", name=say("conversation.suggestions")).get_by_role("listitem")).to_have_text(
        [
            "Que dit ce document sur «\u00a0Horaires du bac\u00a0»\u00a0?",
            "Quelle est la valeur de «\u00a0Passagers\u00a0» pour «\u00a02024\u00a0»\u00a0?",
            "Que dit ce document sur «\u00a0Prix des billets\u00a0»\u00a0?",
        ]
    )
    # Without a model nothing writes a summary.
    expect(card.get_by_role("button", name=say("library.card.summary"))).to_have_count(0)
    card.get_by_role("button", name=say("library.card.rename", title="Rapport sur le bac")).click()
    card.get_by_role("textbox", name=say("library.title")).fill("Le bac de Corvel")
    page.keyboard.press("Enter")
    renamed = page.get_by_role("region", name=say("library.card", title="Le bac de Corvel"))
    expect(renamed.get_by_role("button", name="Le bac de Corvel", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_role("link", name="Le bac de Corvel")).to_be_visible()


def test_many_documents_at_once_have_one_total_and_each_kind_has_its_icon(
    browse: Browse, empty: Server, tmp_path: Path
) -> None:
    texts = {
        "ferry.md": FERRY,
        "tides.csv": "day,height\n1,4.2\n2,4.4\n",
        "tide.py": "def compute_tide(day):\n    return 4.2\n",
        "crossing.txt": "The ferry crosses the lake in ten minutes.",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    names = (*texts, "endless.pdf")
    pdfs.repeated(tmp_path / "endless.pdf", 4000)
    page = browse(empty, "/library")
    page.get_by_label(say("library.files"), exact=True).set_input_files([tmp_path / name for name in names])
    total = page.get_by_role("region", name=say("library.total"))
    done = re.escape(say("library.total.left", done=4, total=5))
    rate, time = (say(f"library.total.{key}", rate="R", time="R").replace("R", ".+") for key in ("rate", "time"))
    expect(total.get_by_role("status")).to_have_text(re.compile(f"^{done} · {rate} · {time}$"))
    expect(total.get_by_role("progressbar")).to_have_js_property("position", 4 / 5)
    expect(total.get_by_role("list", name=say("library.total.now"))).to_contain_text("endless")
    rows = page.locator(".document")
    expect(rows).to_have_count(len(names))
    icons = [each.locator("svg").first.inner_html() for each in rows.all()]
    assert len(set(icons)) == len(names)  # the kind of the one that is being read is told by its ending
    page.get_by_role("button", name=say("library.cancel", title="endless.pdf")).click()
    expect(total).to_have_count(0)


def test_a_question_of_a_card_is_asked_about_that_document_with_one_press(
    browse: Browse, scripted: Server, speaker: Speaker, tmp_path: Path
) -> None:
    paper = tmp_path / "ferry-card.md"
    paper.write_text(FERRY, encoding="utf-8")
    scripted.add(paper)
    speaker.will("Le bac part à sept heures. [1]", looking_for="bac")
    page = browse(scripted, "/library")
    card = show_card(page, "Rapport sur le bac")
    card.get_by_role("list", name=say("conversation.suggestions")).get_by_role("button").first.click()
    answered = complete(page.get_by_role("main").get_by_role("article"))
    expect(answered).to_contain_text("Le bac part à sept heures.")
    expect(answered.get_by_role("heading", level=2)).to_contain_text("Horaires du bac")
    about = page.get_by_role("list", name=say("conversation.scope.chosen"))
    expect(about).to_contain_text("Rapport sur le bac")


def test_a_card_has_its_document_summarised_and_each_sentence_opens_its_source(
    browse: Browse, scripted: Server, speaker: Speaker, tmp_path: Path
) -> None:
    paper = tmp_path / "ferry-summary.md"
    paper.write_text(FERRY.replace("Rapport sur", "Résumé sur"), encoding="utf-8")
    scripted.add(paper)
    said = "Le bac part à sept heures tous les matins, sauf le dimanche."
    speaker.will(said, looking_for="bac", ends=False)
    page = browse(scripted, "/library")
    card = show_card(page, "Résumé sur le bac")
    card.get_by_role("button", name=say("library.card.summary")).click()
    summary = card.get_by_role("region", name=say("library.card.summary.title"))
    expect(summary).to_be_focused()
    expect(summary).to_contain_text("Le bac part à sept heures")
    speaker.say(" [1]", ends=True)
    expect(summary.locator(".chip[data-form=verified]")).to_have_count(1)
    assert serious(page) == []
    summary.locator(".chip").click()
    pinned = viewer(page).locator("[data-mark][data-chosen]").filter(has_text=said)
    expect(pinned.first).to_be_visible()
    assert scripted.get("/api/conversations", words="sauf le dimanche")["total"] == 0


def test_documents_of_a_question_that_was_not_sent_are_still_there_after_a_reload(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    page = browse(scripted)
    drop(page, composer(page), papers.lease(tmp_path / "kept-lease.pdf"))
    about = page.get_by_role("list", name=say("conversation.scope.chosen"))
    expect(about.get_by_role("button", name=like("conversation.scope.remove"))).to_have_count(1)
    page.reload()
    expect(about).to_contain_text("Lease of the mill")
    expect(page.get_by_role("region", name=like("library.card"))).to_contain_text("Lease of the mill")
    about.get_by_role("button", name=like("conversation.scope.remove")).click()
    page.reload()
    expect(composer(page)).to_be_visible()
    expect(about).to_have_count(0)


def test_a_file_that_is_dropped_again_stays_in_its_folder_and_the_page_says_so(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    paper = papers.titled(tmp_path / "again.pdf", "The old ferry", "The old ferry sank in 1931.")
    document = scripted.send(paper, folder="reports")
    until(lambda: scripted.get(f"/api/documents/{document}")["status"] == "ready")
    page = browse(scripted, "/library")
    page.get_by_label(say("library.files"), exact=True).set_input_files(paper)
    said = say("library.known.folder", title="The old ferry", folder="reports")
    expect(page.get_by_role("region", name=say("library.uploads"))).to_contain_text(said)
    assert scripted.get(f"/api/documents/{document}")["folder"] == "reports"
