"""Everything that is stored of a document that was read, made beforehand and written in one go."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.evidence.concordance import VERSION
from pincite.index import Index
from pincite.store import concordances, documents
from pincite.types import Document, Indexed, Passage

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class Contents:
    """A document, its passages and how they were cut, what of them is indexed, and what locating needs."""

    document: Document
    pieces: Sequence[Passage]
    cut: str
    entries: Sequence[Indexed]
    concordance: bytes


def write(connection: "Connection", index: Index, id: str, contents: Contents) -> bool:
    """Store what was read in place of what was there; whether there is anything in it to be found."""
    ids = documents.write_content(connection, id, contents.document, contents.pieces, contents.cut)
    concordances.write(connection, id, contents.concordance, VERSION)
    index.add(connection, id, contents.document.language, ids, contents.entries)
    return bool(contents.pieces)
