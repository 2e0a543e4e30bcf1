"""Pages of the web for whoever answers: an address in, the document out that was kept of it."""

import asyncio
import tempfile
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from pincite.errors import Busy, NotFound, PinciteError, WebError
from pincite.isolation.process import Isolated
from pincite.isolation.web import PAGES_AT_ONCE
from pincite.library.archive import archive, unchanged
from pincite.reading.source import Source
from pincite.store import documents
from pincite.web.canonical import canonical
from pincite.web.contents import HTML
from pincite.web.fetch import Fetched, Unchanged, Validators
from pincite.web.opening import Opened, opened
from pincite.web.parsing import Emptiness
from pincite.web.rendering import Renderer
from pincite.web.visitor import Visitor

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.store.documents import StoredDocument

_READERS = 2  # of files that are no pages
_VERSIONS = 1000  # pages of which it is remembered how their servers know the version that came last
_EMPTY: dict[Emptiness, str] = {
    "script": "is empty without JavaScript",
    "consent": "asks for consent before it shows anything",
    "blocked": "takes us for a robot and shows nothing",
}


class Browsing:
    """Fetches, reads and keeps pages for one house.

    Who asks for a page that is under way waits for that one; when nobody waits any more, it is given up.
    """

    def __init__(self, library: "Library", visitor: Visitor | None = None, renderer: Renderer | None = None) -> None:
        self._library = library
        self._visitor = visitor or Visitor(library.settings, library.web_parser)
        self._renderer = renderer or Renderer(library.settings)
        self._readers: SimpleQueue[Isolated] = SimpleQueue()
        for _ in range(_READERS):
            self._readers.put(Isolated(library.settings.reading))
        # Threads of their own: pages that wait for a reader would take those of all the house. A page does not wait
        # for files, which may have thousands of pages.
        self._page_threads = ThreadPoolExecutor(PAGES_AT_ONCE, "page")
        self._file_threads = ThreadPoolExecutor(_READERS, "file")
        self._under_way: dict[tuple[str, bool], asyncio.Task[StoredDocument]] = {}
        self._waiting: Counter[asyncio.Task[StoredDocument]] = Counter()
        self._versions: OrderedDict[str, tuple[Validators, str]] = OrderedDict()
        self._is_awake = False
        self._is_closed = False

    async def read(self, url: str, asked_for: bool = False) -> "StoredDocument":
        """The document of the page at an address, as it is now; `asked_for` when a person gave this very address."""
        # Who was asked for a page need not wait for one who must ask its robots.txt first.
        key = canonical(url), asked_for
        task = self._under_way.get(key)
        if task is None or task.done():
            task = self._under_way[key] = asyncio.create_task(self._read(url, asked_for))
            task.add_done_callback(lambda done: self._ended(key, done))
        self._waiting[task] += 1
        try:
            return await asyncio.shield(task)
        finally:
            self._waiting[task] -= 1
            if not self._waiting[task]:
                del self._waiting[task]
                self._forget(key, task)  # who asks from here on must not wait for one that is given up
                task.cancel()  # if it is not over: whoever wanted it has gone

    def wake(self) -> None:
        """Start the processes that read, for pages that will be there in a moment; the first page waits for none."""
        if not self._is_awake:
            self._is_awake = True
            for _ in range(PAGES_AT_ONCE):
                threading.Thread(target=self._woken, daemon=True).start()

    def close(self) -> None:
        """Give up what is under way, and let the processes that read go."""
        self._is_closed = True
        for task in list(self._under_way.values()):
            task.cancel()
        readers = [self._readers.get() for _ in range(_READERS)]
        for reader in readers:
            reader.close()
            self._readers.put(reader)  # whoever waits for one need not wait for ever
        self._file_threads.shutdown(wait=False, cancel_futures=True)
        self._page_threads.shutdown(wait=True, cancel_futures=True)

    async def _read(self, url: str, asked_for: bool) -> "StoredDocument":
        with tempfile.TemporaryDirectory(prefix="pincite-page-") as folder:
            path = Path(folder) / "page"
            known, kept = await asyncio.to_thread(self._known, url)
            came = await opened(url, path, self._visitor, self._renderer, asked_for=asked_for, known=known)
            if isinstance(came, Unchanged):
                assert kept is not None  # only then is a server asked whether it has another version
                return kept
            if came.emptiness:
                raise _empty(came)
            self._going_on()
            is_left = threading.Event()
            try:
                loop = asyncio.get_running_loop()
                threads = self._page_threads if _is_page(came.fetched) else self._file_threads
                stored = await loop.run_in_executor(threads, self._kept, came.fetched, is_left)
            except asyncio.CancelledError:
                is_left.set()  # the reader is for pages that somebody waits for
                raise
            self._remember(url, came.fetched.validators, stored.id)
            return stored

    def _known(self, url: str) -> "tuple[Validators | None, StoredDocument | None]":
        """How a server knew the version of a page that came last, and what was kept of it, if it still is."""
        validators, document = self._versions.get(canonical(url), (None, ""))
        if validators is None:
            return None, None
        with self._library.database.reading() as connection:
            try:
                return validators, documents.get(connection, document)
            except NotFound:
                return None, None

    def _remember(self, url: str, validators: Validators, document: str) -> None:
        self._versions.pop(canonical(url), None)
        if validators != Validators():
            self._versions[canonical(url)] = validators, document
        while len(self._versions) > _VERSIONS:
            self._versions.popitem(last=False)

    def _ended(self, key: tuple[str, bool], done: "asyncio.Task[StoredDocument]") -> None:
        self._forget(key, done)
        if not done.cancelled():
            done.exception()  # whoever waited may have gone, and then nobody else takes note of it

    def _forget(self, key: tuple[str, bool], task: "asyncio.Task[StoredDocument]") -> None:
        if self._under_way.get(key) is task:
            del self._under_way[key]

    def _kept(self, came: Fetched, is_left: threading.Event) -> "StoredDocument":
        def going_on(page: int = 0, pages: int = 0) -> None:
            self._going_on()
            if is_left.is_set():
                raise Busy("Nobody waits for this page any more.", "Ask for it again.")

        url = came.url.partition("#")[0]
        if known := unchanged(self._library, came.path, url):
            return known
        ocr = self._library.settings.reading.ocr
        # The reader is held until the page is kept: who closes waits for that, and then closes the library.
        with self._reader(is_page=_is_page(came)) as reader:
            source = Source(came.path, came.name, ocr=ocr, progress=going_on)
            day = datetime.fromtimestamp(came.fetched, UTC).isoformat(timespec="seconds")
            return archive(self._library, reader, source, url, {"url": url, "fetched": day})

    def _woken(self) -> None:
        with suppress(PinciteError), tempfile.TemporaryDirectory(prefix="pincite-page-") as folder:
            page = Path(folder) / "page.html"
            page.write_text("<p>What is loaded for this page is there for the next.</p>")
            with self._reader(is_page=True) as reader:
                source = Source(page, page.name, progress=self._going_on)
                for _ in reader.make_contents(source, self._library.recipe(untitled=page.name)):
                    pass

    def _going_on(self, page: int = 0, pages: int = 0) -> None:
        if self._is_closed:
            raise Busy("The program is about to stop.", "Ask again in a minute.")

    @contextmanager
    def _reader(self, *, is_page: bool) -> Iterator[Isolated]:
        if is_page:
            with self._library.web_parser.borrow_reader() as child:
                self._going_on()
                yield child
            return
        reader = self._readers.get()
        try:
            self._going_on()
            yield reader
        finally:
            self._readers.put(reader)


def _is_page(came: Fetched) -> bool:
    """Whether this is a page by what its server and its first bytes say; anything else is read as a file."""
    if came.content_type not in HTML:
        return False
    with came.path.open("rb") as file:
        return file.read(1000).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<"


def _empty(came: Opened) -> WebError:
    """Why a page that came has nothing to read, for whoever gave or found its address."""
    problem = f" {came.problem}" if came.problem else ""
    return WebError(
        f"{came.fetched.url} {_EMPTY[came.emptiness]}.{problem}",
        "Look for the same on another page.",
        came.emptiness or "failed",
    )
