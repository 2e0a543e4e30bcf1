"""Work on documents as a person sees it: bars while it lasts, a line when something is amiss, a sum at the end."""

import threading
import time
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli import door
from pincite.cli.progress import Ingestion
from pincite.errors import NotFound, PinciteError
from pincite.index.embed import embedder
from pincite.jobs import Report, Worker
from pincite.library import Added, Library
from pincite.store import documents as rows
from pincite.store import jobs
from pincite.store.documents import StoredDocument
from pincite.store.sources import legible
from pincite.types import Status

if TYPE_CHECKING:
    from rich.console import Console

# A longer list of ids is no filter worth its cost: then whatever waits is worked on.
_MOST_NAMED = 500
_PROBLEMS_SHOWN = 3


class Outcomes:
    """Says of each document how it went, once and as soon as it is known: as JSON on stdout, or what is amiss."""

    def __init__(self, house: Library, json: bool, errors: "Console") -> None:
        self._house = house
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

    def added(self, added: Added) -> None:
        """A file that was taken in."""
        self._copies += added.document in self._found
        self._found.setdefault(added.document, added.outcome)

    def refused(self, file: Path | str, error: PinciteError) -> None:
        """A file, or what is at an address, that could not be."""
        self._refused += 1
        if self._json:
            name = legible(file.name) if isinstance(file, Path) else file
            self._print(None, name, "failed", f"{error.message} {error.hint}")
        self._line("red", "✗", legible(str(file)), f"{error.message} {error.hint}")

    def look(self, document: str | None = None) -> None:
        """Tell of a document, or of every one, whose work is over."""
        for stored in self._stored(document):
            with self._lock:
                if stored.id not in self._told and _is_over(stored):
                    self._told.add(stored.id)
                    self._tell(stored)

    def summed_up(self) -> bool:
        """Print what came of all of them, and say whether all went well."""
        stored = self._stored()
        ready = [d for d in stored if d.status == "ready"]
        failed = sum(d.status == "failed" for d in stored) + self._refused
        without = len(stored) - len(ready) - sum(d.status == "failed" for d in stored)
        outcomes = Counter(self._found.values())
        pages, passages = sum(d.pages for d in ready), sum(d.passages for d in ready)
        sizes = ([_count(pages, "page")] if pages else []) + [_count(passages, "passage")]
        parts = [f"{_count(len(ready), 'document')} ready" + (f" ({', '.join(sizes)})" if ready else "")]
        parts += [f"{outcomes['known']:,} known already"] if outcomes["known"] else []
        parts += [f"{self._copies:,} the same as another"] if self._copies else []
        parts += [f"{without:,} searchable by words only"] if without else []
        parts += [f"{failed:,} failed"] if failed else []
        self._errors.print(f"{', '.join(parts)} · {time.monotonic() - self._begun:.1f} s")
        return not failed and not any(d.status == "searchable" and d.error for d in stored)

    def _stored(self, document: str | None = None) -> list[StoredDocument]:
        with self._house.database.reading() as connection:
            try:
                if document:
                    return [rows.get(connection, document)]
                return [d for d in rows.find(connection, self._house.settings.owner) if d.id in self._found]
            except NotFound:
                return []  # somebody removed it meanwhile

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
        door.print_json(
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

        # Many reasons begin with the name already.
        self._errors.print(Text.assemble((sign, colour), " ", said if said.startswith(name) else f"{name}: {said}"))


def work(
    house: Library,
    errors: "Console",
    outcomes: Outcomes,
    documents: Collection[str] | None = None,
    until_done: bool = True,
    worker: Worker | None = None,
) -> None:
    """Read and embed what waits, these documents or all, and show how far it is."""
    settings = house.settings
    named = documents if documents is not None and len(documents) < _MOST_NAMED else None
    worker = worker or Worker(house, lambda: embedder(settings.embedding, settings.data))

    def unembedded() -> int:
        with house.database.reading() as connection:
            left = rows.find(connection, settings.owner, statuses=("searchable", "embedding"))
        return sum(d.passages for d in left if named is None or d.id in named)

    def report(event: Report) -> None:
        view(event)
        if event.ended:
            outcomes.look(event.document)

    outcomes.look()
    with house.database.reading() as connection:
        waiting = jobs.pending(connection, documents=named)
    view = Ingestion(errors, waiting.queued["read"] + waiting.running["read"], unembedded)
    with view.shown():
        worker.run(named, until_done, report)
    outcomes.look()


def _is_over(stored: StoredDocument) -> bool:
    return stored.status in ("ready", "failed") or bool(stored.error)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
