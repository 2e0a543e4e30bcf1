"""Compare four ways to find passages by words on one PostgreSQL, with the same passages and questions; print a table.

    python benchmarks/word_mechanisms.py --sets FOLDER... --folder DIR [--passages 100000] [--questions 100]

All four are given the same terms and have to return the ten best passages by the same BM25:
- segments: what the product does; postings of many passages in one row, scored in the process.
- postings: a row for each term of a passage with its counts; joined, scored and sorted in SQL.
- gin: an array of terms for each passage, found by a GIN index, the counts in JSON beside it; scored in SQL.
- sparsevec: the scores of all terms of a passage as one sparse vector, compared with that of the question by a scan of
  all. The scores are those of the moment of loading. pgvector's index takes at most 1,000 terms in a vector, which is
  enough for most passages, but it is a graph, which does not find all.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from local_postgres import new_database, run_postgres
from repeated_text import PASSAGES_A_DOCUMENT, RepeatedText
from scale import describe_machine, write
from sqlalchemy import text

from pincite.index.bm25 import BODY_LENGTH, CONTEXT_LENGTH, CONTEXT_WEIGHT, K1
from pincite.index.postgres_index import PostgresIndex
from pincite.index.sqlite_index import SqliteIndex
from pincite.index.terms import QueryTerm, list_question_terms, list_terms
from pincite.store.database import Connection, Database

Found = list[int]
Search = Callable[[Connection, Sequence[QueryTerm]], Found]
Words = list[tuple[int, list[str], list[str]]]  # of each passage: its id, the terms of its context and of its body

# What one occurrence weighs: less in a longer passage.
_NORM_C = f"{CONTEXT_WEIGHT} / ({1 - CONTEXT_LENGTH} + {CONTEXT_LENGTH} * p.context_length / :context_average)"
_NORM_B = f"1 / ({1 - BODY_LENGTH} + {BODY_LENGTH} * p.body_length / :body_average)"

# The ten best of `found`, which has the counts of each sought word in each passage.
_SCORED = (
    "frequency AS (SELECT place, ln(1 + (:count - count(*) + 0.5) / (count(*) + 0.5)) AS weight FROM found GROUP BY 1),"
    f" weighed AS (SELECT f.place, f.id, f.context * {_NORM_C} + f.body * {_NORM_B} AS n "
    "FROM found f JOIN lengths p ON p.id = f.id) "
    "SELECT id FROM weighed JOIN frequency USING (place) GROUP BY id "
    f"ORDER BY sum(weight * {K1 + 1} * n / (n + {K1})) DESC, id LIMIT 10"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sets", type=Path, nargs="+", required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=100)
    given = parser.parse_args()
    source = RepeatedText(given.sets, given.folder, 32)
    made = list(source.make(given.passages // PASSAGES_A_DOCUMENT))
    words: Words = [
        (document.number * PASSAGES_A_DOCUMENT + place + 1, list_terms(document.title, document.language), terms)
        for document in made
        for place, body in enumerate(document.passages)
        for terms in [list_terms(body, document.language)]
    ]
    asked = [list_question_terms(question, ["en", "fr"]) for question in source.questions[: given.questions]]
    print(describe_machine())
    print(f"{len(words)} passages, {len(asked)} questions")
    path = given.folder / "mechanisms.db"
    path.unlink(missing_ok=True)
    reference = Database(f"sqlite:///{path}")
    reference.migrate()
    with reference.writing() as connection:
        write(connection, SqliteIndex(), "none", made)
    with reference.reading() as connection:
        index = SqliteIndex()
        truth = [[id for id, _ in index.lexical(connection, question, None, 10)] for question in asked]
    reference.close()
    path.unlink()
    print("mechanism        load s  size MB   p50 ms   p95 ms  questions with SQLite's first ten")
    with run_postgres(given.folder / "mechanisms") as address:
        for name, load in (
            ("segments", load_segments),
            ("postings", load_postings),
            ("gin", load_gin),
            ("sparsevec", load_sparsevec),
        ):
            with new_database(address, name) as url:
                database = Database(url)
                database.migrate()
                with database.writing(long=True) as connection:
                    _write_passages(connection, words)
                start, size = time.perf_counter(), database.size()
                with database.writing(long=True) as connection:
                    search = load(connection, words)
                with database.outside_transactions() as connection:
                    connection.execute(text("VACUUM ANALYZE"))
                loaded, size = time.perf_counter() - start, database.size() - size
                report(name, loaded, size, database, search, asked, truth)
                database.close()


def report(
    name: str,
    loaded: float,
    size: int,
    database: Database,
    search: Search,
    asked: Sequence[Sequence[QueryTerm]],
    truth: Sequence[Found],
) -> None:
    taken, equal = [], 0
    with database.reading(long=True) as connection:
        connection.execute(text("SELECT set_config('jit', 'off', true)"))
        search(connection, asked[0])
        for question, expected in zip(asked, truth, strict=True):
            start = time.perf_counter()
            found = search(connection, question)
            taken.append((time.perf_counter() - start) * 1000)
            equal += found == expected
    p50, p95 = np.percentile(taken, 50), np.percentile(taken, 95)
    print(f"{name:12}{loaded:10.0f}{size / 1e6:9.0f}{p50:9.1f}{p95:9.1f}{equal:6} of {len(asked)}", flush=True)


def _write_passages(connection: Connection, words: Words) -> None:
    """Write what every mechanism needs beside its words: rows of passages of visible documents."""
    connection.execute(
        text("INSERT INTO generations (id, document, writer) SELECT n, n::text, '' FROM generate_series(1, :count) n"),
        {"count": words[-1][0] // PASSAGES_A_DOCUMENT + 1},
    )
    columns = (
        "id, owner, sha256, kind, title, name, language, status, error, problems, pages, passages, bytes, metadata"
    )
    connection.execute(
        text(
            f"INSERT INTO documents ({columns}, analysis, cut, created, updated, generation) "
            "SELECT id::text, 'local', id::text, 'text', '', '', 'en', 'ready', '', "
            "'[]', 0, 50, 1, '{}', 1, '', 0, 0, id FROM generations"
        )
    )
    connection.execute(
        text(
            'INSERT INTO passages (id, generation, ordinal, start, "end", headings, first_page, last_page) '
            "SELECT n, (n - 1) / 50 + 1, (n - 1) % 50, 0, 1, '[]', 0, 0 FROM generate_series(1, :count) n"
        ),
        {"count": words[-1][0]},
    )


def load_segments(connection: Connection, words: Words) -> Search:
    index = PostgresIndex()
    for first in range(0, len(words), 25_000):
        some = words[first : first + 25_000]
        index.add_words(connection, [(id, " ".join(context), " ".join(body)) for id, context, body in some])
    while index.merge(connection):
        pass
    return lambda reading, question: [id for id, _ in index.lexical(reading, question, None, 10)]


def _copy(connection: Connection, target: str, rows: Any) -> None:
    driver: Any = connection.connection.driver_connection
    with driver.cursor().copy(f"COPY {target} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def _write_lengths(connection: Connection, words: Words) -> dict[str, float]:
    connection.execute(text("CREATE TABLE lengths (id bigint, context_length int, body_length int)"))
    _copy(connection, "lengths", ((id, len(context), len(body)) for id, context, body in words))
    connection.execute(text("ALTER TABLE lengths ADD PRIMARY KEY (id)"))
    return {
        "count": len(words),
        "context_average": max(float(np.mean([len(context) for _, context, _ in words])), 1.0),
        "body_average": max(float(np.mean([len(body) for _, _, body in words])), 1.0),
    }


def load_postings(connection: Connection, words: Words) -> Search:
    """A row for each term of a passage; the forms of a word in several languages count as one word."""
    connection.execute(text('CREATE TABLE plain (term text COLLATE "C", id bigint, context int2, body int2)'))
    rows = (
        (term, id, contexts.get(term, 0), bodies.get(term, 0))
        for id, context, body in words
        for contexts, bodies in [(Counter(context), Counter(body))]
        for term in contexts.keys() | bodies.keys()
    )
    _copy(connection, "plain", rows)
    connection.execute(text("CREATE INDEX ON plain (term) INCLUDE (id, context, body)"))
    averages = _write_lengths(connection, words)
    query = text(
        "WITH sought AS (SELECT * FROM unnest(CAST(:terms AS text[]), CAST(:places AS int[])) AS s (term, place)), "
        "found AS (SELECT s.place, f.id, sum(f.context) AS context, sum(f.body) AS body "
        "FROM sought s JOIN plain f ON f.term = s.term GROUP BY 1, 2), " + _SCORED
    )

    def search(reading: Connection, question: Sequence[QueryTerm]) -> Found:
        return list(reading.execute(query, {**averages, **_list_variants(question)}).scalars())

    return search


def load_gin(connection: Connection, words: Words) -> Search:
    """An array of terms with a GIN index; the counts are in a JSON object beside it."""
    connection.execute(text("CREATE TABLE arrays (id bigint, terms text[], contexts jsonb, bodies jsonb)"))
    rows = (
        (id, list({*context, *body}), json.dumps(Counter(context)), json.dumps(Counter(body)))
        for id, context, body in words
    )
    _copy(connection, "arrays", rows)
    connection.execute(text("CREATE INDEX ON arrays USING gin (terms)"))
    averages = _write_lengths(connection, words)
    query = text(
        "WITH sought AS (SELECT * FROM unnest(CAST(:terms AS text[]), CAST(:places AS int[])) AS s (term, place)), "
        "found AS (SELECT s.place, a.id, sum(coalesce((a.contexts ->> s.term)::int, 0)) AS context, "
        "sum(coalesce((a.bodies ->> s.term)::int, 0)) AS body "
        "FROM arrays a JOIN sought s ON s.term = ANY(a.terms) WHERE a.terms && CAST(:terms AS text[]) GROUP BY 1, 2), "
        + _SCORED
    )

    def search(reading: Connection, question: Sequence[QueryTerm]) -> Found:
        return list(reading.execute(query, {**averages, **_list_variants(question)}).scalars())

    return search


def load_sparsevec(connection: Connection, words: Words) -> Search:
    """A sparse vector of scores for each passage. A word's forms are separate terms, each with a weight of its own."""
    numbers: dict[str, int] = {}
    frequency: Counter[str] = Counter()
    for _, context, body in words:
        for term in {*context, *body}:
            numbers.setdefault(term, len(numbers) + 1)
            frequency[term] += 1
    context_average = max(float(np.mean([len(context) for _, context, _ in words])), 1.0)
    body_average = max(float(np.mean([len(body) for _, _, body in words])), 1.0)

    def score(id: int, context: list[str], body: list[str]) -> tuple[int, str]:
        contexts, bodies = Counter(context), Counter(body)
        norm_c = CONTEXT_WEIGHT / (1 - CONTEXT_LENGTH + CONTEXT_LENGTH * len(context) / context_average)
        norm_b = 1 / (1 - BODY_LENGTH + BODY_LENGTH * len(body) / body_average)
        pairs = []
        for term in contexts.keys() | bodies.keys():
            n = contexts.get(term, 0) * norm_c + bodies.get(term, 0) * norm_b
            weight = np.log(1 + (len(words) - frequency[term] + 0.5) / (frequency[term] + 0.5))
            pairs.append(f"{numbers[term]}:{weight * (K1 + 1) * n / (n + K1):.6f}")
        return id, "{" + ",".join(pairs) + f"}}/{len(numbers)}"

    connection.execute(text(f"CREATE TABLE sparse (id bigint, scores sparsevec({len(numbers)}))"))
    _copy(connection, "sparse", (score(*row) for row in words))
    query = text("SELECT id FROM sparse ORDER BY scores <#> CAST(:vector AS sparsevec), id LIMIT 10")

    def search(reading: Connection, question: Sequence[QueryTerm]) -> Found:
        known = sorted({numbers[v] for sought in question for v in sought.variants if v in numbers})
        vector = "{" + ",".join(f"{number}:1" for number in known) + f"}}/{len(numbers)}"
        return list(reading.execute(query, {"vector": vector}).scalars())

    return search


def _list_variants(question: Sequence[QueryTerm]) -> dict[str, list[Any]]:
    pairs = [(variant, place) for place, sought in enumerate(question) for variant in sought.variants]
    return {"terms": [pair[0] for pair in pairs], "places": [pair[1] for pair in pairs]}


if __name__ == "__main__":
    main()
