"""Create temporary folders named after their process, and remove those of killed processes."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pincite.errors import explain_full_disk
from pincite.store.process_names import get_process_name, is_gone

_FOLDER = "scratch"


@contextmanager
def make_scratch(data: Path) -> Iterator[Path]:
    """Create a folder inside the data folder, accessible only to its owner, until the block ends."""
    parent = data / _FOLDER
    with explain_full_disk():
        parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = tempfile.TemporaryDirectory(prefix=f"{get_process_name()}-", dir=parent, ignore_cleanup_errors=True)
    with made as folder:
        yield Path(folder)


def sweep_scratch(data: Path) -> None:
    """Remove the folders of processes that were killed."""
    for folder in (data / _FOLDER).glob("*-*"):
        if is_gone(folder.name.rpartition("-")[0]):
            shutil.rmtree(folder, ignore_errors=True)
