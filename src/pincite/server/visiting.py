"""Visits to sites that go on after their request was answered: each page is added as it comes."""

import asyncio
import logging
from typing import TYPE_CHECKING

from pincite.errors import PinciteError
from pincite.library.site import AddedPage, Visit, add_pages

if TYPE_CHECKING:
    from pincite.library import Library

log = logging.getLogger(__name__)


class Visits:
    """Runs visits one after the other for each address; what is stopped with the server goes on when asked again."""

    def __init__(self, library: "Library") -> None:
        self._library = library
        self._under_way: dict[Visit, asyncio.Task[None]] = {}

    def start(self, visit: Visit) -> None:
        """Begin a visit, unless the same one is under way."""
        if visit not in self._under_way:
            task = self._under_way[visit] = asyncio.create_task(self._run(visit))
            task.add_done_callback(lambda _: self._under_way.pop(visit, None))

    async def stop(self) -> None:
        """End every visit where it is."""
        for task in list(self._under_way.values()):
            task.cancel()
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)

    async def _run(self, visit: Visit) -> None:
        try:
            async for page in add_pages(self._library, visit):
                if not isinstance(page, AddedPage):
                    log.warning("%s was not added: %s", page.url, page.error.message)
        except PinciteError as error:
            log.warning("The visit to %s ended: %s %s", visit.url, error.message, error.hint)
