"""Measure whether unanswerable questions are refused, and only those, on sets in BEIR form, each in its own library.

Three kinds of questions are asked about the documents of each set: its own questions, which should not be refused; its
own without the documents that answer them; and questions of the other sets, in the same language and in another.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.answer.services import Services
from pincite.errors import Misuse
from pincite.evaluate.answers import ask_question
from pincite.evaluate.evaluation_library import ReportStatus, open_evaluation_library
from pincite.evaluate.machine_info import describe_machine
from pincite.evaluate.retrieval import embed_documents, ingest_corpus, read_entries, read_judgements, read_queries
from pincite.search.search import PassageSearch
from pincite.settings import Settings
from pincite.store import documents
from pincite.text.language import detect_document_language, detect_question_language
from pincite.types import Scope

PRESENT, MISSING = "as it is", "article missing"
SAME_LANGUAGE, OTHER_LANGUAGE = "other field", "other field and language"
KINDS = (PRESENT, MISSING, SAME_LANGUAGE, OTHER_LANGUAGE)
_SEED = 14


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Some questions of a set, each with the documents that answer it, and the documents to search."""

    name: str
    questions: tuple[tuple[str, frozenset[str]], ...]
    corpus: tuple[dict[str, str], ...]
    language: str


def evaluate(
    folders: Sequence[Path],
    settings: Settings,
    keep: Path | None,
    say: ReportStatus,
    questions: int = 50,
    most: int = 0,
) -> dict[str, Any]:
    """Return the share of refused questions of each kind for each set; use `most` documents of a set, or all."""
    sets = [read_set(folder, questions, most) for folder in folders]
    rows: dict[str, dict[str, float]] = {}
    details: list[dict[str, Any]] = []
    counts: Counter[str] = Counter()
    for own in sets:
        refused: dict[str, list[bool]] = {}
        with open_evaluation_library(settings, keep / own.name if keep else None) as (library, embedder):
            ingest_corpus(library, list(own.corpus), say)
            if embedder:
                embed_documents(library, embedder, say)
            with library.database.reading() as connection:
                ids = {stored.name: stored.id for stored in documents.find(connection, settings.owner)}
            services = Services(library, PassageSearch(library.database, library.index, embedder, settings), embedder)
            held = [entry["_id"] for entry in own.corpus]
            asked = list(list_questions(own, sets))
            for number, (kind, question, without) in enumerate(asked, 1):
                say(f"{own.name}: {number} of {len(asked)} questions")
                scope = Scope(settings.owner, documents=tuple(ids[name] for name in held if name not in without))
                is_refused = asyncio.run(ask_question(services, question, scope, "")).refused
                refused.setdefault(kind, []).append(is_refused)
                details.append({"set": own.name, "kind": kind, "question": question, "refused": is_refused})
        rows[own.name] = {kind: round(sum(each) / len(each), 4) for kind, each in refused.items()}
        counts.update({kind: len(each) for kind, each in refused.items()})
    asked_of = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    about = f"{len(sets)} sets; questions: {asked_of}; {describe_machine()}"
    return {"sets": [each.name for each in sets], "about": about, "rows": rows, "details": details}


def read_set(folder: Path, questions: int, most: int = 0) -> QuestionSet:
    """Read a fixed sample of a set's questions, and its documents: all, or `most` including all that answer."""
    chance = random.Random(_SEED)
    corpus = list(read_entries(folder / "corpus.jsonl"))
    known = {entry["_id"] for entry in corpus}
    relevant = {
        query: frozenset(item for item, score in judged.items() if score > 0)
        for query, judged in read_judgements(folder).items()
    }
    asked = [(text, relevant[id]) for id, text in read_queries(folder) if relevant.get(id, {""}) <= known]
    if not asked:
        raise Misuse(
            f"None of the queries in {folder} has a relevant document.",
            "Check that the ids in queries.jsonl and qrels/test.tsv are the same.",
        )
    chosen = chance.sample(asked, min(questions, len(asked)))
    if most:
        needed = frozenset[str]().union(*(gold for _, gold in chosen))
        others = sorted(known - needed)
        needed |= frozenset(chance.sample(others, min(max(most - len(needed), 0), len(others))))
        corpus = [entry for entry in corpus if entry["_id"] in needed]
    [(language, _)] = Counter(_detect_language(text) for text, _ in chosen).most_common(1)
    return QuestionSet(folder.name, tuple(chosen), tuple(corpus), language)


def _detect_language(question: str) -> str:
    return detect_question_language(question) or detect_document_language(question) or "en"


def list_questions(own: QuestionSet, sets: Sequence[QuestionSet]) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Yield every question to ask about a set's documents: its kind, its text, and the documents to leave out."""
    for question, gold in own.questions:
        yield PRESENT, question, frozenset()
        yield MISSING, question, gold
    others = [each for each in sets if each is not own]
    for other in others:
        kind = SAME_LANGUAGE if other.language == own.language else OTHER_LANGUAGE
        # As many from all other sets together as from its own.
        for question, _ in other.questions[: max(len(own.questions) // len(others), 1)]:
            yield kind, question, frozenset()
