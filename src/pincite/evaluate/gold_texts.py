"""Sets of questions that words of a document answer, or that no document answers: documents/ and questions.jsonl."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import Misuse
from pincite.evaluate.store import Say
from pincite.index.embed import Embedder
from pincite.jobs import Worker
from pincite.library import Library
from pincite.store import documents

SHAPE = '{"question": …, "document": a file name or null, "gold": [words, …], "absent": false}'


@dataclass(frozen=True, slots=True)
class Declared:
    """A question with the words that answer it, any of which will do; none where no document answers."""

    question: str
    document: str
    gold: tuple[str, ...]
    kind: str
    is_absent: bool


def read_declared(path: Path) -> list[Declared]:
    """The questions of a set; `Misuse` says which line is wrong."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
        if line.strip():
            try:
                found.append(_read(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError):
                raise Misuse(f"{path}, line {number} is not a question.", f"Each line is {SHAPE}.") from None
    if not found:
        raise Misuse(f"There are no questions in {path}.", f"Each line is {SHAPE}.")
    return found


def ingest_folder(folder: Path, library: Library, model: Embedder | None, say: Say) -> dict[str, str]:
    """Read and index the files of a set; file name → document."""
    for path in sorted(_files(folder)):
        say(f"adding {path.name}")
        library.add(path)
    Worker(library, lambda: model).run(report=lambda report: say(f"{report.step}: {report.done}/{report.total}"))
    with library.database.reading() as connection:
        return {stored.name: stored.id for stored in documents.find(connection, library.settings.owner)}


def _files(folder: Path) -> Iterator[Path]:
    yield from (path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))


def _read(entry: dict[str, Any]) -> Declared:
    is_absent = bool(entry.get("absent", False))
    gold = tuple(str(text) for text in entry["gold"])
    if not is_absent and not gold:
        raise ValueError("no gold")
    document = entry.get("document") or ""
    kind = str(entry.get("absent_kind" if is_absent else "kind") or "")
    return Declared(str(entry["question"]), str(document), gold, kind, is_absent)
