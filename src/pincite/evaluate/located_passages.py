"""Measure whether passages are highlighted exactly, with cases from other programs, scored by word positions."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

from pincite.errors import Unreadable
from pincite.evaluate.case_pictures import draw_case
from pincite.evaluate.evaluation_library import ReportStatus
from pincite.evaluate.geometry import RIGHT, WRONG_PLACE, GoldPages, measure_overlap
from pincite.evaluate.locate_cases import LocateCase, find_pdf_file, find_words_file, read_cases
from pincite.evaluate.machine_info import describe_machine
from pincite.evaluate.own_spans import measure_own_spans
from pincite.isolation.child_process import IsolatedProcess
from pincite.library.passage_locator import prepare_document
from pincite.locate.boxes import find_boxes
from pincite.locate.concordance import Concordance
from pincite.locate.diagnosis import diagnose
from pincite.locate.locate import locate
from pincite.locate.location import Location
from pincite.reading.source import Source
from pincite.settings import Settings
from pincite.types import Document, PageBoxes

_GOLD_KEPT = 6  # cached word files: the three of a file, and those of the previous one


@dataclass(frozen=True, slots=True)
class LocatedCase:
    """The result for a case: the boxes, how right they are (0 to 1), and the CPU milliseconds."""

    case: LocateCase
    found: tuple[PageBoxes, ...]
    overlap: float
    ms: float
    location: Location | None = None
    diagnosis: tuple[str, ...] = ()

    @property
    def answered(self) -> bool:
        return bool(self.found)

    @property
    def right(self) -> bool:
        return not self.answered if self.case.negative else self.overlap >= RIGHT


@dataclass(frozen=True, slots=True)
class _ReadFile:
    """A file that was read and prepared, and the time for preparing it; or the reason why it could not be read."""

    concordance: Concordance | None
    ms: float
    problem: str = ""


def evaluate(
    folder: Path, settings: Settings, say: ReportStatus, failures: Path | None = None, pictures: Path | None = None
) -> dict[str, Any]:
    """Measure the shares of passages found, and check our own spans; write failed cases if asked."""
    cases = read_cases(folder)
    results: list[LocatedCase] = []
    documents: list[tuple[str, Document]] = []
    building, problems = 0.0, list[str]()
    gold = lru_cache(maxsize=_GOLD_KEPT)(GoldPages)
    with IsolatedProcess(settings.reading) as reader:
        groups = [(name, list(own)) for name, own in groupby(sorted(cases, key=lambda c: c.file), lambda c: c.file)]
        for number, (name, own) in enumerate(groups, 1):
            say(f"reading {name} ({number} of {len(groups)})")
            read = _read_file(reader, find_pdf_file(folder, own[0]), settings)
            if read.problem:
                problems.append(f"{name}: {read.problem}")
            building += read.ms
            say(f"locating {len(own)} passages in {name} ({number} of {len(groups)})")
            found = [_locate_case(case, read, gold(find_words_file(folder, case))) for case in own]
            results += found
            if read.concordance:
                documents.append((name, read.concordance.document))
            for result in found:
                if pictures and not result.right:
                    draw_case(
                        pictures, result.case, result.found, gold(find_words_file(folder, result.case)), reader, folder
                    )
    if failures:
        _write_failures(failures, results)
    pages = sum(len(document.pages) for _, document in documents)
    return {
        "cases": len(cases),
        "documents": len(documents),
        "pages": pages,
        "about": f"{len(cases):,} cases, {len(documents)} documents, {pages:,} pages; {describe_machine()}",
        "problems": problems,
        **_make_figures(results),
        "building_ms_per_page": round(building / max(pages, 1), 2),
        "own_spans": _check_own_spans(documents, say),
    }


def _read_file(reader: IsolatedProcess, path: Path, settings: Settings) -> _ReadFile:
    try:
        document = reader.read(Source(path, path.name, ocr=settings.reading.ocr))
        begun = time.process_time()
        return _ReadFile(prepare_document(document), (time.process_time() - begun) * 1000)
    except Unreadable as error:
        return _ReadFile(None, 0.0, error.message)


def _locate_case(case: LocateCase, read: _ReadFile, gold: GoldPages) -> LocatedCase:
    if read.concordance is None:
        return LocatedCase(case, (), 0.0, 0.0)
    begun = time.process_time()
    location = locate(read.concordance, case.text, case.pages)
    found = tuple(find_boxes(read.concordance.document, location.spans))
    ms = (time.process_time() - begun) * 1000
    share = 0.0 if case.negative else measure_overlap(gold, case.gold, found)
    result = LocatedCase(case, found, share, ms, location)
    if result.right:
        return result
    diagnosis = diagnose(read.concordance, case.text, location, case.pages)
    return LocatedCase(case, found, share, ms, location, tuple(diagnosis))


def _make_figures(results: Sequence[LocatedCase]) -> dict[str, Any]:
    positives = [result for result in results if not result.case.negative]
    negatives = [result for result in results if result.case.negative]
    times = sorted(result.ms for result in results)
    return {
        "shares": {name: _measure_share(chosen) for name, chosen in _group_results(positives) if chosen},
        "negatives": len(negatives),
        "false_positives": sum(result.answered for result in negatives),
        "ms": {
            "p50": round(times[len(times) // 2], 2),
            "p95": round(times[int(len(times) * 0.95)], 2),
            "max": round(times[-1], 2),
        },
    }


def _group_results(positives: Sequence[LocatedCase]) -> Iterator[tuple[str, list[LocatedCase]]]:
    core = [result for result in positives if result.case.core]
    yield "all passages", list(positives)
    yield "core passages", core
    for kind in sorted({result.case.kind for result in core}):
        yield f"core, {kind}", [result for result in core if result.case.kind == kind]
    for change in sorted({result.case.change for result in core}):
        yield f"core, {change}", [result for result in core if result.case.change == change]


def _measure_share(results: Sequence[LocatedCase]) -> dict[str, float]:
    right = sum(result.right for result in results)
    return {
        "passages": len(results),
        "right": right,
        "share": round(right / len(results), 4),
        "not_found": sum(not result.answered for result in results),
        "wrong_place": sum(result.answered and result.overlap < WRONG_PLACE for result in results),
    }


def _check_own_spans(documents: Sequence[tuple[str, Document]], say: ReportStatus) -> dict[str, Any]:
    def named_documents() -> Iterator[tuple[str, Document]]:
        for number, (name, document) in enumerate(documents, 1):
            say(f"highlighting the passages and sentences of {name} by their own spans ({number} of {len(documents)})")
            yield name, document

    return measure_own_spans(named_documents())


def _write_failures(path: Path, results: Sequence[LocatedCase]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as out:
        for result in results:
            if not result.right:
                out.write(json.dumps(_make_json(result), ensure_ascii=False) + "\n")


def _make_json(result: LocatedCase) -> dict[str, Any]:
    location = result.location
    return {
        **asdict(result.case),
        "answered": result.answered,
        "overlap": round(result.overlap, 4),
        "ms": round(result.ms, 2),
        "matches": [{"page": page.page, "boxes": page.rects} for page in result.found],
        "how": location.how if location else None,
        "refusal": location.refusal if location else None,
        "score": location.score if location else 0.0,
        "spans": location.spans if location else (),
        "nearest": location.nearest if location else (),
        "diagnosis": result.diagnosis,
    }
