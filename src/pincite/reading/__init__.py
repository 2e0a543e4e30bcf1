"""Read a file as a Document: detect its kind, read it with the module for that kind, and finish it."""

import importlib
import logging
import warnings
from typing import cast

from pincite.errors import MemoryExceeded, Misuse, NotFound, PinciteError, Unreadable
from pincite.reading.limits import enforce_limits
from pincite.reading.sniff import sniff
from pincite.reading.source import Reader, Source
from pincite.types import Document, Kind

__all__ = ["Source", "read", "sniff"]

log = logging.getLogger(__name__)

# Imported only when a file of that kind is read, because some need heavy libraries.
READERS: dict[Kind, str] = {
    "pdf": "pincite.reading.pdf",
    "docx": "pincite.reading.word",
    "pptx": "pincite.reading.slides",
    "xlsx": "pincite.reading.sheets",
    "html": "pincite.reading.html",
    "markdown": "pincite.reading.markdown",
    "text": "pincite.reading.plain_text",
    "csv": "pincite.reading.delimited",
    "code": "pincite.reading.code",
    "json": "pincite.reading.json_text",
    "epub": "pincite.reading.epub",
    "email": "pincite.reading.mail",
    "image": "pincite.reading.image",
    "notebook": "pincite.reading.notebook",
    "rtf": "pincite.reading.rtf",
    "odt": "pincite.reading.open_text",
}


def read(source: Source) -> Document:
    """Read the document in a source; turn any error of a library into `Unreadable`."""
    from pincite.reading.finish import finish_document  # other modules of this package are used without reading

    if source.path.is_dir():
        raise Misuse(f"{source.name} is a folder, not a file.", "Add the folder to read the files in it.")
    if not source.path.exists():
        raise NotFound(f"There is no file {source.name}.", "Check the path, and that the file was not moved.", "file")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # libraries warn about flaws in files; our problems report what matters
        try:
            kind = sniff(source.path, source.name)
            reader = cast(Reader, importlib.import_module(READERS[kind]).read)
            return finish_document(enforce_limits(reader(source), source.limits), source)
        except PinciteError:
            raise
        except MemoryError as error:
            raise MemoryExceeded(
                f"{source.name} needs more memory than the limit.",
                "Raise reading.memory_mb, or split the file.",
            ) from error
        except PermissionError as error:
            raise Unreadable(f"{source.name} cannot be opened.", "Give yourself permission to read it.") from error
        except Exception as error:
            log.debug("%s: %r", source.name, error)
            raise Unreadable(
                f"{source.name} is damaged, or its content does not match its type.",
                "Open it in its own program and save it again, then add that file.",
            ) from error
