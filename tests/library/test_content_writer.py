"""Content is written in parts and seen whole: whatever happens in between, a search finds the old or the new."""

import signal
import subprocess
import time
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from pincite import jobs as worker
from pincite.errors import Misuse
from pincite.isolation.document_parts import EntriesPart, Part, Recipe
from pincite.library import Library, content_writer
from pincite.library.content_writer import ContentWriter, TransactionPacer
from pincite.reading.source import Source
from pincite.search.search import PassageSearch
from pincite.store import generations, job_queue
from pincite.store.process_names import get_process_name
from pincite.store.schema import generations as generation_rows
from pincite.store.schema import metadata
from pincite.types import Scope
from tests.clock import PATIENCE
from tests.thorough import mark_slow
from tests.warm_process import start_script
from tests.work import AtOnce, finish, the

OLD = "\n\n".join(f"Paragraph {i} of the former report tells of herons." for i in range(900))
NEW = OLD.replace("herons", "otters")

KILLED = """
import os, signal, sys
from pathlib import Path
from pincite import jobs
from pincite.library import content_writer, open_library
from pincite.library.content_writer import ContentWriter
from pincite.settings import load_settings
from tests.work import AtOnce, finish

data, moment, where = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
jobs.IsolatedProcess = lambda *_, **__: AtOnce()
content_writer._SMALL = 0
flush, write, begun = ContentWriter._flush, ContentWriter._write, []

def killed(name, do):
    def call(self, *given):
        begun.append(name) if name == where else None
        done = do(self, *given)
        if begun.count(where) == moment and name == where:
            os.kill(os.getpid(), signal.SIGKILL)
        return done
    return call

ContentWriter._flush, ContentWriter._write = killed("flush", flush), killed("write", write)
ContentWriter.finish = killed("finish", ContentWriter.finish)
whole = content_writer.TransactionPacer
content_writer.TransactionPacer = lambda *_: whole(5_000, 5_000, 5_000)
finish(open_library(load_settings(data=data, embedding={"provider": "none"}, passages={"size": 200, "overlap": 0})))
"""


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every document is large here, and is read in this process."""

    class Small(TransactionPacer):
        def __init__(self, *_: int) -> None:
            super().__init__(5_000, 5_000, 5_000)

    monkeypatch.setattr(content_writer, "_SMALL", 0)
    monkeypatch.setattr(content_writer, "TransactionPacer", Small)
    monkeypatch.setattr(worker, "IsolatedProcess", lambda *_, **__: AtOnce())


@pytest.fixture
def library(opened: Callable[..., Library]) -> Library:
    return opened(embedding={"provider": "none"}, passages={"size": 200, "overlap": 0})


def found(library: Library, words: str) -> int:
    return len(PassageSearch(library.database, library.index, None, library.settings).search(words, Scope(), 1000))


def change(library: Library, document: str, text: str) -> None:
    """Change the stored bytes of a document, and ask for it to be read again."""
    with library.files.local(the(library, document).sha256) as path:
        path.chmod(0o600)
        path.write_text(text)
    library.reindex("local", None, again=True)


def counts(library: Library) -> dict[str, int]:
    with library.database.reading() as connection:
        rows = {t.name: connection.scalar(select(func.count()).select_from(t)) or 0 for t in metadata.sorted_tables}
        rows["words"] = connection.exec_driver_sql("SELECT count(*) FROM words").scalar_one()
        return rows


@pytest.mark.parametrize(
    ("moment", "where"),
    [mark_slow(1, "write"), mark_slow(1, "flush"), (4, "write"), mark_slow(6, "flush"), (1, "finish")],
)
def test_a_process_killed_at_any_batch_leaves_the_old_content_and_nothing_half(
    library: Library, small_batches: None, tmp_path: Path, moment: int, where: str
) -> None:
    path = tmp_path / "report.txt"
    path.write_text(OLD)
    document = library.add("local", path).document
    finish(library)
    before = counts(library)
    whole = found(library, "herons")
    change(library, document, NEW)
    process = start_script(KILLED, library.settings.data, str(moment), where, stderr=subprocess.PIPE, text=True)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGKILL, said
    assert (found(library, "herons"), found(library, "otters")) == (whole, 0)
    assert the(library, document).passages == whole
    finish(library)
    assert (found(library, "herons"), found(library, "otters")) == (0, whole)
    assert counts(library) == before


def test_a_document_is_searched_as_it_was_until_its_new_content_is_whole(
    library: Library, small_batches: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.txt"
    path.write_text(OLD)
    document = library.add("local", path).document
    finish(library)
    whole = found(library, "herons")
    change(library, document, NEW)
    seen: list[tuple[int, int]] = []
    flush = ContentWriter._flush

    def look(writer: ContentWriter) -> None:
        flush(writer)
        seen.append((found(library, "herons"), found(library, "otters")))

    monkeypatch.setattr(ContentWriter, "_flush", look)
    finish(library)
    assert len(seen) > 5
    assert set(seen) == {(whole, 0)}
    assert (found(library, "herons"), found(library, "otters")) == (0, whole)


def test_no_transaction_writes_more_than_a_small_part_of_a_large_document(
    library: Library, small_batches: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []
    add = generations.add_passages
    begin = library.database.writing

    def counted(*given: object) -> list[int]:
        ids = add(*given)  # type: ignore[arg-type]
        written[-1] += len(ids)
        return ids

    def noted(**given: bool) -> object:
        written.append(0)
        return begin(**given)

    monkeypatch.setattr(generations, "add_passages", counted)
    monkeypatch.setattr(library.database, "writing", noted)
    path = tmp_path / "report.txt"
    path.write_text(OLD)
    document = library.add("local", path).document
    finish(library)
    assert sum(written) == the(library, document).passages
    assert max(written) < sum(written) / 3


@pytest.mark.parametrize("after", [1, 8])
def test_work_that_is_cancelled_while_it_is_stored_ends_with_the_next_batch_and_leaves_nothing(
    library: Library, small_batches: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    path = tmp_path / "report.txt"
    path.write_text(OLD)
    document = library.add("local", path).document
    flush, flushed = ContentWriter._flush, 0

    def cancelled(writer: ContentWriter) -> None:
        nonlocal flushed
        flushed += 1
        if flushed == after:
            library.cancel("local", document)
        flush(writer)

    monkeypatch.setattr(ContentWriter, "_flush", cancelled)
    finish(library)
    assert flushed == after
    assert the(library, document).status == "failed"
    assert counts(library)["passages"] == counts(library)["words"] == counts(library)["generations"] == 0


class Slow(AtOnce):
    """Goes on for ever with passages, and counts how many batches of them were taken."""

    taken = 0

    def make_contents(self, source: Source, recipe: Recipe) -> Generator[Part]:
        for part in super().make_contents(source, recipe):
            yield part
            if isinstance(part, EntriesPart):
                while True:
                    Slow.taken += 1
                    time.sleep(0.01)
                    source.progress(0, 0)


def test_a_cancelled_reading_is_left_long_before_its_lease_ends(
    opened: Callable[..., Library], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = opened(embedding={"provider": "none"}, jobs={"lease_seconds": PATIENCE})
    monkeypatch.setattr(worker, "IsolatedProcess", lambda *_, **__: Slow())
    path = tmp_path / "report.txt"
    path.write_text(OLD)
    document = library.add("local", path).document
    report: list[float] = []

    def cancel(_: object) -> None:
        if not report:
            report.append(time.monotonic())
            library.cancel("local", document)

    finish(library, report=cancel)
    assert time.monotonic() - report[0] < library.settings.jobs.lease_seconds / 6
    assert the(library, document).status == "failed"


def test_content_of_a_dead_process_is_swept_and_that_of_a_living_one_is_not(library: Library) -> None:
    with library.database.writing() as connection:
        generations.begin(connection, "gone", "4194303@" + get_process_name().partition("@")[2])
        generations.begin(connection, "left", "")
        living = generations.begin(connection, "written", get_process_name())
    library.sweep()
    with library.database.reading() as connection:
        assert list(connection.scalars(select(generation_rows.c.id))) == [living]


def test_a_removed_document_is_gone_at_once_and_its_rows_follow(
    library: Library, small_batches: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.store.documents._CLEARED", 5)
    path = tmp_path / "report.txt"
    path.write_text(OLD)
    document = library.add("local", path).document
    finish(library)
    library.remove("local", document)
    assert found(library, "herons") == 0
    assert counts(library)["passages"] > 0
    library.sweep()
    assert {name: count for name, count in counts(library).items() if count} == {}


def test_a_long_document_that_is_renamed_is_made_again_and_found_by_its_title(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "IsolatedProcess", lambda *_, **__: AtOnce())
    monkeypatch.setattr("pincite.library.document_titles._REWORDED_AT_ONCE", 10)
    path = tmp_path / "report.txt"
    path.write_text(OLD)
    document = library.add("local", path).document
    finish(library)
    whole = found(library, "herons")
    assert library.rename("local", document, "Waterfowl").title == "Waterfowl"
    assert found(library, "herons") == whole
    with library.database.reading() as connection:
        assert job_queue.count_pending(connection).queued["read"] == 1
    finish(library)
    assert (found(library, "waterfowl"), found(library, "herons")) == (whole, whole)
    with pytest.raises(Misuse):
        library.rename("local", document, "   ")


def test_a_document_renamed_while_it_is_read_is_found_by_the_new_title(
    library: Library, small_batches: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.txt"
    path.write_text(OLD)
    document = library.add("local", path).document
    flush, renamed = ContentWriter._flush, list[object]()

    def rename(writer: ContentWriter) -> None:
        flush(writer)
        if not renamed:
            renamed.append(library.rename("local", document, "Waterfowl"))

    monkeypatch.setattr(ContentWriter, "_flush", rename)
    finish(library)
    assert found(library, "waterfowl") == found(library, "herons") > 0
    assert counts(library)["generations"] == 1
