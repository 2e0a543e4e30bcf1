"""Measure retrieval on a set in BEIR form, with the same passages, index and fusion as for documents."""

import hashlib
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pincite.embedding import Embedder
from pincite.errors import Misuse
from pincite.evaluate.evaluation_library import ReportStatus, open_evaluation_library
from pincite.evaluate.machine_info import describe_machine
from pincite.evaluate.retrieval_metrics import compute_ndcg, compute_recall
from pincite.library import Library
from pincite.passages import make_indexed, split_passages
from pincite.reading.plain_text import find_paragraphs
from pincite.search.search import Mode, PassageSearch
from pincite.settings import Settings
from pincite.store import document_text, documents, stored_passages
from pincite.text.language import detect_document_language
from pincite.types import Block, Document, Scope

_MODES: tuple[Mode, ...] = ("lexical", "dense", "hybrid")
_DEPTH = 100
_TOGETHER = 256


def evaluate(
    folder: Path, settings: Settings, keep: Path | None, say: ReportStatus, database: str = ""
) -> dict[str, Any]:
    """Return nDCG@10, recall@100 and milliseconds per query for each mode."""
    corpus, queries, relevant = (
        list(read_entries(folder / "corpus.jsonl")),
        read_queries(folder),
        read_judgements(folder),
    )
    asked = [(id, text) for id, text in queries if id in relevant]
    if not asked:
        raise Misuse(
            f"None of the queries in {folder} has a relevant document.",
            "Check that the ids in queries.jsonl and qrels/test.tsv are the same.",
        )
    with open_evaluation_library(settings, keep, database) as (library, model):
        names = ingest_corpus(library, corpus, say)
        library.sweep()
        if model:
            embed_documents(library, model, say)
        search, scope = PassageSearch(library.database, library.index, model, settings), Scope(settings.owner)
        modes: dict[str, dict[str, float]] = {}
        for mode in _MODES if model else _MODES[:1]:
            begun, found = time.perf_counter(), {}
            for number, (id, text) in enumerate(asked, 1):
                say(f"{mode}: {number}/{len(asked)} queries")
                found[id] = _rank_documents(search, scope, names, text, mode)
            modes[mode] = {
                "ndcg@10": _compute_mean(compute_ndcg(found[id], relevant[id], 10) for id, _ in asked),
                "recall@100": _compute_mean(compute_recall(found[id], relevant[id], _DEPTH) for id, _ in asked),
                "ms": (time.perf_counter() - begun) * 1000 / len(asked),
            }
    return {
        "set": folder.name,
        "documents": len(names),
        "queries": len(asked),
        "model": model.name if model else None,
        "about": f"{folder.name}: {len(asked)} queries, {len(corpus)} documents; {describe_machine()}",
        "modes": modes,
    }


def _rank_documents(search: PassageSearch, scope: Scope, names: dict[int, str], text: str, mode: Mode) -> list[str]:
    """Return documents in the order of their best passage, from enough passages for a hundred documents."""
    ranked = search.rank(text, scope, _DEPTH * 3, mode)
    return list(dict.fromkeys(names[id] for id, _ in ranked))[:_DEPTH]


def _compute_mean(values: Iterator[float]) -> float:
    listed = list(values)
    return round(sum(listed) / len(listed), 4)


def ingest_corpus(library: Library, corpus: list[dict[str, str]], say: ReportStatus) -> dict[int, str]:
    """Store and index the documents that are not there yet; return the corpus ids by passage id."""
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
                    document = Document(
                        "text", text, title, detect_document_language(f"{title}\n{text}"), blocks=_make_blocks(text)
                    )
                    pieces = split_passages(document, sizes.size, sizes.overlap)
                    ids = documents.write_content(connection, stored.id, document, pieces)
                    entries = [make_indexed(document, piece) for piece in pieces]
                    library.index.add(connection, stored.id, document.language, ids, entries)
                    documents.set_status(connection, stored.id, "searchable")
                names.update(dict.fromkeys(stored_passages.list_ids(connection, stored.id), entry["_id"]))
    return names


def _make_blocks(text: str) -> tuple[Block, ...]:
    return tuple(Block("paragraph", start, end) for start, end in find_paragraphs(text))


def embed_documents(library: Library, model: Embedder, say: ReportStatus) -> None:
    """Embed every document that has no vectors yet."""
    with library.database.reading() as connection:
        waiting = documents.find(connection, library.settings.owner, statuses=("searchable",))
    for first in range(0, len(waiting), _TOGETHER):
        say(f"embedding: {first}/{len(waiting)} documents")
        together = waiting[first : first + _TOGETHER]
        texts, places = [], []
        with library.database.reading() as connection:
            for stored in together:
                document = document_text.load_document(connection, stored.id)
                for row in stored_passages.get(connection, stored_passages.list_ids(connection, stored.id)):
                    entry = make_indexed(document, row.passage)
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
    return [(entry["_id"], entry["text"]) for entry in read_entries(folder / "queries.jsonl")]


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


def read_entries(path: Path) -> Iterator[dict[str, str]]:
    """Yield the lines of a corpus or of queries; `Misuse` names the wrong line."""
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
