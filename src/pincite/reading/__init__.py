"""Bytes to a Document: the kind is sniffed, one module reads it, and the result is finished alike for all."""

import importlib
import logging
import warnings
from typing import cast

from pincite.errors import MemoryExceeded, Misuse, NotFound, PinciteError, Unreadable
from pincite.reading.finish import finish
from pincite.reading.limits import enforce
from pincite.reading.sniff import sniff
from pincite.reading.source import Reader, Source
from pincite.types import Document, Kind

__all__ = ["Source", "read", "sniff"]

log = logging.getLogger(__name__)

# Imported only when a file of that kind is met: some bring heavy libraries.
READERS: dict[Kind, str] = {
    "pdf": "pincite.reading.pdf",
    "docx": "pincite.reading.word",
    "pptx": "pincite.reading.slides",
    "xlsx": "pincite.reading.sheets",
    "html": "pincite.reading.html",
    "markdown": "pincite.reading.markdown",
    "text": "pincite.reading.text",
    "csv": "pincite.reading.tables",
    "code": "pincite.reading.code",
    "json": "pincite.reading.json",
    "epub": "pincite.reading.epub",
    "email": "pincite.reading.mail",
    "image": "pincite.reading.image",
    "notebook": "pincite.reading.notebook",
    "rtf": "pincite.reading.rtf",
    "odt": "pincite.reading.opendocument",
}


def read(source: Source) -> Document:
    """The document in a source's bytes; whatever goes wrong inside a library is told as `Unreadable`."""
    if source.path.is_dir():
        raise Misuse(f"{source.name} is a folder, not a file.", "Add the folder to read the files in it.")
    if not source.path.exists():
        raise NotFound(f"There is no file {source.name}.", "Check the path, and that the file was not moved.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # libraries warn about flaws in files; our problems say what matters
        try:
            kind = sniff(source.path, source.name)
            reader = cast(Reader, importlib.import_module(READERS[kind]).read)
            return finish(enforce(reader(source), source.limits), source)
        except PinciteError:
            raise
        except MemoryError as error:
            raise MemoryExceeded(
                f"{source.name} needs more memory than the limit.",
                "Raise reading.memory_mb, or split the file.",
            ) from error
        except PermissionError as error:
            raise Unreadable(f"{source.name} may not be opened.", "Give yourself the right to read it.") from error
        except Exception as error:
            log.debug("%s: %r", source.name, error)
            raise Unreadable(
                f"{source.name} is damaged, or is not what it seems to be.",
                "Open it in its own program and save it again, then add that file.",
            ) from error
