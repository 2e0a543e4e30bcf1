"""The time that a task in the isolated process may take: pages that were read add to it, up to a longest time."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from pincite.settings import ReadingSettings

_PAGE = 10.0  # seconds that each page adds which was read: a scan takes a few
_Got = TypeVar("_Got")


class Allowance:
    """Counts the seconds that the parent waits; while the parent stores what came, the child's time stands still.

    Only pages that were read to their end add to it: how many a file claims to have says nothing.
    """

    def __init__(self, limits: "ReadingSettings", seconds: float | None = None) -> None:
        self._seconds = limits.seconds if seconds is None else seconds
        self._longest = max(limits.longest_seconds, self._seconds)
        self._page_seconds = limits.page_seconds
        self._waited = 0.0
        self._page_began: float | None = None
        self._pages_read = 0

    def begin_page(self) -> None:
        """A page is begun, and the one before it was read."""
        if self._page_began is not None:
            self._pages_read += 1
        self._page_began = self._waited

    def end_pages(self) -> None:
        """Everything is read: what follows belongs to no page."""
        self._page_began = None

    def left(self) -> float:
        """The seconds that may still be waited for the next sign of life."""
        whole = min(self._seconds + _PAGE * self._pages_read, self._longest) - self._waited
        if self._page_began is None:
            return whole
        return min(whole, self._page_began + self._page_seconds - self._waited)

    def is_over(self) -> bool:
        """Whether no time is left for another try, whichever page it begins with."""
        return min(self._seconds + _PAGE * self._pages_read, self._longest) <= self._waited

    def wait(self, get: Callable[[], _Got]) -> _Got:
        """What a call gives, its time counted."""
        began = time.monotonic()
        try:
            return get()
        finally:
            self._waited += time.monotonic() - began
