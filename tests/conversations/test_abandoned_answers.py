"""An answer whose writer is gone is closed; one whose writer is only silent is not."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from sqlalchemy import update

from pincite.conversations import Conversations
from pincite.store import schema
from tests.conversations.conftest import FakeServices, Slow, ask, heard, stored
from tests.databases import both_engines

database_address = both_engines  # every test runs on both engines

pytestmark = pytest.mark.anyio
Open = Callable[..., Conversations]


async def test_an_answer_whose_process_was_killed_is_closed_when_somebody_looks(
    opened_with: Open, services: FakeServices
) -> None:
    slow = Slow()
    here, there = opened_with(slow), opened_with()
    running = await here.ask(ask())
    slow.may.put_nowait("word ")
    await heard(here.events("local", running.conversation), 1)
    gone = subprocess.run(
        [sys.executable, "-c", "from pincite.store.process_names import get_process_name; print(get_process_name())"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    with services.library.database.writing() as connection:
        connection.execute(update(schema.messages).values(process=f"{gone} 0"))
    first, fault, last = await heard(there.events("local", running.conversation))
    assert (first.type, fault.type, fault.data["code"]) == ("text", "error", "interrupted")
    assert (last.type, last.data["answer"]) == ("message_completed", "word ")
    assert stored(services, running.conversation)[1].state == "failed"
    await there.ask(ask("Again?"), running.conversation)


async def test_a_writer_that_was_taken_for_dead_writes_no_more(
    opened_with: Open, services: FakeServices, caplog: pytest.LogCaptureFixture
) -> None:
    slow = Slow()
    here, there = opened_with(slow), opened_with(stale=0.0)
    running = await here.ask(ask())
    slow.may.put_nowait("word ")
    await heard(here.events("local", running.conversation), 1)
    while await there.settle("local", running.conversation):
        await asyncio.sleep(0.01)
    closed = await heard(there.events("local", running.conversation))
    slow.may.put_nowait("late")
    while not slow.closed:
        await asyncio.sleep(0.01)
    assert await heard(here.events("local", running.conversation)) == closed
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
    assert stored(services, running.conversation)[1].state == "failed"


async def test_a_writer_in_a_long_silence_is_not_taken_for_dead(
    opened_with: Open, monkeypatch: pytest.MonkeyPatch, services: FakeServices
) -> None:
    monkeypatch.setattr("pincite.conversations.live_watch._BEAT", 0.0)
    here, there = opened_with(Slow()), opened_with(stale=5.0)
    running = await here.ask(ask())
    with services.library.database.writing() as connection:
        connection.execute(update(schema.messages).values(heartbeat=time.time() - 4.5))
    await asyncio.sleep(1.0)
    assert await there.settle("local", running.conversation) is not None


async def test_a_server_whose_clock_is_ahead_leaves_live_answers_alone(
    opened_with: Open, services: FakeServices
) -> None:
    slow = Slow()
    here, there = opened_with(slow), opened_with()
    running = await here.ask(ask())
    with services.library.database.writing() as connection:  # signs of life, to a clock that is an hour ahead
        connection.execute(update(schema.messages).values(heartbeat=time.time() - 3600, process="1@another-machine 2"))
    assert await there.settle("local", running.conversation) is not None
    assert stored(services, running.conversation)[1].state == "running"
