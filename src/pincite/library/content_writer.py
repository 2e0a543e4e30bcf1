"""Write the contents that the isolated process made of a document, in short transactions, and show them when complete.

Every batch goes into a hidden generation. The last transaction makes it visible in place of the previous one; the next
sweep removes the leftovers of an interrupted writer.
"""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from pincite.errors import PinciteError
from pincite.index import Index
from pincite.index.terms import ANALYSIS
from pincite.isolation.document_parts import (
    BlocksPart,
    ConcordancePart,
    EntriesPart,
    HeadPart,
    IndexEntry,
    PagesPart,
    Part,
    TextSlice,
)
from pincite.locate.concordance import VERSION
from pincite.store import documents, generations
from pincite.store.content_slices import replace_unstorable
from pincite.store.database import Connection, Database
from pincite.store.documents import Count
from pincite.store.process_names import get_process_name
from pincite.types import Document

_AIM = 0.03  # seconds that one transaction takes, about
_SMALL = 400_000  # weight up to which everything is written in the transaction that shows it
_ROW = 200  # weight of a row besides its bytes


class TransactionPacer:
    """Decide how much to write in one transaction: as much as takes about `_AIM` on this machine now."""

    def __init__(self, amount: int, least: int, most: int) -> None:
        self.amount = amount
        self._least, self._most = least, most

    @contextmanager
    def writing(self, database: Database, *, long: bool = False) -> Iterator[Connection]:
        """Run and time a transaction from the moment it has the lock; then pause, so that others can take the lock.

        A `long` one has no time-outs.
        """
        began = 0.0
        with database.writing(long=long) as connection:
            began = time.monotonic()
            yield connection
        took = max(time.monotonic() - began, 1e-6)
        self.amount = int(min(max(self.amount * min(max(_AIM / took, 0.5), 1.5), self._least), self._most))
        # Other processes look for the lock at intervals: without a pause they would hardly ever find it free.
        time.sleep(min(took / 2, _AIM))


@dataclass(frozen=True, slots=True)
class WrittenContent:
    """A complete generation, the new values for the document's row, and the hash of its text."""

    generation: int
    document: Document
    count: Count
    text_hash: str


class ContentWriter:
    """Write the parts of one document; `hold` raises in a transaction if the result is no longer wanted."""

    def __init__(
        self, database: Database, index: Index, document: str, hold: Callable[[Connection], None] | None = None
    ) -> None:
        self._database = database
        self._index = index
        self._document = document
        self._hold = hold or (lambda connection: None)
        self._pace = TransactionPacer(100_000, 20_000, 2_000_000)
        self._pending: list[Part] = []
        self._weight = self._total = 0
        self._generation: int | None = None
        self._head: Document | None = None
        self._pages = self._passages = self._block_parts = self._concordance_parts = 0
        self._hash = hashlib.sha256()

    def add(self, part: Part) -> None:
        """Add a part, and write the pending parts if they fill a transaction."""
        weight = _weigh_part(part)
        self._pending.append(part)
        self._weight += weight
        self._total += weight
        if isinstance(part, HeadPart):
            self._head = part.document
        elif isinstance(part, TextSlice):
            self._hash.update(replace_unstorable(part.text).encode())
        if self._total > _SMALL and self._weight >= self._pace.amount:
            self._flush()

    def finish(self, connection: Connection) -> WrittenContent:
        """Write the rest in the caller's transaction, which then shows the generation; call `settle` first."""
        self._write(connection)
        assert self._head is not None
        assert self._generation is not None
        count = Count(self._pages, self._passages)
        return WrittenContent(self._generation, self._head, count, self.text_hash)

    def settle(self) -> None:
        """Write everything of a large document, so that little remains for the last transaction."""
        if self._total > _SMALL and self._pending:
            self._flush()

    def abandon(self) -> None:
        """Give up; the written rows may be swept."""
        if self._generation is not None:
            with suppress(PinciteError), self._database.writing() as connection:
                generations.release(connection, self._generation)

    @property
    def text_hash(self) -> str:
        """The hash of the text added so far."""
        return self._hash.hexdigest()

    def _flush(self) -> None:
        with self._pace.writing(self._database) as connection:
            self._hold(connection)
            self._write(connection)

    def _write(self, connection: Connection) -> None:
        if self._generation is None:
            self._generation = generations.begin(connection, self._document, get_process_name())
        for part in self._pending:
            self._write_part(connection, self._generation, part)
        self._pending, self._weight = [], 0

    def _write_part(self, connection: Connection, generation: int, part: Part) -> None:
        match part:
            case TextSlice():
                generations.add_texts(connection, generation, [(part.start, part.text)])
            case PagesPart():
                generations.add_pages(connection, generation, part.pages)
                self._pages += len(part.pages)
            case BlocksPart():
                generations.add_blocks(connection, generation, self._block_parts, part.blocks)
                self._block_parts += 1
            case ConcordancePart():
                generations.add_concordance(connection, generation, self._concordance_parts, part.data, VERSION)
                self._concordance_parts += 1
            case EntriesPart():
                pieces = [entry.passage for entry in part.entries]
                ids = generations.add_passages(connection, generation, self._passages, pieces)
                rows = zip(ids, part.entries, strict=True)
                self._index.add_words(connection, [(id, entry.context, entry.body) for id, entry in rows])
                self._passages += len(ids)


def show_content(
    connection: Connection, id: str, written: WrittenContent, cut: str, metadata: Mapping[str, str] | None = None
) -> None:
    """Make written content the content of a document, replacing the earlier one."""
    read = written.document
    if metadata:
        read = replace(read, metadata={**read.metadata, **metadata})
    documents.show_generation(connection, id, written.generation, read, written.count, cut, ANALYSIS)


def sweep_generations(
    database: Database, index: Index, should_stop: Callable[[], bool], document: str | None = None
) -> None:
    """Remove generations that are hidden and not being written, a few rows in each transaction.

    For one document, remove all hidden ones, because the caller holds its job.
    """
    with database.reading() as connection:
        found = generations.list_removable(connection, document)
    pace = TransactionPacer(50, 5, 2_000)
    for generation in found:
        is_gone = False
        while not is_gone and not should_stop():
            with pace.writing(database) as connection:
                is_gone = not generations.lock_hidden(connection, generation) or (
                    index.clear_vectors(connection, generation, max(pace.amount // 10, 1))
                    and generations.clear(connection, generation, pace.amount)
                )


def _weigh_part(part: Part) -> int:
    """Estimate the size of a part in bytes."""
    match part:
        case TextSlice():
            return len(part.text) // 4 + _ROW  # no word of it is indexed: it is written faster
        case PagesPart():
            return sum(len(page.boxes) // 4 + _ROW for page in part.pages)
        case BlocksPart():
            return 40 * len(part.blocks)
        case EntriesPart():
            return sum(map(_weigh_entry, part.entries))
        case ConcordancePart():
            return len(part.data) // 4
        case HeadPart():
            return _ROW


def _weigh_entry(entry: IndexEntry) -> int:
    return len(entry.context) + len(entry.body) + _ROW
