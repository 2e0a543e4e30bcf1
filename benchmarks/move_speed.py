"""Move a store from SQLite to PostgreSQL and back while somebody writes, and say how long each step takes.

    python benchmarks/move_speed.py --sets FOLDER... --folder DIR [--documents 2000] [--passages 25]

`--sets` are retrieval sets in BEIR form, whose texts are repeated; vectors are random, of 384 numbers. There are also
conversations with events, and pages with boxes. A thread writes conversations all the time: its longest transaction
is how long a person would have waited. Afterwards everything is compared again, as `pincite move --check` does.
"""

import argparse
import json
import random
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from local_postgres import new_database, run_postgres
from repeated_text import PASSAGES_A_DOCUMENT, MadeDocument
from scale import describe_machine, write
from sqlalchemy import insert

from pincite.errors import Moved
from pincite.events import Event
from pincite.index.sqlite_index import SqliteIndex
from pincite.moves.move_plan import plan_move
from pincite.moves.store_comparison import check_stores
from pincite.moves.store_move import StoreMove
from pincite.settings import load_settings
from pincite.store import conversations, events
from pincite.store.database import Database, open_database
from pincite.store.move_target import open_target
from pincite.store.schema import pages

_DIMENSION = 384
_LONGEST = 1_200
_PAGES = 6
_EVENTS = 20


def make_documents(sets: Sequence[Path], count: int, passages: int) -> Iterator[MadeDocument]:
    """Yield documents whose passages are texts of the sets with another number in each."""
    pieces: list[tuple[str, str]] = []
    for path in sets:
        language = "fr" if path.name.endswith("_fr") else "en"
        for line in (path / "corpus.jsonl").read_text("utf-8").splitlines():
            text = json.loads(line)["text"]
            pieces += [(language, text[start : start + _LONGEST]) for start in range(0, len(text), _LONGEST)]
    chance, noise = random.Random(1), np.random.default_rng(1)
    for number in range(count):
        language = chance.choice(pieces)[0]
        bodies = tuple(f"{text} {chance.randrange(10**6)}" for _, text in chance.sample(pieces, passages))
        vectors = noise.standard_normal((passages, _DIMENSION)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        yield MadeDocument(number, language, f"Document {number}", bodies, vectors)


def fill(database: Database, documents: Iterator[MadeDocument]) -> None:
    """Fill a SQLite store."""
    index, boxes = SqliteIndex(), np.random.default_rng(2).bytes(3_000)
    while some := list(islice(documents, 100)):
        with database.writing() as connection:
            write(connection, index, "random", some)
            rows: list[dict[str, Any]] = [
                {
                    "generation": made.number + 1,
                    "number": page + 1,
                    "start": page * 5_000,
                    "end": (page + 1) * 5_000,
                    "width": 595.0,
                    "height": 842.0,
                    "boxes": boxes,
                    "label": "",
                }
                for made in some
                for page in range(_PAGES)
            ]
            connection.execute(insert(pages), rows)
            for made in some:
                talk(connection, f"About {made.title}")


def talk(connection: Any, title: str) -> None:
    made = conversations.create(connection, "local", title)
    sent = [Event(seq=n + 1, type="text", messageId="m", data={"delta": f"{title} {n}"}) for n in range(_EVENTS)]
    events.add(connection, made.id, sent)


class Writer:
    """Writes conversations until the store is moved, and knows how long its longest transaction took."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.written, self.longest = 0, 0.0
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    def _write(self) -> None:
        while True:
            began = time.perf_counter()
            try:
                with self._database.writing() as connection:
                    talk(connection, f"Meanwhile {self.written}")
            except Moved:
                return
            finally:
                self.longest = max(self.longest, time.perf_counter() - began)
            self.written += 1
            time.sleep(0.1)

    def wait(self) -> None:
        self._thread.join()


def measure(name: str, source: Database, address: str) -> None:
    """Move a store with a writer beside it, and print what it took."""
    plan = plan_move(source)
    print(
        f"{name}: {plan.rows:,} rows, {plan.passages:,} passages, {plan.vectors:,} vectors, "
        f"{plan.bytes / 1e6:,.0f} MB; estimate {plan.seconds:.0f} s"
    )
    began, cpu = time.perf_counter(), time.process_time()
    steps: dict[str, float] = {}
    last = [began]

    def note(step: str, done: int, total: int) -> None:
        now = time.perf_counter()
        steps[step] = steps.get(step, 0.0) + now - last[0]
        last[0] = now

    target = open_target(address)
    writer = Writer(source)
    report = StoreMove(source, target, note).run()
    writer.wait()
    seconds, used = time.perf_counter() - began, time.process_time() - cpu
    for step, taken in steps.items():
        print(f"  {step}: {taken:.1f} s")
    print(
        f"  in all {seconds:.1f} s ({used:.1f} s CPU here), {sum(report.rows.values()) / seconds:,.0f} rows/s; "
        f"{report.changes:,} changes copied again; source held {report.held_seconds:.2f} s; the writer wrote "
        f"{writer.written:,} conversations and waited {writer.longest:.2f} s at most"
    )
    began = time.perf_counter()
    is_equal = check_stores(source, target).is_equal
    print(f"  compared again in {time.perf_counter() - began:.1f} s: {'equal' if is_equal else 'NOT EQUAL'}")
    target.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sets", type=Path, nargs="+", required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--passages", type=int, default=25, help=f"of a document, at most {PASSAGES_A_DOCUMENT}")
    given = parser.parse_args()
    print(describe_machine())
    shutil.rmtree(given.folder / "sqlite", ignore_errors=True)
    source = open_database(load_settings(data=given.folder / "sqlite"))
    fill(source, make_documents(given.sets, given.documents, given.passages))
    with run_postgres(given.folder / "postgres") as server, new_database(server, "moved") as address:
        measure("SQLite to PostgreSQL", source, address)
        middle = Database(address)
        measure("PostgreSQL to SQLite", middle, f"sqlite:///{given.folder / 'sqlite' / 'back.db'}")
        middle.close()
    source.close()


if __name__ == "__main__":
    main()
