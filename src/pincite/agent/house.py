"""What all turns share, composed at the door: the library, the search, the embedder and the models."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pincite.agent.browsing import Browsing
from pincite.agent.budget import Budget
from pincite.agent.models import Models
from pincite.agent.turn import Asked, Turn
from pincite.errors import Misuse
from pincite.library import Library, open_library
from pincite.library.archive import WEB
from pincite.retrieval import open_embedder
from pincite.retrieval.search import Search
from pincite.settings import Settings
from pincite.store import choices
from pincite.web.addresses import addresses
from pincite.web.canonical import canonical
from pincite.web.searxng import SearXNG

if TYPE_CHECKING:
    from pydantic_ai.models import Model

    from pincite.index.embed import Embedder
    from pincite.web.engine import Engine

_LONGEST_QUESTION = 100_000  # characters


class House:
    """Holds what is opened once; a turn borrows it and changes nothing in it."""

    def __init__(
        self, library: Library, search: Search, embedder: "Embedder | None", models: Models | None = None
    ) -> None:
        self.settings: Settings = library.settings
        self.library = library
        self.search = search
        self.embedder = embedder
        self.models = models or Models(self.settings, self._extractive)

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
        said = (asked.question, *(each.question for each in asked.history))
        return Turn(
            asked=asked,
            house=self,
            models=self.models.roles(asked.chat_model, asked.system_model),
            budget=Budget.of(self.settings.models),
            given=frozenset(canonical(url) for words in said for url in addresses(words)),
        )

    @cached_property
    def browsing(self) -> Browsing:
        """What fetches, reads and keeps pages of the web."""
        return Browsing(self.library)

    def engine(self, owner: str) -> "Engine | None":
        """What searches the web for somebody, if an address of it is set."""
        with self.library.database.reading() as connection:
            url, _ = choices.search_url(connection, owner, self.settings.web)
        return SearXNG(url, self.settings.web.search_seconds) if url else None

    def meaning(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Texts as unit vectors, to compare what they mean; no rows when there is no embedder."""
        if self.embedder is None:
            return np.empty((0, 0), np.float32)
        return self.embedder.passages(texts)

    def close(self) -> None:
        """Let go of everything."""
        if "browsing" in vars(self):
            self.browsing.close()
        self.library.close()

    def _extractive(self) -> "Model":
        from pincite.agent.extractive import Extractive

        return Extractive(self.embedder)


def open_house(settings: Settings, models: Models | None = None) -> House:
    """Everything that questions need, from the settings."""
    library = open_library(settings)
    embedder = open_embedder(settings)
    return House(library, Search(library.database, library.index, embedder, settings), embedder, models)
