"""The services that all answers share: the library, the search, the embedder and the models.

They are opened once from the settings. A `Context` refers to them, and has the rest that one question needs.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pincite.accounts.spending_record import SpendingRecord
from pincite.answer.budget import Budget
from pincite.answer.context import Context, make_context
from pincite.answer.model_judge import JudgementCache
from pincite.answer.question import AskedQuestion
from pincite.answer.question_check import check_question
from pincite.answer.question_models import choose_models
from pincite.embedding.unit_vectors import UnitEmbedder
from pincite.embedding.vector_cache import CachingEmbedder
from pincite.library import WEB, Library, open_library
from pincite.llm.model_roles import Models
from pincite.search import open_embedder
from pincite.search.search import PassageSearch
from pincite.settings import Settings
from pincite.store import user_settings

if TYPE_CHECKING:
    from pincite.answer.page_reader import PageReader
    from pincite.answer.project_files import ProjectIndexes
    from pincite.embedding import Embedder
    from pincite.web.search_engine import SearchEngine

# Modules that most questions without a language model do not need. A command imports them when it needs them.
_IMPORTED_LATE = (
    "pincite.answer.extractive_run",
    "pincite.answer.framework_run",
    "pincite.answer.tools.framework_tools",
    "pincite.answer.prefetch",
    "pincite.answer.linked_pages",
    "pincite.answer.repair",
    "pincite.answer.split.supervisor",
    "pincite.proof.verdict",
)


class Services:
    """Library, search, embedder and models. They are opened once and shared by all answers."""

    def __init__(
        self, library: Library, search: PassageSearch, embedder: "Embedder | None", models: Models | None = None
    ) -> None:
        self.settings: Settings = library.settings
        self.library = library
        self.search = search
        # Sentences are always compared by cosine, also when the index uses the dot product.
        has_lengths = embedder is not None and self.settings.embedding.similarity == "dot"
        compared = UnitEmbedder(embedder) if embedder and has_lengths else embedder
        self.embedder = CachingEmbedder(compared) if compared else None
        self.models = models or Models(self.settings, database=library.database)
        self.judgements = JudgementCache()

    def open_context(self, asked: AskedQuestion) -> Context:
        """Open the context of a question; raise `Misuse` when it cannot be asked."""
        check_question(asked, self)
        spending = SpendingRecord(self.settings.quota)
        roles, project = choose_models(self.models, asked, spending), None
        if asked.has_project:
            from pincite.answer.project_files import open_project_files  # few questions are about a project

            project = open_project_files(asked, self.library, self.project_indexes)
        is_inside = asked.focus == "documents" or not asked.web
        if is_inside and not asked.scope.is_chosen:
            asked = replace(asked, scope=replace(asked.scope, without=WEB))
        judge = self.models.settings.answers.judge
        return make_context(asked, self, roles, Budget.of(self.settings.models), project, spending, judge)

    @cached_property
    def page_reader(self) -> "PageReader":
        """The reader of web pages. It is made when first needed."""
        from pincite.answer.page_reader import PageReader  # it imports all web modules, which few questions need

        return PageReader(self.library)

    @cached_property
    def project_indexes(self) -> "ProjectIndexes":
        """The indexes of projects' files. They are opened when first needed."""
        from pincite.answer.project_files import ProjectIndexes

        return ProjectIndexes(self.library)

    def find_engine(self, owner: str) -> "SearchEngine | None":
        """Return the web search engine of a user; None when no address is set."""
        with self.library.database.reading() as connection:
            url, _ = user_settings.find_search_url(connection, owner, self.settings.web)
        if not url:
            return None
        from pincite.web.searxng import SearXNG

        return SearXNG(url, self.settings.web.search_seconds)

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors of texts; no rows when there is no embedder."""
        if self.embedder is None:
            return np.empty((0, 0), np.float32)
        return self.embedder.passages(texts)

    def import_late_modules(self) -> None:
        """Import the modules that most questions do not need, before there are threads.

        The agent framework has circular imports: two threads that import it at once get a half-loaded module.
        """
        for name in _IMPORTED_LATE:
            import_module(name)

    def warm(self) -> None:
        """Load the embedding model, if it runs here, so that the next question does not wait for it."""
        load = getattr(self.embedder, "load", None)
        if load:
            load()
        elif self.settings.embedding.provider == "hub":
            self.embed_texts(["warm"])

    def close(self) -> None:
        """Close the page reader, the indexes of projects and the library."""
        if "page_reader" in vars(self):
            self.page_reader.close()
        if "project_indexes" in vars(self):
            self.project_indexes.close()
        self.library.close()


def open_services(settings: Settings, models: Models | None = None) -> Services:
    """Open the services from the settings."""
    library = open_library(settings)
    embedder = open_embedder(settings)
    return Services(library, PassageSearch(library.database, library.index, embedder, settings), embedder, models)
