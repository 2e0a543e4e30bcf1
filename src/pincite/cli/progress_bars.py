"""Show the progress of ingestion: two bars with rate and time left, or an occasional line without a terminal."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.jobs import StepProgress

_QUIET_SECONDS = 10.0
_LOOK_SECONDS = 1.0


class IngestionProgress:
    """Adds up the reports of several threads: pages read, passages embedded."""

    def __init__(self, console: "Console", reads: int, unembedded: Callable[[], int]) -> None:
        self._bars = Progress(
            TextColumn("{task.description:<9}"),
            BarColumn(bar_width=12),
            MofNCompleteColumn(),
            TextColumn("{task.fields[detail]}"),
            TimeRemainingColumn(compact=True),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._console = console
        self._reads = reads
        self._unembedded = unembedded
        self._reading: TaskID | None = None
        self._embedding: TaskID | None = None
        self._pages: dict[str, int] = {}
        self._vectors: dict[str, int] = {}
        self._read = self._embedded = self._embedded_before = 0
        self._begun = self._told = time.monotonic()
        self._embedding_since = self._looked = 0.0
        self._lock = threading.Lock()

    @contextmanager
    def shown(self) -> Iterator[None]:
        with self._bars:
            yield

    def __call__(self, report: "StepProgress") -> None:
        with self._lock:
            if report.step == "read":
                self._show_reading(report)
            else:
                self._show_embedding(report)
            if not self._console.is_terminal and time.monotonic() - self._told > _QUIET_SECONDS:
                self._told = time.monotonic()
                self._console.print(self._line())

    def _show_reading(self, report: "StepProgress") -> None:
        if self._reading is None:
            self._reading = self._bars.add_task("Reading", total=self._reads, detail="")
        if report.ended:
            self._read += 1
        else:
            self._pages[report.document] = report.done
        pages = sum(self._pages.values())
        detail = "documents"
        if pages:
            detail += f" · {format_count(pages, 'page')} · {pages / max(time.monotonic() - self._begun, 1e-3):,.0f}/s"
        self._bars.update(self._reading, completed=self._read, total=max(self._reads, self._read), detail=detail)

    def _show_embedding(self, report: "StepProgress") -> None:
        now = time.monotonic()
        if report.ended:
            self._embedded += self._vectors.pop(report.document, 0)
            return
        if self._embedding is None:
            self._embedding = self._bars.add_task("Embedding", total=None, detail="passages · starting the model")
            self._embedding_since = now
        if report.document not in self._vectors:
            self._embedded_before += report.done
        self._vectors[report.document] = report.done
        if now - self._looked > _LOOK_SECONDS:
            # The unembedded count includes all passages of documents in progress.
            self._looked = now
            self._bars.update(self._embedding, total=self._embedded + self._unembedded())
        done = self._embedded + sum(self._vectors.values())
        if done > self._embedded_before:
            rate = (done - self._embedded_before) / max(now - self._embedding_since, 1e-3)
            self._bars.update(self._embedding, completed=done, detail=f"passages · {rate:,.0f}/s · all searchable")

    def _line(self) -> str:
        pages, vectors = sum(self._pages.values()), self._embedded + sum(self._vectors.values())
        read = f"{self._read:,} of {max(self._reads, self._read):,} documents read"
        return f"{read}, {format_count(pages, 'page')}; passages embedded: {vectors:,}"


def format_count(number: int, noun: str) -> str:
    """Write a number of things: "1 page", "1,200 pages"."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
