"""Are passages lit exactly, and only they? Cases made by other programs, scored by where their words stand."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

from pincite.errors import Unreadable
from pincite.evaluate.cases import Case, pdf, read_cases, words
from pincite.evaluate.geometry import RIGHT, WRONG_PLACE, GoldPages, overlap
from pincite.evaluate.machine import about
from pincite.evaluate.own_spans import own_spans
from pincite.evaluate.pictures import draw
from pincite.evaluate.store import Say
from pincite.evidence.boxes import boxes
from pincite.evidence.concordance import Concordance
from pincite.evidence.diagnosis import diagnose
from pincite.evidence.locate import Location, locate
from pincite.isolation.process import Isolated
from pincite.library.locating import ready
from pincite.reading.source import Source
from pincite.settings import Settings
from pincite.types import Document, PageBoxes

_GOLD_KEPT = 6  # sets of words held at once: a file's three, and those of the one before


@dataclass(frozen=True, slots=True)
class Result:
    """What was found for a case, how much of it is right (0 to 1), and what finding took in CPU milliseconds."""

    case: Case
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
class _Read:
    """A file as it was read and made ready, and what making it ready took; or why it could not be read."""

    concordance: Concordance | None
    ms: float
    problem: str = ""


def evaluate(
    folder: Path, settings: Settings, say: Say, failures: Path | None = None, pictures: Path | None = None
) -> dict[str, Any]:
    """The shares of passages found, and the proof of our own spans; failed cases are written where asked."""
    cases = read_cases(folder)
    results: list[Result] = []
    documents: list[tuple[str, Document]] = []
    building, problems = 0.0, list[str]()
    gold = lru_cache(maxsize=_GOLD_KEPT)(GoldPages)
    with Isolated(settings.reading) as reader:
        groups = [(name, list(own)) for name, own in groupby(sorted(cases, key=lambda c: c.file), lambda c: c.file)]
        for number, (name, own) in enumerate(groups, 1):
            say(f"reading {name} ({number} of {len(groups)})")
            read = _read(reader, pdf(folder, own[0]), settings)
            if read.problem:
                problems.append(f"{name}: {read.problem}")
            building += read.ms
            say(f"locating {len(own)} passages in {name} ({number} of {len(groups)})")
            found = [_result(case, read, gold(words(folder, case))) for case in own]
            results += found
            if read.concordance:
                documents.append((name, read.concordance.document))
            for result in found:
                if pictures and not result.right:
                    draw(pictures, result.case, result.found, gold(words(folder, result.case)), reader, folder)
    if failures:
        _write(failures, results)
    pages = sum(len(document.pages) for _, document in documents)
    return {
        "cases": len(cases),
        "documents": len(documents),
        "pages": pages,
        "about": f"{len(cases):,} cases, {len(documents)} documents, {pages:,} pages; {about()}",
        "problems": problems,
        **_figures(results),
        "building_ms_per_page": round(building / max(pages, 1), 2),
        "own_spans": _own_spans(documents, say),
    }


def _read(reader: Isolated, path: Path, settings: Settings) -> _Read:
    try:
        document = reader.read(Source(path, path.name, ocr=settings.reading.ocr))
        begun = time.process_time()
        return _Read(ready(document), (time.process_time() - begun) * 1000)
    except Unreadable as error:
        return _Read(None, 0.0, error.message)


def _result(case: Case, read: _Read, gold: GoldPages) -> Result:
    if read.concordance is None:
        return Result(case, (), 0.0, 0.0)
    begun = time.process_time()
    location = locate(read.concordance, case.text, case.pages)
    found = tuple(boxes(read.concordance.document, location.spans))
    ms = (time.process_time() - begun) * 1000
    share = 0.0 if case.negative else overlap(gold, case.gold, found)
    result = Result(case, found, share, ms, location)
    if result.right:
        return result
    told = diagnose(read.concordance, case.text, location, case.pages)
    return Result(case, found, share, ms, location, tuple(told))


def _figures(results: Sequence[Result]) -> dict[str, Any]:
    positives = [result for result in results if not result.case.negative]
    negatives = [result for result in results if result.case.negative]
    times = sorted(result.ms for result in results)
    return {
        "shares": {name: _share(chosen) for name, chosen in _groups(positives) if chosen},
        "negatives": len(negatives),
        "false_positives": sum(result.answered for result in negatives),
        "ms": {
            "p50": round(times[len(times) // 2], 2),
            "p95": round(times[int(len(times) * 0.95)], 2),
            "max": round(times[-1], 2),
        },
    }


def _groups(positives: Sequence[Result]) -> Iterator[tuple[str, list[Result]]]:
    core = [result for result in positives if result.case.core]
    yield "all passages", list(positives)
    yield "core passages", core
    for kind in sorted({result.case.kind for result in core}):
        yield f"core, {kind}", [result for result in core if result.case.kind == kind]
    for change in sorted({result.case.change for result in core}):
        yield f"core, {change}", [result for result in core if result.case.change == change]


def _share(results: Sequence[Result]) -> dict[str, float]:
    right = sum(result.right for result in results)
    return {
        "passages": len(results),
        "right": right,
        "share": round(right / len(results), 4),
        "not_found": sum(not result.answered for result in results),
        "wrong_place": sum(result.answered and result.overlap < WRONG_PLACE for result in results),
    }


def _own_spans(documents: Sequence[tuple[str, Document]], say: Say) -> dict[str, Any]:
    def told() -> Iterator[tuple[str, Document]]:
        for number, (name, document) in enumerate(documents, 1):
            say(f"lighting the passages and sentences of {name} by their own spans ({number} of {len(documents)})")
            yield name, document

    return own_spans(told())


def _write(path: Path, results: Sequence[Result]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as out:
        for result in results:
            if not result.right:
                out.write(json.dumps(_as_json(result), ensure_ascii=False) + "\n")


def _as_json(result: Result) -> dict[str, Any]:
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
