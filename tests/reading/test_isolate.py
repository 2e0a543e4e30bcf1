"""A child that misbehaves on demand: these readers are put in by a sitecustomize of the test's own."""

import os
from pathlib import Path

import pytest
from fpdf import FPDF
from tests import pdfs

from pincite.errors import Encrypted, TooLarge, Unreadable, Unsupported
from pincite.reading import isolate
from pincite.reading.isolate import Isolated
from pincite.reading.source import Source
from pincite.settings import ReadingSettings

MISCHIEF = """
import os, sys, time
if os.environ.get("TEST_MISCHIEF"):
    import pincite.reading.pdf as pdf
    real = pdf._page
    deed, page = os.environ["TEST_MISCHIEF"].split(":")
    def _page(file, number, source):
        if number == int(page):
            if deed == "hang": time.sleep(600)
            if deed == "crash": os.abort()
            if deed == "bomb": hoard = [bytearray(10_000_000) for _ in range(10_000)]
            if deed == "print": print("noise on stdout", flush=True); os.write(1, b"more noise")
        return real(file, number, source)
    pdf._page = _page
    if deed == "stubborn":
        pdf._assemble = lambda *_: os.abort()
"""


@pytest.fixture
def mischief(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    (tmp_path / "sitecustomize.py").write_text(MISCHIEF)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return monkeypatch


def limits(**given: float) -> ReadingSettings:
    return ReadingSettings.model_validate({"seconds": 60, "page_seconds": 2, "memory_mb": 1500, **given})


def source(path: Path) -> Source:
    return Source(path, path.name)


@pytest.mark.parametrize("deed", ["hang", "crash", "bomb"])
def test_a_page_that_hangs_crashes_or_explodes_is_skipped_and_the_rest_is_kept(
    tmp_path: Path, mischief: pytest.MonkeyPatch, deed: str
) -> None:
    mischief.setenv("TEST_MISCHIEF", f"{deed}:2")
    with Isolated(limits()) as reader:
        found = reader.read(source(pdfs.simple(tmp_path / "a.pdf", pages=3)))
    assert len(found.problems) == 1
    assert found.problems[0].startswith("Page 2 could not be read and was skipped")
    assert "page 1" in found.text
    assert "page 2" not in found.text
    assert "page 3" in found.text


def test_what_a_library_prints_does_not_disturb_the_pipe(tmp_path: Path, mischief: pytest.MonkeyPatch) -> None:
    mischief.setenv("TEST_MISCHIEF", "print:1")
    with Isolated(limits()) as reader:
        assert "page 1" in reader.read(source(pdfs.simple(tmp_path / "a.pdf"))).text


def test_a_document_over_its_time_fails_with_the_reason(tmp_path: Path, mischief: pytest.MonkeyPatch) -> None:
    mischief.setenv("TEST_MISCHIEF", "hang:1")
    with (
        Isolated(limits(seconds=1.5, page_seconds=60)) as reader,
        pytest.raises(Unreadable, match="took too long at page 1"),
    ):
        reader.read(source(pdfs.simple(tmp_path / "a.pdf")))


def test_the_reader_goes_on_after_a_document_that_brought_its_child_down(
    tmp_path: Path, mischief: pytest.MonkeyPatch
) -> None:
    mischief.setenv("TEST_MISCHIEF", "crash:2")
    with Isolated(limits()) as reader:
        assert reader.read(source(pdfs.simple(tmp_path / "a.pdf", pages=2))).problems
        assert not reader.read(source(pdfs.simple(tmp_path / "b.pdf", pages=1))).problems


def test_errors_cross_the_pipe_with_their_kind_and_hint(tmp_path: Path) -> None:
    program = tmp_path / "a.bin"
    program.write_bytes(b"\x7fELF" + os.urandom(200))
    with Isolated(limits()) as reader:
        with pytest.raises(Unsupported) as caught:
            reader.read(source(program))
        assert caught.value.hint
        with pytest.raises(Unreadable, match="cannot be opened"):
            reader.read(source(tmp_path / "not there.pdf"))


def test_a_password_reaches_the_child(tmp_path: Path) -> None:
    def draw(pdf: FPDF) -> None:
        pdf.set_encryption(owner_password="o", user_password="open")
        pdf.add_page()
        pdfs.paragraph(pdf, "Behind the door.")

    path = pdfs.make(tmp_path / "a.pdf", draw)
    with Isolated(limits()) as reader:
        with pytest.raises(Encrypted):
            reader.read(source(path))
        assert reader.read(Source(path, path.name, password="open")).text == "Behind the door."


def test_a_file_over_the_limit_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate(3_000_000)
    with Isolated(limits(max_file_mb=2)) as reader, pytest.raises(TooLarge, match=r"3\.0 MB; the limit is 2 MB"):
        reader.read(source(path))


def test_no_child_is_left_behind(tmp_path: Path, mischief: pytest.MonkeyPatch) -> None:
    with Isolated(limits()) as reader:
        reader.read(source(pdfs.simple(tmp_path / "a.pdf")))
        child = reader._child
        assert child is not None
        assert child.alive()
    assert not child.alive()


def test_a_crash_that_no_page_explains_ends_after_a_few_tries(tmp_path: Path, mischief: pytest.MonkeyPatch) -> None:
    mischief.setenv("TEST_MISCHIEF", "stubborn:0")
    started = []

    class Counted(isolate._Child):
        def __init__(self, limits: ReadingSettings) -> None:
            started.append(self)
            super().__init__(limits)

    mischief.setattr(isolate, "_Child", Counted)
    with Isolated(limits()) as reader, pytest.raises(Unreadable, match="crashed at page 2"):
        reader.read(source(pdfs.simple(tmp_path / "a.pdf", pages=2)))
    assert len(started) == 2
