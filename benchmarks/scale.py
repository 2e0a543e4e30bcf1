"""Load passages into both engines and measure a search: how time, size, memory and recall grow.

    python benchmarks/scale.py --sets FOLDER... --folder DIR [--passages 10000 100000] [--engines sqlite postgresql]
        [--embedded 2000] [--longest 1200] [--vectors-only] [--load] [--query] [--questions 200]

`--sets` are retrieval sets in BEIR form (`repeated_text.py` says what is made of them). Their texts are cut into
passages of at most `--longest` characters, so that a small number gives many real passages. `--vectors-only` leaves out
texts and words, and measures the search by vectors alone. `--load` fills databases that stay in the folder, going on
where it was interrupted, and `--query` measures them, later if so wished; without either, both are done. Other
`--sets`, `--longest` or `--vectors-only` need another folder. Words and vectors are stored by the product's own index.
Rows of documents, texts and passages are inserted directly, in large transactions: reading documents is measured by
`ingest.py`. Each measurement runs in a process of its own, so that its memory is its own; the memory of the PostgreSQL
server is not included.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from local_postgres import OPTIONS, new_database, run_postgres
from repeated_text import LONGEST, PASSAGES_A_DOCUMENT, MadeDocument, RepeatedText
from sqlalchemy import insert, text

from pincite.embedding import Embedder, create_embedder
from pincite.index import Index
from pincite.index.postgres_index import PostgresIndex
from pincite.index.sqlite_index import SqliteIndex
from pincite.index.terms import ANALYSIS, list_terms
from pincite.index.vector_matrix import Vector
from pincite.search.search import PassageSearch
from pincite.settings import load_settings
from pincite.store.content_slices import split_slices
from pincite.store.database import Connection, Database
from pincite.store.schema import documents, generations, passages, texts
from pincite.types import Scope

AT_ONCE = 500  # documents that are written in one transaction
OWNER = "local"
_CANDIDATES = (1.0, 1.5, 2.0, 3.0, 5.0)  # that a search in the graph keeps for each result
Row = dict[str, Any]
T = TypeVar("T")


class KnownQuestions:
    """Replaces the embedder: the vectors of the questions are there already, so that a search costs no model."""

    def __init__(self, model: Embedder, questions: Sequence[str]) -> None:
        self.name = model.name
        self._vectors = dict(zip(questions, model.queries(questions), strict=True))

    def queries(self, asked: Sequence[str]) -> list[Vector]:
        return [self._vectors[question] for question in asked]


@contextmanager
def open_engine(engine: str, count: int, folder: Path) -> Iterator[tuple[Database, Index]]:
    """Open the database that holds so many passages."""
    if engine == "sqlite":
        database = Database(f"sqlite:///{folder / f'passages-{count}.db'}")
        yield database, SqliteIndex()
        database.close()
        return
    with run_postgres(folder / "postgres") as address, new_database(address, f"passages-{count}", keep=True) as made:
        database = Database(made)
        yield database, PostgresIndex()
        database.close()


def load(engine: str, count: int, folder: Path, source: RepeatedText, vectors_only: bool) -> Row:
    """Fill a database, build the graph, and return what that took. An interrupted run is continued."""
    model = _find_model(folder).name
    kept = folder / f"load-{engine}-{count}.json"
    taken: Row = json.loads(kept.read_text()) if kept.exists() else {"load": 0.0, "load_cpu": 0.0}
    with open_engine(engine, count, folder) as (database, index):
        database.migrate()
        with database.reading() as connection:
            there = connection.scalar(text("SELECT count(*) FROM documents")) or 0
        wanted = source.make(count // PASSAGES_A_DOCUMENT, there)
        while some := list(islice(wanted, AT_ONCE)):
            start, cpu = time.perf_counter(), time.process_time()  # making the text is not loading it
            with database.writing() as connection:
                write(connection, index, model, some, vectors_only)
            taken["load"] += time.perf_counter() - start
            taken["load_cpu"] += time.process_time() - cpu
            kept.write_text(json.dumps(taken))
            print(f"  {engine} {(some[-1].number + 1) * PASSAGES_A_DOCUMENT}: {taken['load']:.0f} s", flush=True)
        start, is_more = time.perf_counter(), True
        while is_more:
            with database.writing() as connection:
                is_more = index.merge(connection)
        taken["merge"] = taken.get("merge", 0.0) + time.perf_counter() - start
        kept.write_text(json.dumps(taken))
        start = time.perf_counter()
        if isinstance(index, PostgresIndex):
            with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.execute(text("VACUUM ANALYZE"))
            taken["vacuum"] = time.perf_counter() - start
            start = time.perf_counter()
            if index.build_graphs(database):
                taken["graph"] = time.perf_counter() - start
        taken["bytes"] = database.size()
        kept.write_text(json.dumps(taken))
    return taken


def write(
    connection: Connection, index: Index, model: str, some: Sequence[MadeDocument], vectors_only: bool = False
) -> None:
    """Write documents with their words and vectors. Passages are numbered alike on both engines."""
    rows: dict[Any, list[Row]] = {documents: [], generations: [], passages: [], texts: []}
    words: list[tuple[int, str, str]] = []
    for made in some:
        generation, place = made.number + 1, 0
        rows[documents].append(_make_document_row(made))
        rows[generations].append({"id": generation, "document": name_document(made.number), "writer": ""})
        if vectors_only:
            continue
        rows[texts] += [
            {"generation": generation, "start": start, "text": piece}
            for start, piece in split_slices("\n".join(made.passages))
        ]
        context = " ".join(list_terms(made.title, made.language))
        for ordinal, body in enumerate(made.passages):
            id = made.number * PASSAGES_A_DOCUMENT + ordinal + 1
            rows[passages].append(_make_passage_row(id, generation, ordinal, place, place + len(body)))
            words.append((id, context, " ".join(list_terms(body, made.language))))
            place += len(body) + 1
    for table, found in rows.items():
        if found:
            insert_rows(connection, table, found)
    if words:
        index.add_words(connection, words)
    for made in some:
        first = made.number * PASSAGES_A_DOCUMENT + 1
        ids = list(range(first, first + len(made.passages)))
        index.add_vectors(connection, name_document(made.number), model, ids, made.vectors)
    if connection.dialect.name == "postgresql":
        for table in ("passages", "generations"):
            query = f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))"
            connection.execute(text(query))


def insert_rows(connection: Connection, table: Any, rows: Sequence[Row]) -> None:
    """Insert rows: by COPY on PostgreSQL."""
    if connection.dialect.name == "sqlite":
        connection.execute(insert(table), rows)
        return
    columns = ", ".join(f'"{name}"' for name in rows[0])
    driver: Any = connection.connection.driver_connection
    with driver.cursor().copy(f"COPY {table.name} ({columns}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row([json.dumps(v) if isinstance(v, (list, dict)) else v for v in row.values()])


def name_document(number: int) -> str:
    return f"{number:032x}"


def _make_document_row(made: MadeDocument) -> Row:
    return {
        "id": name_document(made.number),
        "owner": OWNER,
        "sha256": f"{made.number:064x}",
        "kind": "pdf" if made.number % 2 else "text",
        "title": made.title,
        "name": f"{made.number}.pdf",
        "language": made.language,
        "status": "ready",
        "error": "",
        "problems": [],
        "pages": 0,
        "passages": len(made.passages),
        "bytes": sum(map(len, made.passages)),
        "metadata": {},
        "date": f"{2000 + made.number % 25}-01-01",
        "analysis": ANALYSIS,
        "cut": "",
        "created": 0.0,
        "updated": 0.0,
        "generation": made.number + 1,
    }


def _make_passage_row(id: int, generation: int, ordinal: int, start: int, end: int) -> Row:
    return {
        "id": id,
        "generation": generation,
        "ordinal": ordinal,
        "start": start,
        "end": end,
        "headings": [],
        "first_page": 0,
        "last_page": 0,
    }


def measure_vectors(engine: str, count: int, folder: Path, questions: Sequence[str]) -> Row:
    """Return the times of searches by vectors alone, in milliseconds, and the recall of the nearest passages.

    On PostgreSQL both are measured for several numbers of candidates that a search in the graph keeps for each result.
    """
    model = _find_model(folder)
    depth = load_settings().search.candidates
    vectors = list(model.queries(questions))
    found: Row = {"candidates": {}}
    with open_engine(engine, count, folder) as (database, index):
        with database.reading() as connection:
            nearest = _list_nearest(connection, model.name, vectors, None)
        tried: dict[int, Index] = {0: index}
        if isinstance(index, PostgresIndex):
            tried = {round(share * depth): PostgresIndex(candidates_a_hit=share) for share in _CANDIDATES}
        for candidates, chosen in tried.items():

            def search(number: int, chosen: Index = chosen) -> None:
                with database.reading() as connection:
                    chosen.dense(connection, vectors[number], model.name, None, depth)

            search(0)
            before = _read_cpu(folder, engine)
            times = _time(search, range(len(vectors)))
            found["candidates"][candidates] = {
                "times": times,
                "cpu": (_read_cpu(folder, engine) - before) * 1000 / len(vectors),
                "recall": _measure_recall(database, chosen, model.name, vectors, nearest, None),
            }
        found["bytes"] = database.size()
    return found


def measure(engine: str, count: int, folder: Path, questions: Sequence[str]) -> Row:
    """Return the times of searches, in milliseconds, and the recall of the nearest passages."""
    settings = load_settings(data=folder / "model")
    model = _find_model(folder)
    known = KnownQuestions(model, [*questions, "warm up"])
    few = Scope(documents=tuple(name_document(i * 7 % (count // PASSAGES_A_DOCUMENT)) for i in range(3)))
    half = Scope(kinds=("pdf",))
    found: Row = {}
    with open_engine(engine, count, folder) as (database, index):
        search = PassageSearch(database, index, known, settings)
        found["first"] = _time(lambda q: search.search(q, Scope()), questions[:1])[0]
        # The words of a question that was asked before are in memory: half of the questions are asked for the first
        # time, and the same are measured in every kind of search.
        for question in questions[: len(questions) // 2]:
            search.search(question, Scope())
        rest = questions[len(questions) // 2 :]
        before = _read_cpu(folder, engine)
        found["hybrid"] = _time(lambda q: search.search(q, Scope()), rest)
        found["cpu"] = (_read_cpu(folder, engine) - before) * 1000 / len(rest)
        found["again"] = _time(lambda q: search.search(q, Scope()), rest)
        found["few"] = _time(lambda q: search.search(q, few), rest)
        found["half"] = _time(lambda q: search.search(q, half), rest)
        words = PassageSearch(database, index, None, settings)
        found["words"] = _time(lambda q: words.search(q, Scope(), mode="lexical"), rest)
        found["vectors"] = _time(lambda q: search.search(q, Scope(), mode="dense"), rest)
        embedding = PassageSearch(database, index, model, settings)
        found["embedded"] = _time(lambda q: embedding.search(q, Scope()), rest)
        found["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024  # before the exact comparison
        odd = frozenset(name_document(i) for i in range(1, count // PASSAGES_A_DOCUMENT, 2))
        asked = known.queries(questions)
        for name, inside in (("recall", None), ("recall_half", odd)):
            with database.reading() as connection:
                nearest = _list_nearest(connection, model.name, asked, inside)
            found[name] = _measure_recall(database, index, model.name, asked, nearest, inside)
        found["bytes"] = database.size()
    return found


def _read_cpu(folder: Path, engine: str) -> float:
    """Return the CPU seconds of this process and of the server's processes, which other work hardly changes."""
    spent = time.process_time()
    if engine == "postgresql" and Path("/proc").exists():
        server = (folder / "postgres" / "data" / "postmaster.pid").read_text().split()[0]
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                fields = path.read_text().rpartition(")")[2].split()
                if fields[1] == server:  # its parent
                    spent += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return spent


def _list_nearest(
    connection: Connection, model: str, vectors: Sequence[Vector], inside: frozenset[str] | None
) -> list[set[int]]:
    """Return the ten nearest passages of each vector, and those that are as near, by comparing with all."""
    stored, ids = _read_all_vectors(connection, model, inside)
    found = []
    for vector in vectors:
        products = stored @ vector
        least = np.partition(products, len(products) - 10)[len(products) - 10]
        found.append(set(ids[products >= least - 1e-6].tolist()))
    return found


def _measure_recall(
    database: Database,
    index: Index,
    model: str,
    vectors: Sequence[Vector],
    nearest: Sequence[set[int]],
    inside: frozenset[str] | None,
) -> float:
    """Return how many of the ten nearest passages a search by vectors has among its first ten."""
    depth = load_settings().search.candidates
    with database.reading() as connection:
        shares = [
            sum(id in true for id, _ in index.dense(connection, vector, model, inside, depth)[:10]) / 10
            for vector, true in zip(vectors, nearest, strict=True)
        ]
    return float(np.mean(shares))


def _read_all_vectors(connection: Connection, model: str, inside: frozenset[str] | None) -> tuple[Vector, Any]:
    """Return all vectors of a model, read past the index, and their passages; 1.5 GB for a million."""
    if connection.dialect.name == "sqlite":
        rows = connection.exec_driver_sql("SELECT passages, vectors FROM vectors WHERE model = ? ORDER BY id", (model,))
        read = [(np.frombuffer(row[0], np.int64), np.frombuffer(row[1], np.float16)) for row in rows]
        ids = np.concatenate([row[0] for row in read])
        vectors = np.concatenate([row[1] for row in read]).reshape(len(ids), -1)
    else:
        query = text("SELECT passage, halfvec_send(vector) FROM passage_vectors ORDER BY passage")
        found = connection.execution_options(stream_results=True, max_row_buffer=5_000).execute(query)
        pairs = [(row[0], np.frombuffer(row[1], ">f2", offset=4).astype(np.float16)) for row in found]
        ids, vectors = np.array([pair[0] for pair in pairs]), np.stack([pair[1] for pair in pairs])
    if inside is not None:
        numbers = (ids - 1) // PASSAGES_A_DOCUMENT
        chosen = np.isin(numbers, [int(id, 16) for id in inside])
        ids, vectors = ids[chosen], vectors[chosen]
    return vectors.astype(np.float32), ids


def _find_model(folder: Path) -> Embedder:
    settings = load_settings(data=folder / "model")
    model = create_embedder(settings.embedding, settings.data)
    if model is None:
        raise SystemExit("The built-in model is needed: leave embedding.provider as it is.")
    return model


def _time(action: Callable[[T], object], questions: Iterable[T]) -> list[float]:
    taken = []
    for question in questions:
        start = time.perf_counter()
        action(question)
        taken.append((time.perf_counter() - start) * 1000)
    return taken


def describe_machine() -> str:
    def read(command: Sequence[str]) -> str:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()

    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    names += [line.split(":", 1)[1].strip() for line in read(["lscpu"]).splitlines() if line.startswith("Model name")]
    commit = read(["git", "rev-parse", "--short", "HEAD"]) or "unknown"
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"commit {commit}, Python {platform.python_version()}, {(names or ['unknown processor'])[0]}, "
        f"{os.cpu_count()} cores, {memory:.0f} GiB, load {os.getloadavg()[0]:.1f}; PostgreSQL with {', '.join(OPTIONS)}"
    )


def report_loading(found: dict[tuple[str, int], Row]) -> None:
    """Print what loading took, a row for each engine and size."""
    print("\nload in seconds, size and memory in MB")
    print("engine      passages    load  (CPU)   merge  vacuum   graph    size  memory")
    for (engine, count), row in found.items():
        numbers = [row.get(name) for name in ("load", "load_cpu", "merge", "vacuum", "graph")]
        spent = "".join(f"{number:8.0f}" if number is not None else "       -" for number in numbers)
        size, memory = (f"{row[name] / 1e6:8.0f}" if name in row else "       -" for name in ("bytes", "memory"))
        print(f"{engine:10}{count:10}{spent}{size}{memory}")


def report_searches(found: dict[tuple[str, int], Row]) -> None:
    """Print the times of searches, a row for each engine and size."""

    def centiles(row: Row, name: str) -> str:
        taken = row.get(name)
        return f"{np.percentile(taken, 50):6.1f} {np.percentile(taken, 95):6.1f}" if taken else "     -      -"

    print("\nmilliseconds, p50 and p95; all but the last column without the embedding of the question")
    print(
        "engine      passages    first         hybrid          again      3 documents   half of them"
        "          words        vectors  with embedding   recall@10  in half  CPU of a hybrid search"
    )
    for (engine, count), row in found.items():
        if "first" not in row:
            continue
        names = ("hybrid", "again", "few", "half", "words", "vectors", "embedded")
        columns = "  ".join(centiles(row, name) for name in names)
        recalls = f"{row['recall']:.3f}    {row['recall_half']:.3f}  {row['cpu']:8.1f}"
        print(f"{engine:10}{count:10} {row['first']:8.0f}  {columns}      {recalls}")


def report_vectors(found: dict[tuple[str, int], Row]) -> None:
    """Print the recall and the times of searches by vectors alone, a row for each number of candidates."""
    print("\nby vectors alone; milliseconds, p50 and p95")
    print("engine      passages  candidates  recall@10     p50    p95     CPU")
    for (engine, count), row in found.items():
        for candidates, each in row.get("candidates", {}).items():
            middle, late = np.percentile(each["times"], [50, 95])
            figures = f"{each['recall']:11.4f}  {middle:6.1f} {late:6.1f}  {each['cpu']:6.1f}"
            print(f"{engine:10}{count:10}{candidates if int(candidates) else 'all':>12}{figures}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--passages", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--engines", nargs="+", default=["sqlite", "postgresql"])
    parser.add_argument("--sets", type=Path, nargs="+", required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--embedded", type=int, default=2_000)
    parser.add_argument("--longest", type=int, default=LONGEST)
    parser.add_argument("--vectors-only", action="store_true")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--load", action="store_true")
    parser.add_argument("--query", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    source = RepeatedText(given.sets, given.folder, given.embedded, given.longest)
    if given.one:
        work = measure_vectors if given.vectors_only else measure
        made = work(given.engines[0], given.passages[0], given.folder, source.questions[: given.questions])
        Path(given.one).write_text(json.dumps(made))
        return
    is_both = given.load == given.query
    print(describe_machine())
    print(f"{source.real} passages are texts as they are, {source.embedded} of them embedded; the others are changed")
    found: dict[tuple[str, int], Row] = {}
    for count in given.passages:
        for engine in given.engines:
            if given.load or is_both:
                load(engine, count, given.folder, source, given.vectors_only)
            found[engine, count] = json.loads((given.folder / f"load-{engine}-{count}.json").read_text())
            if given.query or is_both:
                result = given.folder / f"query-{engine}-{count}.json"
                command = [sys.executable, __file__, "--sets", *given.sets, "--folder", given.folder]
                command += ["--embedded", str(given.embedded), "--longest", str(given.longest)]
                command += ["--vectors-only"] if given.vectors_only else []
                command += ["--passages", str(count), "--engines", engine, "--questions", str(given.questions)]
                subprocess.run([*command, "--one", result], check=True)
                found[engine, count] |= json.loads(result.read_text())
    report_loading(found)
    if given.vectors_only:
        report_vectors(found)
    else:
        report_searches(found)


if __name__ == "__main__":
    main()
