"""Measure the queue of jobs with 100,000 waiting: claims per second of 8 claimers, one claim, and its plan.

python -m benchmarks.job_queue            # a SQLite file
python -m benchmarks.job_queue --postgres # a PostgreSQL server from the test requirements, on a folder of its own
"""

import argparse
import tempfile
import threading
import time
from pathlib import Path

from sqlalchemy import event, insert, text
from tests.postgres_server import start_postgres

from pincite.store import job_queue
from pincite.store.database import Database
from pincite.store.schema import documents, jobs

_LEASE = 3600.0
_SMALL_OWNERS = 99  # beside one owner with nine of ten jobs


def fill(database: Database, rows: int) -> None:
    """Queue jobs of a hundred owners, in the order in which the queue serves them."""
    now = time.time()
    many, few = rows * 9 // 10, rows // 10
    owners = ["big"] * many + [f"small{number % _SMALL_OWNERS}" for number in range(few)]
    turns = [*range(many), *(number // _SMALL_OWNERS for number in range(few))]
    blank = {"kind": "text", "language": "", "status": "queued", "error": "", "problems": [], "pages": 0}
    blank |= {"passages": 1, "bytes": 1, "metadata": {}, "date": None, "analysis": 0, "cut": ""}
    with database.writing() as connection:
        for first in range(0, rows, 5000):
            some = range(first, min(first + 5000, rows))
            made = [
                {"id": f"{i:032x}", "owner": owners[i], "sha256": f"{i:064x}", "title": "t", "name": "n"}
                | blank
                | {"created": now, "updated": now}
                for i in some
            ]
            connection.execute(insert(documents), made)
            queued = [
                {"owner": owners[i], "document": f"{i:032x}", "step": "embed" if i % 4 == 0 else "read"}
                | {"state": "queued", "worker": "", "lease_until": 0.0, "attempts": 0, "created": now}
                | {"priority": job_queue.BULK, "turn": turns[i]}
                for i in some
            ]
            connection.execute(insert(jobs), queued)
    if not database.sqlite:
        with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("ANALYZE"))


def claim_for(database: Database, name: str, ends: float, taken: list[float]) -> None:
    """Claim and finish jobs until a time, and note how long each claim took."""
    while time.monotonic() < ends:
        begun = time.perf_counter()
        with database.writing() as connection:
            now = job_queue.read_clock(connection)
            job = job_queue.claim(connection, name, _LEASE, now, job_queue.STEPS)
        taken.append(time.perf_counter() - begun)
        assert job
        with database.writing() as connection:
            job_queue.finish(connection, job)


def measure(address: str, rows: int, claimers: int, seconds: float) -> None:
    database = Database(address)
    database.migrate()
    begun = time.monotonic()
    fill(database, rows)
    print(f"{database.engine.dialect.name}: {rows:,} jobs queued in {time.monotonic() - begun:.1f} s")
    _print_plans(database)
    _measure_additions(database)
    for number in (1, claimers):
        taken: list[list[float]] = [[] for _ in range(number)]
        ends = time.monotonic() + seconds
        threads = [
            threading.Thread(target=claim_for, args=(database, f"w{each}", ends, taken[each])) for each in range(number)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        all_of = sorted(each for some in taken for each in some)
        middle, late = all_of[len(all_of) // 2], all_of[len(all_of) * 95 // 100]
        print(
            f"  {number} claimers: {len(all_of) / seconds:,.0f} claimed and finished per second; "
            f"a claim p50 {1000 * middle:.1f} ms, p95 {1000 * late:.1f} ms"
        )
    database.close()


def _measure_additions(database: Database) -> None:
    began = time.perf_counter()
    with database.writing() as connection:
        for number in range(100):
            id = f"{2_000_000 + number:032x}"
            connection.execute(
                text(
                    "INSERT INTO documents (id, owner, sha256, kind, title, name, language, status, error, problems, "
                    "pages, passages, bytes, metadata, analysis, cut, created, updated) SELECT :id, owner, :id, kind, "
                    "title, name, language, status, error, problems, pages, passages, bytes, metadata, analysis, cut, "
                    "created, updated FROM documents WHERE id = :known"
                ),
                {"id": id, "known": f"{0:032x}"},
            )
            job_queue.enqueue(connection, "big", id, "read", time.time(), job_queue.BULK)
    print(f"  {10 * (time.perf_counter() - began):.2f} ms to add a document and its job")


def _print_plans(database: Database) -> None:
    """Print the plan of every query that a claim sends."""
    seen: list[tuple[str, object]] = []

    def note(_connection: object, _cursor: object, statement: str, parameters: object, *_: object) -> None:
        seen.append((statement, parameters))

    with database.writing() as connection:
        now = job_queue.read_clock(connection)
        event.listen(database.engine, "before_cursor_execute", note)
        job_queue.claim(connection, "planned", _LEASE, now)
        event.remove(database.engine, "before_cursor_execute", note)
        prefix = "EXPLAIN QUERY PLAN" if database.sqlite else "EXPLAIN (COSTS OFF)"
        for statement, parameters in seen:
            plan = connection.exec_driver_sql(f"{prefix} {statement}", parameters).all()  # type: ignore[arg-type]
            print("  " + " / ".join(str(row[-1]).strip() for row in plan))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--claimers", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--postgres", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if not given.postgres:
            measure(f"sqlite:///{folder}/queue.db", given.rows, given.claimers, given.seconds)
            return
        running = start_postgres(Path(folder))
        try:
            measure(running.url, given.rows, given.claimers, given.seconds)
        finally:
            running.stop()


if __name__ == "__main__":
    main()
