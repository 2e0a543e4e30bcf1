"""Store jobs with leases: another worker takes over the job of a killed one, and a late worker cannot commit.

The next job is the first by priority, then by turn. A new job of an owner takes the turn after the owner's last one,
or the turn that is being served now if the owner has none: owners are served in rotation, however many jobs each has.
"""

import time
from collections.abc import Collection
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, exists, func, or_, select, update

from pincite.errors import LeaseLost
from pincite.store.notices import send_notice
from pincite.store.schema import documents as document_rows
from pincite.store.schema import jobs
from pincite.store.upsert import insert_if_absent

Step = Literal["read", "embed"]
STEPS: tuple[Step, ...] = ("read", "embed")


class Priority(IntEnum):
    """The purpose of a job: a person waits for it, upkeep, or an import that may take hours."""

    URGENT = 0
    NORMAL = 10
    BULK = 20


URGENT, NORMAL, BULK = Priority.URGENT, Priority.NORMAL, Priority.BULK

# An owner with so many waiting jobs does not watch each of them: the next ones are no longer urgent.
_FEW = 20
# Seconds that a job waits after the first death of a worker that held it, and the factor for each further one.
_FIRST_PAUSE, _PAUSE_FACTOR, _LONGEST_PAUSE = 2.0, 5.0, 300.0


@dataclass(frozen=True, slots=True)
class Job:
    """One step of work on one document, held by a worker.

    `attempts` counts the claims, this one included; `deaths` those from which no worker came back.
    """

    id: int
    owner: str
    document: str
    step: Step
    worker: str
    attempts: int
    priority: int = NORMAL
    deaths: int = 0


@dataclass(frozen=True, slots=True)
class Pending:
    """The number of queued and running jobs, by step."""

    queued: dict[Step, int]
    running: dict[Step, int]

    @property
    def total(self) -> int:
        return sum(self.queued.values()) + sum(self.running.values())


@dataclass(frozen=True, slots=True)
class RunningJob:
    """The progress of a job that some worker holds: pages for `read`, passages for `embed`."""

    document: str
    step: Step
    done: int
    total: int


def read_clock(connection: Connection) -> float:
    """Return the time used for leases: the database's own, if several machines share it."""
    if connection.dialect.name == "sqlite":
        return time.time()
    return float(connection.scalar(select(func.extract("epoch", func.clock_timestamp()))) or 0.0)


def enqueue(connection: Connection, owner: str, document: str, step: Step, now: float, priority: int = NORMAL) -> bool:
    """Add a job for a step; return False if it exists already. One that waits with less priority gets this one."""
    known = connection.execute(
        select(jobs.c.id, jobs.c.priority, jobs.c.state).where(jobs.c.document == document, jobs.c.step == step)
    ).one_or_none()
    if known is None:
        values = {"owner": owner, "document": document, "step": step, "priority": priority, "created": now}
        idle = {"state": "queued", "worker": "", "lease_until": 0.0, "attempts": 0}
        turn = _find_turn(connection, owner, priority, step)
        # On PostgreSQL another server may add the same job at the same moment.
        if not insert_if_absent(connection, jobs, {"turn": turn, **values, **idle}):
            return False
    elif known.state == "queued" and known.priority > priority:
        turn = _find_turn(connection, owner, priority, step)
        connection.execute(update(jobs).where(jobs.c.id == known.id).values(priority=priority, turn=turn))
    else:
        return False
    send_notice(connection, "jobs", "")
    return known is None


def choose_priority(connection: Connection, owner: str) -> Priority:
    """Return the priority of a document that a person adds by itself: urgent, unless many others wait already."""
    return URGENT if _count_queued(connection, owner, _FEW) < _FEW else NORMAL


def is_full(connection: Connection, owner: str, most: int) -> bool:
    """Return whether an owner has so many waiting jobs that no more are accepted."""
    return _count_queued(connection, owner, most) >= most


def claim(
    connection: Connection,
    worker: str,
    lease_seconds: float,
    now: float,
    steps: Collection[Step] | None = None,
    documents: Collection[str] | None = None,
) -> Job | None:
    """Claim the next job for this worker and this many seconds; return None if there is none."""
    for step in _order_steps(connection, STEPS if steps is None else steps, now):
        query = select(jobs.c.id).where(*_make_claimable(step, now)).order_by(jobs.c.priority, jobs.c.turn, jobs.c.id)
        if documents is not None:
            query = query.where(jobs.c.document.in_(documents))
        chosen = query.limit(1).with_for_update(skip_locked=True).scalar_subquery()
        row = _take(connection, jobs.c.id == chosen, worker, now + lease_seconds)
        if row:
            return row[0]
    return None


def claim_small(
    connection: Connection,
    worker: str,
    lease_seconds: float,
    now: float,
    most_passages: int,
    total_passages: int,
    documents: Collection[str] | None = None,
) -> list[Job]:
    """Claim the next jobs to embed whose documents have few passages each and not too many together.

    A job at which a worker died is left out: it is done by itself, so that its next death is no other job's.
    """
    query = (
        select(jobs.c.id, document_rows.c.passages)
        .join(document_rows, document_rows.c.id == jobs.c.document)
        .where(*_make_claimable("embed", now), jobs.c.deaths == 0, document_rows.c.passages <= most_passages)
        .order_by(jobs.c.priority, jobs.c.turn, jobs.c.id)
        .limit(total_passages)
        .with_for_update(of=jobs, skip_locked=True)
    )
    if documents is not None:
        query = query.where(jobs.c.document.in_(documents))
    chosen: list[int] = []
    for id, passages in connection.execute(query):
        total_passages -= max(passages, 1)
        if total_passages < 0:
            break
        chosen.append(id)
    return _take(connection, jobs.c.id.in_(chosen), worker, now + lease_seconds) if chosen else []


def extend(connection: Connection, held: Collection[Job], lease_seconds: float, now: float) -> set[int]:
    """Extend the leases of the jobs that a worker holds; return the ids of those that it still holds."""
    change = update(jobs).where(jobs.c.id.in_([job.id for job in held]), or_(*map(_make_held_condition, held)))
    rows = connection.scalars(change.values(lease_until=now + lease_seconds).returning(jobs.c.id))
    return set(rows)


def report(connection: Connection, job: Job, done: int, total: int) -> bool:
    """Store the progress of a job for other processes to show; return False if it was lost."""
    send_notice(connection, "documents", job.owner)
    return _update_job(connection, job, done=done, total=total)


def hold(connection: Connection, job: Job) -> None:
    """Check, inside the transaction that writes the result, that this worker still holds the job."""
    query = select(jobs.c.id).where(_make_held_condition(job)).with_for_update()
    if connection.scalar(query) is None:
        raise _make_lease_lost(job)


def check_held(connection: Connection, job: Job) -> None:
    """Raise `LeaseLost` if this worker no longer holds the job. The job is not locked."""
    if connection.scalar(select(jobs.c.id).where(_make_held_condition(job))) is None:
        raise _make_lease_lost(job)


def finish(connection: Connection, job: Job) -> None:
    """Remove a finished job; raise `LeaseLost` if this worker no longer holds it."""
    if connection.execute(delete(jobs).where(_make_held_condition(job))).rowcount == 0:
        raise _make_lease_lost(job)


def release(connection: Connection, job: Job, wait_seconds: float = 0.0) -> bool:
    """Return the job to the queue, as when a user stops the program; return False if it was lost.

    If it was lost because the worker was taken for dead, that death is no longer counted: the worker came back.
    """
    idle = {"state": "queued", "worker": "", "lease_until": 0.0, "done": 0, "total": 0}
    not_before = read_clock(connection) + wait_seconds if wait_seconds else 0.0
    if _update_job(connection, job, **idle, not_before=not_before):
        send_notice(connection, "jobs", "")
        return True
    lost = and_(jobs.c.id == job.id, jobs.c.deaths > 0)
    connection.execute(update(jobs).where(lost).values(deaths=jobs.c.deaths - 1))
    return False


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


def is_any_pending(connection: Connection, documents: Collection[str] | None = None) -> bool:
    """Return whether any job waits or runs, of all documents or these."""
    query = select(jobs.c.id).limit(1)
    if documents is not None:
        query = query.where(jobs.c.document.in_(documents))
    return connection.scalar(query) is not None


def is_any_claimable(connection: Connection, now: float, documents: Collection[str] | None = None) -> bool:
    """Return whether a job can be claimed now. Nothing is locked."""
    found = [select(jobs.c.id).where(*_make_claimable(step, now)) for step in STEPS]
    if documents is not None:
        found = [query.where(jobs.c.document.in_(documents)) for query in found]
    return bool(connection.scalar(select(or_(*(exists(query) for query in found)))))


def is_any_expired(connection: Connection, now: float) -> bool:
    """Return whether the lease of any job is over."""
    expired = select(jobs.c.id).where(jobs.c.state == "running", jobs.c.lease_until < now)
    return bool(connection.scalar(select(exists(expired))))


def list_running(connection: Connection) -> list[RunningJob]:
    """Return the progress of all jobs that workers hold."""
    query = select(jobs.c.document, jobs.c.step, jobs.c.done, jobs.c.total).where(jobs.c.state == "running")
    return [RunningJob(*row) for row in connection.execute(query)]


def list_holders(connection: Connection) -> list[str]:
    """Return the workers that hold a job now."""
    return list(connection.scalars(select(jobs.c.worker).where(jobs.c.state == "running").distinct()))


def release_worker(connection: Connection, worker: str, most_deaths: int = 3) -> None:
    """Return the jobs of a worker that no longer runs to the queue; this counts as a death for each.

    Each waits there for a while, unless it has had its last death: then it is set aside at once.
    """
    _release(connection, jobs.c.worker == worker, read_clock(connection), most_deaths)


def release_expired(connection: Connection, now: float, most_deaths: int = 3) -> None:
    """Return the jobs of silent workers to the queue, as `release_worker` does."""
    _release(connection, jobs.c.lease_until < now, now, most_deaths)


def _release(connection: Connection, is_dead: ColumnElement[bool], now: float, most_deaths: int) -> None:
    query = select(jobs.c.id, jobs.c.deaths).where(jobs.c.state == "running", is_dead)
    found = connection.execute(query.with_for_update(skip_locked=True)).all()
    for id, deaths in found:
        pause = min(_FIRST_PAUSE * _PAUSE_FACTOR**deaths, _LONGEST_PAUSE)
        idle = {"state": "queued", "worker": "", "lease_until": 0.0, "done": 0, "total": 0}
        values = {"deaths": deaths + 1, "not_before": now + pause if deaths + 1 < most_deaths else 0.0}
        connection.execute(update(jobs).where(jobs.c.id == id).values(**idle, **values))
    if found:
        send_notice(connection, "jobs", "")


def _make_claimable(step: Step, now: float) -> list[ColumnElement[bool]]:
    return [jobs.c.state == "queued", jobs.c.step == step, jobs.c.not_before <= now]


def _order_steps(connection: Connection, steps: Collection[Step], now: float) -> list[Step]:
    """Return the steps, first the one whose next job comes first; reading comes before embedding at the same turn."""
    if len(steps) < 2:
        return list(steps)
    heads = {step: _find_head(connection, step, now) for step in STEPS if step in steps}
    return sorted((step for step, head in heads.items() if head), key=lambda step: heads[step] or ())


def _find_head(connection: Connection, step: Step, now: float) -> tuple[int, ...] | None:
    query = select(jobs.c.priority, jobs.c.turn).where(*_make_claimable(step, now))
    row = connection.execute(query.order_by(jobs.c.priority, jobs.c.turn, jobs.c.id).limit(1)).one_or_none()
    return tuple(row) if row else None


def _find_turn(connection: Connection, owner: str, priority: int, step: Step) -> int:
    """Return the turn of a new job: after the owner's last one, and not before the turn that is served now.

    An owner's documents are read before any is embedded, since a document is searchable by words as soon as it is read.
    """
    own = [
        connection.scalar(
            select(func.max(jobs.c.turn)).where(
                jobs.c.owner == owner, jobs.c.priority == priority, jobs.c.step == counted
            )
        )
        for counted in (STEPS if step == "embed" else ("read",))
    ]
    served = [
        connection.scalar(
            select(func.min(jobs.c.turn)).where(
                jobs.c.state == "queued", jobs.c.step == counted, jobs.c.priority == priority
            )
        )
        for counted in STEPS
    ]
    after = max((turn + 1 for turn in own if turn is not None), default=0)
    return max(after, min((turn for turn in served if turn is not None), default=0))


def _count_queued(connection: Connection, owner: str, most: int) -> int:
    """Count the waiting jobs of an owner, up to a number."""
    found = select(jobs.c.id).where(jobs.c.owner == owner, jobs.c.state == "queued").limit(most)
    return connection.scalar(select(func.count()).select_from(found.subquery())) or 0


def _take(connection: Connection, chosen: ColumnElement[bool], worker: str, lease_until: float) -> list[Job]:
    taken = {"state": "running", "worker": worker, "lease_until": lease_until, "attempts": jobs.c.attempts + 1}
    rows = connection.execute(update(jobs).where(chosen).values(**taken, done=0, total=0).returning(*jobs.c)).all()
    return [_make_job(row) for row in sorted(rows, key=lambda row: (row.priority, row.turn, row.id))]


def _make_job(row: Row[Any]) -> Job:
    return Job(row.id, row.owner, row.document, row.step, row.worker, row.attempts, row.priority, row.deaths)


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
