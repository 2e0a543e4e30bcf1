"""Store web pages as they were when they were read, so that a cited page can still be shown later."""

import hashlib
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.isolation.child_process import IsolatedProcess
from pincite.library import WEB
from pincite.library.content_writer import ContentWriter, WrittenContent, show_content
from pincite.reading.source import Source
from pincite.store import document_layout, document_sources, documents, generations, job_queue
from pincite.store.database import Connection
from pincite.store.document_sources import StoredSource
from pincite.store.documents import StoredDocument
from pincite.store.lock_order import lock_documents
from pincite.store.unused_files import lock_file

if TYPE_CHECKING:
    from pincite.library import Library


def find_unchanged(library: "Library", owner: str, path: Path, url: str) -> StoredDocument | None:
    """Return the owner's last snapshot of a page if its bytes are the same now, so that it need not be read."""
    with library.database.reading() as connection:
        latest = document_sources.find_latest_snapshot(connection, owner, WEB, url)
        stored = documents.get(connection, latest) if latest else None
    if stored is None or not stored.passages:
        return None
    with path.open("rb") as file:
        return stored if hashlib.file_digest(file, "sha256").hexdigest() == stored.sha256 else None


def archive_page(
    library: "Library",
    owner: str,
    reader: IsolatedProcess,
    source: Source,
    url: str,
    metadata: Mapping[str, str],
    title: str = "",
    language: str = "",
) -> StoredDocument:
    """Read and store a page that was just fetched for its owner, beside its earlier snapshots.

    A page with the same text as the last time is not stored again. It is searchable at once; its vectors follow.
    """
    writer = ContentWriter(library.database, library.index, "")
    try:
        for part in reader.make_contents(source, library.recipe(untitled=url, title=title, language=language)):
            writer.add(part)
            source.progress(0, 0)
        with library.database.reading() as connection:
            latest = document_sources.find_latest_snapshot(connection, owner, WEB, url)
            if latest and document_layout.compute_text_hash(connection, latest) == writer.text_hash:
                known = documents.get(connection, latest)
                writer.abandon()
                return known
        writer.settle()
        kept = library.files.keep(source.path)
        with library.database.writing() as connection:
            lock_file(connection, kept.sha256)
            if not library.files.has(kept.sha256):
                kept = library.files.keep(source.path)
            written = writer.finish(connection)
            name = written.document.title
            stored, _ = documents.create(connection, owner, kept.sha256, name, kept.bytes)
            if stored.id not in lock_documents(connection, [stored.id]):
                # Somebody has just removed it.
                stored, _ = documents.create(connection, owner, kept.sha256, name, kept.bytes)
            place = document_sources.make_snapshot_location(url, kept.sha256)
            document_sources.add(connection, StoredSource(owner, WEB, place, stored.id, kept.bytes, time.time()))
            if stored.passages:
                generations.release(connection, written.generation)
            else:
                _show_snapshot(connection, library, stored, written, metadata)
            return documents.get(connection, stored.id)
    except BaseException:
        writer.abandon()
        raise


def _show_snapshot(
    connection: Connection,
    library: "Library",
    stored: StoredDocument,
    written: WrittenContent,
    metadata: Mapping[str, str],
) -> None:
    job_queue.cancel(connection, stored.id)
    show_content(connection, stored.id, written, library.cut, metadata)
    more = written.count.passages > 0 and library.embeds
    documents.set_status(connection, stored.id, "searchable" if more else "ready")
    if more:
        job_queue.enqueue(connection, stored.owner, stored.id, "embed", time.time(), job_queue.URGENT)
