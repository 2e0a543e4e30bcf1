"""Read sets of questions, with the words that answer them, from questions.jsonl, and index their documents/."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.embedding import Embedder
from pincite.errors import Misuse
from pincite.evaluate.evaluation_library import ReportStatus
from pincite.jobs import Worker
from pincite.library import Library
from pincite.store import documents

SHAPE = '{"question": …, "document": a file name or null, "gold": [words, …], "absent": false}'


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question with alternative words that answer it; none if no document answers it."""

    question: str
    document: str
    gold: tuple[str, ...]
    kind: str
    is_absent: bool


def read_gold_questions(path: Path) -> list[GoldQuestion]:
    """Read the questions of a set; `Misuse` names the wrong line."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
        if line.strip():
            try:
                found.append(_parse_question(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError):
                raise Misuse(f"{path}, line {number} is not a question.", f"Each line is {SHAPE}.") from None
    if not found:
        raise Misuse(f"There are no questions in {path}.", f"Each line is {SHAPE}.")
    return found


def ingest_folder(folder: Path, library: Library, model: Embedder | None, say: ReportStatus) -> dict[str, str]:
    """Read and index the files of a set; return documents by file name."""
    for path in sorted(_list_files(folder)):
        say(f"adding {path.name}")
        library.add(library.settings.owner, path)
    Worker(library, lambda: model).run(report=lambda report: say(f"{report.step}: {report.done}/{report.total}"))
    with library.database.reading() as connection:
        return {stored.name: stored.id for stored in documents.find(connection, library.settings.owner)}


def _list_files(folder: Path) -> Iterator[Path]:
    yield from (path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))


def _parse_question(entry: dict[str, Any]) -> GoldQuestion:
    is_absent = bool(entry.get("absent", False))
    gold = tuple(str(text) for text in entry["gold"])
    if not is_absent and not gold:
        raise ValueError("no gold")
    document = entry.get("document") or ""
    kind = str(entry.get("absent_kind" if is_absent else "kind") or "")
    return GoldQuestion(str(entry["question"]), str(document), gold, kind, is_absent)
