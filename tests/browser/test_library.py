"""The library in the browser: what comes in, what becomes of it, and the way back."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests import files, pdfs
from tests.browser import papers
from tests.browser.conftest import Browse
from tests.browser.rooms import arrive, set_undo_time, viewer
from tests.browser.running import Server, until
from tests.browser.words import like, say
from tests.clock import PATIENCE


def row(page: Page, name: str) -> Locator:
    """The line of a document."""
    return page.get_by_role("list", name=say("library.list")).get_by_role("listitem").filter(has_text=name)


def choose_file(page: Page, path: Path) -> None:
    page.get_by_label(say("library.files"), exact=True).set_input_files(path)


def act(page: Page, name: str, what: str) -> None:
    """Do something of a document's menu."""
    page.get_by_role("button", name=say("library.acts", title=name)).click()
    page.get_by_role("menuitem", name=what).click()


def test_a_file_that_is_dropped_anywhere_is_taken_in_and_read(browse: Browse, scripted: Server, tmp_path: Path) -> None:
    page = browse(scripted, "/library")
    expect(page.get_by_role("heading", name=say("shell.library"))).to_be_visible()
    paper = papers.titled(tmp_path / "dropped.pdf", "A paper that was dropped")
    dropped = page.evaluate_handle(
        """bytes => {
          const carried = new DataTransfer();
          carried.items.add(new File([Uint8Array.from(bytes)], "dropped.pdf", { type: "application/pdf" }));
          return carried;
        }""",
        list(paper.read_bytes()),
    )
    for event in ("dragenter", "dragover"):
        page.get_by_role("heading", name=say("shell.library")).dispatch_event(event, {"dataTransfer": dropped})
    expect(page.get_by_text(say("library.drop.now"))).to_be_visible()
    page.get_by_role("heading", name=say("shell.library")).dispatch_event("drop", {"dataTransfer": dropped})
    expect(page.get_by_text(say("library.drop.now"))).to_be_hidden()
    expect(row(page, "A paper that was dropped")).to_have_attribute("data-status", "ready")


def test_a_broken_file_says_why_it_cannot_be_read_and_can_be_tried_again(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\nthis is no PDF any more\n")
    page = browse(scripted, "/library")
    choose_file(page, broken)
    line = row(page, "broken.pdf")
    expect(line).to_have_attribute("data-status", "failed")
    expect(line).to_contain_text(say("errors.unreadable"))
    line.get_by_role("button", name=say("library.retry")).click()
    expect(line).to_have_attribute("data-status", "failed")
    page.reload()
    expect(row(page, "broken.pdf")).to_contain_text(say("errors.unreadable"))


def test_a_protected_file_is_read_once_its_password_is_given(browse: Browse, scripted: Server, tmp_path: Path) -> None:
    page = browse(scripted, "/library")
    choose_file(page, pdfs.locked(tmp_path / "locked.pdf", "sesame"))
    line = row(page, "locked")
    expect(line).to_contain_text(say("errors.encrypted"))
    for password, refused in (("open", True), ("sesame", False)):
        line.get_by_label(say("library.password")).fill(password)
        line.get_by_role("button", name=say("library.retry")).click()
        if refused:
            expect(line).to_contain_text(say("library.password.wrong"))
    expect(line).to_have_attribute("data-status", "ready")
    # The browser has no password: it shows the words, and says why not the pages.
    line.get_by_role("link").first.click()
    expect(viewer(page)).to_contain_text(say("viewer.locked"))
    expect(viewer(page)).to_contain_text("The committee reviewed the annual budget")


def test_reading_shows_how_far_it_is_and_can_be_stopped(browse: Browse, scripted: Server, tmp_path: Path) -> None:
    page = browse(scripted, "/library")
    choose_file(page, pdfs.repeated(tmp_path / "endless.pdf", 4000))
    line = row(page, "endless")
    expect(line.get_by_text(like("library.reading.page"))).to_be_visible()
    expect(line.get_by_role("progressbar")).to_be_visible()
    page.get_by_role("button", name=like("library.cancel")).click()
    expect(line).to_contain_text(say("library.cancelled"))
    expect(line.get_by_role("button", name=say("library.goOn"))).to_be_visible()


@pytest.mark.parametrize("undone", [True, False])
def test_a_removed_document_comes_back_when_undone_and_else_is_gone(
    browse: Browse, scripted: Server, tmp_path: Path, undone: bool
) -> None:
    title = f"Regretted {undone}"
    document = scripted.add(papers.titled(tmp_path / f"{undone}.pdf", title))
    page = browse(scripted, "/library")
    if undone:
        set_undo_time(page, PATIENCE)
        act(page, title, say("library.remove"))
        expect(row(page, title)).to_have_count(0)
        page.get_by_role("button", name=say("library.undo")).click()
        expect(row(page, title)).to_be_visible()
    else:
        set_undo_time(page, 0)
        with page.expect_response(lambda answer: answer.request.method == "DELETE" and document in answer.url):
            act(page, title, say("library.remove"))
        expect(row(page, title)).to_have_count(0)
    arrive(page, "/library")
    expect(row(page, title)).to_have_count(int(undone))


def test_documents_are_found_as_one_types(browse: Browse, scripted: Server, tmp_path: Path) -> None:
    for name in ("Quinces", "Medlars"):
        scripted.add(papers.titled(tmp_path / f"{name}.pdf", f"On {name}"))
    page = browse(scripted, "/library")
    page.get_by_label(say("library.search")).fill("quin")
    expect(row(page, "On Quinces")).to_be_visible()
    expect(row(page, "On Medlars")).to_have_count(0)
    page.get_by_label(say("library.search")).fill("no such title")
    expect(page.get_by_text(say("library.nothing"))).to_be_visible()
    page.get_by_role("button", name=say("library.everything")).click()
    expect(row(page, "On Medlars")).to_be_visible()


def test_a_document_is_renamed_where_it_stands_and_called_so_everywhere(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    document = scripted.add(papers.titled(tmp_path / "cover.pdf", "UNTITLED COVER"))
    page = browse(scripted, "/library")
    act(page, "UNTITLED COVER", say("library.rename"))
    page.get_by_label(say("library.title")).fill("The orchard in 1934")
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.get_by_label(say("library.title")).press("Enter")
    expect(row(page, "The orchard in 1934")).to_contain_text("cover.pdf")
    page.goto(f"/d/{document}")
    expect(page.get_by_role("heading", name="The orchard in 1934")).to_be_visible()
    page.goto("/library")
    act(page, "The orchard in 1934", say("library.rename"))
    page.get_by_label(say("library.title")).fill("Something else")
    page.get_by_label(say("library.title")).press("Escape")
    expect(row(page, "The orchard in 1934")).to_be_visible()


@pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract is not installed")
def test_a_scan_that_was_added_before_scans_could_be_read_is_read_again(browse: Browse, tmp_path: Path) -> None:
    server = Server(tmp_path / "data", {"EMBEDDING__PROVIDER": "none", "READING__OCR": ""})
    server.start()
    scan = tmp_path / "invoice.png"
    scan.write_bytes(files.picture("Invoice number 4711"))
    document = server.add(scan)
    assert "4711" not in server.text(document)
    server.stop()
    server.settings["READING__OCR"] = "eng"
    server.start()
    try:
        page = browse(server, "/library")
        page.get_by_role("button", name=like("library.acts")).click()
        page.get_by_role("menuitem", name=say("library.readAgain")).click()
        until(lambda: not server.get(f"/api/documents/{document}")["problems"])
        until(lambda: server.get(f"/api/documents/{document}")["status"] == "ready")
        assert "4711" in server.text(document)
        expect(row(page, "nvoice")).to_have_attribute("data-status", "ready")
    finally:
        server.stop()


def test_many_documents_are_selected_tagged_and_moved_at_once_failed_ones_too(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    for name in ("heron", "stork"):
        paper = papers.titled(tmp_path / f"{name}.pdf", f"On the {name}", f"The {name} eats frogs.")
        scripted.send(paper, library="birds")
    broken = tmp_path / "crane.pdf"
    broken.write_bytes(b"%PDF-1.7 and nothing that follows")
    scripted.send(broken, library="birds")
    until(lambda: scripted.get("/api/documents", library="birds", status=["ready", "failed"])["total"] == 3)
    page = browse(scripted, "/library")
    page.get_by_role("combobox", name=say("library.filter.library")).select_option("birds")
    rows = page.get_by_role("list", name=say("library.list")).get_by_role("listitem")
    expect(rows).to_have_count(3)
    page.get_by_role("combobox", name=say("library.order")).select_option("title")
    expect(rows.first).to_contain_text("crane.pdf")
    page.get_by_role("checkbox", name=say("library.selectAll")).check()
    bar = page.get_by_role("toolbar", name=say("library.chosen.acts"))
    expect(bar).to_contain_text("3")
    expect(bar.get_by_role("button", name=say("library.ask.read.other", n=2))).to_be_enabled()  # one was not read
    bar.get_by_role("button", name=say("library.tag")).click()
    page.get_by_role("textbox", name=say("library.tag.new")).fill("wading")
    page.keyboard.press("Enter")
    expect(rows.filter(has=page.get_by_role("button", name="wading"))).to_have_count(2)
    assert scripted.get("/api/tags", library="birds") == [{"tag": "wading", "documents": 3}]
    bar.get_by_role("button", name=say("library.move")).click()
    page.get_by_role("textbox", name=say("library.new.name")).fill("marsh")
    page.keyboard.press("Enter")
    expect(rows).to_have_count(0)
    assert scripted.get("/api/documents", library="marsh", tag="wading")["total"] == 3
    page.get_by_role("combobox", name=say("library.filter.library")).select_option("")
    page.get_by_role("combobox", name=say("library.filter.tag")).select_option("wading")
    expect(rows).to_have_count(3)
