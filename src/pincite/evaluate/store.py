"""An evaluation's own library, in a folder that is kept or thrown away."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pincite.index.embed import Embedder, embedder
from pincite.library import Library, open_library
from pincite.settings import Settings

Say = Callable[[str], None]


@contextmanager
def evaluation_library(settings: Settings, keep: Path | None) -> Iterator[tuple[Library, Embedder | None]]:
    """A library that holds the evaluation's documents alone, and the embedder, whose model stays in the data folder."""
    folder = keep or Path(tempfile.mkdtemp(prefix="pincite-evaluation-"))
    library = open_library(settings.model_copy(update={"data": folder, "database": ""}))
    try:
        yield library, embedder(settings.embedding, settings.data)
    finally:
        library.close()
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)
