"""Web pages as they were when they were read: kept as documents, so that what was cited can be shown ever after."""

import hashlib
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.index.contents import write
from pincite.store import documents, jobs, sources
from pincite.store.documents import StoredDocument
from pincite.store.sources import StoredSource
from pincite.types import Document

if TYPE_CHECKING:
    from pincite.library import Library

WEB = "web"  # the library that pages from the web are in


def unchanged(library: "Library", path: Path, url: str) -> StoredDocument | None:
    """What was last kept of a page, if the same bytes came from it now: then it need not be read."""
    with library.database.reading() as connection:
        latest = sources.latest_snapshot(connection, library.settings.owner, WEB, url)
        stored = documents.get(connection, latest) if latest else None
    if stored is None or not stored.passages:
        return None
    with path.open("rb") as file:
        return stored if hashlib.file_digest(file, "sha256").hexdigest() == stored.sha256 else None


def archive(library: "Library", path: Path, document: Document, url: str) -> StoredDocument:
    """A page that was fetched and read just now, as it is today, beside what it was before.

    One that says what it said the last time is not kept again. It can be searched at once; its vectors follow.
    """
    owner = library.settings.owner
    with library.database.reading() as connection:
        latest = sources.latest_snapshot(connection, owner, WEB, url)
        if latest and documents.load(connection, latest, blocks=False).text == document.text:
            return documents.get(connection, latest)
    contents = library.contents(document, document.title or url)
    kept = library.files.keep(path)
    with library.database.writing() as connection:
        if not library.files.path(kept.sha256).exists():
            kept = library.files.keep(path)
        stored, _ = documents.create(connection, owner, kept.sha256, document.title or url, kept.bytes)
        place = sources.snapshot(url, kept.sha256)
        sources.add(connection, StoredSource(owner, WEB, place, stored.id, kept.bytes, time.time()))
        if not stored.passages:
            jobs.cancel(connection, stored.id)
            more = write(connection, library.index, stored.id, contents) and library.embeds
            documents.set_status(connection, stored.id, "searchable" if more else "ready")
            if more:
                jobs.enqueue(connection, owner, stored.id, "embed", time.time())
        return documents.get(connection, stored.id)
