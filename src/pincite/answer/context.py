"""The context of one answer: everything that its stages share.

Answers that run at the same time share only the services.
"""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pincite import events
from pincite.accounts.credit_prices import WEB as WEB_REQUESTS
from pincite.accounts.spending_record import SpendingRecord
from pincite.answer.agent_state import AgentState
from pincite.answer.budget import Budget, Meter
from pincite.answer.edit_collector import EditCollector
from pincite.answer.ledger import Ledger
from pincite.answer.outbox import Outbox
from pincite.answer.question import AskedQuestion, UnderstoodQuestion
from pincite.answer.sent_requests import Outbound, open_outbound
from pincite.answer.stop import StopSignals
from pincite.library import WEB
from pincite.llm.providers import EXTRACTIVE
from pincite.types import Scope

if TYPE_CHECKING:
    from pincite.answer.project_files import ProjectFiles
    from pincite.answer.services import Services
    from pincite.llm.model_roles import Roles
    from pincite.web.search_engine import SearchEngine


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The question, the models and services that answer it, and the places where stages put their results.

    The context is frozen. A later stage gets a copy with the understood question. A subagent gets a copy with its own
    outbox, state and budget. The ledger, the stop signals and the records of sent and paid requests belong to the whole
    question.
    """

    asked: AskedQuestion
    services: "Services"
    models: "Roles"
    understood: UnderstoodQuestion
    judge: str = "model"  # the setting `answers.judge`, or the judge that was chosen on the page
    outbound: Outbound
    outbox: Outbox = field(default_factory=Outbox, repr=False)
    ledger: Ledger = field(default_factory=Ledger, repr=False)
    agent: AgentState = field(default_factory=AgentState, repr=False)
    meter: Meter = field(default_factory=Meter)
    spending: SpendingRecord = field(default_factory=SpendingRecord, repr=False)
    stop: StopSignals = field(default_factory=StopSignals)
    tools: frozenset[str] | None = None  # the tools that may be called; None means the tools of the focus
    project: "ProjectFiles | None" = field(default=None, repr=False)  # the files that the question is about
    edits: EditCollector = field(default_factory=EditCollector, repr=False)  # of the project's files

    @property
    def question(self) -> str:
        """The question as the first stage understood it."""
        return self.understood.question

    @property
    def engine(self) -> "SearchEngine | None":
        """The web search engine; None when none is set or the focus does not allow the web."""
        return self.understood.engine

    @property
    def has_language_model(self) -> bool:
        """Whether a language model writes the answer; without one, passages are quoted."""
        return self.models.chat.name != EXTRACTIVE

    @property
    def search_scope(self) -> Scope:
        """The documents to search. Stored web pages are left out when the web itself is searched."""
        scope = self.asked.scope
        return replace(scope, without=WEB) if self.engine and not scope.is_chosen else scope

    @property
    def usage(self) -> events.Usage:
        """The cost so far, summed up and by model."""
        spent = {each.model: each for each in self.spending.list_spendings()}
        web = spent.pop(WEB_REQUESTS, None)
        models = [
            events.ModelUsage(
                model=each.model,
                input_tokens=each.input_tokens,
                output_tokens=each.output_tokens,
                requests=each.requests,
            )
            for each in spent.values()
        ]
        return self.meter.usage.model_copy(update={"models": models, "web_requests": web.requests if web else 0})

    def with_understood(self, understood: UnderstoodQuestion) -> "Context":
        """Return the context for the stages after understanding."""
        return replace(self, understood=understood)

    def list_allowed_words(self) -> list[str]:
        """List the texts whose words a tool call may send out: the messages, the location and the evidence.

        Earlier answers and a model's rewrite are left out, because an answer in the user's tone may contain personal
        details.
        """
        found = [text for evidence in self.ledger.listed for text in (evidence.title, evidence.text)]
        return [*self.outbound.messages, self.asked.location, *found]


def make_context(
    asked: AskedQuestion,
    services: "Services",
    models: "Roles",
    budget: Budget | None = None,
    project: "ProjectFiles | None" = None,
    spending: SpendingRecord | None = None,
    judge: str = "",
) -> Context:
    """Make the context of a question before it is understood."""
    return Context(
        asked=asked,
        services=services,
        models=models,
        understood=UnderstoodQuestion(question=asked.question.strip()),
        outbound=open_outbound(asked),
        meter=Meter(budget or Budget()),
        spending=spending or SpendingRecord(services.settings.quota if services else None),
        project=project,
        judge=judge or (services.settings.answers.judge if services else "model"),
    )
