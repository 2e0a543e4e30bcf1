"""Count the jobs of the queue for metrics and for `pincite doctor`."""

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from pincite.store.job_queue import list_holders, read_clock
from pincite.store.schema import documents, jobs


@dataclass(frozen=True, slots=True)
class QueueCount:
    """The jobs of one step, state and priority, and for how many seconds the oldest of them has been there."""

    step: str
    state: str
    priority: int
    jobs: int
    oldest_seconds: float


def count_queue(connection: Connection) -> list[QueueCount]:
    """Count the jobs of all owners."""
    now = read_clock(connection)
    groups = (jobs.c.step, jobs.c.state, jobs.c.priority)
    query = select(*groups, func.count(), func.min(jobs.c.created)).group_by(*groups).order_by(*groups)
    return [
        QueueCount(step, state, priority, count, max(0.0, now - created))
        for step, state, priority, count, created in connection.execute(query)
    ]


@dataclass(frozen=True, slots=True)
class QueueState:
    """The state of the queue of all owners.

    `failed` documents could not be read, `with_deaths` are jobs at which a worker died, `workers` hold jobs now.
    """

    waiting: int
    oldest_seconds: float
    running: int
    failed: int
    with_deaths: int
    workers: tuple[str, ...]


def read_queue_state(connection: Connection) -> QueueState:
    """Return what a person who runs a server wants to know of the queue."""
    counted = count_queue(connection)
    queued = [each for each in counted if each.state == "queued"]
    failed = connection.scalar(select(func.count()).select_from(documents).where(documents.c.status == "failed"))
    with_deaths = connection.scalar(select(func.count()).select_from(jobs).where(jobs.c.deaths > 0))
    return QueueState(
        sum(each.jobs for each in queued),
        max((each.oldest_seconds for each in queued), default=0.0),
        sum(each.jobs for each in counted if each.state == "running"),
        failed or 0,
        with_deaths or 0,
        tuple(sorted(list_holders(connection))),
    )
