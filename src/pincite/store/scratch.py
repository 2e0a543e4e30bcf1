"""Folders for files of a moment, named after the process that made them: those of one that was killed are removed."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pincite.errors import explain_full_disk
from pincite.store.processes import is_gone, this_process

_FOLDER = "scratch"


@contextmanager
def make_scratch(data: Path) -> Iterator[Path]:
    """A new folder inside the data folder, for its owner alone, until the block ends."""
    parent = data / _FOLDER
    with explain_full_disk():
        parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = tempfile.TemporaryDirectory(prefix=f"{this_process()}-", dir=parent, ignore_cleanup_errors=True)
    with made as folder:
        yield Path(folder)


def sweep_scratch(data: Path) -> None:
    """Remove the folders of processes that were killed."""
    for folder in (data / _FOLDER).glob("*-*"):
        if is_gone(folder.name.rpartition("-")[0]):
            shutil.rmtree(folder, ignore_errors=True)
