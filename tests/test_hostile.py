"""Hostile files: each is ready or failed with a reason, costs no more than its size, and the program goes on.

A small file of every kind is tried here; `make test-hostile` sends a thousand of them to a running server.
"""

import gc
import random
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.errors import PinciteError, Unreadable
from pincite.jobs import Worker
from pincite.library import Library
from pincite.passages import make_indexed, split_passages
from pincite.text.language import detect_document_language
from pincite.types import Document
from tests import files, pdfs
from tests.hostile import KINDS, Kind, make
from tests.hostile.damage import damage
from tests.hostile.work import work
from tests.thorough import keep_some, mark_slow
from tests.work import all_of, waiting

STEADY = sorted(name for name, kind in KINDS.items() if kind.is_steady)
MULTIPLE = 5  # times its characters that all that is indexed of a document may have
LEAST = 3000  # characters that it may have in any case: a title, a name and headings
ATTEMPTS = 4  # at comparing two times: other work on the machine may disturb one of them


@pytest.fixture(scope="module", autouse=True)
def _warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Load what is loaded once, so that the first file does not pay for it."""
    detect_document_language("Ein kurzer Satz, der keine der bekannten kleinen Wörter zählt.")
    path = tmp_path_factory.mktemp("warm") / "a.html"
    path.write_bytes(files.ARTICLE)
    work(path)


def written(folder: Path, kind: Kind, size: int) -> Path:
    path = folder / f"{size}.{kind.ending}"
    path.write_bytes(make(kind.name, size))
    return path


@pytest.mark.parametrize("name", sorted(KINDS))
def test_a_hostile_file_is_read_or_refused_with_a_reason(tmp_path: Path, name: str) -> None:
    found = work(written(tmp_path, KINDS[name], max(KINDS[name].quick // 8, 1)))
    if isinstance(found, PinciteError):
        assert isinstance(found, Unreadable), name
        assert_can_be_understood(f"{found.message} {found.hint}", name)
        return
    files.assert_sound(found)
    assert_is_no_more_than_a_few_times_its_text(found)


@pytest.mark.parametrize("name", keep_some(STEADY, one_in=10))
def test_twice_the_file_is_less_than_three_times_the_work(tmp_path: Path, name: str) -> None:
    kind = KINDS[name]
    small, large = (written(tmp_path, kind, size) for size in (max(kind.quick // 2, 1), kind.quick))
    ratios = []
    for _ in range(ATTEMPTS):
        ratios.append(cpu(lambda: work(large)) / cpu(lambda: work(small)))
        if ratios[-1] < 3:
            return
    raise AssertionError(f"{name}: {ratios}")


def cpu(deed: Callable[[], object]) -> float:
    gc.disable()  # collecting what other tests left is no part of the work
    try:
        begun = time.process_time()
        deed()
        return time.process_time() - begun
    finally:
        gc.enable()


def assert_is_no_more_than_a_few_times_its_text(document: Document) -> None:
    entries = [make_indexed(document, passage, "a_file.txt") for passage in split_passages(document)]
    total = sum(len(entry.context) + len(entry.body) for entry in entries)
    assert total <= MULTIPLE * len(document.text) + LEAST


def test_there_are_sixty_kinds_and_each_is_made_alike_from_its_seed() -> None:
    assert len(KINDS) >= 60
    for name in ("text_every_character", "csv_one_row", "damaged_rtf", "pdf_scattered"):
        assert make(name, 50, 7) == make(name, 50, 7) != make(name, 50, 8)


@pytest.mark.parametrize("count", [40, mark_slow(200)])
def test_damaged_files_cost_at_most_themselves(library: Library, tmp_path: Path, count: int) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    chance = random.Random(seed)
    samples = files.samples()
    whole = [(name, samples[name]) for name in ("a.docx", "a.pptx", "a.xlsx", "a.epub", "a.eml", "b.eml", "a.html")]
    whole += [(name, samples[name]) for name in ("a.rtf", "a.odt", "a.ipynb")]
    for name, words in (("en.pdf", pdfs.WORDS_EN), ("fr.pdf", pdfs.WORDS_FR), ("two.pdf", pdfs.WORDS_EN)):
        whole.append((name, pdfs.simple(tmp_path / name, words=words, pages=len(name) - 5).read_bytes()))
    for number in range(count):
        name, data = whole[number % len(whole)]
        path = tmp_path / f"{number}-{name}"
        path.write_bytes(damage(chance, data))
        library.add("local", path)
    sound = library.add("local", pdfs.simple(tmp_path / "sound.pdf", pages=4)).document

    Worker(library, lambda: None, readers=2).run()

    assert waiting(library) == 0
    stored = all_of(library)
    assert {document.id: document.status for document in stored}[sound] == "ready"
    assert len(stored) > count * 0.9  # a deed may undo itself, and then the bytes are known
    for document in stored:
        assert document.status in ("ready", "failed"), document.name
        if document.status == "failed":
            assert_can_be_understood(document.error, document.name)
    # Were all of them one or the other, nothing would have been tried.
    assert count / 20 < sum(document.status == "failed" for document in stored) < count * 0.95


def assert_can_be_understood(reason: str, name: str) -> None:
    """Sentences, the last of which says what to do; no traceback, no library's own words alone."""
    assert "Traceback" not in reason, name
    assert 'File "' not in reason, name
    assert "A fault of ours" not in reason, name
    sentences = re.split(r"(?<=\.)\s+", reason)
    assert len(sentences) >= 2, f"{name}: {reason}"
    assert re.match(r"[A-Z`]", sentences[-1]), f"{name}: {reason}"
    assert reason.endswith("."), f"{name}: {reason}"
    assert not re.fullmatch(r"\w*(Error|Exception)\b.*", sentences[0]), f"{name}: {reason}"
    assert " object at 0x" not in reason, f"{name}: {reason}"
