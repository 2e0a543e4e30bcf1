"""A turn: one question and everything it owns. Twenty at once share nothing but the house."""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite import events
from pincite.agent.ledger import Ledger
from pincite.types import Exchange, Focus, Scope

if TYPE_CHECKING:
    from pincite.agent.house import House
    from pincite.agent.models import Roles


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What came in through a door: the question and what goes with it.

    `profile` ("About Me") is for the tone of the answer alone: nothing but the writer's prompt may see it.
    """

    question: str
    focus: Focus = "all"
    history: tuple[Exchange, ...] = ()
    scope: Scope = field(default_factory=Scope)
    chat_model: str = ""
    system_model: str = ""
    persona: str = ""
    location: str = ""
    profile: str = field(default="", repr=False)
    conversation: str = ""
    strict: bool | None = None


@dataclass(slots=True, kw_only=True)
class Turn:
    """One question being answered: its evidence, its models, its budget, and the word that stops it."""

    asked: Asked
    house: "House"
    models: "Roles"
    question: str = ""
    ledger: Ledger = field(default_factory=Ledger)
    said: deque[events.Data] = field(default_factory=deque)
    stopped: asyncio.Event = field(default_factory=asyncio.Event)

    def stop(self) -> None:
        """End the turn now, at whatever stage it is; what was said until then is its answer."""
        self.stopped.set()

    def say(self, data: events.Data) -> None:
        """Put an event in the stream, from a tool."""
        self.said.append(data)
