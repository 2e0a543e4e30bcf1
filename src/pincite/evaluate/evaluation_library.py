"""Open a separate library for an evaluation, in a folder that is kept or removed."""

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pincite.embedding import Embedder, create_embedder
from pincite.embedding.vector_names import make_vector_name
from pincite.errors import Misuse
from pincite.index.terms import ANALYSIS
from pincite.library import Library, open_library
from pincite.settings import Settings
from pincite.store import documents

ReportStatus = Callable[[str], None]


@contextmanager
def open_evaluation_library(
    settings: Settings, keep: Path | None, database: str = ""
) -> Iterator[tuple[Library, Embedder | None]]:
    """Open a library for the evaluation's documents, and the embedder, whose model stays in the data folder.

    `database` is the address of an empty database that is used in place of a file; the documents stay in it.
    """
    folder = keep / _name_store(settings) if keep else Path(tempfile.mkdtemp(prefix="pincite-evaluation-"))
    library = open_library(settings.model_copy(update={"data": folder, "database": database}))
    try:
        if database:
            _refuse_used(library)
        yield library, create_embedder(settings.embedding, settings.data)
    finally:
        library.close()
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)


def _refuse_used(library: Library) -> None:
    with library.database.reading() as connection:
        if documents.find_owned(connection, None):
            raise Misuse(
                "The database for the evaluation has documents in it, which would be searched with those of the set.",
                "Create an empty one, such as with `createdb evaluation`.",
            )


def _name_store(settings: Settings) -> str:
    """Return a short name for the settings that a kept library depends on, such as its model and its passages."""
    cut = settings.passages
    made = f"{make_vector_name(settings.embedding)}\0{cut.size}\0{cut.overlap}\0{ANALYSIS}\0{settings.reading.ocr}"
    return hashlib.sha256(made.encode()).hexdigest()[:12]
