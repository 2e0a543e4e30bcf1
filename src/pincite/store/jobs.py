"""Durable work as rows with leases: a killed worker's job is taken over, and a late one cannot commit."""

import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, or_, select, update

from pincite.errors import LeaseLost
from pincite.store.tables import jobs

Step = Literal["read", "embed"]

# Everything is read before anything is embedded: a document is searchable by its words as soon as it is read.
PRIORITY: dict[Step, int] = {"read": 0, "embed": 10}


@dataclass(frozen=True, slots=True)
class Job:
    """One step of work on one document, as a worker holds it; `attempts` counts this one."""

    id: int
    owner: str
    document: str
    step: Step
    worker: str
    attempts: int


@dataclass(frozen=True, slots=True)
class Pending:
    """How much work is waiting and under way, by step."""

    queued: dict[Step, int]
    running: dict[Step, int]

    @property
    def total(self) -> int:
        return sum(self.queued.values()) + sum(self.running.values())


def read_clock(connection: Connection) -> float:
    """The time by which leases are given and end: the database's own, where several machines share one."""
    if connection.dialect.name == "sqlite":
        return time.time()
    return float(connection.scalar(select(func.extract("epoch", func.clock_timestamp()))) or 0.0)


def enqueue(
    connection: Connection, owner: str, document: str, step: Step, now: float, priority: int | None = None
) -> bool:
    """Ask for a step; False when that very step is asked for already."""
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
    """The next job nobody holds, now held by this worker for so many seconds; None when there is none."""
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
    """Hold the job for so many seconds from now; False when it was lost."""
    return _change(connection, job, lease_until=now + lease_seconds)


def hold(connection: Connection, job: Job) -> None:
    """Make sure, inside the transaction that writes the work's result, that the job is still this worker's."""
    query = select(jobs.c.id).where(_held(job)).with_for_update()
    if connection.scalar(query) is None:
        raise _lost(job)


def finish(connection: Connection, job: Job) -> None:
    """The job is done and its row goes; `LeaseLost` when it was no longer this worker's."""
    if connection.execute(delete(jobs).where(_held(job))).rowcount == 0:
        raise _lost(job)


def release(connection: Connection, job: Job) -> bool:
    """Give the job back unharmed, as when a person stops the program; False when it was lost."""
    return _change(connection, job, state="queued", worker="", lease_until=0.0, attempts=job.attempts - 1)


def cancel(connection: Connection, document: str, step: Step | None = None) -> int:
    """Take back what is asked for a document, all or one step; whoever works on it will find the lease lost."""
    query = delete(jobs).where(jobs.c.document == document)
    if step is not None:
        query = query.where(jobs.c.step == step)
    return connection.execute(query).rowcount


def pending(connection: Connection, owner: str | None = None, documents: Collection[str] | None = None) -> Pending:
    """How much work there is: everybody's or one owner's, on some documents or on all."""
    query = select(jobs.c.state, jobs.c.step, func.count()).group_by(jobs.c.state, jobs.c.step)
    if owner is not None:
        query = query.where(jobs.c.owner == owner)
    if documents is not None:
        query = query.where(jobs.c.document.in_(documents))
    found = Pending({"read": 0, "embed": 0}, {"read": 0, "embed": 0})
    for state, step, count in connection.execute(query):
        (found.queued if state == "queued" else found.running)[step] = count
    return found


def holders(connection: Connection) -> list[str]:
    """The workers that hold a job now."""
    return list(connection.scalars(select(jobs.c.worker).where(jobs.c.state == "running").distinct()))


def free(connection: Connection, worker: str) -> None:
    """Give back at once what a worker held that is known to be gone."""
    gone = and_(jobs.c.state == "running", jobs.c.worker == worker)
    connection.execute(update(jobs).where(gone).values(state="queued", worker="", lease_until=0.0))


def _held(job: Job) -> ColumnElement[bool]:
    # Every claim counts one attempt up, so the number tells this hold from a later one by the same worker.
    return and_(
        jobs.c.id == job.id,
        jobs.c.state == "running",
        jobs.c.worker == job.worker,
        jobs.c.attempts == job.attempts,
    )


def _change(connection: Connection, job: Job, **values: Any) -> bool:
    return connection.execute(update(jobs).where(_held(job)).values(**values)).rowcount > 0


def _lost(job: Job) -> LeaseLost:
    return LeaseLost(
        f"The work to {job.step} document {job.document} was taken over or cancelled.", "Nothing needs to be done."
    )
