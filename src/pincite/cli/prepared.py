"""What the locate command looks in: a file that is there, or a document of the library."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import Misuse, NotFound, Unreadable

if TYPE_CHECKING:
    from pincite.evidence.concordance import Concordance
    from pincite.reading.source import Source
    from pincite.settings import Settings


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
    if not path.exists():
        return _stored(given, settings, password)
    source = Source(path, legible(path.name), password, ocr=settings.reading.ocr)
    if path.is_dir():
        raise Misuse(f"{given} is a folder, not a file.", "Name a file in it, or use --batch for many.")
    return Prepared(prepare_file(path, settings.reading, password=password), source)


def _stored(given: str, settings: "Settings", password: str | None) -> Prepared:
    from pincite.evidence.concordance import Concordance, build
    from pincite.library import open_library
    from pincite.reading.source import Source
    from pincite.store import concordances, documents
    from pincite.store.files import Files

    house = open_library(settings)
    try:
        with house.database.reading() as connection:
            try:
                stored = documents.matching(connection, settings.owner, given)
            except NotFound as error:
                raise NotFound(
                    f"There is no file {given}. {error.message}",
                    "Check the path, or the id: `pincite documents` lists the documents.",
                ) from error
            document = documents.load(connection, stored.id, boxes=True)
            data = concordances.read(connection, stored.id)
    finally:
        house.close()
    if not stored.analysis:
        raise Unreadable(f"{stored.name} has not been read yet.", stored.error or "`pincite reindex` reads it.")
    concordance = (Concordance.from_bytes(data, document) if data else None) or build(document)
    source = Source(Files(settings.data / "files").path(stored.sha256), stored.name, password)
    return Prepared(concordance, source)
