"""A project on the page: an answer opens the file at its lines, and changes are written as they were accepted."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.barriers import serious
from tests.browser.conftest import Browse, start_server
from tests.browser.rooms import complete, composer, exchange, viewer
from tests.browser.running import Server
from tests.browser.speaking import Speaker
from tests.browser.watching import Watch
from tests.browser.words import like, say

QUESTION = "How many tons does the crane lift?"
REQUEST = "Let the crane lift twelve tons, and the quay be of stone."
CRANE = '''"""The crane of the harbour."""

COLOUR = "red"


def lift() -> int:
    """Return how many tons the crane lifts."""
    tons = 9
    return tons


def paint() -> str:
    return COLOUR
'''
QUAY = "def build() -> str:\r\n\treturn 'oak'\r\n"
FILES = {"src/crane.py": CRANE, "src/quay.py": QUAY, "README.md": "# Harbour\n\nA crane and a quay.\n"}
BLOCKS = """I change both files.

src/crane.py
<<<<<<< SEARCH
    tons = 9
=======
    tons = 12
>>>>>>> REPLACE

src/quay.py
<<<<<<< SEARCH
	return 'oak'
=======
	return 'stone'
>>>>>>> REPLACE
"""


@pytest.fixture(scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("projects") / "harbour"


@pytest.fixture
def folder(_folder: Path) -> Path:
    """The folder of the project, as it is before each test."""
    for path, text in FILES.items():
        file = _folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    return _folder


@pytest.fixture(scope="module")
def _harbour(_speaker: Speaker, _folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    _folder.mkdir()
    projects = {"PROJECTS__FOLDERS": json.dumps([str(_folder)])}
    data = tmp_path_factory.mktemp("harbour-data")
    started = start_server(data, EMBEDDING__PROVIDER="none", **projects, **_speaker.settings)
    yield started
    started.stop()


@pytest.fixture
def harbour(_harbour: Server, folder: Path, speaker: Speaker) -> Server:
    """The program on the folder of a project, with a model that says what the test tells it."""
    return _harbour


def disk(folder: Path) -> dict[str, str]:
    """All files of the folder, to the byte."""
    return {
        str(path.relative_to(folder)): path.read_bytes().decode()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def choose_project(page: Page, language: str = "en") -> None:
    """Choose the project beside the question."""
    page.get_by_role("button", name=say("conversation.scope.all", language)).click()
    page.get_by_role("list", name=say("projects.title", language)).get_by_label("harbour").check()
    page.keyboard.press("Escape")


def ask_project(page: Page, question: str, language: str = "en") -> Locator:
    """Choose the project and ask about it."""
    choose_project(page, language)
    composer(page, language).fill(question)
    composer(page, language).press("Enter")
    return exchange(page, question)


def changes(answered: Locator, language: str = "en") -> Locator:
    return answered.get_by_role("region", name=say("changes.title", language))


def file_change(answered: Locator, path: str) -> Locator:
    return answered.get_by_role("article", name=path)


def marked_lines(page: Page) -> list[int]:
    """The lines that are marked in the margin as those of the chosen citation."""
    found = viewer(page).locator('[data-lines="chosen"]')
    expect(found.first).to_be_in_viewport()
    return [int(line.get_attribute("data-line") or 0) for line in found.all()]


def test_a_citation_opens_the_file_with_exactly_its_lines_marked(
    browse: Browse, harbour: Server, speaker: Speaker
) -> None:
    page = browse(harbour)
    speaker.will("The crane lifts nine tons [1].")
    answered = complete(ask_project(page, QUESTION))
    chip = answered.get_by_role("button", name=like("conversation.chipLines"))
    named = re.fullmatch(r"1 crane\.py:(\d+)–(\d+)", chip.text_content() or "")
    assert named
    first, last = int(named[1]), int(named[2])
    assert (chip.get_attribute("aria-label") or "").endswith(": src/crane.py")
    assert 1 < first < last < len(CRANE.splitlines())
    expect(answered.locator(".source")).to_contain_text(f"src/crane.py:{first}–{last}")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(viewer(page)).to_have_count(0)
    chip.click()
    expect(viewer(page).get_by_role("heading", name="src/crane.py")).to_be_visible()
    assert marked_lines(page) == [*range(first, last + 1)]
    shown = viewer(page).locator(".code-line").all_text_contents()
    assert shown == CRANE.splitlines()
    lit = viewer(page).locator("[data-mark][data-chosen]").all_text_contents()
    assert lit == [line.strip() for line in CRANE.splitlines()[first - 1 : last]]


def test_without_a_model_the_lines_that_answer_are_shown_and_open_the_file(browse: Browse, harbour: Server) -> None:
    conversation = harbour.ask(QUESTION, chatModel="extractive", project="harbour")
    page = browse(harbour, f"/c/{conversation}")
    card = exchange(page, QUESTION).locator(".passage").first
    expect(card).to_contain_text("lines 6–9 · lift")
    code = card.locator(".passage-code > code")
    assert code.all_text_contents() == CRANE.splitlines()[5:9]
    assert [line.get_attribute("data-number") for line in code.all()] == ["6", "7", "8", "9"]
    card.get_by_role("button", name="lines 6–9").click()
    assert marked_lines(page) == [6, 7, 8, 9]
    expect(viewer(page).locator("[data-mark][data-chosen]")).to_have_text('"""Return how many tons the crane lifts."""')


def test_the_folder_has_exactly_the_accepted_change_in_every_tab_until_it_is_undone(
    browse: Browse, harbour: Server, speaker: Speaker, folder: Path
) -> None:
    page = browse(harbour)
    speaker.will(BLOCKS)
    answered = complete(ask_project(page, REQUEST))
    # The edit blocks of the model are not part of the text.
    expect(answered.locator(".answer")).to_have_text("I change both files.")
    crane, quay = file_change(answered, "src/crane.py"), file_change(answered, "src/quay.py")
    changed = crane.locator("tr[data-kind=removed], tr[data-kind=added]")
    expect(changed.locator(".diff-sign")).to_have_text([f"−{say('changes.removed')}", f"+{say('changes.added')}"])
    assert changed.locator("code").all_text_contents() == ["    tons = 9", "    tons = 12"]
    other = page.context.new_page()
    other.goto(page.url)
    expect(
        changes(exchange(other, REQUEST)).get_by_role("button", name=say("changes.applyAll.other", n=2))
    ).to_be_visible()
    assert disk(folder) == FILES

    quay.get_by_role("button", name=say("changes.reject"), exact=True).click()
    changes(answered).get_by_role("button", name=say("changes.applySome", n=1, total=2)).click()
    for shown in (answered, exchange(other, REQUEST)):
        expect(changes(shown).get_by_role("status")).to_contain_text(say("changes.applied.one", n=1))
        expect(file_change(shown, "src/crane.py")).to_contain_text(say("changes.file.applied"))
        expect(file_change(shown, "src/quay.py")).to_contain_text(say("changes.file.left"))
    assert disk(folder) == {**FILES, "src/crane.py": CRANE.replace("tons = 9", "tons = 12")}

    page.reload()
    changes(exchange(page, REQUEST)).get_by_role("button", name=say("changes.undo")).click()
    for shown in (exchange(page, REQUEST), exchange(other, REQUEST)):
        expect(changes(shown).get_by_role("status")).to_contain_text(say("changes.undone"))
    assert disk(folder) == FILES


def test_all_can_be_rejected_and_nothing_is_written(
    browse: Browse, harbour: Server, speaker: Speaker, folder: Path
) -> None:
    page = browse(harbour)
    speaker.will(BLOCKS)
    answered = complete(ask_project(page, REQUEST))
    changes(answered).get_by_role("button", name=say("changes.rejectAll")).click()
    expect(changes(answered).get_by_role("status")).to_contain_text(say("changes.rejected"))
    assert disk(folder) == FILES


def test_a_file_that_somebody_changed_meanwhile_is_not_overwritten(
    browse: Browse, harbour: Server, speaker: Speaker, folder: Path, watches: dict[Page, Watch]
) -> None:
    page = browse(harbour)
    watches[page].expect("status of 4")
    speaker.will(BLOCKS)
    answered = complete(ask_project(page, REQUEST))
    own = {**FILES, "src/crane.py": CRANE.replace("red", "blue")}
    (folder / "src/crane.py").write_bytes(own["src/crane.py"].encode())
    changes(answered).get_by_role("button", name=say("changes.applyAll.other", n=2)).click()
    expect(changes(answered).get_by_role("alert")).to_contain_text(
        say("errors.edit_refused.file_changed", path="src/crane.py")
    )
    assert disk(folder) == own


def test_an_edit_that_does_not_fit_says_so_and_the_others_can_be_applied(
    browse: Browse, harbour: Server, speaker: Speaker, folder: Path
) -> None:
    page = browse(harbour)
    speaker.will(BLOCKS.replace("'oak'\n", "'wood'\n"))
    answered = complete(ask_project(page, REQUEST))
    expect(changes(answered)).to_contain_text(say("changes.refused.one", n=1))
    expect(changes(answered)).to_contain_text(say("errors.edit_refused.not_found"))
    changes(answered).get_by_role("button", name=say("changes.applyAll.one", n=1)).click()
    expect(changes(answered).get_by_role("status")).to_contain_text(say("changes.applied.one", n=1))
    assert disk(folder) == {**FILES, "src/crane.py": CRANE.replace("tons = 9", "tons = 12")}


def test_the_files_of_the_project_can_be_browsed_and_read(browse: Browse, harbour: Server) -> None:
    page = browse(harbour)
    choose_project(page)
    page.get_by_role("button", name=say("projects.browse", name="harbour")).click()
    tree = viewer(page).get_by_role("navigation", name=say("projects.files"))
    expect(tree.get_by_role("button")).to_have_text(["src", "README.md"])
    tree.get_by_role("button", name="src").click()
    tree.get_by_role("button", name="quay.py").click()
    expect(viewer(page).locator(".code-line")).to_have_count(2)
    assert viewer(page).locator(".code-line").all_text_contents() == QUAY.split("\r\n")[:-1]
    tree.get_by_role("searchbox").fill("read")
    tree.get_by_role("button", name="README.md").click()
    expect(viewer(page).locator(".code-line")).to_have_count(3)
    expect(viewer(page).get_by_role("heading", name="README.md")).to_be_visible()


def test_work_that_is_not_finished_goes_on_when_the_user_says_so(
    browse: Browse, harbour: Server, speaker: Speaker
) -> None:
    page = browse(harbour)
    speaker.will("The crane is done, the quay is not.\n\nSTOP_MARKER")
    answered = complete(ask_project(page, REQUEST))
    expect(answered).to_contain_text(say("changes.progress.unfinished"))
    expect(answered.locator(".answer")).not_to_contain_text("STOP_MARKER")
    speaker.will("Now the quay is done too.")
    answered.get_by_role("button", name=say("changes.continue")).click()
    articles = page.get_by_role("main").locator("article.exchange")
    expect(articles).to_have_count(2)
    expect(complete(articles.last)).to_contain_text("Now the quay is done too.")
    expect(page.get_by_role("button", name=say("changes.continue"))).to_have_count(0)


def test_changes_lines_and_files_keep_nobody_out(browse: Browse, harbour: Server, speaker: Speaker) -> None:
    page = browse(harbour)
    speaker.will(f"The crane lifts nine tons [1].\n\n{BLOCKS}".replace("'oak'\n", "'wood'\n"))
    answered = complete(ask_project(page, REQUEST))
    expect(viewer(page).locator("[data-lines]").first).to_be_visible()
    expect(changes(answered)).to_be_visible()
    assert serious(page) == []
    page.get_by_role("button", name=say("projects.browse", name="harbour")).click()
    expect(viewer(page).get_by_role("searchbox")).to_be_visible()
    assert serious(page) == []


def test_a_french_reader_asks_and_applies_in_french(
    browse: Browse, harbour: Server, speaker: Speaker, folder: Path
) -> None:
    page = browse(harbour, locale="fr-FR")
    speaker.will(BLOCKS)
    choose_project(page, "fr")
    expect(composer(page, "fr")).to_have_attribute("placeholder", say("projects.placeholder", "fr", name="harbour"))
    composer(page, "fr").fill(REQUEST)
    composer(page, "fr").press("Enter")
    shown = changes(exchange(page, REQUEST), "fr")
    shown.get_by_role("button", name=say("changes.applyAll.other", "fr", n=2)).click()
    expect(shown.get_by_role("status")).to_contain_text(say("changes.applied.other", "fr", n=2))
    assert disk(folder)["src/quay.py"] == QUAY.replace("oak", "stone")
    shown.get_by_role("button", name=say("changes.undo", "fr")).click()
    expect(shown.get_by_role("status")).to_contain_text(say("changes.undone", "fr"))
    assert disk(folder) == FILES
