"""Questions in conversations: asked, answered, stored, stopped and deleted."""

import asyncio
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import pytest
from sqlalchemy import select, update

from pincite.answer.context import Context
from pincite.answer.question import AskedQuestion
from pincite.conversations import Conversations, transactions
from pincite.conversations.transactions import make_title
from pincite.errors import Answering, Busy, DiskFull, Misuse, NotFound
from pincite.store import schema
from pincite.store import usage as used
from pincite.store.database import Database
from pincite.types import Exchange
from tests.clock import PATIENCE
from tests.conversations.conftest import DatabaseServices, FakeServices, Slow, ask, echo, heard, stored, text_of
from tests.databases import both_engines

if TYPE_CHECKING:
    from pincite.answer.services import Services

database_address = both_engines  # every test runs on both engines

pytestmark = pytest.mark.anyio
Open = Callable[..., Conversations]


async def test_a_question_becomes_a_stream_of_numbered_events_that_ends_with_the_answer(opened_with: Open) -> None:
    talk = opened_with()
    running = await talk.ask(ask("One two three"))
    sent = await heard(talk.events("local", running.conversation))
    assert [event.seq for event in sent] == list(range(1, len(sent) + 1))
    assert (sent[0].type, sent[-1].type) == ("message_started", "message_completed")
    assert sent[0].data["conversationId"] == running.conversation
    assert {event.messageId for event in sent} == {running.message}
    assert text_of(sent) == "One two three "


async def test_nobody_has_to_listen_for_an_answer_to_be_written(opened_with: Open, services: FakeServices) -> None:
    talk = opened_with()
    running = await talk.ask(ask("One two three"))
    while await talk.settle("local", running.conversation):
        await asyncio.sleep(0.01)
    question, answer = stored(services, running.conversation)
    assert (question.role, question.content, question.state) == ("user", "One two three", "done")
    assert (answer.role, answer.content, answer.state) == ("assistant", "One two three", "done")
    assert (answer.model, answer.input_tokens, answer.output_tokens) == ("fake", 10, 3)
    assert answer.answer
    assert answer.answer["answer"] == "One two three"


async def test_a_conversation_goes_on_where_it_was_and_numbers_go_on_too(
    opened_with: Open, services: FakeServices
) -> None:
    talk = opened_with()
    first = await talk.ask(ask("Who wrote it?"))
    before = await heard(talk.events("local", first.conversation))
    second = await talk.ask(ask("And when?"), first.conversation)
    after = await heard(talk.events("local", first.conversation, before[-1].seq))
    assert (second.conversation, second.after) == (first.conversation, before[-1].seq)
    assert after[0].seq == before[-1].seq + 1
    assert {event.messageId for event in after} == {second.message}
    assert services.turns[-1].asked.history == (Exchange("Who wrote it?", "Who wrote it?", "Who wrote it?"),)
    assert [message.position for message in stored(services, first.conversation)] == [0, 1, 2, 3]


async def test_a_second_question_waits_for_the_first_to_be_answered(opened_with: Open) -> None:
    slow = Slow()
    here, there = opened_with(slow), opened_with()
    running = await here.ask(ask())
    for talk in (here, there):
        with pytest.raises(Answering, match="still being written"):
            await talk.ask(ask("And how cold?"), running.conversation)
    await here.stop("local", running.conversation)
    await there.ask(ask("And how cold?"), running.conversation)


async def test_an_answer_is_stopped_from_another_process(opened_with: Open, services: FakeServices) -> None:
    slow = Slow()
    here, there = opened_with(slow), opened_with()
    running = await here.ask(ask())
    slow.may.put_nowait("word")
    assert await there.stop("local", running.conversation)
    assert stored(services, running.conversation)[1].state == "stopped"
    assert not await there.stop("local", running.conversation)


async def test_when_the_server_stops_answers_are_stored_as_stopped(opened_with: Open, services: FakeServices) -> None:
    slow = Slow()
    talk = opened_with(slow)
    running = await talk.ask(ask())
    listener = asyncio.create_task(heard(talk.events("local", running.conversation)))
    slow.may.put_nowait("word ")
    await asyncio.sleep(0.05)
    await talk.close()
    assert [event.type for event in await listener] == ["text", "message_completed"]
    assert stored(services, running.conversation)[1].state == "stopped"
    with pytest.raises(Busy, match="about to stop"):
        await talk.ask(ask())


async def test_a_question_that_is_not_stored_when_the_server_stops_is_refused(
    opened_with: Open, services: FakeServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening, closed = threading.Event(), threading.Event()
    open_context = services.open_context

    def wait_and_open(asked: AskedQuestion) -> Context:
        opening.set()
        assert closed.wait(PATIENCE)
        return open_context(asked)

    monkeypatch.setattr(services, "open_context", wait_and_open)
    talk = opened_with(Slow())
    question = asyncio.create_task(talk.ask(ask()))
    await asyncio.to_thread(opening.wait, PATIENCE)
    await talk.close()
    closed.set()
    with pytest.raises(Busy, match="about to stop"):
        await question
    assert talk.running == 0
    assert not stored(services, services.turns[-1].asked.conversation)


async def test_a_question_that_is_being_stored_when_the_server_stops_gets_a_stopped_answer(
    opened_with: Open, services: FakeServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    storing, closing = threading.Event(), threading.Event()
    begin_answer = transactions.begin_answer

    def wait_and_begin(*given: Any) -> int:
        storing.set()
        assert closing.wait(PATIENCE)
        return begin_answer(*given)

    monkeypatch.setattr(transactions, "begin_answer", wait_and_begin)
    talk = opened_with(Slow())
    question = asyncio.create_task(talk.ask(ask()))
    await asyncio.to_thread(storing.wait, PATIENCE)
    end = asyncio.create_task(talk.close())
    await asyncio.sleep(0.05)
    closing.set()
    running = await question
    await end
    assert talk.running == 0
    assert stored(services, running.conversation)[1].state == "stopped"


async def test_a_conversation_deleted_while_it_is_answered_is_gone_altogether(
    opened_with: Open, services: FakeServices
) -> None:
    slow = Slow()
    talk = opened_with(slow)
    running = await talk.ask(ask())
    slow.may.put_nowait("word")
    await heard(talk.events("local", running.conversation), 1)
    await talk.delete("local", running.conversation)
    while not slow.closed:
        await asyncio.sleep(0.01)
    with services.library.database.reading() as connection:
        for table in (schema.conversations, schema.messages, schema.events):
            assert connection.execute(select(table)).all() == []
    with pytest.raises(NotFound):
        await heard(talk.events("local", running.conversation))


async def test_another_owners_conversation_is_not_there(opened_with: Open) -> None:
    slow = Slow()
    talk = opened_with(slow)
    running = await talk.ask(ask())
    with pytest.raises(NotFound):
        await heard(talk.events("eve", running.conversation))
    with pytest.raises(NotFound):
        await talk.stop("eve", running.conversation)
    with pytest.raises(NotFound):
        await talk.delete("eve", running.conversation)
    with pytest.raises(NotFound):
        await talk.ask(ask(owner="eve"), running.conversation)
    assert await talk.settle("local", running.conversation) is not None


@pytest.mark.parametrize("name", ["", "nothing", "' OR 1=1 --", "../../etc/passwd", "\ufffd" * 1000])
async def test_a_conversation_that_never_was_is_not_there(opened_with: Open, name: str) -> None:
    talk = opened_with()
    with pytest.raises(NotFound):
        await talk.ask(ask(), name)
    with pytest.raises(NotFound):
        await heard(talk.events("local", name))


async def test_a_question_that_cannot_be_asked_leaves_nothing_behind(opened_with: Open, services: FakeServices) -> None:
    with pytest.raises(Misuse):
        await opened_with().ask(ask(chat_model="unknown"))
    with services.library.database.reading() as connection:
        assert connection.execute(select(schema.conversations)).all() == []


async def test_about_me_and_the_location_are_stored_nowhere(opened_with: Open, services: FakeServices) -> None:
    talk = opened_with()
    running = await talk.ask(ask(profile="I am a spy", location="Vienna", persona="Be brief."))
    await heard(talk.events("local", running.conversation))
    kept = b"".join(path.read_bytes() for path in services.settings.data.glob("pincite.db*"))
    with services.library.database.reading() as connection:
        for table in schema.metadata.sorted_tables:
            kept += repr(connection.execute(select(table)).all()).encode()
    assert b"Be brief." in kept
    assert b"spy" not in kept
    assert b"Vienna" not in kept


async def test_an_answer_in_no_conversation_is_heard_and_paid_for_but_not_stored(
    opened_with: Open, services: FakeServices
) -> None:
    talk = opened_with()
    sent = await heard(await talk.ask_once(ask("One two")))
    assert [event.seq for event in sent] == list(range(1, len(sent) + 1))
    assert sent[-1].data["answer"] == "One two"
    with services.library.database.reading() as connection:
        assert connection.execute(select(schema.events)).all() == []
        (row,) = used.list_by_day(connection, "local", 0)
    assert (row.model, row.answers, row.input_tokens, row.output_tokens) == ("fake", 1, 10, 2)


async def test_closing_the_stream_stops_an_answer_outside_any_conversation(opened_with: Open) -> None:
    slow = Slow()
    talk = opened_with(slow)
    slow.may.put_nowait("word")
    stream = await talk.ask_once(ask())
    assert (await anext(stream)).type == "text"
    await stream.aclose()  # type: ignore[attr-defined]
    while not slow.closed:
        await asyncio.sleep(0.01)


async def test_an_answer_whose_cost_cannot_be_stored_is_given_all_the_same(
    opened_with: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise DiskFull

    monkeypatch.setattr(transactions, "charge_answer", full)
    *_, last = await heard(await opened_with().ask_once(ask("How deep?")))
    assert (last.type, last.data["answer"]) == ("message_completed", "How deep?")
    assert "The disk is full." in caplog.text


def test_titles_are_one_line_and_cut_between_words() -> None:
    assert make_title("  How\ndeep  is it? ") == "How deep is it?"
    long = make_title("How deep is the lake, and " + "how cold is its water in winter, " * 5)
    assert len(long) <= 80
    assert long.endswith("…")
    assert "How deep is the lake, and how cold is its water in winter".startswith(long[:40])
    assert len(make_title("x" * 500)) == 80


async def test_it_is_the_same_on_postgresql(postgres: Database) -> None:
    slow = Slow()
    services = cast("Services", DatabaseServices(postgres))
    here, there = Conversations(services, slow), Conversations(services, echo, stale=0.5)
    running = await here.ask(ask())
    with pytest.raises(Answering):
        await there.ask(ask(), running.conversation)
    listeners = [asyncio.create_task(heard(each.events("local", running.conversation))) for each in (here, there)]
    for word in ("deep\0 ", "and ", "cold"):
        slow.may.put_nowait(word)
        await asyncio.sleep(0.02)
    assert await there.stop("local", running.conversation)
    first, second = [await listener for listener in listeners]
    assert first == second
    assert (text_of(first), first[-1].data["stopped"]) == ("deep  and cold", True)
    again = await there.ask(ask("And then?"), running.conversation)
    first_event, *_ = await heard(there.events("local", running.conversation, again.after))
    assert first_event.seq == again.after + 1
    await asyncio.gather(*(_answered_there(there, number) for number in range(10)))
    left = await here.ask(ask("And now?"), running.conversation)
    with postgres.writing() as connection:
        connection.execute(update(schema.messages).where(schema.messages.c.state == "running").values(heartbeat=0.0))
    assert [event.type for event in await heard(there.events("local", running.conversation, left.after))] == [
        "error",
        "message_completed",
    ]
    await there.delete("local", running.conversation)
    for each in (here, there):
        await each.close()


async def _answered_there(talk: Conversations, number: int) -> None:
    running = await talk.ask(ask(f"Question {number}"))
    assert text_of(await heard(talk.events("local", running.conversation))) == f"Question {number} "
