"""A child that misbehaves on demand: these readers are put in by a sitecustomize of the test's own."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fpdf import FPDF
from tests import pdfs
from tests.clock import PATIENCE

from pincite.errors import Encrypted, ReadingFault, TimedOut, TooLarge, Unreadable, Unsupported
from pincite.isolation import child_process
from pincite.isolation.child_process import IsolatedProcess
from pincite.isolation.document_parts import Recipe
from pincite.reading.source import Source
from pincite.settings import ReadingSettings

Mischief = Callable[[str], object]

MISCHIEF = """
import os, sys, time
from pathlib import Path
if (told := Path(__file__).with_name("deed")).exists():
    import pincite.reading.pdf as pdf
    real = pdf._read_page
    deed, page = told.read_text().split(":")
    def _read_page(file, number, source):
        if number == int(page):
            if deed == "hang": time.sleep(600)
            if deed == "crash": os.abort()
            if deed == "bomb": hoard = [bytearray(10_000_000) for _ in range(10_000)]
            if deed == "print": print("noise on stdout", flush=True); os.write(1, b"more noise")
        return real(file, number, source)
    pdf._read_page = _read_page
    if deed == "stubborn":
        pdf._assemble_document = lambda *_: os.abort()
    if deed == "split":
        import pincite.passages as passages
        passages.split_passages = lambda *_: time.sleep(600)
    if deed == "flood":
        import pincite.isolation.tasks as tasks
        def flood(request, progress):
            while True: yield b"C" + bytes(1_000_000)
        tasks.TASKS["contents"] = flood
    if deed == "fault":
        import pincite.passages as passages
        passages.split_passages = lambda *_: [][1]
"""


@pytest.fixture
def mischief(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mischief:
    """Says what children do from now on: a deed and the page at which it is done."""
    (tmp_path / "sitecustomize.py").write_text(MISCHIEF)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    return (tmp_path / "deed").write_text


def limits(**given: float) -> ReadingSettings:
    return ReadingSettings.model_validate({"seconds": 60, "page_seconds": 2, "memory_mb": 1500, **given})


def source(path: Path) -> Source:
    return Source(path, path.name)


@pytest.mark.parametrize("deed", ["hang", "crash", "bomb"])
def test_a_page_that_hangs_crashes_or_explodes_is_skipped_and_the_rest_is_kept(
    tmp_path: Path, mischief: Mischief, deed: str
) -> None:
    mischief(f"{deed}:2")
    with IsolatedProcess(limits()) as reader:
        found = reader.read(source(pdfs.simple(tmp_path / "a.pdf", pages=3)))
    assert len(found.problems) == 1
    assert found.problems[0].startswith("Page 2 could not be read and was skipped")
    assert "page 1" in found.text
    assert "page 2" not in found.text
    assert "page 3" in found.text


def test_output_of_a_library_does_not_disturb_the_pipe(tmp_path: Path, mischief: Mischief) -> None:
    mischief("print:1")
    with IsolatedProcess(limits()) as reader:
        assert "page 1" in reader.read(source(pdfs.simple(tmp_path / "a.pdf"))).text


def test_a_document_over_its_time_fails_with_the_reason(tmp_path: Path, mischief: Mischief) -> None:
    mischief("hang:2")
    with IsolatedProcess(limits()) as reader:
        reader.read(source(pdfs.simple(tmp_path / "one.pdf")))  # the child is up
        reader._limits = limits(seconds=1.5, page_seconds=60, longest_seconds=2)
        with pytest.raises(TimedOut, match="took too long at page 2"):
            reader.read(source(pdfs.simple(tmp_path / "a.pdf", pages=2)))


def test_the_reader_goes_on_after_a_document_that_brought_its_child_down(tmp_path: Path, mischief: Mischief) -> None:
    mischief("crash:2")
    with IsolatedProcess(limits()) as reader:
        assert reader.read(source(pdfs.simple(tmp_path / "a.pdf", pages=2))).problems
        assert not reader.read(source(pdfs.simple(tmp_path / "b.pdf", pages=1))).problems


def test_errors_cross_the_pipe_with_their_kind_and_hint(tmp_path: Path) -> None:
    program = tmp_path / "a.bin"
    program.write_bytes(b"\x7fELF" + os.urandom(200))
    with IsolatedProcess(limits()) as reader:
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
    with IsolatedProcess(limits()) as reader:
        with pytest.raises(Encrypted):
            reader.read(source(path))
        assert reader.read(Source(path, path.name, password="open")).text == "Behind the door."


def test_a_file_over_the_limit_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate(3_000_000)
    with IsolatedProcess(limits(max_file_mb=2)) as reader, pytest.raises(TooLarge, match=r"3\.0 MB; the limit is 2 MB"):
        reader.read(source(path))


def test_no_child_is_left_behind(tmp_path: Path, mischief: Mischief) -> None:
    with IsolatedProcess(limits()) as reader:
        reader.read(source(pdfs.simple(tmp_path / "a.pdf")))
        child = reader._child
        assert child is not None
        assert child.is_alive()
    assert not child.is_alive()


def test_a_child_of_a_large_program_is_kept(tmp_path: Path) -> None:
    large = np.ones(700_000_000, dtype=np.uint8)
    with IsolatedProcess(limits()) as reader:
        reader.read(source(pdfs.simple(tmp_path / "a.pdf")))
        assert reader._child is not None
        assert reader._child.is_alive()
    assert large.any()


def test_a_crash_that_no_page_explains_ends_after_a_few_tries(
    tmp_path: Path, mischief: Mischief, monkeypatch: pytest.MonkeyPatch
) -> None:
    mischief("stubborn:0")
    started = []

    class Counted(child_process._Child):
        def __init__(self, *given: Any) -> None:
            started.append(self)
            super().__init__(*given)

    monkeypatch.setattr(child_process, "_Child", Counted)
    with IsolatedProcess(limits()) as reader, pytest.raises(Unreadable, match="crashed at page 2"):
        reader.read(source(pdfs.simple(tmp_path / "a.pdf", pages=2)))
    assert len(started) == 2


class Left(Exception):
    pass


def leave_after(ticks: int, left: list[float]) -> Callable[[int, int], None]:
    """A way to report progress that raises at its n-th call, as somebody does who cancels."""

    def progress(page: int, pages: int) -> None:
        left.append(time.monotonic())
        if len(left) >= ticks:
            raise Left

    return progress


def test_a_child_that_is_silent_while_passages_are_made_is_left_at_the_next_tick(
    tmp_path: Path, mischief: Mischief
) -> None:
    mischief("split:0")
    path = tmp_path / "a.txt"
    path.write_text("A text of one sentence.")
    calls: list[float] = []
    with IsolatedProcess(limits()) as reader:
        made = reader.make_contents(Source(path, path.name, progress=leave_after(4, calls)), Recipe(1500, 200))
        with pytest.raises(Left):
            list(made)
        assert reader._child is not None
        assert not reader._child.is_alive()
    assert max(after - before for before, after in pairwise(calls)) < 1


def test_a_caller_that_takes_no_more_parts_leaves_no_child_at_work(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("A text of one sentence. " * 50_000)
    with IsolatedProcess(limits()) as reader:
        with closing(reader.make_contents(source(path), Recipe(1500, 200))) as made:
            next(made)
            child = reader._child
        assert child is not None
        assert not child.is_alive()


def test_a_child_that_sends_without_end_is_stopped_at_the_limit(tmp_path: Path, mischief: Mischief) -> None:
    mischief("flood:0")
    path = tmp_path / "a.txt"
    path.write_text("Short.")
    with IsolatedProcess(limits()) as reader:
        with pytest.raises(Unreadable, match="gave more than the limit"):
            for _ in reader._parts("contents", source(path), {"recipe": {}}, 20_000_000):
                pass
        assert reader._child is not None
        assert not reader._child.is_alive()
        with pytest.raises(Unreadable, match="invalid reply"):
            list(reader.make_contents(source(path), Recipe(1500, 200)))


def test_a_fault_of_ours_in_the_child_is_told_as_such(tmp_path: Path, mischief: Mischief) -> None:
    mischief("fault:0")
    path = tmp_path / "a.txt"
    path.write_text("Short.")
    with IsolatedProcess(limits()) as reader, pytest.raises(ReadingFault, match="IndexError"):
        list(reader.make_contents(source(path), Recipe(1500, 200)))


def test_a_file_that_claims_many_pages_gets_no_more_time(tmp_path: Path, mischief: Mischief) -> None:
    mischief("hang:2")
    with IsolatedProcess(limits()) as reader:
        reader.read(source(pdfs.simple(tmp_path / "one.pdf")))  # the child is up
        reader._limits = limits(seconds=1, page_seconds=60, longest_seconds=2)
        with pytest.raises(TimedOut, match="took too long at page 2"):
            reader.read(source(pdfs.simple(tmp_path / "a.pdf", pages=50)))


def test_a_child_ends_when_its_parent_was_killed(tmp_path: Path) -> None:
    script = (
        "import os, signal; from pathlib import Path; from pincite.isolation.child_process import IsolatedProcess\n"
        "from pincite.settings import ReadingSettings\n"
        "child = IsolatedProcess(ReadingSettings())._fresh_child(Path()); print(child._process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    child = int(done.stdout)
    ends = time.monotonic() + PATIENCE
    while is_running(child):
        assert time.monotonic() < ends
        time.sleep(0.05)


def is_running(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
