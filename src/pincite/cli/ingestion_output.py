"""Show the processing of documents: progress bars, a line for each problem, and a summary at the end."""

import threading
import time
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli import options
from pincite.cli.progress_bars import IngestionProgress, format_count
from pincite.embedding import create_embedder
from pincite.errors import NotFound, PinciteError
from pincite.jobs import StepProgress, Worker
from pincite.library import AdditionResult, Library
from pincite.store import documents as rows
from pincite.store import job_queue
from pincite.store.document_sources import make_name_legible
from pincite.store.documents import StoredDocument
from pincite.types import Status

if TYPE_CHECKING:
    from rich.console import Console

# Filtering by a longer list of ids costs too much; then the worker processes everything that is waiting.
_MOST_NAMED = 500
_PROBLEMS_SHOWN = 3


class OutcomeReporter:
    """Reports the result of each document once, as soon as it is known: as JSON on stdout, or problems on stderr."""

    def __init__(self, library: Library, json: bool, errors: "Console") -> None:
        self._library = library
        self._json = json
        self._errors = errors
        self._begun = time.monotonic()
        self._found: dict[str, str] = {}
        self._copies = 0
        self._refused = 0
        self._told: set[str] = set()
        self._reasons: set[str] = set()
        self._lock = threading.Lock()

    @property
    def documents(self) -> list[str]:
        return list(self._found)

    def added(self, added: AdditionResult) -> None:
        """Note a file that was added."""
        self._copies += added.document in self._found
        self._found.setdefault(added.document, added.outcome)

    def refused(self, file: Path | str, error: PinciteError) -> None:
        """Report a file or an address that could not be added."""
        self._refused += 1
        if self._json:
            name = make_name_legible(file.name) if isinstance(file, Path) else file
            self._print(None, name, "failed", f"{error.message} {error.hint}")
        self._line("red", "✗", make_name_legible(str(file)), f"{error.message} {error.hint}")

    def look(self, document: str | None = None) -> None:
        """Report one document, or every document, that is finished."""
        for stored in self._stored(document):
            with self._lock:
                if stored.id not in self._told and _is_over(stored):
                    self._told.add(stored.id)
                    self._tell(stored)

    def print_summary(self) -> bool:
        """Print a summary of all documents. Return whether all of them succeeded."""
        stored = self._stored()
        ready = [d for d in stored if d.status == "ready"]
        failed = sum(d.status == "failed" for d in stored) + self._refused
        without = len(stored) - len(ready) - sum(d.status == "failed" for d in stored)
        outcomes = Counter(self._found.values())
        pages, passages = sum(d.pages for d in ready), sum(d.passages for d in ready)
        sizes = ([format_count(pages, "page")] if pages else []) + [format_count(passages, "passage")]
        parts = [f"{format_count(len(ready), 'document')} ready" + (f" ({', '.join(sizes)})" if ready else "")]
        parts += [f"{outcomes['known']:,} known already"] if outcomes["known"] else []
        parts += [f"{self._copies:,} the same as another"] if self._copies else []
        parts += [f"{without:,} searchable by words only"] if without else []
        parts += [f"{failed:,} failed"] if failed else []
        self._errors.print(f"{', '.join(parts)} · {time.monotonic() - self._begun:.1f} s")
        return not failed and not any(d.status == "searchable" and d.error for d in stored)

    def _stored(self, document: str | None = None) -> list[StoredDocument]:
        with self._library.database.reading() as connection:
            try:
                if document:
                    return [rows.get(connection, document)]
                return [d for d in rows.find_owned(connection, None) if d.id in self._found]
            except NotFound:
                return []  # the document was removed in the meantime

    def _tell(self, stored: StoredDocument) -> None:
        if self._json:
            sizes = (stored.pages, stored.passages)
            self._print(stored.id, stored.title, stored.status, stored.error, sizes, stored.problems)
        elif stored.error:
            failed = stored.status == "failed"
            if not failed and stored.error in self._reasons:
                return
            self._reasons.add(stored.error)
            self._line("red" if failed else "yellow", "✗" if failed else "!", stored.name, stored.error)
        else:
            for problem in stored.problems[:_PROBLEMS_SHOWN]:
                self._line("yellow", "!", stored.name, problem)
            if len(stored.problems) > _PROBLEMS_SHOWN:
                self._line("yellow", "!", stored.name, f"and {len(stored.problems) - _PROBLEMS_SHOWN} more like these.")

    def _print(
        self,
        document: str | None,
        title: str,
        status: Status,
        error: str,
        sizes: tuple[int, int] = (0, 0),
        problems: Sequence[str] = (),
    ) -> None:
        options.print_json(
            {
                "document": document,
                "title": title,
                "status": status,
                "pages": sizes[0],
                "passages": sizes[1],
                "seconds": round(time.monotonic() - self._begun, 2),
                "error": error or None,
                "problems": list(problems),
            }
        )

    def _line(self, colour: str, sign: str, name: str, said: str) -> None:
        from rich.text import Text

        # Many messages already begin with the name.
        self._errors.print(Text.assemble((sign, colour), " ", said if said.startswith(name) else f"{name}: {said}"))


def run_worker(
    library: Library,
    errors: "Console",
    outcomes: OutcomeReporter,
    documents: Collection[str] | None = None,
    until_done: bool = True,
    worker: Worker | None = None,
) -> None:
    """Read and embed the waiting documents, or only the given ones, and show progress."""
    settings = library.settings
    named = documents if documents is not None and len(documents) < _MOST_NAMED else None
    worker = worker or Worker(library, lambda: create_embedder(settings.embedding, settings.data))

    def unembedded() -> int:
        with library.database.reading() as connection:
            left = [d for d in rows.find_owned(connection, None) if d.status in ("searchable", "embedding")]
        return sum(d.passages for d in left if named is None or d.id in named)

    def report(event: StepProgress) -> None:
        view(event)
        if event.ended:
            outcomes.look(event.document)

    outcomes.look()
    with library.database.reading() as connection:
        waiting = job_queue.count_pending(connection, documents=named)
    view = IngestionProgress(errors, waiting.queued["read"] + waiting.running["read"], unembedded)
    with view.shown():
        worker.run(named, until_done, report)
    outcomes.look()


def _is_over(stored: StoredDocument) -> bool:
    return stored.status in ("ready", "failed") or bool(stored.error)
