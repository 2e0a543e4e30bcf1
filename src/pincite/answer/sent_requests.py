"""Hold the addresses that an answer may open, and the requests that it sent. Subagents share this state.

`web_requests.release_request` decides with it. Nothing here reaches the web, and a question without an address imports
no web client.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite import events
from pincite.answer.firefox_prompt import parse_firefox_prompt
from pincite.web.addresses import find_addresses

if TYPE_CHECKING:
    from pincite.answer.question import AskedQuestion

_WORD = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class KnownAddress:
    """An address as it was first written, found or linked."""

    url: str
    origin: events.Origin


@dataclass(slots=True)
class Outbound:
    """The addresses that an answer and its subagents may open, and the requests that they sent."""

    messages: tuple[str, ...] = ()  # the question and the earlier questions of the conversation
    written: tuple[str, ...] = ()  # the same without pages that a browser sent with them
    known: dict[str, KnownAddress] = field(default_factory=dict)
    pages: list[str] = field(default_factory=list)  # documents that were read from the web for this question
    searched_links: set[str] = field(default_factory=set)  # those among them whose links are in `known`
    queries: list[str] = field(default_factory=list)
    sent: list[events.Sent] = field(default_factory=list)

    def learn(self, urls: Iterable[str], origin: events.Origin) -> None:
        """Remember addresses that may be opened. The first origin of an address stays."""
        from pincite.web.canonical import canonical

        for url in urls:
            self.known.setdefault(canonical(url), KnownAddress(url, origin))

    def find(self, url: str) -> KnownAddress | None:
        """Return the known address that is meant; None when there is none. A video may be named by its id."""
        from pincite.web.canonical import canonical
        from pincite.web.youtube import parse_video_id

        if found := self.known.get(canonical(url)):
            return found
        video = parse_video_id(url)
        if video is None:
            return None
        if any(video in _WORD.findall(words) for words in self.written):
            return KnownAddress(make_watch_address(video), "user")
        return next((each for each in self.known.values() if parse_video_id(each.url) == video), None)


def open_outbound(asked: "AskedQuestion") -> Outbound:
    """Return the state for a new question, which knows the addresses that the user wrote.

    A page that Firefox sent is not the user's text, so its addresses do not count.
    """
    messages = (asked.question, *(each.question for each in asked.history))
    written = tuple(page.request if (page := parse_firefox_prompt(message)) else message for message in messages)
    made = Outbound(messages, written)
    if found := [url for words in written for url in find_addresses(words)]:
        made.learn(found, "user")
    return made


def make_watch_address(video: str) -> str:
    """Return the address of a YouTube video."""
    return f"https://www.youtube.com/watch?v={video}"
