"""A page of the web becomes a document that is kept: fetched, read apart, and there for whoever cites it."""

import asyncio
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from pincite.answer.page_reader import PageReader
from pincite.errors import Forbidden, WebError
from pincite.isolation import child_process
from pincite.isolation.child_process import IsolatedProcess
from pincite.isolation.document_parts import Part, Recipe
from pincite.library import Library
from pincite.reading.source import Source
from pincite.store import document_sources, document_text, documents
from tests import pdfs, sites
from tests.clock import PATIENCE
from tests.sites import Site

LAKES = "<html><head><title>Lakes</title></head><body><article><h1>Lakes</h1><p>{}</p></article></body></html>"
WORDS = "The lake of Corvel is forty metres deep, and nobody has seen its ground in winter for a hundred years."


@pytest.fixture
def site() -> Iterator[Site]:
    with sites.serving() as site:
        yield site


@pytest.fixture
def library(opened: Callable[..., Library], site: Site) -> Library:
    web = {"allow": [site.host], "pause_seconds": 0, "render": False}
    return opened(embedding={"provider": "none"}, web=web)


@pytest.fixture
def browsing(library: Library) -> Iterator[PageReader]:
    browsing = PageReader(library)
    yield browsing
    browsing.close()


def test_a_page_is_read_and_kept_with_its_address_and_its_day(
    browsing: PageReader, library: Library, site: Site
) -> None:
    site.pages["/lakes"] = sites.html(LAKES.format(WORDS))
    stored = asyncio.run(browsing.read("local", site.url("/lakes#depth")))
    assert (stored.title, stored.kind, stored.status) == ("Lakes", "html", "ready")
    assert stored.metadata["url"] == site.url("/lakes")
    assert stored.metadata["fetched"].startswith("20")
    with library.database.reading() as connection:
        assert WORDS in document_text.load_document(connection, stored.id).text
        assert document_sources.find_origins(connection, "local", [stored.id])[stored.id].url == site.url("/lakes")


def test_a_pdf_at_an_address_is_a_document_with_pages(browsing: PageReader, site: Site, tmp_path: Path) -> None:
    made = pdfs.simple(tmp_path / "report.pdf", pages=2).read_bytes()
    site.pages["/report"] = sites.page(made, {"Content-Type": "application/pdf"})
    stored = asyncio.run(browsing.read("local", site.url("/report")))
    assert (stored.kind, stored.pages) == ("pdf", 2)


def test_a_page_that_two_ask_for_at_once_is_fetched_once(browsing: PageReader, site: Site) -> None:
    site.pages["/lakes"] = sites.html(LAKES.format(WORDS))

    async def both() -> list[str]:
        found = await asyncio.gather(*(browsing.read("local", site.url("/lakes"), asked_for=True) for _ in range(2)))
        return [each.id for each in found]

    one, other = asyncio.run(both())
    assert one == other
    assert site.paths == ["/lakes"]


def test_a_caller_that_gives_up_takes_the_page_from_nobody_else(browsing: PageReader, site: Site) -> None:
    site.pages["/lakes"] = sites.html(LAKES.format(WORDS))

    async def one_leaves() -> str:
        leaving = asyncio.create_task(browsing.read("local", site.url("/lakes"), asked_for=True))
        staying = asyncio.create_task(browsing.read("local", site.url("/lakes"), asked_for=True))
        await asyncio.sleep(0)
        leaving.cancel()
        return (await staying).title

    assert asyncio.run(one_leaves()) == "Lakes"


def test_a_page_that_nobody_waits_for_is_given_up(browsing: PageReader, site: Site) -> None:
    site.pages["/slow"] = sites.dripping

    async def all_leave() -> None:
        waiting = [asyncio.create_task(browsing.read("local", site.url("/slow"), asked_for=True)) for _ in range(2)]
        while not site.asked:
            await asyncio.sleep(0.01)
        for each in waiting:
            each.cancel()
        async with asyncio.timeout(PATIENCE):
            while asyncio.all_tasks() != {asyncio.current_task()}:
                await asyncio.sleep(0.01)  # its connections are being closed

    asyncio.run(all_leave())


def test_a_page_that_somebody_gave_up_just_now_is_there_for_the_next(browsing: PageReader, site: Site) -> None:
    site.pages["/lakes"] = sites.dripping

    async def one_after_the_other() -> str:
        leaving = asyncio.create_task(browsing.read("local", site.url("/lakes"), asked_for=True))
        while not site.asked:
            await asyncio.sleep(0.01)
        site.pages["/lakes"] = sites.html(LAKES.format(WORDS))
        leaving.cancel()
        with suppress(asyncio.CancelledError):
            await leaving
        return (await browsing.read("local", site.url("/lakes"), asked_for=True)).title

    assert asyncio.run(one_after_the_other()) == "Lakes"


def test_a_page_does_not_wait_for_files_however_long_they_are(
    library: Library, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, goes_on = threading.Semaphore(0), threading.Event()

    class Endless(IsolatedProcess):
        def make_contents(self, source: Source, recipe: Recipe) -> Generator[Part]:
            begun.release()
            while not goes_on.wait(0.01):
                source.progress(1, 2000)
            yield from ()

    monkeypatch.setattr("pincite.answer.page_reader.IsolatedProcess", Endless)
    browsing = PageReader(library)
    for number in range(2):
        site.pages[f"/{number}.pdf"] = sites.page(b"%PDF-1.4 ...", {"Content-Type": "application/pdf"})
    site.pages["/lakes"] = sites.html(LAKES.format(WORDS))

    async def read() -> str:
        files = [asyncio.create_task(browsing.read("local", site.url(f"/{number}.pdf"))) for number in range(2)]
        for _ in files:
            await asyncio.to_thread(begun.acquire)
        try:
            return (await asyncio.wait_for(browsing.read("local", site.url("/lakes")), PATIENCE)).title
        finally:
            browsing.close()
            goes_on.set()
            await asyncio.gather(*files, return_exceptions=True)

    assert asyncio.run(read()) == "Lakes"


def test_pages_that_wait_to_be_read_keep_nobody_else_waiting(
    library: Library, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, goes_on = threading.Semaphore(0), threading.Event()

    class Slow(IsolatedProcess):
        def make_contents(self, source: Source, recipe: Recipe) -> Generator[Part]:
            begun.release()
            goes_on.wait(PATIENCE)
            return super().make_contents(source, recipe)

    monkeypatch.setattr("pincite.isolation.process_pool.IsolatedProcess", Slow)
    browsing = PageReader(library)
    paths = [f"/lake{number}" for number in range(8)]
    site.pages.update({path: sites.html(LAKES.format(f"{WORDS} {path}")) for path in paths})

    async def many() -> str:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(4))
        reading = [asyncio.create_task(browsing.read("local", site.url(path), asked_for=True)) for path in paths]
        while len(site.asked) < len(paths) or not begun.acquire(blocking=False):
            await asyncio.sleep(0.01)
        for _ in range(10):
            await asyncio.sleep(0.01)  # the bytes are on their way to the reader
        try:
            return await asyncio.wait_for(asyncio.to_thread(str, "searched"), PATIENCE)
        finally:
            goes_on.set()
            await asyncio.gather(*reading)

    assert asyncio.run(many()) == "searched"
    browsing.close()


def test_the_old_state_of_a_page_stays_when_it_changes(browsing: PageReader, library: Library, site: Site) -> None:
    site.pages["/lakes"] = sites.html(LAKES.format(WORDS))
    before = asyncio.run(browsing.read("local", site.url("/lakes")))
    site.pages["/lakes"] = sites.html(LAKES.format(WORDS.replace("forty", "fifty")))
    after = asyncio.run(browsing.read("local", site.url("/lakes")))
    assert before.id != after.id
    with library.database.reading() as connection:
        assert "forty" in document_text.load_document(connection, before.id).text


def test_a_page_whose_bytes_are_known_is_not_read_again(
    browsing: PageReader, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages["/lakes"] = sites.html(LAKES.format(WORDS))
    first = asyncio.run(browsing.read("local", site.url("/lakes")))
    monkeypatch.setattr(
        "pincite.isolation.child_process.IsolatedProcess.make_contents", lambda *_: pytest.fail("it was read")
    )
    again = asyncio.run(browsing.read("local", site.url("/lakes")))
    assert again.id == first.id
    assert site.paths.count("/lakes") == 2  # whether it is still the same, its site alone knows


def test_a_page_that_its_server_still_has_as_it_was_is_not_sent_again(
    browsing: PageReader, library: Library, site: Site
) -> None:
    sent: list[int] = []

    def respond(handler: BaseHTTPRequestHandler) -> None:
        is_known = handler.headers["If-None-Match"] == '"one"'
        sent.append(304 if is_known else 200)
        body = b"" if is_known else LAKES.format(WORDS).encode()
        sites.page(body, {"Content-Type": "text/html", "ETag": '"one"'}, sent[-1])(handler)

    site.pages["/lakes"] = respond
    first = asyncio.run(browsing.read("local", site.url("/lakes")))
    assert asyncio.run(browsing.read("local", site.url("/lakes"))).id == first.id
    # A removed copy has to be sent again.
    library.remove("local", first.id)
    assert asyncio.run(browsing.read("local", site.url("/lakes"))).title == "Lakes"
    assert sent == [200, 304, 200]


@pytest.mark.usefixtures("own_readers")
def test_readers_that_were_woken_are_the_ones_that_read(
    browsing: PageReader, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[object] = []
    start = child_process._Child.__init__

    def counted(child: child_process._Child, *given: Any) -> None:
        started.append(child)
        start(child, *given)

    monkeypatch.setattr(child_process._Child, "__init__", counted)
    site.pages.update({f"/{n}": sites.html(LAKES.format(f"{WORDS} {n}")) for n in range(4)})

    async def wanted() -> None:
        browsing.start_readers()
        browsing.start_readers()
        await asyncio.gather(*(browsing.read("local", site.url(f"/{n}")) for n in range(4)))

    asyncio.run(wanted())
    assert len(started) == 2


def test_a_page_that_is_not_there_is_told_and_nothing_is_kept(
    browsing: PageReader, library: Library, site: Site
) -> None:
    with pytest.raises(WebError, match="404"):
        asyncio.run(browsing.read("local", site.url("/nothing")))
    with library.database.reading() as connection:
        assert documents.find(connection, "local") == []


def test_an_address_inside_is_not_read(browsing: PageReader) -> None:
    with pytest.raises(Forbidden):
        asyncio.run(browsing.read("local", "http://169.254.169.254/latest/meta-data"))


def test_robots_are_heard_unless_a_person_gave_the_very_address(browsing: PageReader, site: Site) -> None:
    site.pages["/robots.txt"] = sites.page(b"User-agent: *\nDisallow: /", {"Content-Type": "text/plain"})
    site.pages["/lakes"] = sites.html(LAKES.format(WORDS))
    with pytest.raises(Forbidden, match="robots"):
        asyncio.run(browsing.read("local", site.url("/lakes")))
    assert asyncio.run(browsing.read("local", site.url("/lakes"), asked_for=True)).title == "Lakes"
