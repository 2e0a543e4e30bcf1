"""The actions of `/ws`, each with the same data and result as the HTTP route that does the same."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import anyio.to_thread
from pydantic import BaseModel, Field, ValidationError

from pincite.accounts.audit import Caller
from pincite.accounts.principal import AccessScope
from pincite.conversations import Conversations
from pincite.conversations.answer_start import RunningAnswer
from pincite.server.chat_routes import Stopped, load_question
from pincite.server.dependencies import Body, Id
from pincite.server.project_actions import PROJECT_ACTIONS, run_project_action
from pincite.server.project_bodies import ResultBody
from pincite.server.project_routes import take_result
from pincite.server.question_bodies import Chat
from pincite.server.referral_routes import ReferralCode, redeem_referral
from pincite.server.request_rates import RequestRates
from pincite.server.settings_routes import UsageReport, make_usage_report
from pincite.server.websocket_messages import UnknownAction, explain_invalid

if TYPE_CHECKING:
    from pincite.answer.services import Services

B = TypeVar("B", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class ActionContext:
    """The services that an action may use, and its caller."""

    services: "Services"
    conversations: Conversations
    caller: Caller
    rate_limits: RequestRates | None = None

    async def take_question(self) -> None:
        """Count a question; raise `RateLimited` if the person asked too many."""
        if self.rate_limits:
            await self.rate_limits.take("questions", self.owner, self.caller.address)

    @property
    def owner(self) -> str:
        """The id of the person who acts."""
        return self.caller.principal.user


@dataclass(frozen=True, slots=True)
class ActionResult:
    """The data of the reply, and the answer that the client follows from now on."""

    data: Any
    begun: RunningAnswer | None = None


Perform = Callable[[ActionContext, Mapping[str, Any]], Awaitable[ActionResult]]


class NamedConversation(Body):
    """The conversation that an action is about."""

    conversation: Annotated[Id, Field(max_length=300)]


class GivenResult(ResultBody, NamedConversation):
    """The result of a call of an answer in a conversation, as a client reports it."""


class UsagePeriod(Body):
    """The days that a report of usage covers, and whether it is shown to the person without being asked."""

    days: Annotated[int, Field(ge=1, le=3660, description="Number of days, up to today.")] = 30
    show_user: Annotated[bool, Field(alias="showUser", description="Returned as `quota.showUser`.")] = False


class Begun(BaseModel):
    """The answer that was begun. Its events have numbers above `after`."""

    conversation: str
    message: str
    after: int


async def perform_action(name: str, context: ActionContext, data: Mapping[str, Any]) -> ActionResult:
    """Do what a client asks for, if it has the scope that the action needs.

    Raise `UnknownAction` for a name that is not in the table.
    """
    perform = ACTIONS.get(name)
    if perform is None:
        raise UnknownAction(f"There is no action {name!r}.", f"The actions are {', '.join(ACTIONS)}.")
    context.caller.principal.check_scope(ACTION_SCOPES.get(name, "admin"))
    return await perform(context, data)


async def _ask(context: ActionContext, data: Mapping[str, Any]) -> ActionResult:
    asking = _check(Chat, data)
    asked = await load_question(asking, context.caller.principal, context.services.library)
    await context.take_question()
    return make_begun(await context.conversations.ask(asked, asking.conversation_id, asking.replaces, context.caller))


async def _stop(context: ActionContext, data: Mapping[str, Any]) -> ActionResult:
    conversation = _check(NamedConversation, data).conversation
    return ActionResult(Stopped(stopped=await context.conversations.stop(context.owner, conversation)))


async def _stop_retrieval(context: ActionContext, data: Mapping[str, Any]) -> ActionResult:
    conversation = _check(NamedConversation, data).conversation
    return ActionResult(Stopped(stopped=await context.conversations.stop_retrieval(context.owner, conversation)))


async def _result(context: ActionContext, data: Mapping[str, Any]) -> ActionResult:
    given = _check(GivenResult, data)
    if given.status == "continue":
        await context.take_question()
    return ActionResult(*await take_result(context.conversations, context.caller, given.conversation, given))


async def _usage(context: ActionContext, data: Mapping[str, Any]) -> ActionResult:
    given, services = _check(UsagePeriod, data), context.services

    def report() -> UsageReport:
        database = services.library.database
        return make_usage_report(database, services.settings, context.caller, given.days, given.show_user)

    return ActionResult(await anyio.to_thread.run_sync(report))


async def _redeem(context: ActionContext, data: Mapping[str, Any]) -> ActionResult:
    given, services = _check(ReferralCode, data), context.services
    redeem = partial(redeem_referral, services.library.database, services.settings.quota, context.caller, given.code)
    return ActionResult(await anyio.to_thread.run_sync(redeem))


async def _run_project(name: str, context: ActionContext, data: Mapping[str, Any]) -> ActionResult:
    return ActionResult(await run_project_action(name, context.services, context.owner, data))


def make_begun(running: RunningAnswer) -> ActionResult:
    """Return the result of an action that began an answer."""
    return ActionResult(Begun(conversation=running.conversation, message=running.message, after=running.after), running)


def _check(model: type[B], data: Mapping[str, Any]) -> B:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise explain_invalid(error, "data") from None


ACTIONS: dict[str, Perform] = {
    "ask": _ask,
    "stop": _stop,
    "stop_retrieval": _stop_retrieval,
    "result": _result,
    "usage": _usage,
    "redeem": _redeem,
    **{name: partial(_run_project, name) for name in PROJECT_ACTIONS},
}

# The scope that the caller of an action needs. One without an entry needs `admin`, as those about projects: folders of
# the server's machine.
ACTION_SCOPES: dict[str, AccessScope] = {
    "ask": "ask",
    "stop": "ask",
    "stop_retrieval": "ask",
    "result": "ask",
    "usage": "read",
    "redeem": "ask",
}
