"""A crowd of questions: each has its first event at once, and so many are worked on at a time."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pincite import events
from pincite.answer.context import Context, make_context
from pincite.conversations import Conversations
from pincite.conversations.admission import Admission
from pincite.llm.providers import EXTRACTIVE
from tests.clock import PATIENCE
from tests.conversations.conftest import FakeServices, ask, heard, whole

pytestmark = pytest.mark.anyio

Open = Callable[..., Conversations]


def quoting_turn(name: str = EXTRACTIVE) -> Context:
    models = cast(Any, SimpleNamespace(chat=SimpleNamespace(name=name)))
    return make_context(ask(), cast(Any, None), models)


class Work:
    """An answer that says when it is being worked on, and goes on when it may."""

    def __init__(self) -> None:
        self.working = 0
        self.most = 0
        self.may = asyncio.Event()

    async def __call__(self, context: Context) -> AsyncIterator[events.Data]:
        asked = context.asked
        yield events.MessageStarted(conversationId="", question=asked.question, model="fake", focus="all")
        if not context.stop.answer.is_set():
            self.working += 1
            self.most = max(self.most, self.working)
            await self.may.wait()
            self.working -= 1
        yield whole("done", asked.question, context.stop.answer.is_set())


@pytest.fixture
def quoting(services: FakeServices, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers are by the model that quotes."""
    given = services.open_context

    def open_context(asked: Any) -> Context:
        return replace(given(asked), models=quoting_turn().models)

    monkeypatch.setattr(services, "open_context", open_context)
    monkeypatch.setattr("os.cpu_count", lambda: 5)


async def test_every_question_has_its_first_event_while_few_are_worked_on(opened_with: Open, quoting: None) -> None:
    work = Work()
    talk = opened_with(work)
    running = await asyncio.gather(*(talk.ask(ask(f"Question {number}?")) for number in range(20)))
    streams = [talk.events("local", each.conversation) for each in running]
    firsts = await asyncio.gather(*(heard(stream, 1) for stream in streams))
    assert [first.type for [first] in firsts] == ["message_started"] * 20
    while work.working < 5:
        await asyncio.sleep(0.01)
    work.may.set()
    rest = await asyncio.gather(*(heard(talk.events("local", each.conversation)) for each in running))
    assert [[event.type for event in one] for one in rest] == [["message_started", "message_completed"]] * 20
    assert work.most == 5


async def test_a_question_that_waits_can_be_stopped(opened_with: Open, quoting: None) -> None:
    work = Work()
    talk = opened_with(work)
    running = [await talk.ask(ask(f"Question {number}?")) for number in range(6)]
    while work.working < 5:
        await asyncio.sleep(0.01)
    assert await talk.stop("local", running[5].conversation)
    *_, last = await heard(talk.events("local", running[5].conversation))
    assert (last.type, last.data["stopped"]) == ("message_completed", True)
    work.may.set()


async def test_a_place_is_free_again_after_its_turn_failed() -> None:
    admission = Admission(quoting=1)
    with pytest.raises(RuntimeError):
        async with admission.admit(quoting_turn()):
            raise RuntimeError
    async with asyncio.timeout(PATIENCE), admission.admit(quoting_turn()):
        pass


async def test_a_turn_that_was_stopped_while_it_waited_takes_no_place() -> None:
    admission = Admission(quoting=1)
    waiting = quoting_turn()
    async with admission.admit(quoting_turn()):
        waiting.stop.stop_answer()
        async with asyncio.timeout(PATIENCE), admission.admit(waiting):
            pass
    async with asyncio.timeout(PATIENCE), admission.admit(quoting_turn()):
        pass


async def test_answers_by_a_model_do_not_wait_for_those_that_quote() -> None:
    admission = Admission(quoting=1)
    async with admission.admit(quoting_turn()), asyncio.timeout(PATIENCE), admission.admit(quoting_turn("openai:any")):
        pass


async def test_no_work_begins_while_a_question_still_waits_for_its_first_event() -> None:
    admission = Admission(held=60)
    admission.arrive("one")
    begun = asyncio.Event()

    async def work() -> None:
        async with admission.admit(quoting_turn()):
            begun.set()

    working = asyncio.create_task(work())
    for _ in range(10):
        await asyncio.sleep(0)
    assert not begun.is_set()
    admission.settle("one")
    await asyncio.wait_for(working, PATIENCE)
    assert begun.is_set()


async def test_questions_that_never_stop_arriving_hold_nobody_back_for_ever() -> None:
    admission = Admission(held=0.01)
    admission.arrive("one")
    async with asyncio.timeout(PATIENCE), admission.admit(quoting_turn()):
        pass
