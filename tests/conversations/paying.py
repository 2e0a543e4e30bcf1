"""Conversations of a team whose people have credits, with answers that cost what a test says."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from pincite import events
from pincite.accounts.audit import Caller
from pincite.accounts.principal import Principal, list_scopes
from pincite.accounts.quota import get_month
from pincite.answer.context import Context, make_context
from pincite.answer.question import AskedQuestion
from pincite.conversations import Conversations
from pincite.library import Library
from pincite.settings import Settings
from pincite.settings_quota import QuotaSettings
from pincite.store import credits
from pincite.store.credits import CREDIT, Balance
from pincite.store.database import Database
from pincite.store.people import Role
from tests.accounts.credit_rows import NOW, read_balances, sum_rows
from tests.conversations.conftest import ask, whole

if TYPE_CHECKING:
    from pincite.answer.services import Services
    from pincite.llm.model_roles import Roles

MODEL = "fake:model"  # a credit for 1000 tokens
_MODELS = cast("Roles", SimpleNamespace(chat=SimpleNamespace(name=MODEL), system=None))


class PaidServices:
    """Services of a team whose answers may spend so many tokens at most."""

    def __init__(self, library: Library, tokens: int = 10_000, mode: str = "team", **quota: Any) -> None:
        given = library.settings
        self.library = library
        self.settings: Settings = given.model_copy(
            update={
                "quota": QuotaSettings(**{"request_tokens": 1000, **quota}),
                "accounts": given.accounts.model_copy(update={"mode": mode}),
                "models": given.models.model_copy(update={"tokens": tokens}),
                "research": given.research.model_copy(update={"subagents": False}),
            }
        )
        self.contexts: list[Context] = []

    def open_context(self, asked: AskedQuestion) -> Context:
        self.contexts.append(make_context(asked, cast("Services", self), _MODELS))
        return self.contexts[-1]


class Spender:
    """Answers cost so many tokens, and end when they may; without a number they cost all that was granted."""

    def __init__(self, tokens: int | None = 5000, waits: bool = False) -> None:
        self.tokens = tokens
        self.may_end = asyncio.Event()
        self.begun = 0
        if not waits:
            self.may_end.set()

    async def __call__(self, context: Context) -> AsyncIterator[events.Data]:
        asked = context.asked
        yield events.MessageStarted(
            conversationId=asked.conversation, question=asked.question, model=MODEL, focus="all"
        )
        limit = context.spending.limit
        wanted = self.tokens if self.tokens is not None else (limit or 0) * 1000 // CREDIT
        opened = context.spending.open_request(MODEL, 0)
        context.spending.close_request(opened, wanted, 0)
        self.begun += 1
        yield events.Text(delta="Deep. ")
        stopping = asyncio.create_task(context.stop.answer.wait())
        ending = asyncio.create_task(self.may_end.wait())
        await asyncio.wait((stopping, ending), return_when=asyncio.FIRST_COMPLETED)
        for task in (stopping, ending):
            task.cancel()
        yield context.usage
        yield whole("Deep.", asked.question, context.stop.answer.is_set(), model=MODEL)


def make_caller(person: str = "ada", role: Role = "member", address: str = "192.0.2.1") -> Caller:
    return Caller(Principal(person, role, list_scopes(role)), address)


async def ask_as(runner: Conversations, person: str = "ada", **given: Any) -> str:
    """A question in a new conversation; its id, when the answer has begun."""
    return (await runner.ask(ask(owner=person), caller=make_caller(person, **given))).conversation


def find_balance(database: Database, account: str = "ada", now: float = NOW) -> Balance:
    """The balance in credits; the rows and the sums agree."""
    with database.reading() as connection:
        assert sum_rows(connection) == read_balances(connection)
        found = credits.get_balance(connection, account, get_month(now))
    return Balance(found.spent // CREDIT, found.reserved // CREDIT)
