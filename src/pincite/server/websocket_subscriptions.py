"""The topics that a WebSocket connection follows. Each is read and sent by a task of its own."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import cast

import anyio
from anyio.abc import TaskGroup

from pincite.conversations import Conversations
from pincite.errors import Busy, PinciteError
from pincite.events import Event
from pincite.server.websocket_messages import (
    DoneMessage,
    EventMessage,
    MessageError,
    ServerMessage,
    describe_failure,
)

_CONVERSATION = "conversation:"
_MOST = 100  # topics of one connection
_LOOK = 10.0  # seconds between checks for what another process has written

SendMessage = Callable[[ServerMessage], Awaitable[None]]


@dataclass(slots=True)
class Subscription:
    """A topic and the number of its last event that was sent."""

    topic: str
    after: int
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    ended: anyio.Event = field(default_factory=anyio.Event)


class Subscriptions:
    """The subscriptions of one connection.

    A subscription waits until the client has taken an event before it reads the next one. A slow client therefore holds
    only its own place, and nothing is queued for it.
    """

    def __init__(self, conversations: Conversations, owner: str, group: TaskGroup, send: SendMessage) -> None:
        self._conversations = conversations
        self._owner = owner
        self._group = group
        self._send = send
        self._open: dict[str, Subscription] = {}
        self._is_leaving = False

    async def check(self, topics: list[str]) -> None:
        """Raise an error if one of the topics cannot be followed, or if they are too many."""
        if len(self._open.keys() | set(topics)) > _MOST:
            raise Busy(f"A connection follows {_MOST} topics at most.", "Unsubscribe from some.", "subscriptions")
        for topic in topics:
            await self._conversations.last(self._owner, parse_topic(topic))

    def has(self, topic: str) -> bool:
        """Return whether a topic is followed."""
        return topic in self._open

    async def start(self, topic: str, after: int) -> None:
        """Follow a topic from a number on. A subscription to the same topic ends first."""
        await self.stop(topic)
        self._open[topic] = subscription = Subscription(topic, after)
        self._group.start_soon(self._follow, subscription)

    async def stop(self, topic: str) -> None:
        """End a subscription. No event of its topic is sent afterwards."""
        while subscription := self._open.get(topic):
            subscription.scope.cancel()
            await subscription.ended.wait()

    def leave(self) -> None:
        """Let each subscription end with the answer that is being written, instead of waiting for the next."""
        self._is_leaving = True

    async def wait_until_ended(self) -> None:
        """Wait until every subscription has ended."""
        for subscription in list(self._open.values()):
            await subscription.ended.wait()

    async def _follow(self, subscription: Subscription) -> None:
        try:
            with subscription.scope:
                await self._send_events(subscription)
        except PinciteError as error:
            await self._send(describe_failure(error, topic=subscription.topic))
        finally:
            del self._open[subscription.topic]
            subscription.ended.set()

    async def _send_events(self, subscription: Subscription) -> None:
        topic, conversation = subscription.topic, parse_topic(subscription.topic)
        is_done = False
        while True:
            news = self._conversations.listen(conversation)
            found = self._conversations.events(self._owner, conversation, subscription.after)
            async with aclosing(cast("AsyncGenerator[Event]", found)) as events:
                async for event in events:
                    await self._send(EventMessage(topic=topic, seq=event.seq, event=event))
                    subscription.after = max(subscription.after, event.seq)
                    is_done = False
            if self._is_leaving:
                return
            if not is_done:
                await self._send(DoneMessage(topic=topic))
                is_done = True
            with anyio.move_on_after(_LOOK):
                await news.wait()
            if self._is_leaving:
                return


def make_topic(conversation: str) -> str:
    """Return the topic of a conversation."""
    return _CONVERSATION + conversation


def parse_topic(topic: str) -> str:
    """Return the conversation of a topic."""
    if not topic.startswith(_CONVERSATION) or topic == _CONVERSATION:
        raise MessageError(f"There is no topic {topic!r}.", f"A topic is `{_CONVERSATION}ID`.", "topic")
    return topic.removeprefix(_CONVERSATION)
