import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from pincite.errors import LeaseLost
from pincite.store import documents, job_queue
from pincite.store.database import Database

LEASE = 30.0


def _queue(database: Database, number: int, step: job_queue.Step = "read") -> list[str]:
    with database.writing() as connection:
        ids = [documents.create(connection, "local", f"{i:064x}", f"{i}.pdf", 1)[0].id for i in range(number)]
        for id in ids:
            job_queue.enqueue(connection, "local", id, step, 0.0)
    return ids


def _claim(database: Database, worker: str = "w", now: float = 0.0) -> job_queue.Job | None:
    with database.writing() as connection:
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
    ids = _queue(either, 200)
    address = either.engine.url.render_as_string(hide_password=False)
    with ThreadPoolExecutor(4) as pool:
        done = [id for some in pool.map(_work, [address] * 4, "abcd") for id in some]
    assert sorted(done) == sorted(ids)


def test_several_processes_do_each_job_exactly_once(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'jobs.db'}"
    database = Database(address)
    database.migrate()
    ids = _queue(database, 60)
    database.close()
    with ProcessPoolExecutor(3, mp_context=multiprocessing.get_context("spawn")) as pool:
        done = [id for some in pool.map(_work, [address] * 3, "abc") for id in some]
    assert sorted(done) == sorted(ids)


def test_everything_is_read_before_anything_is_embedded(either: Database) -> None:
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
    taken = _claimed(either, "other", now=LEASE + 1)
    assert (taken.id, taken.attempts) == (lost.id, 2)
    for act in (job_queue.hold, job_queue.finish):
        with pytest.raises(LeaseLost), either.writing() as connection:
            act(connection, lost)
    with either.writing() as connection:
        assert not job_queue.extend(connection, lost, LEASE, 40.0)
        assert not job_queue.release(connection, lost)
        job_queue.hold(connection, taken)
        job_queue.finish(connection, taken)
    assert _claim(either) is None


def test_a_worker_that_says_it_lives_keeps_its_work(either: Database) -> None:
    _queue(either, 1)
    job = _claimed(either, "slow", now=0.0)
    with either.writing() as connection:
        assert job_queue.extend(connection, job, LEASE, 29.0)
    assert _claim(either, "other", now=LEASE + 1) is None


def test_the_same_worker_cannot_use_an_earlier_hold(either: Database) -> None:
    _queue(either, 1)
    earlier = _claimed(either, "w", now=0.0)
    later = _claimed(either, "w", now=100.0)
    with either.writing() as connection:
        with pytest.raises(LeaseLost):
            job_queue.hold(connection, earlier)
        job_queue.hold(connection, later)


def test_work_given_back_counts_no_attempt(either: Database) -> None:
    _queue(either, 1)
    with either.writing() as connection:
        job = job_queue.claim(connection, "w", LEASE, 0.0)
        assert job is not None
        assert job_queue.release(connection, job)
    assert _claimed(either, "other").attempts == 1


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
