"""The addresses that a turn may open, and what it has sent: state that a turn shares with its subagents.

`web_requests.release` decides by it. Nothing here reaches the web, and a question without an address imports nothing
that does.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite import events
from pincite.agent.firefox import firefox
from pincite.web.addresses import addresses

if TYPE_CHECKING:
    from pincite.agent.turn import Asked

_WORD = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Known:
    """An address as it was first written, found or linked."""

    url: str
    origin: events.Origin


@dataclass(slots=True)
class Outbound:
    """What a turn and its subagents may send, and what they sent."""

    messages: tuple[str, ...] = ()  # the question and those before it in the conversation, as they came
    written: tuple[str, ...] = ()  # what the user wrote of them: not a page that a browser sent along
    known: dict[str, Known] = field(default_factory=dict)
    pages: list[str] = field(default_factory=list)  # documents that were read from the web in this turn
    searched_links: set[str] = field(default_factory=set)  # those among them whose links are in `known`
    queries: list[str] = field(default_factory=list)
    sent: list[events.Sent] = field(default_factory=list)

    def learn(self, urls: Iterable[str], origin: events.Origin) -> None:
        """Remember addresses that may be opened; whoever was first to name one is its origin."""
        from pincite.web.canonical import canonical

        for url in urls:
            self.known.setdefault(canonical(url), Known(url, origin))

    def find(self, url: str) -> Known | None:
        """The known address that is meant; a video may be named by its id."""
        from pincite.web.canonical import canonical
        from pincite.web.youtube import video_of

        if found := self.known.get(canonical(url)):
            return found
        video = video_of(url)
        if video is None:
            return None
        if any(video in _WORD.findall(words) for words in self.written):
            return Known(watch_address(video), "user")
        return next((each for each in self.known.values() if video_of(each.url) == video), None)


def open_outbound(asked: "Asked") -> Outbound:
    """The state at the beginning of a turn: the addresses that the user wrote are known.

    A page that Firefox sent along is not the user's writing, and its addresses do not count.
    """
    messages = (asked.question, *(each.question for each in asked.history))
    written = tuple(page.request if (page := firefox(message)) else message for message in messages)
    made = Outbound(messages, written)
    if found := [url for words in written for url in addresses(words)]:
        made.learn(found, "user")
    return made


def watch_address(video: str) -> str:
    """The address of a video on YouTube, by its id."""
    return f"https://www.youtube.com/watch?v={video}"
