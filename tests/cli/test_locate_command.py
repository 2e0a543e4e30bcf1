import io
import json
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import pdfs, program
from tests.cli.conftest import Ran
from tests.clock import PATIENCE

Run = Callable[..., Ran]
WANTED = "travel costs had fallen while the price of energy rose in every quarter"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    return pdfs.simple(tmp_path / "report.pdf", pages=3)


def test_a_passage_is_told_with_its_place_its_words_and_how_surely(pincite: Run, report: Path) -> None:
    ran = pincite("locate", report, "--text", f"Part 2 of page 3. {pdfs.WORDS_EN[:60]}")
    assert ran.status == 0
    assert re.search(r"Found on page 3, lines? \d+", ran.out)
    assert "Part 2 of page 3. The committee reviewed the annual budget" in ran.out
    assert "Block match rate 1/1 (100.0 %) · average score 1.000 · coverage 100.0 % of the passage" in ran.out


def test_json_has_pages_boxes_scores_and_metrics(pincite: Run, report: Path) -> None:
    ran = pincite("locate", report, "--text", "Part 1 of page 2. The committee reviewed", "--json")
    assert ran.status == 0
    (match,) = ran.json["matches"]
    assert (match["page"], match["score"]) == (2, 1.0)
    ((x0, y0, x1, y1),) = match["boxes"]
    assert 0 < x0 < x1 <= match["width"]
    assert 0 < y0 < y1 <= match["height"]
    assert set(ran.json["metrics"]) >= {"block_match_rate", "average_score", "coverage"}
    assert ran.json["diagnosis"] == []


def test_a_passage_that_is_not_there_ends_with_status_1_and_says_why(pincite: Run, report: Path) -> None:
    ran = pincite("locate", report, "--text", "Penguins live in the southern hemisphere and cannot fly.")
    assert ran.status == 1
    assert ran.out.startswith("Not found\n· ")
    found = pincite("locate", report, "--json", "--text", "Penguins live in the southern hemisphere and cannot fly.")
    assert (found.status, found.json["found"], found.json["matches"]) == (1, False, [])
    assert found.json["diagnosis"]


def test_pages_order_the_search_and_a_wrong_one_is_told(pincite: Run, report: Path) -> None:
    assert pincite("locate", report, "--text", WANTED, "--pages", "3", "--json").json["matches"][0]["page"] == 3
    ran = pincite("locate", report, "--text", "Part 1 of page 2. The committee", "--pages", "1, 3")
    assert "You asked for pages 1 and 3; it stands on page 2." in ran.out


def test_a_passage_can_come_from_stdin(pincite: Run, report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("Part 3 of page 1.\nThe committee reviewed\n"))
    assert pincite("locate", report, "--text", "-", "--json").json["matches"][0]["page"] == 1


def test_a_document_of_the_library_is_named_by_its_id(pincite: Run, report: Path, tmp_path: Path) -> None:
    (added,) = pincite("add", report, "--json").lines
    report.unlink()
    ran = pincite("locate", added["document"][:8], "--text", "Part 2 of page 3.", "--evidence", tmp_path / "why.html")
    assert ran.status == 0
    assert "Found on page 3" in ran.out
    assert "data:image/png" in (tmp_path / "why.html").read_text()


def test_a_document_without_pages_is_told_by_its_lines(pincite: Run, folder: Path) -> None:
    ran = pincite("locate", folder / "bail.txt", "--text", "peut etre renouvelé une seule fois")
    assert ran.status == 0
    assert "Found on line 1" in ran.out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "Name the file"),
        (["report.pdf"], "Give the passage"),
        (["nowhere.pdf", "--text", "a"], "nowhere.pdf is neither a file nor the beginning of one document's id."),
        (["report.pdf", "--text", "a", "--pages", "three"], "three is not a list of pages"),
        (["report.pdf", "--text", "a", "--pages", "0"], "0 is not a list of pages"),
        (["report.pdf", "--text", "a", "--page", "3"], "Use --pages 3"),
        (["report.pdf", "--text", "a", "--root", "."], "--root goes with --batch"),
        (["report.pdf", "--lines"], "--lines needs a page"),
        (["report.pdf", "--lines", "--pages", "3"], "--lines needs a page, given with --page"),
        (["report.pdf", "--lines", "--page", "1", "--text", "a"], "takes no --text"),
        (["report.pdf", "--lines", "--page", "1", "--evidence", "why.html"], "--evidence goes with --text"),
        (["report.pdf", "--lines", "--page", "4"], "report.pdf has no page 4"),
        (["notes.txt", "--lines", "--page", "1"], "notes.txt has no pages"),
        (["report.pdf", "--batch", "cases.jsonl"], "A batch names its own files"),
        (["--batch", "cases.jsonl", "--pages", "3"], "A batch names its own files"),
        (["--batch", "cases.jsonl", "--page", "3"], "A batch has no --lines, --page"),
        (["--batch", "cases.jsonl", "--root", "nowhere"], "There is no folder nowhere"),
        (["--batch", "gone.jsonl"], "There is no file gone.jsonl"),
        (["--batch", "."], "cannot be read"),
        ([".", "--text", "a"], "is a folder"),
        (["report.pdf", "--text", "a lot of words", "--evidence", "report.pdf/why.html"], "cannot be written"),
    ],
)
def test_a_mistake_of_the_callers_ends_with_status_2_and_what_to_do(
    pincite: Run, report: Path, monkeypatch: pytest.MonkeyPatch, given: list[str], said: str
) -> None:
    monkeypatch.chdir(report.parent)
    Path("notes.txt").write_text("No pages here.")
    ran = pincite("locate", *given)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.said
    assert len(ran.said.splitlines()) == 2


@pytest.mark.parametrize(
    ("given", "example"),
    [
        (["--text", "a"], 'pincite locate report.pdf --text "the words to find"'),
        (["a.pdf"], 'pincite locate a.pdf --text "the words to find"'),
        (["a.pdf", "--text", "a", "--page", "3"], 'pincite locate a.pdf --text "the words to find" --pages 3'),
        (["a.pdf", "--lines"], "pincite locate a.pdf --lines --page 3"),
        (["a.pdf", "--batch", "b.jsonl"], "pincite locate --batch b.jsonl --root FOLDER"),
        (["a.pdf", "--text", "a", "--root", "b"], "pincite locate --batch cases.jsonl --root FOLDER"),
    ],
)
def test_the_example_of_a_mistake_is_what_was_meant(pincite: Run, given: list[str], example: str) -> None:
    assert f"For example: {example}. " in pincite("locate", *given).said


def test_the_lines_of_a_page_are_printed_with_their_boxes(pincite: Run, tmp_path: Path) -> None:
    two = pdfs.two_columns(tmp_path / "two.pdf")
    told = pincite("locate", two, "--lines", "--page", "1", "--json").json
    assert [line["line"] for line in told["lines"]] == list(range(1, len(told["lines"]) + 1))
    first, second = told["lines"][:2]
    assert first["text"] == "A title that runs across both of the columns"
    assert first["boxes"][0][1] < second["boxes"][0][1]
    assert "rows" in told["other_orders"]
    shown = pincite("locate", two, "--lines", "--page", "1").out
    assert f"Page 1: {len(told['lines'])} lines" in shown
    assert "Also read in other orders:" in shown
    assert "rows" in shown


def test_every_step_is_told_on_stderr_when_asked_for(pincite: Run, report: Path) -> None:
    asked = ("locate", report, "--text", "Part 1 of page 2. The committee", "--pages", "2", "--json")
    assert pincite(*asked).said == ""
    ran = pincite(*asked, "--verbose")
    steps = ran.said.splitlines()
    assert ran.json["found"]
    assert all(step.startswith("[PDF] ") for step in steps)
    assert any("pages given: [2]" in step for step in steps)
    assert "[PDF] page 2: " in ran.said
    assert any(re.fullmatch(r"\[PDF\] line 1 \[\[[\d., ]+\]\] 'Part 1 of page 2.*'", step) for step in steps)


def test_the_evidence_is_one_page_with_pictures_boxes_and_nothing_from_outside(
    pincite: Run, report: Path, tmp_path: Path
) -> None:
    target = tmp_path / "new" / "why.html"
    asked = f"{WANTED} <script>alert(1)</script>"
    ran = pincite("locate", report, "--text", asked, "--pages", "2", "--evidence", target)
    page = target.read_text(encoding="utf-8")
    assert f"Evidence: {target}" in ran.said
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert page.count("data:image/png;base64,") == 1
    assert not re.search(r"(?:src|href)=\"(?!data:)|url\(|@import|https?://", page)
    assert "Page 2" in page
    assert "<rect " in page
    assert "[PDF] page 2: " in page


def test_evidence_without_a_picture_says_why(
    pincite: Run, report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pincite.cli import locate_command
    from pincite.errors import Unreadable
    from pincite.isolation.child_process import IsolatedProcess

    target = tmp_path / "why.html"
    (tmp_path / "notes.txt").write_text("No pages here, and nothing to draw.")
    ran = pincite("locate", tmp_path / "notes.txt", "--text", "nothing to draw", "--evidence", target)
    assert "no picture: a document of the kind text has no pages" in ran.said
    ran = pincite("locate", report, "--text", "Penguins cannot fly at all.", "--evidence", target)
    assert "no picture: nothing in the document is enough like" in ran.said
    whole = [f"Part {part} of page {page}. {pdfs.WORDS_EN}" for page in (1, 2) for part in (1, 2, 3)]
    monkeypatch.setattr(locate_command, "_MOST_PICTURES", 1)
    ran = pincite("locate", report, "--text", "\n\n".join(whole), "--evidence", target)
    assert "pictures of the first 1 of 2 pages" in ran.said

    def refuse(*_: object) -> bytes:
        raise Unreadable("Drawing page 2 took too long.", "Save it again.")

    monkeypatch.setattr(IsolatedProcess, "picture", refuse)
    ran = pincite("locate", report, "--text", "Part 1 of page 2. The committee", "--evidence", target)
    assert "no picture of page 2: Drawing page 2 took too long. Save it again." in ran.said
    assert "took too long" in target.read_text(encoding="utf-8")


def batch(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def case(id: object, file: str, text: str, pages: list[int] | None = None) -> str:
    return json.dumps({"id": id, "file": file, "text": text, "pages": pages}, ensure_ascii=False)


def test_a_batch_gives_a_result_a_line_in_order_and_goes_on_over_what_is_wrong(
    pincite: Run, report: Path, tmp_path: Path
) -> None:
    (tmp_path / "other.txt").write_text("Le bail prend fin après trois ans.")
    cases = batch(
        tmp_path,
        case("a", "report.pdf", WANTED, [2]),
        case(2, "other.txt", "prend fin apres trois ans"),
        "no json",
        case(3, "gone.pdf", "anything"),
        case(4, "report.pdf", "Penguins live in the south\u2028and cannot fly."),
        '{"id": 5, "file": "report.pdf", "text": null}',
        "",
        case(6, "report.pdf", "Part 1 of page 3."),
    )
    ran = pincite("locate", "--batch", cases, "--root", tmp_path)
    assert ran.status == 0
    assert [result["id"] for result in ran.lines] == ["a", 2, None, 3, 4, 5, 6]
    first, text, wrong, gone, absent, empty, last = ran.lines
    assert first["matches"][0]["page"] == 2
    assert first["ms"] > 0
    assert (text["matches"][0]["page"], text["matches"][0]["boxes"]) == (None, [])
    assert "not a case" in wrong["error"]
    assert "cannot be opened" in gone["error"]
    assert (absent["matches"], "error" in absent) == ([], False)
    assert (empty["matches"], "not a case" in empty["error"]) == ([], True)
    assert last["matches"][0]["page"] == 3


def test_a_batch_reads_each_file_once_and_looks_beside_itself_for_them(
    pincite: Run, report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pincite.isolation.child_process import IsolatedProcess

    real, read = IsolatedProcess.read, list[str]()

    def counted(self: IsolatedProcess, source: object) -> object:
        read.append(source.name)  # type: ignore[attr-defined]
        return real(self, source)  # type: ignore[arg-type]

    monkeypatch.setattr(IsolatedProcess, "read", counted)
    (tmp_path / "other.txt").write_text("Le bail prend fin après trois ans.")
    names = ["report.pdf", "other.txt", "gone.pdf"] * 3
    ran = pincite("locate", "--batch", batch(tmp_path, *(case(i, name, "bail") for i, name in enumerate(names))))
    assert len(ran.lines) == 9
    assert sorted(read) == ["gone.pdf", "other.txt", "report.pdf"]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGINT"), reason="no such signal here")
def test_a_batch_that_is_interrupted_has_printed_whole_lines_and_no_traceback(report: Path, tmp_path: Path) -> None:
    cases = batch(tmp_path, *(case(i, "report.pdf", WANTED) for i in range(50_000)))
    process = program.start("locate", "--batch", cases, data=tmp_path / "data")
    assert process.stdout
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=PATIENCE)
    assert json.loads(first)["id"] == 0
    assert all(json.loads(line)["matches"] for line in out.splitlines())
    assert process.returncode == 130
    assert "Traceback" not in said
