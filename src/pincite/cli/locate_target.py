"""Open the target of the `locate` command: a file on disk, or a document of the library."""

import os
import stat
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import Misuse, NotFound

if TYPE_CHECKING:
    from pincite.locate.concordance import Concordance
    from pincite.reading.source import Source
    from pincite.settings import Settings

_SHOWN = 80  # characters of an invalid name in an error message


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document prepared for locating, and how to open the file it was read from."""

    concordance: "Concordance"
    name: str
    open_source: "Callable[[], AbstractContextManager[Source]]"


def prepare_document(given: str, settings: "Settings", password: str | None) -> PreparedDocument:
    """Return the prepared file at this path or, if there is none, the document of the library with this id."""
    from pincite.library.passage_locator import prepare_file
    from pincite.reading.source import Source
    from pincite.store.document_sources import make_name_legible

    path = Path(given)
    if not is_there(path):
        return _prepare_stored(given, settings, password)
    if is_folder(path):
        raise Misuse(f"{given} is a folder, not a file.", "Name a file in it, or use --batch for many.")
    source = Source(path, make_name_legible(path.name), password, ocr=settings.reading.ocr)
    return PreparedDocument(
        prepare_file(path, settings.reading, password=password), source.name, lambda: nullcontext(source)
    )


def is_there(path: Path) -> bool:
    """Return whether a file or folder exists. Raise `Misuse` if the path is invalid."""
    return _read_status(path) is not None


def is_folder(path: Path) -> bool:
    """Return whether a folder exists. Raise `Misuse` if the path is invalid."""
    status = _read_status(path)
    return status is not None and stat.S_ISDIR(status.st_mode)


def _read_status(path: Path) -> os.stat_result | None:
    # Path.exists raises some of these errors and hides others, depending on the version of Python.
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        name = str(path).replace("\0", "\N{SYMBOL FOR NULL}")
        shown = name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…"
        reason = error.strerror if isinstance(error, OSError) else "the name is not a valid file name"
        raise Misuse(f"{shown} cannot be opened: {reason}.", "Check that it is the path of a file.") from None


def _prepare_stored(given: str, settings: "Settings", password: str | None) -> PreparedDocument:
    from pincite.library import open_library
    from pincite.text.storable import clean_text

    library = open_library(settings)
    try:
        concordance, stored = library.prepared(settings.owner, clean_text(given))
    except NotFound as error:
        raise NotFound(
            f"{given} is neither a file nor the beginning of one document's id.",
            "Check the path, or the id: `pincite documents` lists the documents.",
        ) from error
    finally:
        library.close()
    return PreparedDocument(concordance, stored.name, lambda: library.open_source(stored, password))
