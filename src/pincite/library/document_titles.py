"""Change the title of a document, in its row and in the words that a search finds it by."""

import time
from collections.abc import Sequence
from dataclasses import replace

from pincite.errors import Misuse
from pincite.index import Index
from pincite.isolation.document_parts import make_entry
from pincite.store import document_text, documents, job_queue, stored_passages
from pincite.store.database import Connection, Database
from pincite.store.documents import StoredDocument
from pincite.store.lock_order import lock_documents
from pincite.text.storable import clean_text

_LONGEST_TITLE = 300  # characters
_REWORDED_AT_ONCE = 200  # passages at most whose words are changed in the transaction that renames a document


def rename_document(
    database: Database, index: Index, person: str, document: str, title: str, embeds: bool
) -> StoredDocument:
    """Change the title of a document that a person may change; `embeds` says whether documents have vectors.

    The vectors contain the old title, so they are made again; until then only the words are searched. A document
    with many passages is read again, and found under the new title when that is done.
    """
    title = " ".join(clean_text(title).split())
    if not title:
        raise Misuse(
            "A title needs at least one character.", "Give the words that the document is to be called.", "empty_title"
        )
    if len(title) > _LONGEST_TITLE:
        raise Misuse(
            f"A title has at most {_LONGEST_TITLE} characters.",
            "Give a shorter one.",
            "long_title",
            {"most": _LONGEST_TITLE},
        )
    while True:
        with database.reading() as connection:
            known = documents.get_changeable(connection, person, document)
            at_once = known.title != title and 0 < known.passages <= _REWORDED_AT_ONCE
            ids = stored_passages.list_ids(connection, known.id) if at_once else []
            rows = stored_passages.get(connection, ids)
            content = replace(document_text.load_document(connection, known.id), title=title) if at_once else None
        # The words are made before the lock is taken.
        contexts = [(make_entry(content, row.passage, known.name).context, row.id) for row in rows if content]
        with database.writing() as connection:
            lock_documents(connection, [known.id])
            now = documents.get_changeable(connection, person, known.id)
            if (now.generation, now.title) == (known.generation, known.title):
                _set_title(connection, index, now, title, contexts, embeds)
                return documents.get(connection, now.id)


def _set_title(
    connection: Connection,
    index: Index,
    known: StoredDocument,
    title: str,
    contexts: Sequence[tuple[str, int]],
    embeds: bool,
) -> None:
    """Set the title and the new context terms of the passages; a long document is read again instead."""
    documents.set_title(connection, known.id, title)
    if known.title == title or not known.passages:
        return
    if not contexts:
        job_queue.enqueue(connection, known.owner, known.id, "read", time.time())
        documents.set_status(connection, known.id, known.waiting_status)
        return
    index.change_context(connection, known.id, contexts)
    if embeds and known.status != "failed":
        job_queue.cancel(connection, known.id, "embed")
        job_queue.enqueue(connection, known.owner, known.id, "embed", time.time())
        documents.set_status(connection, known.id, "searchable")
