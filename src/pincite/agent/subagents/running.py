"""Subagents at work, side by side: each in a turn of its own, with one ledger, one budget, one word that stops all."""

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace

from pincite import events
from pincite.agent import instructions
from pincite.agent.budget import Budget
from pincite.agent.extractive.composing import write as write_composed
from pincite.agent.hearing import Composed, Folded, Heard, Listed, Noted, Paused, Quoted, Refused, Spoken
from pincite.agent.lookup import look_up
from pincite.agent.models import Roles
from pincite.agent.prompts import render
from pincite.agent.speaking import pursue, write
from pincite.agent.subagents.decomposition import Subtask
from pincite.agent.subagents.rules import place
from pincite.agent.turn import Turn
from pincite.errors import LimitReached, PinciteError
from pincite.events.markup import shortened, subagent
from pincite.library.archive import WEB
from pincite.types import Evidence

log = logging.getLogger(__name__)

_EXCHANGES = 2  # of the conversation: with the task itself, its last five messages
_AT_ONCE = 3
_LONGEST = 4000  # characters of a summary

Put = Callable[[Heard], None]


@dataclass(slots=True)
class Outcome:
    """What came of a subtask: what was said, with its marks, what was found, and what went wrong."""

    subtask: Subtask
    said: str = ""
    composed: list[Composed] = field(default_factory=list)  # the same, where it was made without a model
    found: tuple[Evidence, ...] = ()
    error: str = ""
    late: bool = False  # it was ended for the time it took


async def parallel(
    turn: Turn, subtasks: Sequence[Subtask], outcomes: list[Outcome], budget: Budget, seconds: float
) -> AsyncIterator[Heard]:
    """What is heard of subtasks that are worked on at the same time; `outcomes` has theirs, in their order, at the end.

    Each has an equal share of the budget, and one share is left. After so many seconds what still runs is ended;
    what it found stays. Whoever stops listening ends all of it.
    """
    assert all(each.subagent.parallel for each in subtasks)
    queue: asyncio.Queue[Heard | None] = asyncio.Queue()
    room = asyncio.Semaphore(_AT_ONCE)
    deadline = asyncio.get_running_loop().time() + seconds
    share = budget.shared(len(subtasks) + 1)
    outcomes[:] = [Outcome(subtask) for subtask in subtasks]

    async def work(outcome: Outcome) -> None:
        async with room:
            await _work(turn, outcome, share, deadline, queue.put_nowait)

    tasks = [asyncio.create_task(work(outcome)) for outcome in outcomes]
    ended = asyncio.gather(*tasks)
    ended.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while (heard := await queue.get()) is not None:
            yield heard
        await ended
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(ended, *tasks, return_exceptions=True)


class Running:
    """One subagent's execution: told when it begins and when it is over, and kept in the turn with its time."""

    def __init__(self, turn: Turn, subtask: Subtask, put: Put) -> None:
        self._turn, self._put = turn, put
        self._begun = time.monotonic()
        self.id = uuid.uuid4().hex
        name, task = subtask.subagent.name, subtask.task
        self._at = len(turn.executions)
        turn.executions.append(events.Execution(id=self.id, name=name, task=shortened(task)))
        content = subagent(name, self.id, task)
        put(events.SubagentStarted(content=content, subagentId=self.id, name=name, task=task))

    def say(self, data: events.Data) -> None:
        """One event of its own, under its name."""
        event = {"type": events.type_of(data), "data": data.model_dump(mode="json")}
        self._put(events.SubagentData(subagentId=self.id, event=event))

    def end(self, said: str, found: int = 0, error: str = "") -> None:
        """It is over, well or not."""
        seconds = round(time.monotonic() - self._begun, 3)
        executed = self._turn.executions[self._at]
        changed = {"status": "error" if error else "success", "seconds": seconds, "found": found}
        self._turn.executions[self._at] = executed.model_copy(update=changed)
        if error:
            self._put(events.SubagentError(subagentId=self.id, error=shortened(error), seconds=seconds))
        else:
            self._put(events.SubagentCompleted(subagentId=self.id, summary=said[:_LONGEST], seconds=seconds))


async def _work(turn: Turn, outcome: Outcome, budget: Budget, deadline: float, put: Put) -> None:
    """One subtask, from its beginning to its end; whatever goes wrong in it is its own."""
    running = Running(turn, outcome.subtask, put)
    own = own_turn(turn, outcome.subtask, budget)
    try:
        async with asyncio.timeout_at(deadline):
            async for heard in _pursued(own, outcome.subtask.subagent.name):
                _hear(heard, outcome, running, put)
    except TimeoutError:
        outcome.error, outcome.late = "It took too long.", True
    except PinciteError as error:
        if not isinstance(error, LimitReached) or error.failure != "limit":
            outcome.error = f"{error.message} {error.hint}".strip()
        elif not own.found:  # its turns are over: what it found until then is what it found
            outcome.error = f"It came to no end in its {own.budget.requests} turns: {error.__cause__ or error}"
    except asyncio.CancelledError:
        outcome.error = "It was stopped."
        raise
    except Exception:
        id = uuid.uuid4().hex[:8]
        log.exception("A subagent failed (%s).", id)
        outcome.error = f"It failed inside (fault {id})."
    finally:
        while own.said:  # what left is told also of a subtask that was ended
            _hear(own.said.popleft(), outcome, running, put)
        outcome.found = tuple(own.found.values())
        turn.spend(own.usage)
        turn.used_location |= own.used_location
        running.end(outcome.said, len(outcome.found), outcome.error)


async def _pursued(own: Turn, name: str) -> AsyncIterator[Heard]:
    """What a subagent says; for one whose model cannot call tools, what it would have looked up is there before."""
    if own.models.chat.tools:
        way = pursue(own, instructions.task(own, name))
    else:
        async for heard in look_up(own):
            yield heard
        unknown = replace(own, asked=replace(own.asked, profile=""))  # who asks is not for subagents
        named = {each.number: each for prior in own.prior for each in prior.found if isinstance(each, Evidence)}
        told = instructions.writing(unknown, list((named | own.found).values()))
        way = write(own, f"{told}\n\n{render(name)}")
    async for heard in way:
        yield heard


def own_turn(turn: Turn, subtask: Subtask, budget: Budget) -> Turn:
    """A turn for a subtask: with the question's ledger and gallery, and no more tools and requests than are its own."""
    who, models = subtask.subagent, turn.models
    helper = models.system if who.uses_system_model and models.system and models.system.tools else models.chat
    scope = turn.asked.scope
    if scope.library is None and scope.documents is None and place(subtask.task) == "documents":
        scope = replace(scope, without=WEB)  # what my lease says stands in no page, also when no engine finds others
    asked = replace(turn.asked, question=subtask.task, history=turn.asked.history[-_EXCHANGES:], scope=scope)
    return Turn(
        asked=asked,
        house=turn.house,
        models=Roles(helper, models.system),
        question=subtask.task,
        ledger=turn.ledger,
        shown=turn.shown.copy(),
        calculations=turn.calculations,
        searched=turn.searched,
        problems=turn.problems,
        media=turn.media,
        stopped=turn.stopped,
        retrieval=turn.retrieval,
        engine=turn.engine,
        outbound=turn.outbound,
        tools=who.tools,
        prior=list(turn.prior),
        budget=budget.at_most(who.turns),
    )


def _hear(heard: Heard, outcome: Outcome, running: Running, put: Put) -> None:
    match heard:
        case Spoken():
            outcome.said += heard.text
            running.say(events.Text(delta=heard.text))
        case Folded():
            running.say(events.Thought(text=outcome.said, retracted=len(outcome.said)))
            outcome.said = ""
        case Noted() | Quoted() | Listed() | Refused():
            outcome.composed.append(heard)
            before, outcome.said = (
                outcome.said,
                write_composed([each for each in outcome.composed if not isinstance(each, Noted)]),
            )
            running.say(events.Text(delta=outcome.said.removeprefix(before)))
        case Paused():
            pass
        case events.Evidence() | events.Media() | events.Sent():
            put(heard)  # of the whole turn
        case _:
            running.say(heard)
