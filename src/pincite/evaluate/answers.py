"""Do answers show the right place? Against spans that people marked, words, or the page that holds the answer.

Beside it, measured the same way, stands the simplest answer there is: the first sentence of the best passage.
"""

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from pincite import events
from pincite.agent.house import House
from pincite.agent.turn import Asked
from pincite.answers import answer
from pincite.errors import Misuse
from pincite.evaluate.gold_texts import Declared, ingest_folder, read_declared
from pincite.evaluate.machine import about
from pincite.evaluate.metrics import shared_characters, token_f1
from pincite.evaluate.pages import ingest as ingest_pages
from pincite.evaluate.pages import read_questions
from pincite.evaluate.retrieval import embed, entries, ingest
from pincite.evaluate.shown import LIT, Gold, Shown, list_shown, measure_shown
from pincite.evaluate.store import Say, evaluation_library
from pincite.evidence.sentences import sentences
from pincite.retrieval.search import Search
from pincite.settings import Settings
from pincite.store import documents
from pincite.types import Scope, Span

BASELINE = "first sentence of the best passage"
_SHAPE = '{"doc": …, "question": …, "answers": [{"answer_start": …, "text": …}]}'


@dataclass(frozen=True, slots=True)
class Given:
    """An answer as it is measured: what it cites, in order, and how long it took."""

    quotes: tuple[Span, ...]
    texts: tuple[str, ...]
    pages: tuple[frozenset[int], ...]
    refused: bool
    seconds: float
    shown: tuple[Shown, ...] = ()


Answerer = Callable[[str, Scope], Given]
Measured = dict[str, float]


@dataclass(frozen=True, slots=True)
class _Marked:
    """A question and the stretch of one document that people marked as its answer."""

    question: str
    document: str
    spans: tuple[tuple[int, int], ...]
    text: str


def evaluate(folder: Path, settings: Settings, keep: Path | None, say: Say, model: str = "") -> dict[str, Any]:
    """The shares of questions whose answer cites what it should; the folder's files tell which kind of set it is."""
    if (folder / "answer_spans.jsonl").is_file():
        return _spans(folder, settings, keep, say, model)
    if (folder / "questions.jsonl").is_file() and (folder / "documents").is_dir():
        return _texts(folder, settings, keep, say, model)
    if (folder / "questions.jsonl").is_file():
        return _pages(folder, settings, keep, say, model)
    raise Misuse(
        f"{folder} is no set of questions and answers.",
        "It needs corpus.jsonl and answer_spans.jsonl, questions.jsonl and documents/, or questions.jsonl and pdfs/.",
    )


def _spans(folder: Path, settings: Settings, keep: Path | None, say: Say, model: str) -> dict[str, Any]:
    marked = _read_marked(folder / "answer_spans.jsonl")
    with evaluation_library(settings, keep) as (library, embedder):
        ingest(library, list(entries(folder / "corpus.jsonl")), say)
        if embedder:
            embed(library, embedder, say)
        with library.database.reading() as connection:
            names = {stored.name: stored.id for stored in documents.find(connection, settings.owner)}
        missing = sorted({each.document for each in marked} - set(names))
        if missing:
            raise Misuse(f"The corpus has no document {missing[0]}.", f"It belongs in {folder / 'corpus.jsonl'}.")
        house = House(library, Search(library.database, library.index, embedder, settings), embedder)
        scope = Scope(settings.owner)
        rows: dict[str, Measured] = {}
        for name, answerer in _answerers(house, model):
            figures = []
            for number, each in enumerate(marked, 1):
                say(f"{name}: {number} of {len(marked)} questions")
                figures.append(_against_span(answerer(each.question, scope), names[each.document], each))
            rows[name] = _summed(figures)
    told = f"{folder.name}: {len(marked)} questions with a marked answer, {len(names)} documents; {about()}"
    return {"set": folder.name, "questions": len(marked), "about": told, "rows": rows}


def _pages(folder: Path, settings: Settings, keep: Path | None, say: Say, model: str) -> dict[str, Any]:
    questions = read_questions(folder / "questions.jsonl")
    with evaluation_library(settings, keep) as (library, embedder):
        names = ingest_pages(folder, questions, library, embedder, say)
        house = House(library, Search(library.database, library.index, embedder, settings), embedder)
        rows: dict[str, Measured] = {}
        for label, is_given in (("", False), (", document given", True)):
            for name, answerer in _answerers(house, model):
                figures = []
                for number, each in enumerate(questions, 1):
                    say(f"{name}{label}: {number} of {len(questions)} questions")
                    scope = Scope(settings.owner, documents=(names[each["doc_name"]],) if is_given else None)
                    gold = {(names[e["doc_name"]], e["evidence_page_num"] + 1) for e in each["evidence"]}
                    figures.append(_against_pages(answerer(each["question"], scope), gold))
                rows[f"{name}{label}"] = _summed(figures)
    told = f"{folder.name}: {len(questions)} questions with their page, {len(names)} documents; {about()}"
    return {"set": folder.name, "questions": len(questions), "about": told, "rows": rows}


def _texts(folder: Path, settings: Settings, keep: Path | None, say: Say, model: str) -> dict[str, Any]:
    """The questions of a folder of any files, by the words that answer; and how often absent ones are refused."""
    questions = read_declared(folder / "questions.jsonl")
    with evaluation_library(settings, keep) as (library, embedder):
        names = ingest_folder(folder / "documents", library, embedder, say)
        house = House(library, Search(library.database, library.index, embedder, settings), embedder)
        scope = Scope(settings.owner)
        rows: dict[str, Measured] = {}
        details: list[dict[str, Any]] = []
        for name, answerer in _answerers(house, model):
            figures: list[Measured] = []
            for number, each in enumerate(questions, 1):
                say(f"{name}: {number} of {len(questions)} questions")
                given = answerer(each.question, scope)
                figures.append(_against_words(given, each, names))
                if name != BASELINE:
                    details.append({"question": each.question, "kind": each.kind, **figures[-1]})
            rows[name] = _summed(figures)
    absent = sum(each.is_absent for each in questions)
    told = f"{folder.name}: {len(questions)} questions, {absent} of them absent, {len(names)} documents; {about()}"
    return {"set": folder.name, "questions": len(questions), "about": told, "rows": rows, "details": details}


def _against_words(given: Given, declared: Declared, names: dict[str, str]) -> Measured:
    """What is measured of one question: of one that no document answers, only whether it was refused."""
    common = {"ms": given.seconds * 1000}
    if declared.is_absent:
        return {"absent refused": float(given.refused), **common}
    documents = frozenset({names[declared.document]} if declared.document in names else ())
    gold = Gold(documents, texts=declared.gold)
    return {**measure_shown(given.shown, gold), "present refused": float(given.refused), **common}


def _answerers(house: House, model: str) -> list[tuple[str, Answerer]]:
    name = house.models.roles(model).chat.name
    return [
        (name, lambda question, scope: asyncio.run(ask_house(house, question, scope, model))),
        (BASELINE, lambda question, scope: _first_sentence(house, question, scope)),
    ]


async def ask_house(house: House, question: str, scope: Scope, model: str) -> Given:
    """What the whole house answers, through the same door as a user's question."""
    begun = time.perf_counter()
    turn = house.turn(Asked(question=question, scope=scope, chat_model=model))
    told = [data async for data in answer(turn) if isinstance(data, events.Answer)][-1]
    seconds = time.perf_counter() - begun
    # A refusal answers nothing: the nearest passages that it offers are not counted.
    shown = {each.n for each in told.passages if not each.more}
    cited = [each for each in told.citations if not told.passages or each.n in shown]
    return Given(
        tuple(Span(each.document, each.start, each.end) for each in cited),
        tuple(each.quote for each in cited),
        tuple(frozenset({each.page or 0} | {boxes.page for boxes in each.boxes}) for each in cited),
        told.refused,
        seconds,
        tuple(list_shown(told)),
    )


def _first_sentence(house: House, question: str, scope: Scope) -> Given:
    begun = time.perf_counter()
    hits = house.search.search(question, scope, 1)
    found = sentences(hits[0].text)[:1] if hits else []
    if not found:
        return Given((), (), (), True, time.perf_counter() - begun)
    (a, b), hit = found[0], hits[0]
    span = Span(hit.span.document, hit.span.start + a, hit.span.start + b)
    with house.library.database.reading() as connection:
        pages = documents.load(connection, span.document).pages
    on = frozenset(page.number for page in pages if page.start < span.end and span.start < page.end)
    place = ((span.start, span.end),)
    shown = Shown(span.document, place, hit.text[a:b], on, place, hit.text[a:b])
    return Given((span,), (hit.text[a:b],), (on,), False, time.perf_counter() - begun, (shown,))


def _against_span(given: Given, document: str, marked: _Marked) -> dict[str, float]:
    own = [(span.start, span.end) for span in given.quotes if span.document == document]
    shared = shared_characters(own, marked.spans)
    quoted = sum(span.end - span.start for span in given.quotes)
    return {
        "overlap": float(shared > 0),
        "token F1": token_f1(" ".join(given.texts), marked.text),
        "precision": shared / max(quoted, 1),
        "recall": shared / max(sum(end - start for start, end in marked.spans), 1),
        "right document first": float(bool(given.quotes) and given.quotes[0].document == document),
        "right document": float(bool(own)),
        **measure_shown(given.shown, Gold(frozenset({document}), marked.spans)),
        **_common(given),
    }


def _against_pages(given: Given, gold: set[tuple[str, int]]) -> dict[str, float]:
    right = [
        any((span.document, page) in gold for page in pages)
        for span, pages in zip(given.quotes, given.pages, strict=True)
    ]
    shown = measure_shown(given.shown, Gold(frozenset(), pages=frozenset(gold)))
    del shown[LIT]  # a page is no sentence
    return {"page cited first": float(right[:1] == [True]), "page cited": float(any(right)), **shown, **_common(given)}


def _common(given: Given) -> dict[str, float]:
    return {"citations": len(given.quotes), "refused": float(given.refused), "ms": given.seconds * 1000}


def _summed(figures: Sequence[dict[str, float]]) -> Measured:
    """The mean of each figure; of the time, where half and where nearly all answers are done."""
    names = dict.fromkeys(name for each in figures for name in each if name != "ms")
    found = {name: round(fmean(each[name] for each in figures if name in each), 4) for name in names}
    times = sorted(each["ms"] for each in figures)
    return found | {"ms p50": round(times[len(times) // 2], 1), "ms p95": round(times[int(len(times) * 0.95)], 1)}


def _read_marked(path: Path) -> list[_Marked]:
    marked = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
        if line.strip():
            try:
                marked.append(_marked(json.loads(line)))
            except (ValueError, KeyError, TypeError, IndexError):
                raise Misuse(f"{path}, line {number} is not a marked answer.", f"Each line is {_SHAPE}.") from None
    if not marked:
        raise Misuse(f"There are no marked answers in {path}.", f"Each line is {_SHAPE}.")
    return marked


def _marked(entry: dict[str, Any]) -> _Marked:
    spans = [(int(each["answer_start"]), str(each["text"])) for each in entry["answers"]]
    return _Marked(
        str(entry["question"]),
        str(entry["doc"]),
        tuple((start, start + len(text)) for start, text in spans),
        spans[0][1],
    )
