"""Measure whether the gold page is among the first pages found, with all documents in one library."""

import json
from pathlib import Path
from typing import Any

from pincite.embedding import Embedder
from pincite.errors import Misuse
from pincite.evaluate.evaluation_library import ReportStatus, open_evaluation_library
from pincite.evaluate.machine_info import describe_machine
from pincite.jobs import StepProgress, Worker
from pincite.library import Library
from pincite.search.search import PassageSearch
from pincite.settings import Settings
from pincite.store import documents, stored_passages
from pincite.types import Scope

_CUTS = (1, 5, 10, 20)
_DEPTH = 200
_SHAPE = '{"question": …, "doc_name": …, "evidence": [{"evidence_page_num": a page counted from 0}]}'


def evaluate(folder: Path, settings: Settings, keep: Path | None, say: ReportStatus) -> dict[str, Any]:
    """Return, for each mode, the share of questions with a gold page among the first 1, 5, 10 and 20."""
    questions = read_questions(folder / "questions.jsonl")
    with open_evaluation_library(settings, keep) as (library, model):
        ingest_pdfs(folder, questions, library, model, say)
        names, pages = _find_places(library)
        search = PassageSearch(library.database, library.index, model, settings)
        modes: dict[str, dict[str, float]] = {}
        for label, mode, given in _list_trials(bool(model)):
            found = []
            for question in questions:
                scope = Scope(settings.owner, documents=(names[question["doc_name"]],) if given else None)
                ranked = search.rank(question["question"], scope, _DEPTH, mode)
                order = list(dict.fromkeys(place for id, _ in ranked for place in pages[id]))
                gold = {(names[e["doc_name"]], e["evidence_page_num"] + 1) for e in question["evidence"]}
                found.append(next((i for i, place in enumerate(order, 1) if place in gold), _DEPTH * 9))
            modes[label] = {f"first {cut}": sum(place <= cut for place in found) / len(found) for cut in _CUTS}
    return {
        "questions": len(questions),
        "documents": len(names),
        "passages": len(pages),
        "about": f"{len(questions)} questions, {len(names)} documents, {len(pages):,} passages; {describe_machine()}",
        "modes": modes,
    }


def ingest_pdfs(
    folder: Path, questions: list[dict[str, Any]], library: Library, model: Embedder | None, say: ReportStatus
) -> dict[str, str]:
    """Read and index the PDFs of a set; return documents by file stem. Raise `Misuse` if a needed one is missing."""
    for path in sorted((folder / "pdfs").glob("*.pdf")):
        say(f"adding {path.name}")
        library.add(library.settings.owner, path)
    Worker(library, lambda: model).run(report=lambda report: say(_describe_report(report)))
    names, _ = _find_places(library)
    named = {piece["doc_name"] for question in questions for piece in (question, *question["evidence"])}
    missing = named - set(names)
    if missing:
        raise Misuse(f"No PDF of {', '.join(sorted(missing))} could be read.", f"They belong in {folder / 'pdfs'}.")
    return names


def _list_trials(dense: bool) -> list[tuple[str, Any, bool]]:
    modes = ("hybrid", "lexical", "dense") if dense else ("lexical",)
    return [*((mode, mode, False) for mode in modes), (f"{modes[0]}, document given", modes[0], True)]


def _describe_report(report: StepProgress) -> str:
    return f"{report.step}: {report.done}/{report.total}"


def _find_places(library: Library) -> tuple[dict[str, str], dict[int, list[tuple[str, int]]]]:
    """Return documents by file stem, and for each passage the (document, page) pairs it is on."""
    names, pages = {}, {}
    with library.database.reading() as connection:
        for stored in documents.find(connection, library.settings.owner):
            names[Path(stored.name).stem] = stored.id
            for row in stored_passages.get(connection, stored_passages.list_ids(connection, stored.id)):
                first, last = row.passage.first_page, row.passage.last_page
                pages[row.id] = [(stored.id, number) for number in range(first, last + 1)]
    return names, pages


def read_questions(path: Path) -> list[dict[str, Any]]:
    """Read the questions of a set with their gold pages; `Misuse` names the wrong line."""
    if not path.is_file():
        raise Misuse(f"There is no {path}.", "The folder needs questions.jsonl and pdfs/.")
    questions = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if line.strip():
            try:
                questions.append(_parse_question(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError):
                raise Misuse(f"{path}, line {number} is not a question.", f"Each line is {_SHAPE}.") from None
    if not questions:
        raise Misuse(f"There are no questions in {path}.", f"Each line is {_SHAPE}.")
    return questions


def _parse_question(entry: dict[str, Any]) -> dict[str, Any]:
    name = str(entry["doc_name"])
    evidence = [
        {"doc_name": str(piece.get("doc_name", name)), "evidence_page_num": int(piece["evidence_page_num"])}
        for piece in entry["evidence"]
    ]
    return {"question": str(entry["question"]), "doc_name": name, "evidence": evidence}
