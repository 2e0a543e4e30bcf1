"""A program that is stopped while it reads pages does not wait for them, and leaves nothing behind."""

import asyncio
import threading
import time
from collections.abc import Callable, Generator, Iterator

import pytest

from pincite.answer.page_reader import PageReader
from pincite.isolation.child_process import IsolatedProcess
from pincite.isolation.document_parts import Part, Recipe
from pincite.library import Library
from pincite.reading.source import Source
from pincite.store import documents
from tests import sites
from tests.clock import PATIENCE
from tests.sites import Site


@pytest.fixture
def site() -> Iterator[Site]:
    with sites.serving() as site:
        yield site


@pytest.fixture
def library(opened: Callable[..., Library], site: Site) -> Library:
    web = {"allow": [site.host], "pause_seconds": 0, "per_host": 9, "render": False}
    return opened(embedding={"provider": "none"}, web=web)


class Hanging(IsolatedProcess):
    """A reader that comes to no end of its own."""

    begun = threading.Semaphore(0)

    def make_contents(self, source: Source, recipe: Recipe) -> Generator[Part]:
        self.begun.release()
        while True:
            time.sleep(0.01)
            source.progress(1, 1)


def test_pages_that_are_read_and_pages_that_wait_for_it_are_given_up(
    library: Library, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.isolation.process_pool.IsolatedProcess", Hanging)
    browsing = PageReader(library)
    for path in "abcd":
        site.pages[f"/{path}"] = sites.html(f"<article><p>{path} {'word ' * 80}</p></article>")

    async def read() -> list[BaseException | object]:
        reading = [asyncio.create_task(browsing.read("local", site.url(f"/{path}"))) for path in "abcd"]
        for _ in range(2):
            await asyncio.to_thread(Hanging.begun.acquire)
        browsing.close()
        return await asyncio.gather(*reading, return_exceptions=True)

    came = asyncio.run(read())
    assert all(isinstance(each, BaseException) for each in came)
    with library.database.reading() as connection:
        assert documents.find(connection, library.settings.owner) == []


def test_a_page_that_drips_in_is_given_up(library: Library, site: Site) -> None:
    browsing = PageReader(library)
    site.pages["/slow"] = sites.dripping

    async def read() -> BaseException | object:
        reading = asyncio.create_task(browsing.read("local", site.url("/slow"), asked_for=True))
        while "/slow" not in site.paths:
            await asyncio.sleep(0.01)
        browsing.close()
        return (await asyncio.gather(reading, return_exceptions=True))[0]

    assert isinstance(asyncio.run(read()), asyncio.CancelledError)


def test_a_page_that_nobody_waits_for_gives_its_reader_back(
    library: Library, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended, is_over = threading.Semaphore(0), threading.Semaphore(0), threading.Event()

    class Endless(IsolatedProcess):
        def make_contents(self, source: Source, recipe: Recipe) -> Generator[Part]:
            begun.release()
            try:
                while not is_over.wait(0.01):
                    source.progress(1, 1)
                return super().make_contents(source, recipe)
            finally:
                ended.release()

    monkeypatch.setattr("pincite.isolation.process_pool.IsolatedProcess", Endless)
    browsing = PageReader(library)
    for path in "ab":
        site.pages[f"/{path}"] = sites.html(f"<article><p>{path} {'word ' * 80}</p></article>")

    async def leave() -> list[bool]:
        reading = [asyncio.create_task(browsing.read("local", site.url(f"/{path}"), asked_for=True)) for path in "ab"]
        for _ in reading:
            await asyncio.to_thread(begun.acquire)
        for task in reading:
            task.cancel()
        try:
            return [await asyncio.to_thread(ended.acquire, timeout=PATIENCE) for _ in reading]
        finally:
            is_over.set()

    assert asyncio.run(leave()) == [True, True]
    browsing.close()
