"""The services that all answers share: the library, the search, the embedder and the models."""

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
from pincite.answer.model_judge import JudgementCache, ModelJudge
from pincite.answer.question import AskedQuestion
from pincite.embedding.unit_vectors import UnitEmbedder
from pincite.errors import NO_SEARCH_ENGINE, LimitReached, Misuse
from pincite.library import Library, open_library
from pincite.library.web_snapshots import WEB
from pincite.llm.model_roles import ChosenModel, Models, Roles
from pincite.llm.providers import EXTRACTIVE, name_judge
from pincite.search import open_embedder
from pincite.search.search import PassageSearch
from pincite.settings import Settings
from pincite.store import user_settings
from pincite.web.addresses import find_addresses

if TYPE_CHECKING:
    from pydantic_ai.usage import UsageLimits

    from pincite.answer.page_reader import PageReader
    from pincite.answer.project_files import ProjectIndexes
    from pincite.embedding import Embedder
    from pincite.proof.judge import SentenceJudge
    from pincite.web.search_engine import SearchEngine

_LONGEST_QUESTION = 100_000  # characters
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
_JUDGE_RESERVE = 6  # requests to the judge beyond those of the question


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
        self.embedder = UnitEmbedder(embedder) if embedder and has_lengths else embedder
        self.models = models or Models(self.settings, database=library.database)
        self.judgements = JudgementCache()

    def open_context(self, asked: AskedQuestion) -> Context:
        """Open the context of a question; raise `Misuse` when it cannot be asked."""
        if not asked.question.strip():
            raise Misuse("The question is empty.", "Ask something.", "empty_question")
        if len(asked.question) > _LONGEST_QUESTION:
            raise Misuse(
                f"The question has {len(asked.question):,} characters, more than {_LONGEST_QUESTION:,}.",
                "Add long texts as documents, and ask about them.",
                "long_question",
                {"characters": len(asked.question), "most": _LONGEST_QUESTION},
            )
        if asked.focus == "web" and not find_addresses(asked.question) and self.find_engine(asked.scope.owner) is None:
            raise Misuse(
                "There is no search engine, so the web cannot be searched.",
                "Set web.search_url, or give the address of a SearXNG among the settings of the page; "
                "or ask with the focus `documents`.",
                NO_SEARCH_ENGINE,
            )
        roles, project = self._roles(asked), None
        if asked.has_project:
            from pincite.answer.project_files import open_project_files  # few questions are about a project

            project = open_project_files(asked, self.library, self.project_indexes)
        is_inside = asked.focus == "documents" or not asked.web
        if is_inside and not asked.scope.is_chosen:
            asked = replace(asked, scope=replace(asked.scope, without=WEB))
        spending = SpendingRecord(self.settings.quota)
        roles = _meter_roles(roles, spending)
        judge = self.models.settings.answers.judge
        return make_context(asked, self, roles, Budget.of(self.settings.models), project, spending, judge)

    def judge(self, context: Context) -> "SentenceJudge | None":
        """Return the judge of an answer's sentences, counted in its budget; None where no judge is set or needed."""
        chat, system = context.models.chat, context.models.system
        name = name_judge(context.judge, chat.name, system.name if system else "")
        if not name or not context.understood.needs_evidence:
            return None
        chosen = system if system and system.name == name else _meter_model(self.models.choose(name), context.spending)
        return ModelJudge(
            chosen,
            self.judgements,
            context.meter.spend,
            lambda: _limit_judge(context),
            self.settings.answers.judge_seconds,
        )

    def _roles(self, asked: AskedQuestion) -> Roles:
        """Return the models of a question, with or without tools as it asks. The extractive one always has tools."""
        roles = self.models.roles(asked.chat_model, asked.system_model)
        if asked.use_tools is None or roles.chat.name == EXTRACTIVE:
            return roles
        system = roles.system
        if system and not asked.use_tools:
            system = replace(system, tools=False)
        return Roles(replace(roles.chat, tools=asked.use_tools), system)

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


def _meter_roles(roles: Roles, spending: SpendingRecord) -> Roles:
    """Return the models of a question with their requests recorded."""
    chat = _meter_model(roles.chat, spending)
    system = chat if roles.system is roles.chat else roles.system and _meter_model(roles.system, spending)
    return Roles(chat, system)


def _meter_model(chosen: ChosenModel, spending: SpendingRecord) -> ChosenModel:
    if chosen.model is None:
        return chosen
    from pincite.llm.metered_model import MeteredModel  # the agent framework, which a language model has imported

    return replace(chosen, model=MeteredModel(chosen.model, chosen.name, spending))


def _limit_judge(context: Context) -> "UsageLimits":
    """Return the limits of one request to the judge; raise `LimitReached` when budget and reserve are used up."""
    if context.meter.usage.requests >= context.meter.budget.requests + _JUDGE_RESERVE:
        raise LimitReached("The question used up its requests to the judge.", "Raise models.requests.")
    return context.meter.left.at_least(1).limits()


def open_services(settings: Settings, models: Models | None = None) -> Services:
    """Open the services from the settings."""
    library = open_library(settings)
    embedder = open_embedder(settings)
    return Services(library, PassageSearch(library.database, library.index, embedder, settings), embedder, models)
