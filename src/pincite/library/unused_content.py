"""Remove files and content that no document refers to any more."""

import logging
import threading
import time
from collections.abc import Callable

from pincite.errors import FilesAway
from pincite.index import Index
from pincite.library.graph_builder import GraphBuilder
from pincite.store import documents
from pincite.store.database import Database
from pincite.store.files import FileStore
from pincite.store.unused_files import remove_unused_file

_HOUR, _DAY = 3_600, 86_400

log = logging.getLogger(__name__)


class UnusedContent:
    """Sweeps up after removed documents and killed processes: database, index and files."""

    def __init__(self, database: Database, files: FileStore, index: Index, graph_builder: GraphBuilder) -> None:
        self._database = database
        self._files = files
        self._index = index
        self._graph_builder = graph_builder
        self._files_swept_at = time.monotonic() + _HOUR  # no command that ends soon looks for unused files

    def sweep(self, should_stop: Callable[[], bool]) -> None:
        """Remove content that no document refers to, in small steps, and tidy the index.

        Files without a document are looked for once a day: a list of all of them may be long.
        """
        from pincite.library.content_writer import sweep_generations

        sweep_generations(self._database, self._index, should_stop)
        if time.monotonic() > self._files_swept_at:
            self._files_swept_at = time.monotonic() + _DAY
            self.sweep_files(should_stop)
        is_more = not self._database.sqlite  # which merges by itself, and has only one writer at a time
        while is_more and not should_stop():
            with self._database.writing(long=True) as connection:
                is_more = self._index.merge(connection)
        if not should_stop():
            self._graph_builder.start()

    def sweep_files(self, should_stop: Callable[[], bool]) -> None:
        """Remove bytes without a document, and this machine's copies of bytes that are gone."""
        try:
            old = self._files.old()
            with self._database.reading() as connection:
                unused = old - documents.list_hashes(connection)
            for sha256 in unused:
                if should_stop():
                    return
                with self._database.writing() as connection:
                    remove_unused_file(connection, self._files, sha256)
            self._files.sweep_copies()
        except FilesAway as error:
            log.warning("Unused files are removed another time. %s", error.message)

    def forget_bytes(self, sha256: str) -> None:
        """Remove bytes if no document has them any more."""
        try:
            with self._database.writing() as connection:
                remove_unused_file(connection, self._files, sha256)
        except FilesAway as error:  # the document is gone already; `sweep_files` finds its bytes
            log.warning("The bytes of a removed document are removed later. %s", error.message)

    def forget_copies(self, sha256: str) -> None:
        """Remove this machine's copy of bytes that another one removed; without a hash, all such copies."""
        if sha256:
            self._files.forget_copy(sha256)
        else:
            threading.Thread(target=self._files.sweep_copies, name="file copies", daemon=True).start()
