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


def test_the_bar_of_selected_documents_stands_at_the_foot_and_no_toast_lies_on_it(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    for name in ("heron", "stork"):
        scripted.send(papers.titled(tmp_path / f"{name}.pdf", f"The {name} of the pond"), library="pond")
    until(lambda: scripted.get("/api/documents", library="pond", status=["ready"])["total"] == 2)
    page = browse(scripted, "/library")
    page.get_by_role("combobox", name=say("library.filter.library")).select_option("pond")
    rows = page.get_by_role("list", name=say("library.list")).get_by_role("listitem")
    expect(rows).to_have_count(2)
    page.get_by_role("checkbox", name=say("library.selectAll")).check()
    page.get_by_role("searchbox").fill("heron")
    expect(rows).to_have_count(1)
    bar = page.get_by_role("toolbar", name=say("library.chosen.acts"))
    expect(bar).to_contain_text(say("library.chosen.hidden.other", n=2, hidden=1))
    place = bar.bounding_box()
    assert place
    assert 0 < 900 - (place["y"] + place["height"]) < 40
    for tag, width in (("wet", 1440), ("deep", 390)):
        page.set_viewport_size({"width": width, "height": 900})
        bar.get_by_role("button", name=say("library.tag")).click()
        page.get_by_role("textbox", name=say("library.tag.new")).fill(tag)
        page.keyboard.press("Enter")
        toast = page.locator(".toast").first
        expect(toast).to_be_visible()
        place, shown = bar.bounding_box(), toast.bounding_box()
        assert place
        assert shown
        assert shown["y"] + shown["height"] <= place["y"]


def test_on_a_phone_a_long_file_name_is_shortened_within_its_row(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    name = "minutes_of_the_harbour_committee_" + "and_its_many_annexes_" * 4 + "1934.pdf"
    scripted.add(papers.titled(tmp_path / name, "Minutes of the harbour"))
    page = browse(scripted, "/library", viewport={"width": 390, "height": 844})
    line = row(page, "Minutes of the harbour").first
    told = line.locator(".document-name")
    expect(told).to_be_visible()
    assert told.evaluate("(name) => name.scrollWidth > name.clientWidth")
    assert told.evaluate("(name) => name.getBoundingClientRect().right <= name.closest('li').clientWidth")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    starts = line.locator(".document-facts > *").evaluate_all(
        "(all) => all.map((each) => getComputedStyle(each, '::before').content)"
    )
    assert set(starts) == {"none"}


def test_back_closes_the_source_that_was_opened_in_the_library(
    browse: Browse, scripted: Server, tmp_path: Path
) -> None:
    scripted.add(papers.titled(tmp_path / "wren.pdf", "On the wren"))
    page = browse(scripted, "/")
    page.get_by_role("link", name=say("shell.library")).first.click()
    line = row(page, "On the wren").first
    line.get_by_role("link", name="On the wren").click()
    expect(viewer(page)).to_be_visible()
    expect(line).to_have_attribute("aria-current", "true")
    page.go_back()
    expect(viewer(page)).to_have_count(0)
    expect(line).to_be_visible()
    page.go_back()
    expect(line).to_have_count(0)
