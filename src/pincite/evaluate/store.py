"""An evaluation's own library, in a folder that is kept or thrown away."""

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pincite.index.analysis import ANALYSIS
from pincite.index.embed import Embedder, embedder
from pincite.index.embed.naming import vector_name
from pincite.library import Library, open_library
from pincite.settings import Settings

Say = Callable[[str], None]


@contextmanager
def evaluation_library(settings: Settings, keep: Path | None) -> Iterator[tuple[Library, Embedder | None]]:
    """A library that holds the evaluation's documents alone, and the embedder, whose model stays in the data folder."""
    folder = keep / _made_with(settings) if keep else Path(tempfile.mkdtemp(prefix="pincite-evaluation-"))
    library = open_library(settings.model_copy(update={"data": folder, "database": ""}))
    try:
        yield library, embedder(settings.embedding, settings.data)
    finally:
        library.close()
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)


def _made_with(settings: Settings) -> str:
    """A short name for what a kept store depends on: another model or another cut has a store of its own."""
    cut = settings.passages
    made = f"{vector_name(settings.embedding)}\0{cut.size}\0{cut.overlap}\0{ANALYSIS}\0{settings.reading.ocr}"
    return hashlib.sha256(made.encode()).hexdigest()[:12]
