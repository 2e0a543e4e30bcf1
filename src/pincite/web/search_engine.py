"""The interface of a search engine. To add an engine, write a class with this method."""

from dataclasses import dataclass
from typing import Literal, Protocol

Category = Literal["general", "images", "videos", "news"]
TimeRange = Literal["", "day", "week", "month", "year"]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One search result: its http or https address, and the engine's description as plain text."""

    url: str
    title: str
    snippet: str
    engine: str  # the engines that found it, separated by commas
    score: float
    published: str | None = None  # a day, as 2026-11-15
    thumbnail: str | None = None
    image: str | None = None
    length: str | None = None  # of a video, as 1:02:03


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The results of a search, best first, and the engines that did not answer, each with the reason."""

    results: tuple[SearchResult, ...] = ()
    unresponsive: tuple[str, ...] = ()


class SearchEngine(Protocol):
    """An engine that searches the web. Its `WebError` names the setting to change."""

    async def search(
        self,
        query: str,
        *,
        kind: Category = "general",
        language: str = "",
        time_range: TimeRange = "",
        page: int = 1,
    ) -> SearchResults: ...
