from sqlalchemy import update

from pincite.store import documents, job_queue
from pincite.store.database import Database
from pincite.store.queue_numbers import count_queue, read_queue_state
from pincite.store.schema import jobs


def test_jobs_are_counted_by_step_state_and_priority_with_the_age_of_the_oldest(either: Database) -> None:
    with either.writing() as connection:
        now = job_queue.read_clock(connection)
        for number, priority in enumerate((job_queue.URGENT, job_queue.BULK, job_queue.BULK)):
            stored, _ = documents.create(connection, f"owner {number}", f"{number:064}", "a.txt", 1)
            job_queue.enqueue(connection, f"owner {number}", stored.id, "read", now - 100 * number, priority)
        claimed = job_queue.claim(connection, "1@here abc", 30, now)
        assert claimed
    with either.reading() as connection:
        counted = {(each.step, each.state, each.priority): each for each in count_queue(connection)}
        state = read_queue_state(connection)
    assert {key: each.jobs for key, each in counted.items()} == {("read", "running", 0): 1, ("read", "queued", 20): 2}
    assert 199 < counted["read", "queued", 20].oldest_seconds < 4000
    assert (state.waiting, state.running, state.failed, state.with_deaths) == (2, 1, 0, 0)
    assert state.oldest_seconds > 199
    assert state.workers == ("1@here abc",)


def test_deaths_and_failures_are_counted(either: Database) -> None:
    with either.writing() as connection:
        stored, _ = documents.create(connection, "ada", f"{1:064}", "a.txt", 1)
        documents.set_status(connection, stored.id, "failed", "It is broken.", "unreadable")
        other, _ = documents.create(connection, "ada", f"{2:064}", "b.txt", 1)
        job_queue.enqueue(connection, "ada", other.id, "read", 0.0)
        connection.execute(update(jobs).values(deaths=1))
        state = read_queue_state(connection)
    assert (state.waiting, state.failed, state.with_deaths, state.workers) == (1, 1, 1, ())
