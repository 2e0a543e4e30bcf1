"""Retrieval on a set in BEIR form, through the same passages, index and fusion that documents go through."""

import hashlib
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pincite.errors import Misuse
from pincite.evaluate.machine import about
from pincite.evaluate.metrics import ndcg, recall
from pincite.evaluate.store import Say, evaluation_library
from pincite.index.embed import Embedder
from pincite.library import Library
from pincite.passages import indexed, split
from pincite.reading.language import detect
from pincite.reading.text import paragraphs
from pincite.retrieval.search import Mode, Search
from pincite.settings import Settings
from pincite.store import documents, passages
from pincite.types import Block, Document

_MODES: tuple[Mode, ...] = ("lexical", "dense", "hybrid")
_DEPTH = 100
_TOGETHER = 256


def evaluate(folder: Path, settings: Settings, keep: Path | None, say: Say) -> dict[str, Any]:
    """nDCG@10, recall@100 and milliseconds a query for each mode."""
    corpus, queries, relevant = list(entries(folder / "corpus.jsonl")), read_queries(folder), read_judgements(folder)
    asked = [(id, text) for id, text in queries if id in relevant]
    if not asked:
        raise Misuse(
            f"None of the queries in {folder} has a relevant document.",
            "Check that the ids in queries.jsonl and qrels/test.tsv are the same.",
        )
    with evaluation_library(settings, keep) as (library, model):
        names = ingest(library, corpus, say)
        if model:
            embed(library, model, say)
        search = Search(library.database, library.index, model, settings)
        modes: dict[str, dict[str, float]] = {}
        for mode in _MODES if model else _MODES[:1]:
            begun, found = time.perf_counter(), {}
            for number, (id, text) in enumerate(asked, 1):
                say(f"{mode}: {number}/{len(asked)} queries")
                found[id] = _ranked(search, names, text, mode)
            modes[mode] = {
                "ndcg@10": _mean(ndcg(found[id], relevant[id], 10) for id, _ in asked),
                "recall@100": _mean(recall(found[id], relevant[id], _DEPTH) for id, _ in asked),
                "ms": (time.perf_counter() - begun) * 1000 / len(asked),
            }
    return {
        "set": folder.name,
        "documents": len(names),
        "queries": len(asked),
        "model": model.name if model else None,
        "about": f"{folder.name}: {len(asked)} queries, {len(corpus)} documents; {about()}",
        "modes": modes,
    }


def _ranked(search: Search, names: dict[int, str], text: str, mode: Mode) -> list[str]:
    """Documents in the order of their best passage; deep enough that a hundred are found."""
    ranked = search.rank(text, None, _DEPTH * 3, mode)
    return list(dict.fromkeys(names[id] for id, _ in ranked))[:_DEPTH]


def _mean(values: Iterator[float]) -> float:
    listed = list(values)
    return round(sum(listed) / len(listed), 4)


def ingest(library: Library, corpus: list[dict[str, str]], say: Say) -> dict[int, str]:
    """Store and index what is not there yet; passage id → the corpus's own id."""
    names: dict[int, str] = {}
    owner, sizes = library.settings.owner, library.settings.passages
    for first in range(0, len(corpus), _TOGETHER):
        say(f"indexing: {first}/{len(corpus)} documents")
        with library.database.writing() as connection:
            for entry in corpus[first : first + _TOGETHER]:
                title, text = entry.get("title", ""), entry["text"]
                sha = hashlib.sha256(f"{entry['_id']}\0{title}\0{text}".encode()).hexdigest()
                stored, new = documents.create(connection, owner, sha, entry["_id"], len(text))
                if new:
                    document = Document("text", text, title, detect(f"{title}\n{text}"), blocks=_blocks(text))
                    pieces = split(document, sizes.size, sizes.overlap)
                    ids = documents.write_content(connection, stored.id, document, pieces)
                    entries = [indexed(document, piece) for piece in pieces]
                    library.index.add(connection, stored.id, document.language, ids, entries)
                    documents.set_status(connection, stored.id, "searchable")
                names.update(dict.fromkeys(passages.ids(connection, stored.id), entry["_id"]))
    return names


def _blocks(text: str) -> tuple[Block, ...]:
    return tuple(Block("paragraph", start, end) for start, end in paragraphs(text))


def embed(library: Library, model: Embedder, say: Say) -> None:
    """Give every document that has none yet its vectors."""
    with library.database.reading() as connection:
        waiting = documents.find(connection, library.settings.owner, statuses=("searchable",))
    for first in range(0, len(waiting), _TOGETHER):
        say(f"embedding: {first}/{len(waiting)} documents")
        together = waiting[first : first + _TOGETHER]
        texts, places = [], []
        with library.database.reading() as connection:
            for stored in together:
                document = documents.load(connection, stored.id)
                for row in passages.get(connection, passages.ids(connection, stored.id)):
                    entry = indexed(document, row.passage)
                    texts.append(f"{entry.context}\n{entry.body}")
                    places.append((stored.id, row.id))
        vectors = model.passages(texts)
        with library.database.writing() as connection:
            for stored in together:
                rows = [i for i, (document_id, _) in enumerate(places) if document_id == stored.id]
                library.index.add_vectors(
                    connection, stored.id, model.name, [places[i][1] for i in rows], vectors[rows]
                )
                documents.set_status(connection, stored.id, "ready")


def read_queries(folder: Path) -> list[tuple[str, str]]:
    return [(entry["_id"], entry["text"]) for entry in entries(folder / "queries.jsonl")]


def read_judgements(folder: Path) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    path = folder / "qrels" / "test.tsv"
    if not path.is_file():
        raise Misuse(
            f"There is no {path}.", "The folder must be in BEIR form: corpus.jsonl, queries.jsonl, qrels/test.tsv."
        )
    for line in path.read_text(encoding="utf-8").splitlines():
        query, item, score = [*line.split("\t"), "", ""][:3]
        if score.lstrip("-").isdigit():
            found.setdefault(query, {})[item] = int(score)
    return {query: items for query, items in found.items() if any(value > 0 for value in items.values())}


def entries(path: Path) -> Iterator[dict[str, str]]:
    """The lines of a corpus or of queries; `Misuse` says which one is wrong."""
    if not path.is_file():
        raise Misuse(
            f"There is no {path}.", "The folder must be in BEIR form: corpus.jsonl, queries.jsonl, qrels/test.tsv."
        )
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    entry = json.loads(line)
                    entry["_id"], entry["text"] = str(entry["_id"]), str(entry["text"])
                except (ValueError, KeyError, TypeError):
                    raise Misuse(
                        f"{path}, line {number} is not an entry.", 'Each line is {"_id": …, "text": …}.'
                    ) from None
                yield entry
