"""Let the pins of kept things follow a document that was removed and added again, which gives it another id.

While a document is there, the hash and the places of its file are stored with each thing that cites it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pincite.events import Citation
from pincite.notebooks.kept_items import read_proof
from pincite.store import document_sources, documents
from pincite.store.database import Connection
from pincite.store.documents import StoredDocument
from pincite.store.notebook_items import StoredItem

_WEB = ("http://", "https://")

FileFacts = Mapping[str, Any]  # `sha256`, and `places`: library and location of each source


def describe_files(connection: Connection, person: str, known: Iterable[StoredDocument]) -> dict[str, FileFacts]:
    """Return by id by what each document is known again. Only places in the person's own libraries count."""
    return {
        each.id: {
            "sha256": each.sha256,
            "places": [
                [source.library, source.location]
                for source in document_sources.find(connection, person, document=each.id)
            ],
        }
        for each in known
    }


def follow_documents(
    connection: Connection,
    person: str,
    item: StoredItem,
    known: dict[str, StoredDocument],
    files: Mapping[str, FileFacts],
) -> StoredItem:
    """Return a thing whose pins are in documents that are there, as far as those that are gone were added again.

    The documents that are found are added to `known`. The proof also gets the files of the known documents.
    """
    citations = list(read_proof(item).citations)
    stored: dict[str, FileFacts] = dict(item.proof.get("files", {}))
    checked = dict(item.proof.get("checked", {}))
    is_moved = False
    for place, pin in enumerate(citations):
        if pin.document in known:
            stored |= {pin.document: files[pin.document]} if pin.document in files else {}
        elif not pin.path and (found := _find_successor(connection, person, pin, stored.get(pin.document, {}))):
            known[found.id] = found
            stored |= describe_files(connection, person, [found])
            citations[place], is_moved = pin.model_copy(update={"document": found.id}), True
            if str(pin.n) in checked:
                checked[str(pin.n)] = None  # its words are looked for in the new text
    proof = {**item.proof, "files": stored} if stored else dict(item.proof)
    if is_moved:
        proof |= {"citations": [each.model_dump(mode="json") for each in citations], "checked": checked}
    return replace(item, proof=proof)


def _find_successor(connection: Connection, person: str, pin: Citation, file: FileFacts) -> StoredDocument | None:
    """Return the document with the same bytes, at the same place or from the same address; only one that was read."""
    found = documents.find_by_hash(connection, person, file.get("sha256", ""))
    ids = [found.id] if found else []
    sources = (document_sources.get_source(connection, person, *place) for place in file.get("places", ()))
    ids += [source.document for source in sources if source]
    if pin.url and pin.url.startswith(_WEB):
        ids += [each.document for each in reversed(document_sources.list_snapshots(connection, person, pin.url))]
    seen = {each.id: each for each in documents.get_many(connection, person, ids)} if ids else {}
    return next((seen[id] for id in ids if id in seen and seen[id].generation is not None), None)
