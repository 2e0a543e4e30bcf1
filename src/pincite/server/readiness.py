"""Check whether this server can really answer questions: its database, index, files and embedder.

Checks run in threads with a time limit, and their results are kept for a few seconds: a proxy may ask as often as it
likes, and a database that is away must not hold a thread for each request.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeVar

import anyio
import anyio.to_thread

from pincite.errors import EmbeddingError, PinciteError, StorageError
from pincite.index.terms import list_question_terms
from pincite.server.warm_up import WarmUp
from pincite.store import job_queue
from pincite.store.database import refuse_moved
from pincite.store.table_revisions import HEAD, is_known_revision

if TYPE_CHECKING:
    from pincite.answer.services import Services
    from pincite.library import Library

Found = TypeVar("Found")
PartName = Literal["server", "database", "index", "files", "embedder"]
# `off`: switched off by the settings. `degraded`: answers are worse without it, but true. `failed`: no answers.
PartState = Literal["ok", "off", "degraded", "failed"]

_SECONDS = 3.0  # for one check
_KEPT = 2.0  # seconds that a result counts
_FILES_KEPT = 15.0  # writing, reading and removing a file costs more
_UNKNOWN_WORD = "qzxpincitereadyqzx"  # in no document: the index is asked, and finds nothing


@dataclass(frozen=True, slots=True)
class ReadyPart:
    """One part of a server: its state, and in words what is the matter and what to do.

    `detail` may hold addresses and names of files, and is for the people who run the server.
    """

    name: PartName
    state: PartState
    message: str = ""
    hint: str = ""
    detail: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class ReadyReport:
    """All parts, and the number of steps that wait for a worker."""

    parts: tuple[ReadyPart, ...]
    waiting: int = 0

    @property
    def failed(self) -> ReadyPart | None:
        """The first part without which no question is answered."""
        return next((part for part in self.parts if part.state == "failed"), None)

    @property
    def is_degraded(self) -> bool:
        return any(part.state == "degraded" for part in self.parts)


class Readiness:
    """Knows whether a server can answer. `drain` tells proxies to send no more requests."""

    def __init__(self, services: "Services", warming: WarmUp, clock: Callable[[], float] = time.monotonic) -> None:
        self._services = services
        self._warming = warming
        self._clock = clock
        self._is_draining = False
        self._checking = anyio.Lock()
        self._threads = anyio.CapacityLimiter(4)
        self._known: tuple[float, tuple[ReadyPart, ...], int] | None = None
        self._known_files: tuple[float, ReadyPart] | None = None

    def drain(self) -> None:
        """Be not ready from now on: the server is about to stop."""
        self._is_draining = True

    async def check(self) -> ReadyReport:
        """Return the state of every part, as it was found in the last seconds."""
        async with self._checking:
            if self._known is None or self._clock() - self._known[0] > _KEPT:
                store, waiting = await self._check_store()
                self._known = (self._clock(), (*store, await self._check_files()), waiting)
        _, found, waiting = self._known
        return ReadyReport((self._check_server(), *found, self._check_embedder()), waiting)

    def _check_server(self) -> ReadyPart:
        if self._is_draining:
            message, hint = "The server is about to stop.", "Send requests to another one."
            return ReadyPart("server", "failed", message, hint, code="draining")
        if self._warming.is_running:
            message, hint = "The server is loading its models.", "Wait a few seconds."
            return ReadyPart("server", "failed", message, hint, code="starting")
        return ReadyPart("server", "ok")

    async def _check_store(self) -> tuple[tuple[ReadyPart, ReadyPart], int]:
        failed = partial(ReadyPart, "database", "failed", "The database cannot be used.")
        unasked = ReadyPart("index", "failed", "The index is in the database.", code="database")
        hint = "`pincite doctor` on the server's machine says why."
        try:
            return await self._run(lambda: check_store(self._services.library))
        except TimeoutError:
            detail = f"It did not answer within {_SECONDS:g} seconds."
            return (failed(hint, detail, StorageError.code), unasked), 0
        except PinciteError as error:
            return (failed(hint, f"{error.message} {error.hint}".strip(), error.code), unasked), 0

    async def _check_files(self) -> ReadyPart:
        if self._known_files and self._clock() - self._known_files[0] < _FILES_KEPT:
            return self._known_files[1]
        try:
            found = await self._run(lambda: check_files(self._services.library))
        except TimeoutError:
            detail = f"They did not answer within {_SECONDS:g} seconds."
            found = replace(_FILES_AWAY, detail=detail)
        self._known_files = (self._clock(), found)
        return found

    def _check_embedder(self) -> ReadyPart:
        if self._services.settings.embedding.provider == "none":
            return ReadyPart("embedder", "off", "Search uses words only.", "See embedding.provider.")
        away = ReadyPart(
            "embedder",
            "degraded",
            "The embedder is away: search uses words only.",
            "`pincite doctor` on the server's machine says why.",
            code=EmbeddingError.code,
        )
        if self._services.embedder is None:
            return away
        error = self._services.search.embedder_error
        return replace(away, detail=f"{error.message} {error.hint}".strip()) if error else ReadyPart("embedder", "ok")

    async def _run(self, work: Callable[[], Found]) -> Found:
        with anyio.fail_after(_SECONDS):
            return await anyio.to_thread.run_sync(work, limiter=self._threads, abandon_on_cancel=True)


def check_store(library: "Library") -> tuple[tuple[ReadyPart, ReadyPart], int]:
    """Return the state of the database and of the index in it, and the number of waiting steps."""
    revision = library.database.revision()
    if revision is None or (revision != HEAD and is_known_revision(revision)):
        hint = "Start the server again: it migrates the database."
        detail = f"They are of revision {revision}, the program of {HEAD}."
        old = ReadyPart("database", "failed", "The tables are older than this program.", hint, detail, "revision")
        return (old, ReadyPart("index", "failed", "The index is in the database.", code="revision")), 0
    found = ReadyPart("database", "ok")
    if revision != HEAD:
        # A newer server has migrated the database, which the older ones may go on using.
        detail = f"They are of revision {revision}, the program of {HEAD}."
        hint = "Upgrade this server too."
        found = ReadyPart("database", "degraded", "The tables are newer than this program.", hint, detail, "revision")
    refuse_moved(library.database)  # it could be read, but takes no questions
    with library.database.reading() as connection:
        waiting = job_queue.count_pending(connection).total
        library.index.lexical(connection, list_question_terms(_UNKNOWN_WORD, ["en"]), None, 1)
        library.index.vectors(connection, "", 1, [0])
    return (found, ReadyPart("index", "ok")), waiting


_FILES_AWAY = ReadyPart(
    "files",
    "failed",
    "The files of documents cannot be read.",
    "`pincite doctor` on the server's machine says why.",
    code=StorageError.code,
)


def check_files(library: "Library") -> ReadyPart:
    """Return the state of the files: without writing them, questions are still answered."""
    wrong = next((step for step in library.files.check() if not step.ok), None)
    if wrong is None:
        return ReadyPart("files", "ok")
    try:
        library.files.has("0" * 64)
    except PinciteError as error:
        return replace(_FILES_AWAY, detail=f"{error.message} {error.hint}".strip(), code=error.code)
    message, hint = "No documents can be added.", "`pincite doctor` on the server's machine says why."
    return ReadyPart("files", "degraded", message, hint, wrong.words, StorageError.code)
