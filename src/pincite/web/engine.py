"""What a search engine is to this house: words in, results out. Another engine is one small file with this method."""

from dataclasses import dataclass
from typing import Literal, Protocol

Category = Literal["general", "images", "videos", "news"]
TimeRange = Literal["", "day", "week", "month", "year"]


@dataclass(frozen=True, slots=True)
class Result:
    """One thing that was found: its address, http or https, and what the engine says of it, as plain text."""

    url: str
    title: str
    snippet: str
    engine: str  # the engines that found it, between commas
    score: float
    published: str | None = None  # a day, as 2026-11-15
    thumbnail: str | None = None
    image: str | None = None
    length: str | None = None  # of a video, as 1:02:03


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found, best first, and which engines behind it did not answer, each with why."""

    results: tuple[Result, ...] = ()
    unresponsive: tuple[str, ...] = ()


class Engine(Protocol):
    """Something that searches the web; it raises a `WebError` that says which setting to change."""

    async def search(
        self,
        query: str,
        *,
        kind: Category = "general",
        language: str = "",
        time_range: TimeRange = "",
        page: int = 1,
    ) -> Found: ...
