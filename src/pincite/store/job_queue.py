"""Store jobs with leases: another worker takes over the job of a killed one, and a late worker cannot commit."""

import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, or_, select, update

from pincite.errors import LeaseLost
from pincite.store.schema import jobs

Step = Literal["read", "embed"]

# Reading comes before embedding, because a document is searchable by words as soon as it is read.
PRIORITY: dict[Step, int] = {"read": 0, "embed": 10}


@dataclass(frozen=True, slots=True)
class Job:
    """One step of work on one document, held by a worker; `attempts` includes this one."""

    id: int
    owner: str
    document: str
    step: Step
    worker: str
    attempts: int


@dataclass(frozen=True, slots=True)
class Pending:
    """The number of queued and running jobs, by step."""

    queued: dict[Step, int]
    running: dict[Step, int]

    @property
    def total(self) -> int:
        return sum(self.queued.values()) + sum(self.running.values())


def read_clock(connection: Connection) -> float:
    """Return the time used for leases: the database's own, if several machines share it."""
    if connection.dialect.name == "sqlite":
        return time.time()
    return float(connection.scalar(select(func.extract("epoch", func.clock_timestamp()))) or 0.0)


def enqueue(
    connection: Connection, owner: str, document: str, step: Step, now: float, priority: int | None = None
) -> bool:
    """Add a job for a step; return False if it exists already."""
    if connection.scalar(select(jobs.c.id).where(jobs.c.document == document, jobs.c.step == step)) is not None:
        return False
    connection.execute(
        insert(jobs).values(
            owner=owner,
            document=document,
            step=step,
            priority=PRIORITY[step] if priority is None else priority,
            state="queued",
            worker="",
            lease_until=0.0,
            attempts=0,
            created=now,
        )
    )
    return True


def claim(
    connection: Connection,
    worker: str,
    lease_seconds: float,
    now: float,
    steps: Collection[Step] | None = None,
    documents: Collection[str] | None = None,
) -> Job | None:
    """Claim the next free job for this worker and this many seconds; return None if there is none."""
    free = or_(jobs.c.state == "queued", and_(jobs.c.state == "running", jobs.c.lease_until < now))
    query = select(jobs).where(free).order_by(jobs.c.priority, jobs.c.id).limit(1)
    if steps is not None:
        query = query.where(jobs.c.step.in_(steps))
    if documents is not None:
        query = query.where(jobs.c.document.in_(documents))
    row = connection.execute(query.with_for_update(skip_locked=True)).one_or_none()
    if row is None:
        return None
    attempts = row.attempts + 1
    connection.execute(
        update(jobs)
        .where(jobs.c.id == row.id)
        .values(state="running", worker=worker, lease_until=now + lease_seconds, attempts=attempts)
    )
    return Job(row.id, row.owner, row.document, row.step, worker, attempts)


def extend(connection: Connection, job: Job, lease_seconds: float, now: float) -> bool:
    """Extend the lease of the job by this many seconds from now; return False if it was lost."""
    return _update_job(connection, job, lease_until=now + lease_seconds)


def hold(connection: Connection, job: Job) -> None:
    """Check, inside the transaction that writes the result, that this worker still holds the job."""
    query = select(jobs.c.id).where(_make_held_condition(job)).with_for_update()
    if connection.scalar(query) is None:
        raise _make_lease_lost(job)


def finish(connection: Connection, job: Job) -> None:
    """Remove a finished job; raise `LeaseLost` if this worker no longer holds it."""
    if connection.execute(delete(jobs).where(_make_held_condition(job))).rowcount == 0:
        raise _make_lease_lost(job)


def release(connection: Connection, job: Job) -> bool:
    """Return the job to the queue without counting the attempt, as when a user stops the program.

    Return False if it was lost.
    """
    return _update_job(connection, job, state="queued", worker="", lease_until=0.0, attempts=job.attempts - 1)


def cancel(connection: Connection, document: str, step: Step | None = None) -> int:
    """Remove the jobs of a document, all or for one step; a worker on one of them loses its lease."""
    query = delete(jobs).where(jobs.c.document == document)
    if step is not None:
        query = query.where(jobs.c.step == step)
    return connection.execute(query).rowcount


def count_pending(
    connection: Connection, owner: str | None = None, documents: Collection[str] | None = None
) -> Pending:
    """Count the jobs: of all owners or one, for some documents or all."""
    query = select(jobs.c.state, jobs.c.step, func.count()).group_by(jobs.c.state, jobs.c.step)
    if owner is not None:
        query = query.where(jobs.c.owner == owner)
    if documents is not None:
        query = query.where(jobs.c.document.in_(documents))
    found = Pending({"read": 0, "embed": 0}, {"read": 0, "embed": 0})
    for state, step, count in connection.execute(query):
        (found.queued if state == "queued" else found.running)[step] = count
    return found


def list_holders(connection: Connection) -> list[str]:
    """Return the workers that hold a job now."""
    return list(connection.scalars(select(jobs.c.worker).where(jobs.c.state == "running").distinct()))


def release_worker(connection: Connection, worker: str) -> None:
    """Return the jobs of a worker that no longer runs to the queue."""
    gone = and_(jobs.c.state == "running", jobs.c.worker == worker)
    connection.execute(update(jobs).where(gone).values(state="queued", worker="", lease_until=0.0))


def _make_held_condition(job: Job) -> ColumnElement[bool]:
    # Each claim increments `attempts`, which distinguishes this hold from a later one by the same worker.
    return and_(
        jobs.c.id == job.id,
        jobs.c.state == "running",
        jobs.c.worker == job.worker,
        jobs.c.attempts == job.attempts,
    )


def _update_job(connection: Connection, job: Job, **values: Any) -> bool:
    return connection.execute(update(jobs).where(_make_held_condition(job)).values(**values)).rowcount > 0


def _make_lease_lost(job: Job) -> LeaseLost:
    return LeaseLost(
        f"The work to {job.step} document {job.document} was taken over or cancelled.",
        "You do not need to do anything.",
    )
