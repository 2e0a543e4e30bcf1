"""Workers that take work, die or wait in the middle of it."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import update

from pincite.jobs import StepProgress
from pincite.library import Library
from pincite.store import job_queue
from pincite.store.schema import jobs as rows
from tests.clock import PATIENCE
from tests.work import Fake, finish


def hold(library: Library, worker: str, seconds: float = 3600) -> None:
    """Let another worker take the next piece of work."""
    with library.database.writing() as connection:
        assert job_queue.claim(connection, worker, seconds, time.time())


def die(library: Library) -> None:
    """Let a worker take the next piece of work and be found dead, long ago."""
    hold(library, "nobody")
    with library.database.writing() as connection:
        job_queue.release_worker(connection, "nobody")
        connection.execute(update(rows).values(not_before=0.0))


@contextmanager
def working(library: Library, embedder: Fake | None = None, slow_pages: bool = False) -> Iterator[threading.Event]:
    """A worker in a thread; the event is set when it has begun to read."""
    begun, go_on = threading.Event(), threading.Event()

    def report(event: StepProgress) -> None:
        if event.step == "read" and not event.ended:
            begun.set()
            if slow_pages:
                assert go_on.wait(PATIENCE)

    thread = threading.Thread(target=finish, args=(library, embedder, report))
    thread.start()
    try:
        yield begun
    finally:
        go_on.set()
        if embedder:
            embedder.may_go_on.set()
        thread.join(PATIENCE)
    assert not thread.is_alive()
