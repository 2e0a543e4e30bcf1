"""The actions of `/ws`, each with the same data and result as the HTTP route that does the same."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import anyio.to_thread
from pydantic import BaseModel, Field, ValidationError

from pincite.conversations import Conversations, RunningAnswer
from pincite.server.chat_routes import Stopped, load_question
from pincite.server.dependencies import Body, Id
from pincite.server.project_actions import PROJECT_ACTIONS, run_project_action
from pincite.server.project_bodies import ResultBody
from pincite.server.project_routes import take_result
from pincite.server.question_bodies import Chat
from pincite.server.settings_routes import make_usage_report
from pincite.server.websocket_messages import UnknownAction, explain_invalid

if TYPE_CHECKING:
    from pincite.answer.services import Services

B = TypeVar("B", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class ActionContext:
    """The services that an action may use, and its owner."""

    services: "Services"
    conversations: Conversations
    owner: str


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
    """The days that a report of usage covers."""

    days: Annotated[int, Field(ge=1, le=3660, description="Number of days, up to today.")] = 30


class Begun(BaseModel):
    """The answer that was begun. Its events have numbers above `after`."""

    conversation: str
    message: str
    after: int


async def perform_action(name: str, context: ActionContext, data: Mapping[str, Any]) -> ActionResult:
    """Do what a client asks for. Raise `UnknownAction` for a name that is not in the table."""
    perform = ACTIONS.get(name)
    if perform is None:
        raise UnknownAction(f"There is no action {name!r}.", f"The actions are {', '.join(ACTIONS)}.")
    return await perform(context, data)


async def _ask(context: ActionContext, data: Mapping[str, Any]) -> ActionResult:
    asking = _check(Chat, data)
    asked = await load_question(asking, context.owner, context.services.library.database)
    return make_begun(await context.conversations.ask(asked, asking.conversation_id, asking.replaces))


async def _stop(context: ActionContext, data: Mapping[str, Any]) -> ActionResult:
    conversation = _check(NamedConversation, data).conversation
    return ActionResult(Stopped(stopped=await context.conversations.stop(context.owner, conversation)))


async def _stop_retrieval(context: ActionContext, data: Mapping[str, Any]) -> ActionResult:
    conversation = _check(NamedConversation, data).conversation
    return ActionResult(Stopped(stopped=await context.conversations.stop_retrieval(context.owner, conversation)))


async def _result(context: ActionContext, data: Mapping[str, Any]) -> ActionResult:
    given = _check(GivenResult, data)
    return ActionResult(*await take_result(context.conversations, context.owner, given.conversation, given))


async def _usage(context: ActionContext, data: Mapping[str, Any]) -> ActionResult:
    days = _check(UsagePeriod, data).days
    database = context.services.library.database
    return ActionResult(await anyio.to_thread.run_sync(make_usage_report, database, context.owner, days))


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
    **{name: partial(_run_project, name) for name in PROJECT_ACTIONS},
}
