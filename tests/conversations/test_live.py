"""One running answer: it is stored as it is written, and ends whatever happens."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable

import pytest
from sqlalchemy import select

from pincite import events
from pincite.answer.context import Context
from pincite.conversations import Conversations, live, transactions
from pincite.errors import DiskFull, ModelError, StorageError
from pincite.store import schema
from tests.conversations.conftest import FakeServices, Slow, ask, heard, stored, whole
from tests.databases import both_engines

database_address = both_engines  # every test runs on both engines

pytestmark = pytest.mark.anyio
Open = Callable[..., Conversations]


async def test_an_event_is_stored_before_anybody_sees_it(opened_with: Open, services: FakeServices) -> None:
    talk = opened_with()
    running = await talk.ask(ask("One two three"))
    async for event in talk.events("local", running.conversation):
        with services.library.database.reading() as connection:
            query = select(schema.events.c.type).where(schema.events.c.seq == event.seq)
            assert connection.scalar(query) == event.type


@pytest.mark.parametrize("words", [0, 1, 3])
@pytest.mark.parametrize("deaf", [False, True])
async def test_an_answer_is_stopped_at_every_stage(
    opened_with: Open, services: FakeServices, words: int, deaf: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "GRACE", 0.05)
    slow = Slow(deaf)
    talk = opened_with(slow)
    running = await talk.ask(ask())
    for _ in range(words):
        slow.may.put_nowait("word ")
        await asyncio.sleep(0.02)
    assert await talk.stop("local", running.conversation)
    *_, last = await heard(talk.events("local", running.conversation))
    assert (last.type, last.data["stopped"], last.data["answer"]) == ("message_completed", True, "word " * words)
    assert stored(services, running.conversation)[1].state == "stopped"
    assert slow.closed
    assert not await talk.stop("local", running.conversation)


async def test_a_turn_that_fails_says_so_and_keeps_what_it_said(opened_with: Open, services: FakeServices) -> None:
    async def fails(context: Context) -> AsyncIterator[events.Data]:
        yield events.Text(delta="The lake is ")
        raise ModelError("The model hung up.", "Try again.")

    talk = opened_with(fails)
    running = await talk.ask(ask())
    *_, fault, last = await heard(talk.events("local", running.conversation))
    assert (fault.type, fault.data["code"], fault.data["message"]) == ("error", "model", "The model hung up.")
    assert (last.type, last.data["answer"]) == ("message_completed", "The lake is ")
    assert stored(services, running.conversation)[1].state == "failed"


async def test_a_fault_of_ours_is_logged_and_not_shown(opened_with: Open, caplog: pytest.LogCaptureFixture) -> None:
    async def breaks(context: Context) -> AsyncIterator[events.Data]:
        yield events.Text(delta="The ")
        raise ZeroDivisionError("secret detail")

    talk = opened_with(breaks)
    running = await talk.ask(ask())
    *_, fault, _ = await heard(talk.events("local", running.conversation))
    assert fault.data["code"] == "fault"
    assert "secret" not in json.dumps(fault.data)
    number = fault.data["hint"].rstrip(".").split()[-1]
    assert any(number in record.getMessage() and record.exc_info for record in caplog.records)


async def test_a_turn_that_forgets_its_answer_gets_one_made_of_what_it_said(opened_with: Open) -> None:
    async def forgets(context: Context) -> AsyncIterator[events.Data]:
        yield events.Question(question="How deep is Loch Ness?", rewritten=True)
        yield events.Text(delta="230 ")
        yield events.Text(delta="metres.")

    talk = opened_with(forgets)
    running = await talk.ask(ask())
    *_, last = await heard(talk.events("local", running.conversation))
    assert (last.data["answer"], last.data["question"]) == ("230 metres.", "How deep is Loch Ness?")


async def test_words_that_were_only_a_thought_are_no_part_of_what_is_saved(opened_with: Open) -> None:
    async def thinks(context: Context) -> AsyncIterator[events.Data]:
        yield events.Text(delta="Let me look.")
        yield events.Thought(text="Let me look.", retracted=12)
        yield events.Text(delta="230 metres.")

    talk = opened_with(thinks)
    running = await talk.ask(ask())
    *_, last = await heard(talk.events("local", running.conversation))
    assert last.data["answer"] == "230 metres."


async def test_nothing_comes_after_the_answer(opened_with: Open) -> None:
    async def babbles(context: Context) -> AsyncIterator[events.Data]:
        yield whole("Deep.")
        yield events.Text(delta="And another thing")

    talk = opened_with(babbles)
    running = await talk.ask(ask())
    assert [event.type for event in await heard(talk.events("local", running.conversation))] == ["message_completed"]


async def test_characters_that_no_database_takes_do_not_end_an_answer(opened_with: Open) -> None:
    async def odd(context: Context) -> AsyncIterator[events.Data]:
        yield events.Text(delta="a\0b\ud800c")
        yield whole("a\0b\ud800c")

    talk = opened_with(odd)
    running = await talk.ask(ask())
    sent = await heard(talk.events("local", running.conversation))
    assert [event.data.get("delta") or event.data["answer"] for event in sent] == ["a b\ufffdc", "a b\ufffdc"]
    assert all(event.model_dump_json() for event in sent)


async def test_a_disk_that_fails_ends_the_answer_and_nobody_waits_for_ever(
    opened_with: Open, services: FakeServices, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise StorageError("The disk is full.", "Free some space.")

    slow = Slow()
    talk = opened_with(slow, stale=0.3)
    running = await talk.ask(ask())
    with monkeypatch.context() as patch:
        patch.setattr(transactions, "store_events", full)
        slow.may.put_nowait("word")
        while not slow.closed:
            await asyncio.sleep(0.01)
    assert [event.type for event in await heard(talk.events("local", running.conversation))] == [
        "error",
        "message_completed",
    ]
    assert "The disk is full." in caplog.text


async def test_a_client_gets_the_reason_and_the_text_when_the_disk_is_full_and_later_readers_too(
    opened_with: Open, services: FakeServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise DiskFull

    slow = Slow()
    talk = opened_with(slow)
    running = await talk.ask(ask())
    listener = asyncio.create_task(heard(talk.events("local", running.conversation)))
    slow.may.put_nowait("word ")
    await heard(talk.events("local", running.conversation), 1)
    with monkeypatch.context() as patch:
        patch.setattr(transactions, "store_events", full)
        slow.may.put_nowait("more")
        first, fault, last = await listener
    assert (first.seq, first.data["delta"]) == (1, "word ")
    # Neither is stored, so neither has a number that a client could go on from.
    assert (fault.seq, fault.type, fault.data["code"]) == (0, "error", "disk_full")
    assert (last.seq, last.type, last.data["answer"]) == (0, "message_completed", "word more")
    assert stored(services, running.conversation)[1].state == "running"
    types = [(event.seq, event.type) for event in await heard(talk.events("local", running.conversation))]
    assert types == [(1, "text"), (2, "error"), (3, "message_completed")]
    assert stored(services, running.conversation)[1].state == "failed"
