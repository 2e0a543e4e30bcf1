"""Measure a search by words, by vectors and by both, with 1k, 10k and 100k artificial passages; print a table.

    python benchmarks/search_speed.py [--passages 1000,10000,100000] [--questions 200] [--folder DIR]

Passages have 150 terms of a Zipf vocabulary and random unit vectors. "first" is the first question of a process, as on
the command line; p50 and p95 are for different questions asked one after another, as to a server. "hybrid" includes
the embedding of the question if the local model can be built."""

import argparse
import os
import platform
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.errors import EmbeddingError
from pincite.index.sqlite_index import SqliteIndex
from pincite.search.search import Mode, PassageSearch, QueryEmbedder
from pincite.settings import Settings, load_settings
from pincite.store import documents
from pincite.store.database import Database, open_database
from pincite.types import Document, Indexed, Passage, Scope

TERMS = 150
DIMENSION = 384
VOCABULARY = 200_000
PASSAGES_A_DOCUMENT = 50
PASSAGES_A_BATCH = 8


class Words:
    """Draws words with natural frequencies: the most common is in half of the passages, most are in few."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        chances = 1 / (np.arange(VOCABULARY) + 21.0)
        self.sums = np.cumsum(chances / chances.sum())

    def draw(self, count: int) -> list[str]:
        return [_spelt(int(rank)) for rank in np.searchsorted(self.sums, self.random.random(count))]

    def vectors(self, count: int) -> NDArray[np.float32]:
        drawn = self.random.standard_normal((count, DIMENSION)).astype(np.float32)
        unit: NDArray[np.float32] = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
        return unit


class RandomEmbedder:
    """Replaces the local model if it cannot be built: random vectors, no computing time."""

    name = "random"

    def __init__(self) -> None:
        self.words = Words(3)

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.words.vectors(len(texts))


def _spelt(rank: int) -> str:
    letters = ""
    rank += 676
    while rank:
        rank, letter = divmod(rank, 26)
        letters += chr(97 + letter)
    return letters


def fill(database: Database, passages: int, model: str) -> float:
    """Write this many passages. Return the CPU milliseconds per passage, without the time to generate it."""
    words, index = Words(1), SqliteIndex()
    spent = 0.0
    for number in range(0, passages, PASSAGES_A_DOCUMENT):
        count = min(PASSAGES_A_DOCUMENT, passages - number)
        spans = [Passage(i * 1500, i * 1500 + 1500) for i in range(count)]
        pieces = [Indexed(" ".join(words.draw(8)), " ".join(words.draw(TERMS))) for _ in spans]
        vectors = words.vectors(count)
        start = time.process_time()
        with database.writing() as connection:
            stored, _ = documents.create(connection, "local", f"{number:064x}", f"{number}.pdf", 1)
            read = Document("pdf", "x" * 1500 * count, f"{number}", "")
            ids = documents.write_content(connection, stored.id, read, spans)
            index.add(connection, stored.id, "", ids, pieces)
            for first in range(0, count, PASSAGES_A_BATCH):
                some = slice(first, first + PASSAGES_A_BATCH)
                index.add_vectors(connection, stored.id, model, ids[some], vectors[some])
        spent += time.process_time() - start
    return spent / passages * 1000


def timed(action: Callable[[str], object], questions: Sequence[str]) -> str:
    """Return the p50 and p95 of an action's milliseconds over the questions, as text."""
    taken = []
    for question in questions:
        start = time.perf_counter()
        action(question)
        taken.append((time.perf_counter() - start) * 1000)
    return f"{np.percentile(taken, 50):7.1f} {np.percentile(taken, 95):7.1f}"


def local_embedder(settings: Settings) -> QueryEmbedder:
    """Return the local model, or print a note and return a replacement."""
    try:
        from pincite.embedding import create_embedder

        found = create_embedder(settings.embedding, settings.data)
        if found is not None:
            found.queries(["warm up"])
            return found
    except (ImportError, EmbeddingError) as error:
        print(f"without the local model: {error}")
    return RandomEmbedder()


def measure(passages: int, asked: int, folder: Path) -> None:
    settings = load_settings(data=folder / str(passages))
    model = local_embedder(settings)
    database = open_database(settings)
    cost = fill(database, passages, model.name)
    words = Words(2)
    questions = [" ".join(words.draw(int(words.random.integers(4, 13)))) for _ in range(asked)]
    search = PassageSearch(database, SqliteIndex(), model, settings)
    start = time.perf_counter()
    search.search(questions[0], Scope())
    first = (time.perf_counter() - start) * 1000
    modes: tuple[Mode, ...] = ("lexical", "dense", "hybrid")
    # Each mode gets a new search, so that it does not profit from data that another has loaded.
    columns = []
    for mode in modes:
        fresh = PassageSearch(database, SqliteIndex(), model, settings)
        fresh.search("warm up", Scope(), mode=mode)
        columns.append(timed(lambda question, s=fresh, m=mode: s.search(question, mode=m), questions))  # type: ignore[misc]
    print(f"{passages:9d} {first:9.1f}  " + "  ".join(columns) + f"  {cost:10.2f}")
    database.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--passages", default="1000,10000,100000")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    print(f"commit {commit or 'unknown'}, Python {platform.python_version()}, {_processor()}, {os.cpu_count()} cores")
    print("milliseconds             lexical          dense           hybrid        CPU to add")
    print(" passages     first      p50     p95      p50     p95      p50     p95   a passage")
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        for passages in given.passages.split(","):
            measure(int(passages), given.questions, Path(folder))


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


if __name__ == "__main__":
    main()
