"""Measure how long the write lock is held, and how long a writer waits for it, while one large text is added.

    python benchmarks/lock_times.py --megabytes 100

Meanwhile, another thread repeatedly writes a row and searches. No vectors are computed.
"""

import argparse
import random
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path

from pincite.index.terms import list_question_terms
from pincite.jobs import Worker
from pincite.library import Library, open_library
from pincite.settings import load_settings
from pincite.store import documents
from pincite.store.database import Database, LockTime


@contextmanager
def recorded(database: Database) -> Iterator[list[LockTime]]:
    """Record how long each transaction of this process holds the lock within the block."""
    times: list[LockTime] = []
    database.lock_times = times
    try:
        yield times
    finally:
        database.lock_times = None


def describe(times: list[float]) -> str:
    """Return percentiles in milliseconds as text."""
    ordered = sorted(times) or [0.0]
    shown = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
    told = (
        f"{name} {1000 * ordered[min(int(share * len(ordered)), len(ordered) - 1)]:.0f}"
        for name, share in shown.items()
    )
    return f"{len(times)} times, ms: {', '.join(told)}"


def write_text(path: Path, megabytes: int) -> None:
    """Write a text in paragraphs, with natural word frequencies."""
    chance = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=chance.randint(2, 11))) for _ in range(60_000)]
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))
    with path.open("w", encoding="utf-8") as file:
        while file.tell() < megabytes * 1_000_000:
            for _ in range(200):
                file.write(" ".join(chance.choices(words, cum_weights=weights, k=90)).capitalize() + ".\n\n")


def disturb(library: Library, document: str, done: threading.Event, waits: list[float], searches: list[float]) -> None:
    sought = list_question_terms("nothing of this stands anywhere", ["en"])
    while not done.wait(0.05):
        began = time.perf_counter()
        with library.database.writing() as connection:
            waits.append(time.perf_counter() - began)
            documents.set_title(connection, document, "Another title")
        began = time.perf_counter()
        with library.database.reading() as connection:
            library.index.lexical(connection, sought, None, 10)
        searches.append(time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--steps", nargs="+", default=["added", "read again", "removed"])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pincite-locks-") as folder:
        library = open_library(load_settings(data=Path(folder) / "data", embedding={"provider": "none"}))
        small, large = Path(folder) / "small.txt", Path(folder) / "large.txt"
        small.write_text("A short text that is there already.")
        write_text(large, given.megabytes)
        other = library.add("local", small).document
        Worker(library, lambda: None).run()
        waits: list[float] = []
        searches: list[float] = []
        for what in given.steps:
            waits.clear()
            searches.clear()
            done = threading.Event()
            beside = threading.Thread(target=disturb, args=(library, other, done, waits, searches))
            beside.start()
            began = time.perf_counter()
            with recorded(library.database) as times:
                if what == "added":
                    document = library.add("local", large).document
                elif what == "read again":
                    library.reindex("local", None, again=True)
                else:
                    library.remove("local", document)
                Worker(library, lambda: None).run()
            done.set()
            beside.join()
            print(f"{given.megabytes} MB {what} in {time.perf_counter() - began:.0f} s", flush=True)
            print(f"  lock held:    {describe([held.seconds for held in times])}")
            print(f"  of that, CPU: {describe([held.cpu_seconds for held in times])}")
            print(f"  lock awaited: {describe(waits)}")
            print(f"  search:       {describe(searches)}", flush=True)
        library.close()


if __name__ == "__main__":
    main()
