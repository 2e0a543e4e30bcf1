"""Work on a library in a test: an embedder that needs no model, and a look at what came of it."""

import hashlib
import threading
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.embedding import Embedder
from pincite.errors import EmbeddingError
from pincite.isolation.child_process import IsolatedProcess
from pincite.isolation.document_parts import Part, Recipe, decode_part, encode_contents
from pincite.jobs import StepProgress, Worker
from pincite.library import Library
from pincite.reading import Source, read
from pincite.settings import ReadingSettings
from pincite.store import documents, job_queue
from pincite.store.documents import StoredDocument
from tests.clock import PATIENCE


class Fake:
    """Vectors made of hashes: of a name, of eight numbers, and failing after so many passages if asked to."""

    def __init__(self, name: str = "fake", fails_after: int | None = None) -> None:
        self.name = name
        self.dimension = 8
        self.fails_after = fails_after
        self.embedded: list[str] = []
        self.begun = threading.Event()
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self._vector(text) for text in texts])

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.begun.set()
        assert self.may_go_on.wait(PATIENCE)
        if self.fails_after is not None and len(self.embedded) + len(texts) > self.fails_after:
            raise EmbeddingError("The endpoint does not answer.", "Check embedding.url.")
        self.embedded += texts
        return self.queries(texts)

    def _vector(self, text: str) -> NDArray[np.float32]:
        numbers = np.frombuffer(hashlib.sha256(text.encode()).digest(), np.uint32).astype(np.float32) + 1
        vector: NDArray[np.float32] = numbers / np.linalg.norm(numbers)
        return vector


class AtOnce(IsolatedProcess):
    """Makes contents in this process, through the same bytes: for tests that are about something else."""

    def __init__(self) -> None:
        super().__init__(ReadingSettings())

    def make_contents(self, source: Source, recipe: Recipe) -> Generator[Part]:
        yield from map(decode_part, encode_contents(read(source), recipe))


def finish(
    library: Library, embedder: Embedder | None = None, report: Callable[[StepProgress], None] | None = None
) -> None:
    """Work until nothing is left."""
    Worker(library, lambda: embedder, readers=1).run(report=report)


def all_of(library: Library) -> list[StoredDocument]:
    with library.database.reading() as connection:
        return documents.find(connection, library.settings.owner)


def the(library: Library, document: str) -> StoredDocument:
    with library.database.reading() as connection:
        return documents.get(connection, document)


def waiting(library: Library) -> int:
    with library.database.reading() as connection:
        return job_queue.count_pending(connection).total


def kept(library: Library) -> list[str]:
    """The names of all files in the folder of bytes."""
    folder = library.settings.data / "files"
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def note(path: Path, text: str = "The committee agreed on the budget.") -> Path:
    """Write a text file to add."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
