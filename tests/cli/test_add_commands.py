import json
import signal
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import stamina
from fpdf import FPDF

from pincite.library import open_library
from pincite.settings import load_settings
from tests import files, pdfs, program
from tests.cli.conftest import Ran
from tests.clock import PATIENCE


def test_adding_a_folder_gives_a_line_of_json_for_each_document_and_nothing_else(
    pincite: Callable[..., Ran], folder: Path
) -> None:
    pdfs.simple(folder / "report.pdf", pages=2)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    ran = pincite("add", folder, "--json")
    assert ran.status == 1
    assert len(ran.lines) == 4
    by_status = {line["title"]: line for line in ran.lines}
    for line in ran.lines:
        assert {"document", "title", "status", "pages", "passages", "seconds", "error"} <= set(line)
    assert (by_status["The lease"]["status"], by_status["The lease"]["error"]) == ("ready", None)
    assert by_status["broken.pdf"]["status"] == "failed"
    assert "damaged" in by_status["broken.pdf"]["error"]
    assert [line["pages"] for line in ran.lines if line["pages"]] == [2]
    assert "3 documents ready (2 pages, " in ran.said
    assert "1 failed" in ran.said


def test_the_same_files_again_are_said_to_be_known(pincite: Callable[..., Ran], folder: Path) -> None:
    (folder / "copy.md").write_bytes((folder / "lease.md").read_bytes())
    first = pincite("add", folder)
    assert (first.status, first.out) == (0, "")
    assert first.said.startswith("2 documents ready (2 passages), 1 the same as another · ")
    again = pincite("add", folder, "--json")
    assert "2 known already" in again.said
    assert [line["status"] for line in again.lines] == ["ready", "ready"]


def test_a_fault_of_a_file_is_said_with_its_exact_name(pincite: Callable[..., Ran], folder: Path) -> None:
    (folder / "[red]a :smile:.txt").write_text("")
    ran = pincite("add", folder)
    assert ran.status == 1
    assert ran.said.splitlines()[0].startswith("✗ [red]a :smile:.txt is empty. ")


def test_a_file_that_vanished_or_may_not_be_read_costs_only_itself(
    pincite: Callable[..., Ran], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pincite.library import folder_walk as room

    real = room.walk_files

    def walk_and_lose(path: Path, data: Path) -> list[Path]:
        found = list(real(path, data))
        (folder / "bail.txt").unlink()
        return found

    monkeypatch.setattr(room, "walk_files", walk_and_lose)
    ran = pincite("add", folder, "--json")
    assert ran.status == 1
    assert [(line["title"], line["status"]) for line in ran.lines] == [("bail.txt", "failed"), ("The lease", "ready")]
    assert ran.lines[0]["document"] is None
    assert "No such file" in ran.lines[0]["error"]
    assert "bail.txt: The file cannot be opened: No such file" in ran.said


def test_a_file_the_store_cannot_copy_costs_only_itself(
    pincite: Callable[..., Ran], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.open

    def refuse(path: Path, *mode: str, **given: str) -> object:
        if path.name == "bail.txt":
            raise PermissionError(13, "Permission denied")
        return real(path, *mode, **given)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", refuse)
    ran = pincite("add", folder, "--json")
    assert ran.status == 1
    assert [line["status"] for line in ran.lines] == ["failed", "ready"]
    assert "Permission denied" in ran.said


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("nowhere", 2, "There is no file or folder nowhere"),
        (".", 1, "There are no documents in ."),
    ],
)
def test_a_file_that_cannot_be_added_is_said(
    pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, path: str, status: int, said: str
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    ran = pincite("add", path, "--json")
    assert (ran.status, ran.out) == (status, "")
    assert said in ran.said


def test_our_own_data_is_not_added_when_it_lies_in_the_folder(
    pincite: Callable[..., Ran], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        ran = pincite("add", folder, "--json", "--data", folder / "data")
    assert len(ran.lines) == 2


def test_libraries_keep_documents_apart(pincite: Callable[..., Ran], folder: Path) -> None:
    pincite("add", folder / "lease.md", "--library", "contracts")
    pincite("add", folder / "bail.txt")
    assert [d["name"] for d in pincite("documents", "--library", "contracts", "--json").json] == ["lease.md"]
    assert len(pincite("documents", "--json").json) == 2


def test_a_password_opens_what_asked_for_one(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.set_encryption(owner_password="o", user_password="sesame")
        pdf.add_page()
        pdfs.paragraph(pdf, "Behind the door.")

    path = pdfs.make(tmp_path / "a.pdf", draw)
    refused = pincite("add", path)
    assert refused.status == 1
    assert "--password" in refused.said
    assert pincite("add", path, "--password", "sesame").status == 0
    kept = pincite("reindex", "--all", "--json")
    assert (kept.status, kept.json["status"]) == (0, "ready")
    assert "--password" in kept.json["error"]
    assert pincite("reindex", "--all", "--password", "sesame", "--json").json["error"] is None


def test_reindexing_says_when_there_is_nothing_to_do_and_does_everything_when_asked(
    pincite: Callable[..., Ran], folder: Path
) -> None:
    pincite("add", folder)
    ran = pincite("reindex", "--json")
    assert (ran.status, ran.out, ran.said) == (0, "", "Everything is up to date.\n")
    ran = pincite("reindex", "--all", "--json")
    assert ran.status == 0
    assert sorted(line["title"] for line in ran.lines) == ["The lease", "bail"]
    assert {line["status"] for line in ran.lines} == {"ready"}
    assert "2 documents ready" in ran.said


def test_an_embedder_that_is_set_wrong_leaves_documents_searchable_and_says_why(
    pincite: Callable[..., Ran], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_EMBEDDING__PROVIDER", "local")
    monkeypatch.setenv("PINCITE_EMBEDDING__MODEL", "unheard-of")
    ran = pincite("add", folder, "--json")
    assert ran.status == 1
    assert {line["status"] for line in ran.lines} == {"searchable"}
    assert all("unheard-of" in line["error"] for line in ran.lines)
    assert "2 searchable by words only" in ran.said
    assert len(pincite("search", "lease", "--json").json) == 1


@pytest.mark.slow
def test_watching_follows_the_folder_until_ctrl_c(folder: Path, tmp_path: Path) -> None:
    process = program.start("add", folder, "--watch", "--json", data=tmp_path / "data", EMBEDDING__PROVIDER="none")
    assert process.stdout
    assert process.stderr
    assert {json.loads(process.stdout.readline())["title"] for _ in range(2)} == {"The lease", "bail"}
    (folder / "new.txt").write_text("Something new.")
    assert json.loads(process.stdout.readline())["title"] == "new"
    (folder / "bail.txt").unlink()
    while "Removed bail." not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in said


def test_a_pipe_hears_now_and_then_how_far_the_work_is(
    pincite: Callable[..., Ran], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.cli.progress_bars._QUIET_SECONDS", 0.0)
    assert "2 of 2 documents read" in pincite("add", folder).said


def test_another_process_that_works_on_a_document_is_waited_for(
    pincite: Callable[..., Ran], folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pincite("add", folder)
    with sqlite3.connect(tmp_path / "data" / "pincite.db") as connection:
        connection.execute(
            "INSERT INTO jobs (owner, document, step, priority, state, worker, lease_until, attempts, created) "
            "SELECT owner, id, 'read', 0, 'running', '1@elsewhere x', ?, 1, 0 FROM documents WHERE name = 'lease.md'",
            (time.time() + 1.5,),
        )
        connection.execute("UPDATE documents SET status = 'reading' WHERE name = 'lease.md'")
    connection.close()
    assert {line["status"] for line in pincite("add", folder, "--json").lines} == {"ready"}


def test_a_server_for_vectors_that_is_away_is_asked_once_and_told_of_once(
    pincite: Callable[..., Ran], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_EMBEDDING__PROVIDER", "tei")
    monkeypatch.setenv("PINCITE_EMBEDDING__URL", "http://127.0.0.1:9")
    with stamina.set_testing(True, attempts=4, cap=True):
        ran = pincite("add", folder)
    assert ran.status == 1
    assert ran.said.count("cannot be reached") == 1
    assert "stamina" not in ran.said
    assert "2 searchable by words only" in ran.said


def test_a_missing_address_is_told_before_anything_is_read(
    pincite: Callable[..., Ran], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_EMBEDDING__PROVIDER", "openai")
    ran = pincite("add", folder)
    assert ran.status == 2
    assert "embedding.url" in ran.said
    monkeypatch.setenv("PINCITE_EMBEDDING__PROVIDER", "none")
    assert pincite("documents", "--json").json == []


def test_a_scan_is_read_again_when_ocr_is_there(
    pincite: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan = tmp_path / "scan.png"
    scan.write_bytes(files.picture())
    monkeypatch.setenv("PINCITE_READING__OCR", "")
    added = pincite("add", scan, "--json").json
    assert "switched off" in added["problems"][0]
    monkeypatch.delenv("PINCITE_READING__OCR")
    again = pincite("retry", added["document"][:6], "--json")
    assert (again.json["document"], again.json["status"]) == (added["document"], "ready")
    assert not any("switched off" in problem for problem in again.json["problems"])


def test_retrying_what_was_read_whole_says_so(pincite: Callable[..., Ran], folder: Path) -> None:
    first = next(each["document"] for each in pincite("add", folder, "--json").lines)
    ran = pincite("retry", first)
    assert ran.status == 1
    assert "nothing to retry" in ran.said
    assert pincite("retry", "zzzz").status == 2


def test_a_citation_of_the_second_slide_says_slide_2(pincite: Callable[..., Ran], tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        for title, words in (("Harbour", "The quay is long."), ("Cranes", "The blue crane lifts ninety tonnes.")):
            slide = deck.slides.add_slide(deck.slide_layouts[1])
            slide.shapes.title.text = title
            slide.placeholders[1].text = words

    (tmp_path / "deck.pptx").write_bytes(files.slides(build))
    pincite("add", tmp_path / "deck.pptx")
    found = pincite("ask", "How many tonnes does the blue crane lift?", "--json").json
    crane = next(each for each in found["citations"] if "ninety" in each["quote"])
    assert (crane["page"], crane["label"], crane["name"]) == (2, "slide 2", "deck.pptx")
    assert "slide 2" in pincite("ask", "How many tonnes does the blue crane lift?").out


def test_more_files_than_the_queue_takes_are_added_as_it_empties(
    pincite: Callable[..., Ran], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_JOBS__MOST_QUEUED", "2")
    for number in range(3):
        (folder / f"{number}.txt").write_text(f"The lake number {number} is deep.\n")
    ran = pincite("add", folder, "--json")
    assert ran.status == 0, ran.said
    assert [line["status"] for line in ran.lines] == ["ready"] * 5
    told = [line for line in ran.said.splitlines() if line.startswith("The queue is full")]
    assert told == [f"The queue is full: {left} when it is done." for left in ("3 files follow", "1 file follows")]


def test_a_file_waits_for_a_queue_that_others_filled(
    pincite: Callable[..., Ran], folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    filled = open_library(load_settings())
    for number in range(2):
        (tmp_path / f"{number}.txt").write_text(f"The lake number {number} is deep.\n")
        filled.add("local", tmp_path / f"{number}.txt")
    filled.close()
    monkeypatch.setenv("PINCITE_JOBS__MOST_QUEUED", "2")
    ran = pincite("add", folder / "lease.md", "--json")
    assert ran.status == 0, ran.said
    assert "The queue is full: 1 file follows when it is done." in ran.said
    assert [line["status"] for line in ran.lines if line["title"] == "The lease"] == ["ready"]
