"""Add the pages of a site in the background, after the request was answered."""

import asyncio
import logging
from typing import TYPE_CHECKING

from pincite.errors import PinciteError
from pincite.library.site import AddedPage, SiteVisit, add_pages

if TYPE_CHECKING:
    from pincite.library import Library

log = logging.getLogger(__name__)


class SiteVisits:
    """Runs site visits in the background. A visit that the server's shutdown stops continues when requested again."""

    def __init__(self, library: "Library") -> None:
        self._library = library
        self._under_way: dict[SiteVisit, asyncio.Task[None]] = {}

    def start(self, visit: SiteVisit) -> None:
        """Start a visit unless the same one is running."""
        if visit not in self._under_way:
            task = self._under_way[visit] = asyncio.create_task(self._run(visit))
            task.add_done_callback(lambda _: self._under_way.pop(visit, None))

    async def stop(self) -> None:
        """Cancel all running visits."""
        for task in list(self._under_way.values()):
            task.cancel()
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)

    async def _run(self, visit: SiteVisit) -> None:
        try:
            async for page in add_pages(self._library, visit):
                if not isinstance(page, AddedPage):
                    log.warning("%s was not added: %s", page.url, page.error.message)
        except PinciteError as error:
            log.warning("The visit to %s ended: %s %s", visit.url, error.message, error.hint)
