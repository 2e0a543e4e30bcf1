"""What the locate command looks in: a file that is there, or a document of the library."""

import os
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import Misuse, NotFound

if TYPE_CHECKING:
    from pincite.evidence.concordance import Concordance
    from pincite.reading.source import Source
    from pincite.settings import Settings

_SHOWN = 80  # characters of a name that is none


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document ready for locating, and the file it was read from."""

    concordance: "Concordance"
    source: "Source"


def prepare(given: str, settings: "Settings", password: str | None) -> Prepared:
    """A file that is there, or else a document of the library."""
    from pincite.library.locating import prepare_file
    from pincite.reading.source import Source
    from pincite.store.sources import legible

    path = Path(given)
    if not is_there(path):
        return _stored(given, settings, password)
    if is_folder(path):
        raise Misuse(f"{given} is a folder, not a file.", "Name a file in it, or use --batch for many.")
    source = Source(path, legible(path.name), password, ocr=settings.reading.ocr)
    return Prepared(prepare_file(path, settings.reading, password=password), source)


def is_there(path: Path) -> bool:
    """Is there a file or a folder? `Misuse` when there can be none."""
    return _status(path) is not None


def is_folder(path: Path) -> bool:
    """Is there a folder? `Misuse` when there can be none."""
    seen = _status(path)
    return seen is not None and stat.S_ISDIR(seen.st_mode)


def _status(path: Path) -> os.stat_result | None:
    # Path.exists raises on some of these and hides others, each Python in its own way.
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        name = str(path).replace("\0", "\N{SYMBOL FOR NULL}")
        shown = name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…"
        told = error.strerror if isinstance(error, OSError) else "no file can have such a name"
        raise Misuse(f"{shown} cannot be opened: {told}.", "Check that it is the path of a file.") from None


def _stored(given: str, settings: "Settings", password: str | None) -> Prepared:
    from pincite.library import open_library
    from pincite.reading.finish import clean

    house = open_library(settings)
    try:
        concordance, source = house.prepared(clean(given))
    except NotFound as error:
        raise NotFound(
            f"There is no file {given}. {error.message}",
            "Check the path, or the id: `pincite documents` lists the documents.",
        ) from error
    finally:
        house.close()
    return Prepared(concordance, replace(source, password=password))
