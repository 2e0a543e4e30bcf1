"""Web pages as they were when they were read: kept as documents, so that what was cited can be shown ever after."""

import hashlib
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.isolation.process import Isolated
from pincite.library.ingestion import ContentWriter, Written, show
from pincite.reading.source import Source
from pincite.store import documents, generations, jobs, layout, sources
from pincite.store.database import Connection
from pincite.store.documents import StoredDocument
from pincite.store.sources import StoredSource

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


def archive(
    library: "Library",
    reader: Isolated,
    source: Source,
    url: str,
    metadata: Mapping[str, str],
    title: str = "",
    language: str = "",
) -> StoredDocument:
    """Read and keep a page that was fetched just now, as it is today, beside what it was before.

    One that says what it said the last time is not kept again. It can be searched at once; its vectors follow.
    """
    writer = ContentWriter(library.database, library.index, "")
    try:
        for part in reader.make_contents(source, library.recipe(untitled=url, title=title, language=language)):
            writer.add(part)
            source.progress(0, 0)
        with library.database.reading() as connection:
            latest = sources.latest_snapshot(connection, library.settings.owner, WEB, url)
            if latest and layout.text_hash(connection, latest) == writer.text_hash:
                known = documents.get(connection, latest)
                writer.abandon()
                return known
        writer.settle()
        kept = library.files.keep(source.path)
        with library.database.writing() as connection:
            if not library.files.path(kept.sha256).exists():
                kept = library.files.keep(source.path)
            written = writer.finish(connection)
            name = written.document.title
            stored, _ = documents.create(connection, library.settings.owner, kept.sha256, name, kept.bytes)
            place = sources.snapshot(url, kept.sha256)
            sources.add(
                connection, StoredSource(library.settings.owner, WEB, place, stored.id, kept.bytes, time.time())
            )
            if stored.passages:
                generations.release(connection, written.generation)
            else:
                _show(connection, library, stored, written, metadata)
            return documents.get(connection, stored.id)
    except BaseException:
        writer.abandon()
        raise


def _show(
    connection: Connection,
    library: "Library",
    stored: StoredDocument,
    written: Written,
    metadata: Mapping[str, str],
) -> None:
    jobs.cancel(connection, stored.id)
    show(connection, stored.id, written, library.cut, metadata)
    more = written.count.passages > 0 and library.embeds
    documents.set_status(connection, stored.id, "searchable" if more else "ready")
    if more:
        jobs.enqueue(connection, stored.owner, stored.id, "embed", time.time())
