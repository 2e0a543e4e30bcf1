"""Fetch web pages, read them in a child process, and store them as documents."""

import asyncio
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import copy_context
from datetime import UTC, datetime
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING

from pincite.errors import Busy, NotFound, PinciteError, WebError
from pincite.isolation.child_process import IsolatedProcess
from pincite.isolation.isolated_web_parser import PAGES_AT_ONCE
from pincite.library.web_snapshots import archive_page, find_unchanged
from pincite.reading.source import Source
from pincite.store import documents
from pincite.store.scratch import make_scratch
from pincite.web.browser_rendering import Renderer
from pincite.web.canonical import canonical
from pincite.web.content_type import HTML
from pincite.web.fetch import Fetched, Unchanged, Validators
from pincite.web.polite_client import PoliteClient
from pincite.web.readable_page import OpenedPage, open_page
from pincite.web.web_parser import Emptiness

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.store.documents import StoredDocument

_READERS = 2  # processes that read files that are not web pages
_VERSIONS = 1000  # pages whose validators (ETag, Last-Modified) are remembered
_EMPTY: dict[Emptiness, str] = {
    "script": "is empty without JavaScript",
    "consent": "asks for consent before it shows anything",
    "blocked": "takes us for a robot and shows nothing",
}


class PageReader:
    """Fetches, reads and stores pages for all questions.

    Callers that ask for a page that is being read for the same owner share that work. When no caller waits any more, it
    is cancelled.
    """

    def __init__(
        self, library: "Library", visitor: PoliteClient | None = None, renderer: Renderer | None = None
    ) -> None:
        self._library = library
        self._visitor = visitor or PoliteClient(library.settings, library.web_parser)
        self._renderer = renderer or Renderer(library.settings)
        self._readers: SimpleQueue[IsolatedProcess] = SimpleQueue()
        for _ in range(_READERS):
            self._readers.put(IsolatedProcess(library.settings.reading))
        # Own threads: pages that wait for a reader would use up the threads of the whole program. Pages do not wait
        # for files, which may have thousands of pages.
        self._page_threads = ThreadPoolExecutor(PAGES_AT_ONCE, "page")
        self._file_threads = ThreadPoolExecutor(_READERS, "file")
        self._running: dict[tuple[str, str, bool], asyncio.Task[StoredDocument]] = {}
        self._waiting: Counter[asyncio.Task[StoredDocument]] = Counter()
        self._versions: OrderedDict[tuple[str, str], tuple[Validators, str]] = OrderedDict()
        self._is_awake = False
        self._is_closed = False

    async def read(self, owner: str, url: str, asked_for: bool = False) -> "StoredDocument":
        """Return the owner's document of the page at an address, as it is now.

        `asked_for` is set when a person gave the address.
        """
        # A page that a person asked for does not wait for a read that must fetch robots.txt first.
        key = owner, canonical(url), asked_for
        task = self._running.get(key)
        if task is None or task.done():
            task = self._running[key] = asyncio.create_task(self._read(owner, url, asked_for))
            task.add_done_callback(lambda done: self._handle_end(key, done))
        self._waiting[task] += 1
        try:
            return await asyncio.shield(task)
        finally:
            self._waiting[task] -= 1
            if not self._waiting[task]:
                del self._waiting[task]
                self._forget(key, task)  # a later caller must not wait for a cancelled task
                task.cancel()  # no caller waits for it

    def start_readers(self) -> None:
        """Start the reader processes before the first page arrives."""
        if not self._is_awake:
            self._is_awake = True
            for _ in range(PAGES_AT_ONCE):
                threading.Thread(target=self._warm_reader, daemon=True).start()

    def close(self) -> None:
        """Cancel running reads, and end the reader processes."""
        self._is_closed = True
        for task in list(self._running.values()):
            task.cancel()
        readers = [self._readers.get() for _ in range(_READERS)]
        for reader in readers:
            reader.close()
            self._readers.put(reader)  # so that a waiting thread goes on
        self._file_threads.shutdown(wait=False, cancel_futures=True)
        self._page_threads.shutdown(wait=True, cancel_futures=True)

    async def _read(self, owner: str, url: str, asked_for: bool) -> "StoredDocument":
        with make_scratch(self._library.settings.data) as folder:
            path = folder / "page"
            validators, stored_before = await asyncio.to_thread(self._find_known_version, owner, url)
            page = await open_page(url, path, self._visitor, self._renderer, asked_for=asked_for, known=validators)
            if isinstance(page, Unchanged):
                assert stored_before is not None  # otherwise no validators were sent
                return stored_before
            if page.emptiness:
                raise _make_empty_error(page)
            self._check_open()
            is_left = threading.Event()
            try:
                loop = asyncio.get_running_loop()
                threads = self._page_threads if _is_page(page.fetched) else self._file_threads
                work = partial(copy_context().run, self._store, owner, page.fetched, is_left)
                stored = await loop.run_in_executor(threads, work)
            except asyncio.CancelledError:
                is_left.set()  # stop reading: no caller waits
                raise
            self._remember(owner, url, page.fetched.validators, stored.id)
            return stored

    def _find_known_version(self, owner: str, url: str) -> "tuple[Validators | None, StoredDocument | None]":
        """Return the validators of the last version of a page, and its document if it is still stored."""
        validators, document = self._versions.get((owner, canonical(url)), (None, ""))
        if validators is None:
            return None, None
        with self._library.database.reading() as connection:
            try:
                return validators, documents.get_visible(connection, owner, document)
            except NotFound:
                return None, None

    def _remember(self, owner: str, url: str, validators: Validators, document: str) -> None:
        self._versions.pop((owner, canonical(url)), None)
        if validators != Validators():
            self._versions[owner, canonical(url)] = validators, document
        while len(self._versions) > _VERSIONS:
            self._versions.popitem(last=False)

    def _handle_end(self, key: tuple[str, str, bool], done: "asyncio.Task[StoredDocument]") -> None:
        self._forget(key, done)
        if not done.cancelled():
            done.exception()  # mark it as retrieved, in case no caller waits any more

    def _forget(self, key: tuple[str, str, bool], task: "asyncio.Task[StoredDocument]") -> None:
        if self._running.get(key) is task:
            del self._running[key]

    def _store(self, owner: str, fetched: Fetched, is_left: threading.Event) -> "StoredDocument":
        """Read a fetched page and store it; return the stored document when it has not changed."""

        def check_wanted(page: int = 0, pages: int = 0) -> None:
            self._check_open()
            if is_left.is_set():
                raise Busy("The page is no longer wanted.", "Ask for it again.")

        url = fetched.url.partition("#")[0]
        if known := find_unchanged(self._library, owner, fetched.path, url):
            return known
        ocr = self._library.settings.reading.ocr
        # The reader is held until the page is stored: `close` waits for it before the library is closed.
        with self._borrow_reader(is_page=_is_page(fetched)) as reader:
            source = Source(fetched.path, fetched.name, ocr=ocr, progress=check_wanted)
            day = datetime.fromtimestamp(fetched.fetched, UTC).isoformat(timespec="seconds")
            return archive_page(self._library, owner, reader, source, url, {"url": url, "fetched": day})

    def _warm_reader(self) -> None:
        with suppress(PinciteError), make_scratch(self._library.settings.data) as folder:
            page = folder / "page.html"
            page.write_text("<p>Reading this page loads the parser.</p>")
            with self._borrow_reader(is_page=True) as reader:
                source = Source(page, page.name, progress=self._check_open)
                for _ in reader.make_contents(source, self._library.recipe(untitled=page.name)):
                    pass

    def _check_open(self, page: int = 0, pages: int = 0) -> None:
        if self._is_closed:
            raise Busy("The program is about to stop.", "Ask again in a minute.")

    @contextmanager
    def _borrow_reader(self, *, is_page: bool) -> Iterator[IsolatedProcess]:
        if is_page:
            with self._library.web_parser.borrow_reader() as child:
                self._check_open()
                yield child
            return
        reader = self._readers.get()
        try:
            self._check_open()
            yield reader
        finally:
            self._readers.put(reader)


def _is_page(fetched: Fetched) -> bool:
    """Whether a file is a web page, by its content type and its first bytes. Anything else is read as a file."""
    if fetched.content_type not in HTML:
        return False
    with fetched.path.open("rb") as file:
        return file.read(1000).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<"


def _make_empty_error(page: OpenedPage) -> WebError:
    """Return the error for a page that has nothing to read."""
    problem = f" {page.problem}" if page.problem else ""
    return WebError(
        f"{page.fetched.url} {_EMPTY[page.emptiness]}.{problem}",
        "Look for the same information on another page.",
        page.emptiness or "failed",
    )
