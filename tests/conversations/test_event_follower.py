"""Every client gets every event of a conversation once and in order, whenever it comes and in whichever process."""

import asyncio
from collections.abc import Callable

import pytest

from pincite import events
from pincite.conversations import Conversations
from tests.conversations.conftest import Slow, ask, heard, text_of
from tests.databases import both_engines

database_address = both_engines  # every test runs on both engines

pytestmark = pytest.mark.anyio
Open = Callable[..., Conversations]


async def test_a_client_that_goes_away_and_comes_back_gets_every_event_exactly_once(opened_with: Open) -> None:
    slow = Slow()
    talk = opened_with(slow)
    running = await talk.ask(ask())
    got: list[events.Event] = []
    for number in range(20):
        slow.may.put_nowait(f"w{number} ")
        # Each time another connection, which is left after one event.
        got += await heard(talk.events("local", running.conversation, len(got)), 1)
    slow.may.put_nowait("")
    got += await heard(talk.events("local", running.conversation, len(got)))
    assert [event.seq for event in got] == list(range(1, 22))
    assert text_of(got) == "".join(f"w{number} " for number in range(20))
    assert await heard(talk.events("local", running.conversation)) == got
    assert await heard(talk.events("local", running.conversation, 21)) == []


async def test_two_processes_see_the_same_stream(opened_with: Open) -> None:
    slow = Slow()
    here, there = opened_with(slow), opened_with()
    running = await here.ask(ask())
    first = asyncio.create_task(heard(here.events("local", running.conversation)))
    second = asyncio.create_task(heard(there.events("local", running.conversation)))
    for word in ("deep ", "and ", "cold", ""):
        await asyncio.sleep(0.05)
        slow.may.put_nowait(word)
    assert await first == await second
    assert text_of(await second) == "deep and cold"


async def test_a_late_client_gets_the_whole_conversation_also_while_it_goes_on(opened_with: Open) -> None:
    slow = Slow()
    talk = opened_with(slow)
    first = await talk.ask(ask())
    for word in ("deep", ""):
        slow.may.put_nowait(word)
    await heard(talk.events("local", first.conversation))
    second = await talk.ask(ask("And how cold?"), first.conversation)
    listener = asyncio.create_task(heard(talk.events("local", first.conversation)))
    for word in ("cold", ""):
        await asyncio.sleep(0.02)
        slow.may.put_nowait(word)
    sent = await listener
    assert [event.seq for event in sent] == [1, 2, 3, 4]
    assert [event.messageId for event in sent] == [first.message, first.message, second.message, second.message]


async def test_twenty_conversations_at_once_never_mix(opened_with: Open) -> None:
    talk = opened_with()

    async def one(number: int) -> None:
        question = " ".join(f"w{number}-{word}" for word in range(50))
        running = await talk.ask(ask(question))
        sent = await heard(talk.events("local", running.conversation))
        assert text_of(sent) == question + " "
        assert [event.seq for event in sent] == list(range(1, len(sent) + 1))
        assert {event.messageId for event in sent} == {running.message}

    await asyncio.gather(*(one(number) for number in range(20)))


async def test_a_hundred_streams_at_once_lose_no_event(opened_with: Open) -> None:
    slow = Slow()
    here, there = opened_with(slow), opened_with()
    running = await here.ask(ask())
    listeners = [
        asyncio.create_task(heard((here if number % 10 else there).events("local", running.conversation, number % 7)))
        for number in range(100)
    ]
    for number in range(40):
        slow.may.put_nowait(f"{number} ")
        await asyncio.sleep(0.001)
    slow.may.put_nowait("")
    whole_stream = await heard(here.events("local", running.conversation))
    for number, listener in enumerate(listeners):
        assert await listener == whole_stream[number % 7 :]
