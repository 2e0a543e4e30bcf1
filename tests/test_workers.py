"""Workers as real processes on one PostgreSQL: killed, drained, and killed by the same document again and again."""

import signal
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from pincite.library import Library, open_library
from pincite.settings import load_settings
from pincite.store.database import Database
from pincite.store.schema import jobs
from tests import pdfs
from tests.clock import PATIENCE
from tests.cluster import Cluster, Node, start_cluster
from tests.thorough import mark_slow
from tests.work import all_of, the, waiting

PAGES = 150  # long enough to be found in the middle of it


@pytest.fixture
def cluster(postgres: Database, tmp_path: Path) -> Iterator[Cluster]:
    address = postgres.engine.url.render_as_string(hide_password=False)
    with start_cluster(tmp_path / "cluster", address) as made:
        yield made


@pytest.fixture
def library(cluster: Cluster) -> Iterator[Library]:
    settings = load_settings(data=cluster.data, database=cluster.database, embedding={"provider": "none"})
    made = open_library(settings)
    yield made
    made.close()


def wait_for(what: Callable[[], bool], node: Node | None = None) -> None:
    ends = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < ends, node and node.read_log()
        assert node is None or node.is_running, node.read_log()
        time.sleep(0.02)


def rows(library: Library, document: str) -> list[tuple[str, int]]:
    """The state and the deaths of the jobs of a document."""
    with library.database.reading() as connection:
        found = connection.execute(select(jobs.c.state, jobs.c.deaths).where(jobs.c.document == document))
        return [(state, deaths) for state, deaths in found]


def is_running(library: Library, document: str, attempt: int = 1) -> bool:
    """Whether a document is read at this attempt."""
    query = select(jobs.c.state, jobs.c.attempts).where(jobs.c.document == document)
    with library.database.reading() as connection:
        return [tuple(row) for row in connection.execute(query)] == [("running", attempt)]


def test_the_work_of_a_killed_worker_is_done_once_by_another(
    cluster: Cluster, library: Library, tmp_path: Path
) -> None:
    long = library.add("local", pdfs.repeated(tmp_path / "long.pdf", PAGES)).document
    killed = cluster.start_worker("killed", "--concurrency", "1")
    wait_for(lambda: is_running(library, long), killed)
    (tmp_path / "note.txt").write_text("The committee agreed on the budget.")
    library.add("local", tmp_path / "note.txt")
    killed.kill()
    other = cluster.start_worker("other", "--once")
    wait_for(lambda: waiting(library) == 0)
    assert [stored.status for stored in all_of(library)] == ["ready", "ready"]
    assert the(library, long).pages == PAGES
    assert other.process
    assert other.process.wait(PATIENCE) == 0, other.read_log()


@pytest.mark.slow
def test_a_worker_that_is_told_to_end_finishes_its_document_and_begins_no_other(
    cluster: Cluster, library: Library, tmp_path: Path
) -> None:
    first = library.add("local", pdfs.repeated(tmp_path / "first.pdf", PAGES)).document
    second = library.add("local", pdfs.repeated(tmp_path / "second.pdf", 5)).document
    worker = cluster.start_worker("drained", "--concurrency", "1", JOBS__DRAIN_SECONDS=str(PATIENCE))
    wait_for(lambda: is_running(library, first), worker)
    assert worker.terminate() == 0, worker.read_log()
    assert the(library, first).status == "ready"
    assert rows(library, second) == [("queued", 0)]
    assert "a second signal stops at once" in worker.read_log()


@pytest.mark.parametrize("again", [None, mark_slow(signal.SIGTERM), mark_slow(signal.SIGINT)])
def test_work_that_takes_longer_than_a_drain_returns_to_the_queue_without_blame(
    cluster: Cluster, library: Library, tmp_path: Path, again: signal.Signals | None
) -> None:
    document = library.add("local", pdfs.repeated(tmp_path / "long.pdf", 10 * PAGES)).document
    seconds = "0.3" if again is None else str(PATIENCE)
    worker = cluster.start_worker("drained", JOBS__DRAIN_SECONDS=seconds)
    wait_for(lambda: is_running(library, document), worker)
    assert worker.process
    worker.process.send_signal(signal.SIGTERM)
    if again is not None:
        wait_for(lambda: "Stopping" in worker.read_log(), worker)
        worker.process.send_signal(again)
    assert worker.process.wait(PATIENCE) == 0, worker.read_log()
    assert rows(library, document) == [("queued", 0)]
    assert the(library, document).status == "queued"
    assert "Traceback" not in worker.read_log()


@pytest.mark.slow
def test_a_document_that_kills_its_worker_three_times_is_set_aside_and_the_others_go_on(
    cluster: Cluster, library: Library, tmp_path: Path
) -> None:
    poison = library.add("local", pdfs.repeated(tmp_path / "poison.pdf", 10 * PAGES)).document
    for attempt in (1, 2, 3):
        worker = cluster.start_worker(f"victim-{attempt}", "--concurrency", "1")
        wait_for(partial(is_running, library, poison, attempt), worker)
        worker.kill()
    (tmp_path / "note.txt").write_text("The committee agreed on the budget.")
    healthy = library.add("local", tmp_path / "note.txt").document
    cluster.start_worker("last", "--once")
    wait_for(lambda: waiting(library) == 0)
    assert the(library, healthy).status == "ready"
    assert the(library, poison).status == "failed"
    assert "died 3 times while reading it" in the(library, poison).error
    assert f"pincite retry {poison}" in the(library, poison).error
    assert library.retry("local", poison)
    assert rows(library, poison) == [("queued", 0)]
