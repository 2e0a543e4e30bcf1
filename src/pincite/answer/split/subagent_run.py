"""Run subagents in parallel. They share the ledger, the budget and the stop signals of the question."""

import asyncio
import logging
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from pincite import events
from pincite.answer import instructions
from pincite.answer.agent_run import run_tool_agent, write_answer
from pincite.answer.agent_state import AgentState
from pincite.answer.budget import Budget, Meter
from pincite.answer.context import Context
from pincite.answer.extractive.composition import write_markdown
from pincite.answer.model_judge import SentenceJudgement
from pincite.answer.outbox import OutboxItem, WrappedOutbox
from pincite.answer.prefetch import prefetch_evidence
from pincite.answer.prompts import render
from pincite.answer.question import UnderstoodQuestion
from pincite.answer.split.decomposition import Subtask
from pincite.answer.split.split_rules import choose_source
from pincite.answer.stream_items import (
    AnswerPart,
    DraftEnd,
    Note,
    QuotedPassage,
    QuotedSentences,
    RefusalSentence,
    RetractText,
    SentenceBreak,
    SourceLine,
    TextDelta,
)
from pincite.errors import LimitReached, PinciteError
from pincite.events.tool_markup import make_subagent, shorten_value
from pincite.library import WEB
from pincite.llm.model_roles import Roles
from pincite.types import Evidence

log = logging.getLogger(__name__)

_EXCHANGES = 2  # exchanges of the conversation that a subagent sees
_AT_ONCE = 3  # subagents that run at the same time
_LONGEST = 4000  # characters of a summary


@dataclass(slots=True)
class SubtaskResult:
    """The result of a subtask: its text with marks, the evidence it found, and its error."""

    subtask: Subtask
    text: str = ""
    composed: list[AnswerPart] = field(default_factory=list)  # the parts of the text, where no model wrote it
    found: tuple[Evidence, ...] = ()
    error: str = ""
    late: bool = False  # it was stopped because it took too long


async def run_in_parallel(
    context: Context,
    subtasks: Sequence[Subtask],
    budget: Budget,
    seconds: float,
    on_end: Callable[[int, "SubtaskResult"], None] = lambda *_: None,
) -> list[SubtaskResult]:
    """Run subtasks at the same time, and return their results in order. `on_end` is called as each one ends.

    Each subtask gets an equal share of the budget, and one share is left. After `seconds` the remaining ones are
    stopped; the evidence that they found stays.
    """
    assert all(each.subagent.parallel for each in subtasks)
    room = asyncio.Semaphore(_AT_ONCE)
    deadline = asyncio.get_running_loop().time() + seconds
    share = budget.shared(len(subtasks) + 1)
    results = [SubtaskResult(subtask) for subtask in subtasks]

    async def work(number: int, result: SubtaskResult) -> None:
        async with room:
            await _run_subtask(context, result, share, deadline)
        on_end(number, result)

    tasks = [asyncio.create_task(work(number, result)) for number, result in enumerate(results)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return results


class SubagentRun:
    """One run of a subagent: emits its start and its end, and lists it in the ledger with its duration."""

    def __init__(self, context: Context, subtask: Subtask) -> None:
        self._context, self._emit = context, context.outbox.emit
        self._begun = time.monotonic()
        self.id = uuid.uuid4().hex
        name, task = subtask.subagent.name, subtask.task
        self._at = len(context.ledger.executions)
        context.ledger.executions.append(events.Execution(id=self.id, name=name, task=shorten_value(task)))
        content = make_subagent(name, self.id, task)
        self._emit(events.SubagentStarted(content=content, subagentId=self.id, name=name, task=task))

    def emit(self, data: events.Data) -> None:
        """Emit an event of the subagent, under its id."""
        event = {"type": events.find_event_type(data), "data": data.model_dump(mode="json")}
        self._emit(events.SubagentData(subagentId=self.id, event=event))

    def end(self, text: str, found: int = 0, error: str = "") -> None:
        """Emit the end of the run, with its result or its error."""
        seconds = round(time.monotonic() - self._begun, 3)
        executed = self._context.ledger.executions[self._at]
        changed = {"status": "error" if error else "success", "seconds": seconds, "found": found}
        self._context.ledger.executions[self._at] = executed.model_copy(update=changed)
        if error:
            self._emit(events.SubagentError(subagentId=self.id, error=shorten_value(error), seconds=seconds))
        else:
            self._emit(events.SubagentCompleted(subagentId=self.id, summary=text[:_LONGEST], seconds=seconds))


async def _run_subtask(context: Context, result: SubtaskResult, budget: Budget, deadline: float) -> None:
    """Run one subtask from start to end. An error stays in its result."""
    running = SubagentRun(context, result.subtask)
    own = make_child_context(context, result.subtask, budget, partial(_handle_item, context, result, running))
    try:
        async with asyncio.timeout_at(deadline):
            await _run_subagent(own, result.subtask.subagent.name)
    except TimeoutError:
        result.error, result.late = "It took too long.", True
    except PinciteError as error:
        if not isinstance(error, LimitReached) or error.failure != "limit":
            result.error = f"{error.message} {error.hint}".strip()
        elif not own.agent.found:  # its requests are used up; evidence, if there is any, is its result
            result.error = f"It came to no end in its {own.meter.budget.requests} turns: {error.__cause__ or error}"
    except asyncio.CancelledError:
        result.error = "It was stopped."
        raise
    except Exception:
        id = uuid.uuid4().hex[:8]
        log.exception("A subagent failed (%s).", id)
        result.error = f"It failed inside (fault {id})."
    finally:
        result.found = tuple(own.agent.found.values())
        context.meter.spend(own.meter.usage)
        context.agent.used_location |= own.agent.used_location
        running.end(result.text, len(result.found), result.error)


async def _run_subagent(own: Context, name: str) -> None:
    """Run a subagent. Where its model cannot call tools, the searches are made first."""
    if own.models.chat.tools:
        await run_tool_agent(own, instructions.write_task_prompt(own, name))
        return
    await prefetch_evidence(own)
    anonymous = replace(own, asked=replace(own.asked, profile=""))  # subagents must not see About Me
    instructed = instructions.write_answer_prompt(anonymous, own.agent.list_evidence())
    await write_answer(own, f"{instructed}\n\n{render(name)}")


def make_child_context(
    context: Context, subtask: Subtask, budget: Budget, handle: Callable[[OutboxItem], None]
) -> Context:
    """Make the context of a subtask: the ledger of the question, with its own state, tools and budget."""
    subagent, models = subtask.subagent, context.models
    chat = models.system if subagent.uses_system_model and models.system and models.system.tools else models.chat
    scope = context.asked.scope
    if not scope.is_chosen and choose_source(subtask.task) == "documents":
        scope = replace(scope, without=WEB)  # the user's documents are meant, not stored web pages
    asked = replace(context.asked, question=subtask.task, history=context.asked.history[-_EXCHANGES:], scope=scope)
    return replace(
        context,
        asked=asked,
        models=Roles(chat, models.system),
        understood=UnderstoodQuestion(question=subtask.task, engine=context.engine),
        outbox=WrappedOutbox(handle),
        agent=AgentState(shown=context.agent.shown.copy(), prior=list(context.agent.prior)),
        meter=Meter(budget.at_most(subagent.turns)),
        tools=subagent.tools,
    )


def _handle_item(context: Context, result: SubtaskResult, running: SubagentRun, item: OutboxItem) -> None:
    """Add the text of a subagent to its result, and emit its events under its id."""
    match item:
        case TextDelta():
            result.text += item.text
            running.emit(events.Text(delta=item.text))
        case RetractText():
            running.emit(events.Thought(text=result.text, retracted=len(result.text)))
            result.text = ""
        case Note() | QuotedPassage() | SourceLine() | RefusalSentence():
            result.composed.append(item)
            before, result.text = (
                result.text,
                write_markdown([each for each in result.composed if not isinstance(each, Note)]),
            )
            running.emit(events.Text(delta=result.text.removeprefix(before)))
        case SentenceBreak() | DraftEnd() | UnderstoodQuestion() | SentenceJudgement() | QuotedSentences():
            pass  # only a report without a model quotes sentences, and no subagent writes one
        case events.EvidenceFound() | events.Media() | events.Sent():
            context.outbox.emit(item)  # these belong to the whole question
        case _:
            running.emit(item)
