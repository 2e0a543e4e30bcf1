"""Limit the time of a task in the isolated process. Each page that was read adds time, up to a maximum."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from pincite.settings import ReadingSettings

_PAGE = 10.0  # seconds that each page adds after it was read: a scan takes a few
_Got = TypeVar("_Got")


class TimeAllowance:
    """Counts the seconds that the parent waits. Time in which the parent stores results does not count.

    Only pages that were read completely add time. The number of pages that a file claims to have does not count.
    """

    def __init__(self, limits: "ReadingSettings", seconds: float | None = None) -> None:
        self._seconds = limits.seconds if seconds is None else seconds
        self._longest = max(limits.longest_seconds, self._seconds)
        self._page_seconds = limits.page_seconds
        self._waited = 0.0
        self._page_began: float | None = None
        self._pages_read = 0

    def begin_page(self) -> None:
        """Note that a page begins, and that the page before it was read."""
        if self._page_began is not None:
            self._pages_read += 1
        self._page_began = self._waited

    def end_pages(self) -> None:
        """Note that all pages are read: the following time belongs to no page."""
        self._page_began = None

    def left(self) -> float:
        """Return the seconds that the parent may still wait for the next frame."""
        whole = min(self._seconds + _PAGE * self._pages_read, self._longest) - self._waited
        if self._page_began is None:
            return whole
        return min(whole, self._page_began + self._page_seconds - self._waited)

    def is_over(self) -> bool:
        """Whether no time is left for another try, whichever page it begins with."""
        return min(self._seconds + _PAGE * self._pages_read, self._longest) <= self._waited

    def wait(self, get: Callable[[], _Got]) -> _Got:
        """Return the result of a call, and count its time."""
        began = time.monotonic()
        try:
            return get()
        finally:
            self._waited += time.monotonic() - began
