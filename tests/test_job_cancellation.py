"""Work that is cancelled, or whose document is removed, ends soon and leaves nothing behind."""

import time
from collections.abc import Callable
from pathlib import Path

from pincite.jobs import StepProgress, Worker
from pincite.library import Library
from pincite.store import job_queue
from tests import pdfs
from tests.clock import PATIENCE
from tests.databases import both_engines
from tests.job_steps import working
from tests.work import Fake, all_of, finish, kept, note, the, waiting

database_address = both_engines  # every test runs on both engines


def test_work_can_be_cancelled_while_it_waits(library: Library, tmp_path: Path) -> None:
    document = library.add("local", note(tmp_path / "a.txt")).document
    library.cancel("local", document)
    assert waiting(library) == 0
    assert the(library, document).status == "failed"
    assert "Add it again" in the(library, document).error
    assert library.add("local", tmp_path / "a.txt").outcome == "again"
    finish(library)
    assert the(library, document).status == "ready"
    library.cancel("local", document)
    assert the(library, document).status == "ready"


def test_work_can_be_cancelled_while_the_document_is_read(library: Library, tmp_path: Path) -> None:
    document = library.add("local", pdfs.simple(tmp_path / "a.pdf", pages=3)).document
    with working(library, slow_pages=True) as begun:
        assert begun.wait(PATIENCE)
        library.cancel("local", document)
    stored = the(library, document)
    assert (stored.status, stored.passages) == ("failed", 0)
    assert waiting(library) == 0


def test_work_can_be_cancelled_while_vectors_are_made(opened: Callable[..., Library], tmp_path: Path) -> None:
    library, slow = opened(), Fake()
    slow.may_go_on.clear()
    document = library.add("local", note(tmp_path / "a.txt")).document
    with working(library, slow):
        assert slow.begun.wait(PATIENCE)
        library.cancel("local", document)
    assert the(library, document).status == "searchable"
    assert "vectors" in the(library, document).error
    with library.database.reading() as connection:
        assert library.index.models(connection) == {}
    assert library.add("local", tmp_path / "a.txt").outcome == "again"
    finish(library, Fake())
    assert the(library, document).status == "ready"


def test_a_long_reading_that_was_cancelled_ends_before_its_last_page(
    opened: Callable[..., Library], tmp_path: Path
) -> None:
    library = opened(jobs={"lease_seconds": 0.3}, embedding={"provider": "none"})
    document = library.add("local", pdfs.simple(tmp_path / "a.pdf", pages=60)).document
    other = library.add("local", note(tmp_path / "b.txt")).document
    pages: list[int] = []

    def report(event: StepProgress) -> None:
        if event.document == document and not event.ended:
            if not pages:
                library.cancel("local", document)
            pages.append(event.done)
            time.sleep(0.05)

    finish(library, report=report)
    assert max(pages) < 60
    assert the(library, other).status == "ready"


def test_a_document_can_be_removed_while_it_is_read(library: Library, tmp_path: Path) -> None:
    document = library.add("local", pdfs.simple(tmp_path / "a.pdf", pages=3)).document
    with working(library, slow_pages=True) as begun:
        assert begun.wait(PATIENCE)
        library.remove("local", document)
    assert all_of(library) == []
    assert kept(library) == []
    assert waiting(library) == 0


def test_a_document_can_be_removed_while_its_vectors_are_made(opened: Callable[..., Library], tmp_path: Path) -> None:
    library, slow = opened(), Fake()
    slow.may_go_on.clear()
    document = library.add("local", note(tmp_path / "a.txt")).document
    with working(library, slow):
        assert slow.begun.wait(PATIENCE)
        library.remove("local", document)
    assert all_of(library) == []
    with library.database.reading() as connection:
        assert library.index.models(connection) == {}


def test_a_stopped_worker_gives_its_work_back_unharmed(library: Library, tmp_path: Path) -> None:
    document = library.add("local", pdfs.simple(tmp_path / "a.pdf", pages=5)).document
    worker = Worker(library, Fake, readers=1)
    worker.run(report=lambda report: worker.stop())
    assert the(library, document).status == "queued"
    with library.database.writing() as connection:
        job = job_queue.claim(connection, "the next", 60, time.time())
    assert job
    assert job.deaths == 0


def test_a_worker_that_drains_finishes_what_it_began_and_begins_nothing(library: Library, tmp_path: Path) -> None:
    first = library.add("local", pdfs.simple(tmp_path / "a.pdf", pages=3)).document
    second = library.add("local", note(tmp_path / "b.txt")).document
    worker = Worker(library, lambda: None, readers=1)
    worker.run(report=lambda report: worker.drain(PATIENCE))
    assert (the(library, first).status, the(library, second).status) == ("ready", "queued")
