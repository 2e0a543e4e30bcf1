import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text, update

from pincite.errors import LeaseLost
from pincite.store import documents, job_queue
from pincite.store.database import Database
from pincite.store.schema import jobs
from tests.clock import PATIENCE, wait_until

LEASE = 30.0


def _queue(database: Database, number: int, step: job_queue.Step = "read") -> list[str]:
    with database.writing() as connection:
        ids = [documents.create(connection, "local", f"{i:064x}", f"{i}.pdf", 1)[0].id for i in range(number)]
        for id in ids:
            job_queue.enqueue(connection, "local", id, step, 0.0)
    return ids


def _claim(database: Database, worker: str = "w", now: float = 0.0) -> job_queue.Job | None:
    with database.writing() as connection:
        job_queue.release_expired(connection, now)
        return job_queue.claim(connection, worker, LEASE, now)


def _claimed(database: Database, worker: str = "w", now: float = 0.0) -> job_queue.Job:
    job = _claim(database, worker, now)
    assert job is not None
    return job


def _work(address: str, worker: str) -> list[str]:
    database = Database(address)
    done = []
    while job := _claim(database, worker):
        with database.writing() as connection:
            job_queue.finish(connection, job)
        done.append(job.document)
    database.close()
    return done


def test_several_threads_do_each_job_exactly_once(either: Database) -> None:
    ids = _queue(either, 80)
    address = either.engine.url.render_as_string(hide_password=False)
    with ThreadPoolExecutor(4) as pool:
        done = [id for some in pool.map(_work, [address] * 4, "abcd") for id in some]
    assert sorted(done) == sorted(ids)


@pytest.mark.slow
def test_several_processes_do_each_job_exactly_once(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'jobs.db'}"
    database = Database(address)
    database.migrate()
    ids = _queue(database, 60)
    database.close()
    with ProcessPoolExecutor(3, mp_context=multiprocessing.get_context("spawn")) as pool:
        done = [id for some in pool.map(_work, [address] * 3, "abc") for id in some]
    assert sorted(done) == sorted(ids)


def test_everything_of_an_owner_is_read_before_anything_is_embedded(either: Database) -> None:
    (first, second) = _queue(either, 2)
    with either.writing() as connection:
        job_queue.cancel(connection, first)
        job_queue.enqueue(connection, "local", first, "embed", 0.0)
        job_queue.enqueue(connection, "local", first, "read", 0.0)
    order = [(job.document, job.step) for _ in range(3) if (job := _claim(either))]
    assert order == [(second, "read"), (first, "read"), (first, "embed")]


def test_asking_twice_for_the_same_work_is_asking_once(either: Database) -> None:
    (id,) = _queue(either, 1)
    with either.writing() as connection:
        assert not job_queue.enqueue(connection, "local", id, "read", 0.0)
        assert job_queue.count_pending(connection).total == 1


def test_work_of_a_silent_worker_is_taken_over_and_he_cannot_commit(either: Database) -> None:
    _queue(either, 1)
    lost = _claimed(either, "silent", now=0.0)
    assert _claim(either, "other", now=LEASE) is None
    assert _claim(either, "other", now=LEASE + 1) is None  # it returns to the queue, and waits there for a moment
    taken = _claimed(either, "other", now=LEASE + 4)
    assert (taken.id, taken.attempts, taken.deaths) == (lost.id, 2, 1)
    for act in (job_queue.hold, job_queue.finish):
        with pytest.raises(LeaseLost), either.writing() as connection:
            act(connection, lost)
    with either.writing() as connection:
        assert job_queue.extend(connection, [lost], LEASE, 40.0) == set()
        job_queue.hold(connection, taken)
        job_queue.finish(connection, taken)
    assert _claim(either) is None


def test_a_worker_that_says_it_lives_keeps_its_work(either: Database) -> None:
    _queue(either, 1)
    job = _claimed(either, "slow", now=0.0)
    with either.writing() as connection:
        assert job_queue.extend(connection, [job], LEASE, 29.0) == {job.id}
    assert _claim(either, "other", now=LEASE + 1) is None


def test_the_same_worker_cannot_use_an_earlier_hold(either: Database) -> None:
    _queue(either, 1)
    earlier = _claimed(either, "w", now=0.0)
    assert _claim(either, "w", now=90.0) is None
    later = _claimed(either, "w", now=100.0)
    with either.writing() as connection:
        with pytest.raises(LeaseLost):
            job_queue.hold(connection, earlier)
        job_queue.hold(connection, later)


def test_work_given_back_counts_no_death(either: Database) -> None:
    _queue(either, 1)
    with either.writing() as connection:
        job = job_queue.claim(connection, "w", LEASE, 0.0)
        assert job is not None
        assert job_queue.release(connection, job)
    assert _claimed(either, "other").deaths == 0


def test_each_death_makes_a_job_wait_longer_while_others_go_on(either: Database) -> None:
    (first, second) = _queue(either, 2)
    assert _claimed(either, now=0.0).document == first
    assert _claimed(either, now=31.0).document == second  # the first is back in the queue and waits
    assert _claim(either, now=32.0) is None
    assert _claimed(either, now=34.0).document == first
    with either.writing() as connection:
        job_queue.cancel(connection, second)
    assert _claim(either, now=65.0) is None
    assert _claim(either, now=74.0) is None
    again = _claimed(either, now=76.0)
    assert (again.document, again.deaths) == (first, 2)


def test_a_worker_that_was_only_silent_takes_its_death_back(either: Database) -> None:
    _queue(either, 1)
    lost = _claimed(either, "silent", now=0.0)
    assert _claim(either, "other", now=31.0) is None
    with either.writing() as connection:
        assert not job_queue.release(connection, lost)
    assert _claimed(either, "other", now=40.0).deaths == 0


def _add(database: Database, owner: str, first: int, number: int, priority: int, step: job_queue.Step = "read") -> None:
    with database.writing() as connection:
        for i in range(first, first + number):
            id = documents.create(connection, owner, f"{i:064x}", f"{owner}{i}", 1)[0].id
            job_queue.enqueue(connection, owner, id, step, 0.0, priority)


def _order(database: Database, number: int) -> list[str]:
    """The owners of the next jobs."""
    return [_claimed(database).owner for _ in range(number)]


def test_an_owner_with_many_documents_does_not_hold_up_another(either: Database) -> None:
    _add(either, "ann", 0, 50, job_queue.NORMAL)
    assert _order(either, 3) == ["ann"] * 3
    _add(either, "bob", 100, 2, job_queue.NORMAL)
    _add(either, "cy", 200, 1, job_queue.NORMAL)
    assert _order(either, 6) == ["ann", "bob", "cy", "ann", "bob", "ann"]


def test_embedding_for_one_owner_does_not_wait_for_all_reading_of_another(either: Database) -> None:
    _add(either, "ann", 0, 20, job_queue.NORMAL)
    _add(either, "bob", 100, 1, job_queue.NORMAL, "embed")
    assert "bob" in _order(either, 3)


def test_urgent_jobs_come_first_and_an_import_last(either: Database) -> None:
    _add(either, "ann", 0, 2, job_queue.BULK)
    _add(either, "ann", 10, 1, job_queue.NORMAL)
    _add(either, "bob", 20, 1, job_queue.URGENT, "embed")
    _add(either, "cy", 30, 1, job_queue.URGENT)
    claimed = [_claimed(either) for _ in range(5)]
    assert [(job.owner, job.priority) for job in claimed] == [
        ("cy", job_queue.URGENT),
        ("bob", job_queue.URGENT),
        ("ann", job_queue.NORMAL),
        ("ann", job_queue.BULK),
        ("ann", job_queue.BULK),
    ]


def test_work_that_somebody_asks_for_again_moves_forward(either: Database) -> None:
    _add(either, "ann", 0, 3, job_queue.BULK)
    with either.writing() as connection:
        last = documents.create(connection, "ann", f"{2:064x}", "2", 1)[0].id
        assert not job_queue.enqueue(connection, "ann", last, "read", 0.0, job_queue.URGENT)
        assert job_queue.count_pending(connection).total == 3
    assert _claimed(either).document == last


def test_a_document_that_a_person_adds_is_urgent_until_many_wait(either: Database) -> None:
    _add(either, "ann", 0, 19, job_queue.URGENT)
    with either.reading() as connection:
        assert job_queue.choose_priority(connection, "ann") == job_queue.URGENT
    _add(either, "ann", 30, 1, job_queue.URGENT)
    with either.reading() as connection:
        assert job_queue.choose_priority(connection, "ann") == job_queue.NORMAL
        assert job_queue.choose_priority(connection, "bob") == job_queue.URGENT
        assert job_queue.is_full(connection, "ann", 20)
        assert not job_queue.is_full(connection, "ann", 21)


def test_the_progress_of_a_job_is_seen_by_all_and_gone_when_it_is_given_back(either: Database) -> None:
    (id,) = _queue(either, 1)
    job = _claimed(either)
    with either.writing() as connection:
        assert job_queue.report(connection, job, 3, 9)
    with either.reading() as connection:
        assert job_queue.list_running(connection) == [job_queue.RunningJob(id, "read", 3, 9)]
    with either.writing() as connection:
        assert job_queue.release(connection, job)
        assert job_queue.list_running(connection) == []


def test_small_documents_are_claimed_together_and_those_at_which_a_worker_died_alone(either: Database) -> None:
    _add(either, "ann", 0, 5, job_queue.NORMAL, "embed")
    first = _claimed(either, "killed", now=0.0)
    with either.writing() as connection:
        job_queue.release_worker(connection, "killed")
        connection.execute(update(jobs).values(not_before=0.0))
        some = job_queue.claim_small(connection, "w", LEASE, 0.0, 3, 2)
        rest = job_queue.claim_small(connection, "w", LEASE, 0.0, 3, 9)
        assert [len(some), len(rest)] == [2, 2]
        assert first.document not in {job.document for job in some + rest}
    assert _claimed(either).document == first.document


def test_cancelled_work_is_lost_to_whoever_does_it(either: Database) -> None:
    (id,) = _queue(either, 1)
    job = _claimed(either)
    with either.writing() as connection:
        assert job_queue.cancel(connection, id) == 1
        with pytest.raises(LeaseLost):
            job_queue.hold(connection, job)


def test_a_worker_may_ask_for_some_steps_or_documents_only(either: Database) -> None:
    ids = _queue(either, 3)
    with either.writing() as connection:
        assert job_queue.claim(connection, "w", LEASE, 0.0, steps=["embed"]) is None
        job = job_queue.claim(connection, "w", LEASE, 0.0, documents=[ids[2]])
        assert job is not None
        assert job.document == ids[2]
        pending = job_queue.count_pending(connection, documents=ids[1:])
        assert (pending.queued["read"], pending.running["read"], pending.total) == (1, 1, 2)
        assert job_queue.count_pending(connection, owner="someone").total == 0


def test_two_servers_may_ask_for_the_same_work_at_once(postgres: Database) -> None:
    with postgres.writing() as connection:
        id = documents.create(connection, "local", "0" * 64, "a.pdf", 1)[0].id

    def ask() -> bool:
        with postgres.writing() as connection:
            return job_queue.enqueue(connection, "local", id, "read", 0.0)

    with ThreadPoolExecutor() as threads:
        with postgres.writing() as connection:
            assert job_queue.enqueue(connection, "local", id, "read", 0.0)
            second = threads.submit(ask)
            with postgres.reading() as other:
                waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
                wait_until(lambda: bool(other.scalar(waiting)))
        assert second.result(PATIENCE) is False
    with postgres.reading() as connection:
        assert job_queue.count_pending(connection).total == 1
