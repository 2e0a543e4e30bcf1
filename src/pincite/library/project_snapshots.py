"""Store the versions of a project's files that were found or read, so that a citation opens the lines it was made from.

A version has no passages: no search finds it and no list shows it. Only its id leads to it.
"""

import hashlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.reading.code import find_blocks
from pincite.store import document_sources, documents
from pincite.store.document_sources import StoredSource
from pincite.store.documents import PROJECT_CUT, PROJECT_LIBRARY
from pincite.types import Document

if TYPE_CHECKING:
    from pincite.library import Library

PROJECT, PATH = "project", "path"  # the names of a version's metadata


@dataclass(frozen=True, slots=True)
class FileVersion:
    """A version of a project's file: its owner, its path in the project, its text, and its size in bytes."""

    owner: str
    project: str
    path: str
    text: str
    size: int

    @property
    def sha256(self) -> str:
        """The hash that names the version: the same text at another path is another document."""
        return hashlib.sha256(
            "\0".join(("project", self.project, self.path, self.text)).encode("utf-8", "replace")
        ).hexdigest()


def store_version(library: "Library", version: FileVersion) -> str:
    """Store a version of a file, unless it is stored already, and return its document's id."""
    owner, sha256 = version.owner, version.sha256
    with library.database.reading() as connection:
        known = documents.find_by_hash(connection, owner, sha256)
    if known and known.generation is not None:
        return known.id
    # The same length, so that every position stays: the blocks are found by line feeds.
    lines = version.text.replace("\r\n", " \n").replace("\r", "\n")
    blocks = tuple(find_blocks(lines, python=version.path.endswith((".py", ".pyi"))))
    about = {PROJECT: version.project, PATH: version.path}
    read = Document("code", version.text, version.path, blocks=blocks, metadata=about)
    place = f"{version.path}#{sha256[:16]}"
    with library.database.writing() as connection:
        stored, _ = documents.create(connection, owner, sha256, version.path, version.size, "code")
        if stored.generation is None:
            documents.write_content(connection, stored.id, read, (), PROJECT_CUT)
            documents.set_status(connection, stored.id, "ready")
            source = StoredSource(
                owner, f"{PROJECT_LIBRARY}{version.project}", place, stored.id, version.size, time.time()
            )
            document_sources.add(connection, source)
    return stored.id
