"""Pin the files of the data folder for a backup: hard links keep the bytes, whatever is removed meanwhile."""

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def pin_tree(source: Path, target: Path) -> None:
    """Link every file below a folder into another one of the same disk; files that have a link already are skipped.

    Where the disk has no hard links, the files are copied.
    """
    for folder, name in _walk(source):
        place = target / folder.relative_to(source)
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not (place / name).exists():
            with suppress(FileNotFoundError):  # it was removed just now
                _link(folder / name, place / name)


def _walk(source: Path) -> Iterator[tuple[Path, str]]:
    for folder, _, names in os.walk(source):
        for name in names:
            if not name.startswith("."):  # a file that is still being written
                yield Path(folder), name


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:
        making = target.with_name(f".{target.name}")
        shutil.copyfile(source, making)
        making.replace(target)
