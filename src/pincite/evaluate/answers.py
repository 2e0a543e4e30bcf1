"""Measure whether answers cite the right place: spans that people marked, words, or the page with the answer.

The baseline, measured the same way, is the first sentence of the best passage.
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
from pincite.answer.pipeline import stream_answer
from pincite.answer.question import AskedQuestion
from pincite.answer.services import Services
from pincite.errors import Misuse
from pincite.evaluate.evaluation_library import ReportStatus, open_evaluation_library
from pincite.evaluate.gold_pages import ingest_pdfs as ingest_pages
from pincite.evaluate.gold_pages import read_questions
from pincite.evaluate.gold_texts import GoldQuestion, ingest_folder, read_gold_questions
from pincite.evaluate.machine_info import describe_machine
from pincite.evaluate.retrieval import embed_documents, ingest_corpus, read_entries
from pincite.evaluate.retrieval_metrics import compute_token_f1, count_shared_characters
from pincite.evaluate.shown_passages import LIT, Gold, ShownItem, list_shown, measure_shown
from pincite.search.search import PassageSearch
from pincite.settings import Settings
from pincite.store import document_text, documents
from pincite.text.sentences import split_sentences
from pincite.types import Scope, Span

BASELINE = "first sentence of the best passage"
_SHAPE = '{"doc": …, "question": …, "answers": [{"answer_start": …, "text": …}]}'


@dataclass(frozen=True, slots=True)
class MeasuredAnswer:
    """The measured parts of an answer: its citations, in order, and its time."""

    quotes: tuple[Span, ...]
    texts: tuple[str, ...]
    pages: tuple[frozenset[int], ...]
    refused: bool
    seconds: float
    shown: tuple[ShownItem, ...] = ()


Answerer = Callable[[str, Scope], MeasuredAnswer]
Measured = dict[str, float]


@dataclass(frozen=True, slots=True)
class _MarkedAnswer:
    """A question and the spans of one document that people marked as its answer."""

    question: str
    document: str
    spans: tuple[tuple[int, int], ...]
    text: str


def evaluate(folder: Path, settings: Settings, keep: Path | None, say: ReportStatus, model: str = "") -> dict[str, Any]:
    """Return the shares of questions whose answer cites the right place; the files in the folder determine its kind.

    In place of a folder with `documents` a file of questions in it may be given.
    """
    if folder.is_file() and (folder.parent / "documents").is_dir():
        return _evaluate_texts(folder.parent, settings, keep, say, model, folder.name)
    if (folder / "answer_spans.jsonl").is_file():
        return _evaluate_spans(folder, settings, keep, say, model)
    if (folder / "questions.jsonl").is_file() and (folder / "documents").is_dir():
        return _evaluate_texts(folder, settings, keep, say, model)
    if (folder / "questions.jsonl").is_file():
        return _evaluate_pages(folder, settings, keep, say, model)
    raise Misuse(
        f"{folder} is not a set of questions and answers.",
        "It needs corpus.jsonl and answer_spans.jsonl, questions.jsonl and documents/, or questions.jsonl and pdfs/.",
    )


def _evaluate_spans(
    folder: Path, settings: Settings, keep: Path | None, say: ReportStatus, model: str
) -> dict[str, Any]:
    marked = _read_marked(folder / "answer_spans.jsonl")
    with open_evaluation_library(settings, keep) as (library, embedder):
        ingest_corpus(library, list(read_entries(folder / "corpus.jsonl")), say)
        if embedder:
            embed_documents(library, embedder, say)
        with library.database.reading() as connection:
            names = {stored.name: stored.id for stored in documents.find(connection, settings.owner)}
        missing = sorted({each.document for each in marked} - set(names))
        if missing:
            raise Misuse(f"The corpus has no document {missing[0]}.", f"It belongs in {folder / 'corpus.jsonl'}.")
        services = Services(library, PassageSearch(library.database, library.index, embedder, settings), embedder)
        scope = Scope(settings.owner)
        rows: dict[str, Measured] = {}
        for name, answerer in _list_answerers(services, model):
            figures = []
            for number, each in enumerate(marked, 1):
                say(f"{name}: {number} of {len(marked)} questions")
                figures.append(_compare_span(answerer(each.question, scope), names[each.document], each))
            rows[name] = _average_figures(figures)
    about = f"{folder.name}: {len(marked)} questions with a marked answer, {len(names)} documents; {describe_machine()}"
    return {"set": folder.name, "questions": len(marked), "about": about, "rows": rows}


def _evaluate_pages(
    folder: Path, settings: Settings, keep: Path | None, say: ReportStatus, model: str
) -> dict[str, Any]:
    questions = read_questions(folder / "questions.jsonl")
    with open_evaluation_library(settings, keep) as (library, embedder):
        names = ingest_pages(folder, questions, library, embedder, say)
        services = Services(library, PassageSearch(library.database, library.index, embedder, settings), embedder)
        rows: dict[str, Measured] = {}
        for label, is_given in (("", False), (", document given", True)):
            for name, answerer in _list_answerers(services, model):
                figures = []
                for number, each in enumerate(questions, 1):
                    say(f"{name}{label}: {number} of {len(questions)} questions")
                    scope = Scope(settings.owner, documents=(names[each["doc_name"]],) if is_given else None)
                    gold = {(names[e["doc_name"]], e["evidence_page_num"] + 1) for e in each["evidence"]}
                    figures.append(_compare_pages(answerer(each["question"], scope), gold))
                rows[f"{name}{label}"] = _average_figures(figures)
    about = f"{folder.name}: {len(questions)} questions with their page, {len(names)} documents; {describe_machine()}"
    return {"set": folder.name, "questions": len(questions), "about": about, "rows": rows}


def _evaluate_texts(
    folder: Path, settings: Settings, keep: Path | None, say: ReportStatus, model: str, file: str = "questions.jsonl"
) -> dict[str, Any]:
    """Measure questions with the words that answer them, and how often unanswerable questions are refused."""
    questions = read_gold_questions(folder / file)
    with open_evaluation_library(settings, keep) as (library, embedder):
        names = ingest_folder(folder / "documents", library, embedder, say)
        services = Services(library, PassageSearch(library.database, library.index, embedder, settings), embedder)
        scope = Scope(settings.owner)
        rows: dict[str, Measured] = {}
        details: list[dict[str, Any]] = []
        for name, answerer in _list_answerers(services, model):
            figures: list[Measured] = []
            for number, each in enumerate(questions, 1):
                say(f"{name}: {number} of {len(questions)} questions")
                given = answerer(each.question, scope)
                figures.append(_compare_words(given, each, names))
                if name != BASELINE:
                    details.append({"question": each.question, "kind": each.kind, **figures[-1]})
            rows[name] = _average_figures(figures)
    absent = sum(each.is_absent for each in questions)
    counts = f"{len(questions)} questions, {absent} of them absent, {len(names)} documents"
    name = folder.name if file == "questions.jsonl" else f"{folder.name}/{file}"
    about = f"{name}: {counts}; {describe_machine()}"
    return {"set": name, "questions": len(questions), "about": about, "rows": rows, "details": details}


def _compare_words(given: MeasuredAnswer, declared: GoldQuestion, names: dict[str, str]) -> Measured:
    """Measure one question; for a question without an answer, measure only whether it was refused."""
    common = {"ms": given.seconds * 1000}
    if declared.is_absent:
        return {"absent refused": float(given.refused), **common}
    documents = frozenset({names[declared.document]} if declared.document in names else ())
    gold = Gold(documents, texts=declared.gold)
    return {**measure_shown(given.shown, gold), "present refused": float(given.refused), **common}


def _list_answerers(services: Services, model: str) -> list[tuple[str, Answerer]]:
    name = services.models.roles(model).chat.name
    return [
        (name, lambda question, scope: asyncio.run(ask_question(services, question, scope, model))),
        (BASELINE, lambda question, scope: _answer_first_sentence(services, question, scope)),
    ]


async def ask_question(services: Services, question: str, scope: Scope, model: str) -> MeasuredAnswer:
    """Ask a question as a user would, and measure the answer."""
    begun = time.perf_counter()
    context = services.open_context(AskedQuestion(question=question, scope=scope, chat_model=model))
    answered = [data async for data in stream_answer(context) if isinstance(data, events.Answer)][-1]
    seconds = time.perf_counter() - begun
    # A refusal has no answer, so the nearest passages that it offers do not count.
    shown = {each.n for each in answered.passages if not each.more}
    cited = [each for each in answered.citations if not answered.passages or each.n in shown]
    return MeasuredAnswer(
        tuple(Span(each.document, each.start, each.end) for each in cited),
        tuple(each.quote for each in cited),
        tuple(frozenset({each.page or 0} | {boxes.page for boxes in each.boxes}) for each in cited),
        answered.refused,
        seconds,
        tuple(list_shown(answered)),
    )


def _answer_first_sentence(services: Services, question: str, scope: Scope) -> MeasuredAnswer:
    begun = time.perf_counter()
    hits = services.search.search(question, scope, 1)
    found = split_sentences(hits[0].text)[:1] if hits else []
    if not found:
        return MeasuredAnswer((), (), (), True, time.perf_counter() - begun)
    (a, b), hit = found[0], hits[0]
    span = Span(hit.span.document, hit.span.start + a, hit.span.start + b)
    with services.library.database.reading() as connection:
        pages = document_text.load_document(connection, span.document).pages
    on = frozenset(page.number for page in pages if page.start < span.end and span.start < page.end)
    place = ((span.start, span.end),)
    shown = ShownItem(span.document, place, hit.text[a:b], on, place, hit.text[a:b])
    return MeasuredAnswer((span,), (hit.text[a:b],), (on,), False, time.perf_counter() - begun, (shown,))


def _compare_span(given: MeasuredAnswer, document: str, marked: _MarkedAnswer) -> dict[str, float]:
    own = [(span.start, span.end) for span in given.quotes if span.document == document]
    shared = count_shared_characters(own, marked.spans)
    quoted = sum(span.end - span.start for span in given.quotes)
    return {
        "overlap": float(shared > 0),
        "token F1": compute_token_f1(" ".join(given.texts), marked.text),
        "precision": shared / max(quoted, 1),
        "recall": shared / max(sum(end - start for start, end in marked.spans), 1),
        "right document first": float(bool(given.quotes) and given.quotes[0].document == document),
        "right document": float(bool(own)),
        **measure_shown(given.shown, Gold(frozenset({document}), marked.spans)),
        **_measure_common(given),
    }


def _compare_pages(given: MeasuredAnswer, gold: set[tuple[str, int]]) -> dict[str, float]:
    right = [
        any((span.document, page) in gold for page in pages)
        for span, pages in zip(given.quotes, given.pages, strict=True)
    ]
    shown = measure_shown(given.shown, Gold(frozenset(), pages=frozenset(gold)))
    del shown[LIT]  # a page is not a sentence
    return {
        "page cited first": float(right[:1] == [True]),
        "page cited": float(any(right)),
        **shown,
        **_measure_common(given),
    }


def _measure_common(given: MeasuredAnswer) -> dict[str, float]:
    return {"citations": len(given.quotes), "refused": float(given.refused), "ms": given.seconds * 1000}


def _average_figures(figures: Sequence[dict[str, float]]) -> Measured:
    """Return the mean of each figure, and the median and 95th percentile of the time."""
    names = dict.fromkeys(name for each in figures for name in each if name != "ms")
    found = {name: round(fmean(each[name] for each in figures if name in each), 4) for name in names}
    times = sorted(each["ms"] for each in figures)
    return found | {"ms p50": round(times[len(times) // 2], 1), "ms p95": round(times[int(len(times) * 0.95)], 1)}


def _read_marked(path: Path) -> list[_MarkedAnswer]:
    marked = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
        if line.strip():
            try:
                marked.append(_parse_marked(json.loads(line)))
            except (ValueError, KeyError, TypeError, IndexError):
                raise Misuse(f"{path}, line {number} is not a marked answer.", f"Each line is {_SHAPE}.") from None
    if not marked:
        raise Misuse(f"There are no marked answers in {path}.", f"Each line is {_SHAPE}.")
    return marked


def _parse_marked(entry: dict[str, Any]) -> _MarkedAnswer:
    spans = [(int(each["answer_start"]), str(each["text"])) for each in entry["answers"]]
    return _MarkedAnswer(
        str(entry["question"]),
        str(entry["doc"]),
        tuple((start, start + len(text)) for start, text in spans),
        spans[0][1],
    )
