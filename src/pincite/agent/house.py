"""What all turns share, composed at the door: the library, the search, the embedder and the models."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pincite.agent.budget import Budget
from pincite.agent.judging import JudgementCache, ModelJudge
from pincite.agent.models import Models, Roles
from pincite.agent.providers import EXTRACTIVE, name_judge
from pincite.agent.turn import Asked, Turn
from pincite.errors import LimitReached, Misuse
from pincite.index.embed.unit import UnitEmbedder
from pincite.library import Library, open_library
from pincite.library.archive import WEB
from pincite.retrieval import open_embedder
from pincite.retrieval.search import Search
from pincite.settings import Settings
from pincite.store import choices
from pincite.web.addresses import addresses

if TYPE_CHECKING:
    from pydantic_ai.usage import UsageLimits

    from pincite.agent.browsing import Browsing
    from pincite.index.embed import Embedder
    from pincite.proof.judge import Judge
    from pincite.web.engine import Engine

_LONGEST_QUESTION = 100_000  # characters
# What a question may need and one that is answered without a model hardly does: a command imports it then.
_IMPORTED_LATE = (
    "pincite.agent.extractive_run",
    "pincite.agent.framework_run",
    "pincite.agent.tools.framework",
    "pincite.agent.lookup",
    "pincite.agent.visiting",
    "pincite.agent.repairing",
    "pincite.agent.subagents.supervising",
    "pincite.proof.verdict",
)
_JUDGE_RESERVE = 6  # requests to the judge beyond those of the question


class House:
    """Holds what is opened once; a turn borrows it and changes nothing in it."""

    def __init__(
        self, library: Library, search: Search, embedder: "Embedder | None", models: Models | None = None
    ) -> None:
        self.settings: Settings = library.settings
        self.library = library
        self.search = search
        # Sentences are compared by cosine, whatever the index compares passages by.
        has_lengths = embedder is not None and self.settings.embedding.similarity == "dot"
        self.embedder = UnitEmbedder(embedder) if embedder and has_lengths else embedder
        self.models = models or Models(self.settings)
        self.judgements = JudgementCache()

    def turn(self, asked: Asked) -> Turn:
        """A turn for a question; `Misuse` when it cannot be asked so."""
        if not asked.question.strip():
            raise Misuse("The question is empty.", "Ask something.")
        if len(asked.question) > _LONGEST_QUESTION:
            raise Misuse(
                f"The question has {len(asked.question):,} characters, more than {_LONGEST_QUESTION:,}.",
                "Add long texts as documents, and ask about them.",
            )
        if asked.focus == "web" and not addresses(asked.question) and self.engine(asked.scope.owner) is None:
            raise Misuse(
                "There is no search engine, so the web cannot be searched.",
                "Set web.search_url, or give the address of a SearXNG among the settings of the page; "
                "or ask with the focus `documents`.",
            )
        is_inside = asked.focus == "documents" or not asked.web
        if is_inside and asked.scope.library is None and asked.scope.documents is None:
            asked = replace(asked, scope=replace(asked.scope, without=WEB))
        return Turn(asked=asked, house=self, models=self._roles(asked), budget=Budget.of(self.settings.models))

    def judge(self, turn: Turn) -> "Judge | None":
        """The judge of a turn's sentences, counted in its budget; None where the settings or the models give none."""
        chat, system = turn.models.chat, turn.models.system
        name = name_judge(self.settings.answers.judge, chat.name, system.name if system else "")
        if not name or not turn.judged:
            return None
        chosen = system if system and system.name == name else self.models.choose(name)
        return ModelJudge(
            chosen,
            self.judgements,
            turn.spend,
            lambda: _limit_judge(turn),
            self.settings.answers.judge_seconds,
        )

    def _roles(self, asked: Asked) -> Roles:
        """The models of a question, with tools or without where it says so; the one that quotes always has them."""
        roles = self.models.roles(asked.chat_model, asked.system_model)
        if asked.use_tools is None or roles.chat.name == EXTRACTIVE:
            return roles
        system = roles.system
        if system and not asked.use_tools:
            system = replace(system, tools=False)
        return Roles(replace(roles.chat, tools=asked.use_tools), system)

    @cached_property
    def browsing(self) -> "Browsing":
        """What fetches, reads and keeps pages of the web."""
        from pincite.agent.browsing import Browsing  # with all that reaches the web, which few questions do

        return Browsing(self.library)

    def engine(self, owner: str) -> "Engine | None":
        """What searches the web for somebody, if an address of it is set."""
        with self.library.database.reading() as connection:
            url, _ = choices.search_url(connection, owner, self.settings.web)
        if not url:
            return None
        from pincite.web.searxng import SearXNG

        return SearXNG(url, self.settings.web.search_seconds)

    def meaning(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Texts as unit vectors, to compare what they mean; no rows when there is no embedder."""
        if self.embedder is None:
            return np.empty((0, 0), np.float32)
        return self.embedder.passages(texts)

    def import_late_modules(self) -> None:
        """Import what a question without a model does not need, before there are threads.

        The agent framework imports itself in circles: two threads that begin with it at once meet half of a module.
        """
        for name in _IMPORTED_LATE:
            import_module(name)

    def warm(self) -> None:
        """Load what the next question would wait for: the model that embeds, if it runs here."""
        load = getattr(self.embedder, "load", None)
        if load:
            load()
        elif self.settings.embedding.provider == "hub":
            self.meaning(["warm"])

    def close(self) -> None:
        """Let go of everything."""
        if "browsing" in vars(self):
            self.browsing.close()
        self.library.close()


def _limit_judge(turn: Turn) -> "UsageLimits":
    """The limits of one request to the judge; `LimitReached` when the question and the judge's reserve are used up."""
    if turn.usage.requests >= turn.budget.requests + _JUDGE_RESERVE:
        raise LimitReached("The question used up its requests to the judge.", "Raise models.requests.")
    return turn.left.at_least(1).limits()


def open_house(settings: Settings, models: Models | None = None) -> House:
    """Everything that questions need, from the settings."""
    library = open_library(settings)
    embedder = open_embedder(settings)
    return House(library, Search(library.database, library.index, embedder, settings), embedder, models)
