from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.library import Library, open_library, passage_locator
from pincite.settings import load_settings
from tests import pdfs
from tests.cli.conftest import Ran

Run = Callable[..., Ran]
WANTED = "Part 2 of page 1. The committee reviewed the annual budget"


@pytest.fixture
def kept(tmp_path: Path) -> Callable[[Path], str]:
    """Puts a file into the library without reading it, and gives its id."""

    def add(path: Path) -> str:
        library: Library = open_library(load_settings(data=tmp_path / "data", embedding={"provider": "none"}))
        try:
            return library.add("local", path).document
        finally:
            library.close()

    return add


@pytest.mark.parametrize("name", ["a" * 300, "a/" * 3000, "a\0b", "\ud800"], ids=["long", "deep", "NUL", "half"])
@pytest.mark.parametrize("where", ["{} --text=committee", "--batch={}", "--batch=cases.jsonl --root={}"])
def test_a_name_that_no_file_can_have_is_a_mistake_told_in_words(
    pincite: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, where: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cases.jsonl").write_text("")
    ran = pincite("locate", *(part.format(name) for part in where.split()))
    assert (ran.status, ran.out, "Traceback" in ran.said) == (2, "", False)
    assert ran.said.count("Error: ") == 1
    assert len(ran.said) < 300


def test_a_name_that_is_no_id_either_may_hold_anything(pincite: Run) -> None:
    ran = pincite("locate", "caf\udce9.pdf", "--text", WANTED)
    assert (ran.status, ran.out) == (2, "")
    assert ".pdf is neither a file nor the beginning of one document's id." in ran.said


@pytest.mark.parametrize("options", [(), ("--password", "wrong")])
def test_a_password_that_is_wrong_or_left_out_is_the_callers_mistake(
    pincite: Run, tmp_path: Path, options: tuple[str, ...]
) -> None:
    path = pdfs.locked(tmp_path / "locked.pdf", "sesame")
    ran = pincite("locate", path, "--text", pdfs.WORDS_EN, *options)
    assert (ran.status, ran.out) == (2, "")
    assert "--password" in ran.said
    assert pincite("locate", path, "--text", pdfs.WORDS_EN, "--password", "sesame").status == 0


def test_a_document_that_is_yet_to_be_read_is_told_so(
    pincite: Run, tmp_path: Path, kept: Callable[[Path], str]
) -> None:
    document = kept(pdfs.simple(tmp_path / "report.pdf"))
    ran = pincite("locate", document[:8], "--text", WANTED)
    assert (ran.status, ran.out) == (2, "")
    assert "report.pdf has not been read yet." in ran.said
    assert "`pincite worker`" in ran.said


def test_a_document_that_could_not_be_read_is_told_with_the_reason(
    pincite: Run, tmp_path: Path, kept: Callable[[Path], str]
) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    document = kept(tmp_path / "broken.pdf")
    pincite("worker", "--once")
    ran = pincite("locate", document, "--text", WANTED)
    assert (ran.status, ran.out) == (1, "")
    assert "broken.pdf could not be read. This PDF is damaged" in ran.said


def test_a_stored_document_too_long_to_be_located_in_is_told_so(
    pincite: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (added,) = pincite("add", pdfs.simple(tmp_path / "report.pdf"), "--json").lines
    monkeypatch.setattr(passage_locator, "LONGEST_LOCATED", 20)
    for where in (added["document"], tmp_path / "report.pdf"):
        ran = pincite("locate", where, "--text", WANTED)
        assert (ran.status, ran.out) == (1, "")
        assert "too many to locate a passage in" in ran.said


def test_a_stored_document_shows_the_nearest_place_with_its_boxes(pincite: Run, tmp_path: Path) -> None:
    (added,) = pincite("add", pdfs.simple(tmp_path / "report.pdf", 2), "--json").lines
    target = tmp_path / "why.html"
    asked = f"Part 7 of page 2. {pdfs.WORDS_EN}"
    ran = pincite("locate", added["document"], "--text", asked, "--evidence", target)
    assert ran.status == 1
    assert 'class="near"/>' in target.read_text(encoding="utf-8")
