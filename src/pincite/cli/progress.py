"""How far ingestion is: two bars with rate and time left, or a line now and then where there is no terminal."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.jobs import Report

_QUIET_SECONDS = 10.0


class Ingestion:
    """Adds up reports from several threads: pages read, passages embedded."""

    def __init__(self, console: "Console", documents: int, passages: Callable[[], int]) -> None:
        self._bars = Progress(
            TextColumn("{task.description:<10}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[detail]}"),
            TimeRemainingColumn(compact=True),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._console = console
        self._documents = documents
        self._passages = passages
        self._read: TaskID | None = None
        self._embed: TaskID | None = None
        self._pages: dict[str, int] = {}
        self._vectors: dict[str, int] = {}
        self._finished = 0
        self._begun = self._told = time.monotonic()
        self._embedding_since = 0.0
        self._embedded_before = 0
        self._lock = threading.Lock()

    @contextmanager
    def shown(self) -> Iterator["Ingestion"]:
        with self._bars:
            yield self

    def __call__(self, report: "Report") -> None:
        with self._lock:
            if report.step == "read":
                self._reading(report)
            elif not report.ended:
                self._embedding(report)
            if not self._console.is_terminal and time.monotonic() - self._told > _QUIET_SECONDS:
                self._told = time.monotonic()
                self._console.print(self._line())

    def _reading(self, report: "Report") -> None:
        if self._read is None:
            self._read = self._bars.add_task("Reading", total=self._documents, detail="")
        if report.ended:
            self._finished += 1
        else:
            self._pages[report.document] = report.done
        pages = sum(self._pages.values())
        rate = pages / max(time.monotonic() - self._begun, 1e-3)
        self._bars.update(
            self._read, completed=self._finished, detail=f"documents · {pages:,} pages · {rate:,.0f} pages/s"
        )

    def _embedding(self, report: "Report") -> None:
        if self._embed is None:
            self._embedding_since = time.monotonic()
            self._embedded_before = report.done
            self._embed = self._bars.add_task("Embedding", total=self._passages(), detail="")
        self._vectors[report.document] = report.done
        done = sum(self._vectors.values())
        rate = (done - self._embedded_before) / max(time.monotonic() - self._embedding_since, 1e-3)
        self._bars.update(self._embed, completed=done, detail=f"passages · {rate:,.1f}/s (searchable already)")

    def _line(self) -> str:
        pages, vectors = sum(self._pages.values()), sum(self._vectors.values())
        return f"{self._finished}/{self._documents} documents read, {pages:,} pages, {vectors:,} passages embedded"
