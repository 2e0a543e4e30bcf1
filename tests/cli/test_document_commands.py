from collections.abc import Callable
from pathlib import Path

import pytest
from fpdf import FPDF

from tests import files, pdfs
from tests.cli.conftest import Ran


def test_documents_are_listed_with_their_state_and_the_reason_when_they_failed(
    pincite: Callable[..., Ran], folder: Path
) -> None:
    (folder / "empty.txt").write_text("")
    pincite("add", folder)
    listed = pincite("documents", "--json")
    assert listed.status == 0
    by_name = {document["name"]: document for document in listed.json}
    assert set(by_name) == {"lease.md", "bail.txt", "empty.txt"}
    assert (by_name["bail.txt"]["language"], by_name["bail.txt"]["kind"]) == ("fr", "text")
    assert (by_name["lease.md"]["title"], by_name["lease.md"]["passages"]) == ("The lease", 1)
    shown = pincite("documents").out
    for document in by_name.values():
        assert document["document"][:8] in shown
        assert document["title"] in shown
    assert "empty.txt is empty" in shown


def test_an_empty_library_says_how_to_begin(pincite: Callable[..., Ran]) -> None:
    assert "pincite add" in pincite("documents").out
    assert pincite("documents", "--json").json == []


def test_headings_are_shown_with_the_numbers_printed_on_their_pages(
    pincite: Callable[..., Ran], tmp_path: Path
) -> None:
    def draw(pdf: FPDF) -> None:
        for name, style in (("Of rain", "r"), ("Of snow", "D")):
            pdf.add_page(label_style=style, label_start=2)
            pdf.set_font("Helvetica", "B", 20)
            pdf.cell(0, 24, name)
            pdf.set_font("Helvetica", size=11)
            pdfs.paragraph(pdf, pdfs.WORDS_EN * 3, y=120)

    pincite("add", pdfs.make(tmp_path / "weather.pdf", draw))
    [document] = pincite("documents", "--json").json
    shown = pincite("documents", "show", document["document"])
    assert "Of rain  p. ii (page 1)\n" in shown.out
    assert "Of snow  p. 2\n" in shown.out


def test_a_title_is_shown_exactly_as_it_is(pincite: Callable[..., Ran], folder: Path) -> None:
    (folder / "lease.md").write_text("# [bold]Lease[/bold] :smile:\n\nText of the lease.\n")
    pincite("add", folder)
    assert "[bold]Lease[/bold] :smile:" in pincite("documents").out
    found = pincite("search", "lease").out
    assert "[bold]Lease[/bold] :smile:" in found


def test_a_document_is_removed_by_the_first_letters_of_its_id(pincite: Callable[..., Ran], folder: Path) -> None:
    pincite("add", folder)
    first, second = (document["document"] for document in pincite("documents", "--json").json)
    ran = pincite("remove", first[:6], "--json")
    assert ran.status == 0
    assert (ran.json["document"], ran.json["removed"]) == (first, True)
    assert [document["document"] for document in pincite("documents", "--json").json] == [second]
    assert pincite("remove", second).out.startswith("Removed ")
    assert (folder / "lease.md").exists()


def test_removing_what_is_not_there_removes_nothing_and_says_so(pincite: Callable[..., Ran], folder: Path) -> None:
    pincite("add", folder)
    known = [document["document"] for document in pincite("documents", "--json").json]
    ran = pincite("remove", known[0], "nothing-like-it")
    assert (ran.status, ran.out) == (2, "")
    assert "There is no document nothing-like-it" in ran.said
    assert "pincite documents" in ran.said
    assert len(pincite("documents", "--json").json) == 2


def test_problems_places_and_what_nobody_knows_are_shown(
    pincite: Callable[..., Ran], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_READING__OCR", "")
    (folder / "scan.png").write_bytes(files.samples()["a.png"])
    (folder / "empty.txt").write_text("")
    pincite("add", folder, "--library", "papers")
    by_name = {document["name"]: document for document in pincite("documents", "--json").json}
    assert by_name["scan.png"]["sources"] == [{"library": "papers", "path": str(folder / "scan.png")}]
    assert by_name["empty.txt"]["kind"] == ""
    (first, *_) = by_name["scan.png"]["problems"]
    assert f"! {first}" in pincite("documents").out


def test_a_library_that_is_not_there_is_a_mistake_and_not_an_empty_list(
    pincite: Callable[..., Ran], folder: Path
) -> None:
    pincite("add", folder, "--library", "papers")
    ran = pincite("documents", "--library", "nope")
    assert (ran.status, ran.out) == (2, "")
    assert "There is no library nope.\nThere are papers." in ran.said


def test_a_document_named_twice_is_removed_once(pincite: Callable[..., Ran], folder: Path) -> None:
    pincite("add", folder)
    first, second = (document["document"] for document in pincite("documents", "--json").json)
    ran = pincite("remove", first, first[:8], "--json")
    assert (ran.status, len(ran.lines)) == (0, 1)
    assert [document["document"] for document in pincite("documents", "--json").json] == [second]


def test_a_document_is_renamed_and_found_by_its_new_title(pincite: Callable[..., Ran], folder: Path) -> None:
    pincite("add", folder)
    id = next(each["document"] for each in pincite("documents", "--json").json if each["name"] == "lease.md")
    ran = pincite("documents", "rename", id[:6], "Harbour contract", "--json")
    assert (ran.status, ran.json) == (0, {"document": id, "title": "Harbour contract", "name": "lease.md"})
    assert pincite("search", "harbour", "--json").json[0]["title"] == "Harbour contract"
    pincite("reindex", "--all")
    assert "Harbour contract" in pincite("documents").out
    assert pincite("documents", "rename", "zzzz", "x").status == 2
    assert pincite("documents", "rename", id, "").status == 2


def test_documents_with_one_title_are_told_apart_by_their_files(pincite: Callable[..., Ran], folder: Path) -> None:
    (folder / "other.md").write_text("# The lease\n\nAnother lease altogether.\n")
    pincite("add", folder)
    shown = pincite("documents").out
    assert "The lease (lease.md)" in shown
    assert "The lease (other.md)" in shown
    assert "bail (bail.txt)" not in shown
