import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, cast

import pytest
from sqlalchemy import select, update

from pincite import events
from pincite.answer.context import Context
from pincite.conversations import Conversations, live, transactions
from pincite.conversations.transactions import make_title
from pincite.errors import Answering, Busy, DiskFull, Misuse, ModelError, NotFound, StorageError
from pincite.store import messages, schema
from pincite.store import usage as used
from pincite.store.database import Database
from pincite.store.messages import StoredMessage
from pincite.types import Exchange
from tests.conversations.conftest import Elsewhere, Inn, Slow, ask, echo, heard, text_of, whole
from tests.databases import both_engines

database_address = both_engines  # every test runs on both engines

if TYPE_CHECKING:
    from pincite.answer.services import Services

pytestmark = pytest.mark.anyio
Open = Callable[..., Conversations]


def stored(inn: Inn, conversation: str) -> list[StoredMessage]:
    with inn.library.database.reading() as connection:
        return messages.find(connection, conversation)


async def test_a_question_becomes_a_stream_of_numbered_events_that_ends_with_the_answer(opened_with: Open) -> None:
    talk = opened_with()
    running = await talk.ask(ask("One two three"))
    sent = await heard(talk.events("local", running.conversation))
    assert [event.seq for event in sent] == list(range(1, len(sent) + 1))
    assert (sent[0].type, sent[-1].type) == ("message_started", "message_completed")
    assert sent[0].data["conversationId"] == running.conversation
    assert {event.messageId for event in sent} == {running.message}
    assert text_of(sent) == "One two three "


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


async def test_nobody_has_to_listen_for_an_answer_to_be_written(opened_with: Open, inn: Inn) -> None:
    talk = opened_with()
    running = await talk.ask(ask("One two three"))
    while await talk.settle("local", running.conversation):
        await asyncio.sleep(0.01)
    question, answer = stored(inn, running.conversation)
    assert (question.role, question.content, question.state) == ("user", "One two three", "done")
    assert (answer.role, answer.content, answer.state) == ("assistant", "One two three", "done")
    assert (answer.model, answer.input_tokens, answer.output_tokens) == ("fake", 10, 3)
    assert answer.answer
    assert answer.answer["answer"] == "One two three"


async def test_an_event_is_stored_before_anybody_sees_it(opened_with: Open, inn: Inn) -> None:
    talk = opened_with()
    running = await talk.ask(ask("One two three"))
    async for event in talk.events("local", running.conversation):
        with inn.library.database.reading() as connection:
            query = select(schema.events.c.type).where(schema.events.c.seq == event.seq)
            assert connection.scalar(query) == event.type


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


async def test_a_conversation_goes_on_where_it_was_and_numbers_go_on_too(opened_with: Open, inn: Inn) -> None:
    talk = opened_with()
    first = await talk.ask(ask("Who wrote it?"))
    before = await heard(talk.events("local", first.conversation))
    second = await talk.ask(ask("And when?"), first.conversation)
    after = await heard(talk.events("local", first.conversation, before[-1].seq))
    assert (second.conversation, second.after) == (first.conversation, before[-1].seq)
    assert after[0].seq == before[-1].seq + 1
    assert {event.messageId for event in after} == {second.message}
    assert inn.turns[-1].asked.history == (Exchange("Who wrote it?", "Who wrote it?", "Who wrote it?"),)
    assert [message.position for message in stored(inn, first.conversation)] == [0, 1, 2, 3]


async def test_who_comes_late_gets_the_whole_conversation_also_while_it_goes_on(opened_with: Open) -> None:
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


async def test_a_second_question_waits_for_the_first_to_be_answered(opened_with: Open) -> None:
    slow = Slow()
    here, there = opened_with(slow), opened_with()
    running = await here.ask(ask())
    for talk in (here, there):
        with pytest.raises(Answering, match="still being written"):
            await talk.ask(ask("And how cold?"), running.conversation)
    await here.stop("local", running.conversation)
    await there.ask(ask("And how cold?"), running.conversation)


@pytest.mark.parametrize("words", [0, 1, 3])
@pytest.mark.parametrize("deaf", [False, True])
async def test_an_answer_is_stopped_at_every_stage(
    opened_with: Open, inn: Inn, words: int, deaf: bool, monkeypatch: pytest.MonkeyPatch
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
    assert stored(inn, running.conversation)[1].state == "stopped"
    assert slow.closed
    assert not await talk.stop("local", running.conversation)


async def test_an_answer_is_stopped_from_another_process(opened_with: Open, inn: Inn) -> None:
    slow = Slow()
    here, there = opened_with(slow), opened_with()
    running = await here.ask(ask())
    slow.may.put_nowait("word")
    assert await there.stop("local", running.conversation)
    assert stored(inn, running.conversation)[1].state == "stopped"
    assert not await there.stop("local", running.conversation)


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


async def test_a_turn_that_fails_says_so_and_keeps_what_it_said(opened_with: Open, inn: Inn) -> None:
    async def fails(context: Context) -> AsyncIterator[events.Data]:
        yield events.Text(delta="The lake is ")
        raise ModelError("The model hung up.", "Try again.")

    talk = opened_with(fails)
    running = await talk.ask(ask())
    *_, fault, last = await heard(talk.events("local", running.conversation))
    assert (fault.type, fault.data["code"], fault.data["message"]) == ("error", "model", "The model hung up.")
    assert (last.type, last.data["answer"]) == ("message_completed", "The lake is ")
    assert stored(inn, running.conversation)[1].state == "failed"


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


async def test_an_answer_whose_process_was_killed_is_closed_when_somebody_looks(opened_with: Open, inn: Inn) -> None:
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
    with inn.library.database.writing() as connection:
        connection.execute(update(schema.messages).values(process=f"{gone} 0"))
    first, fault, last = await heard(there.events("local", running.conversation))
    assert (first.type, fault.type, fault.data["code"]) == ("text", "error", "interrupted")
    assert (last.type, last.data["answer"]) == ("message_completed", "word ")
    assert stored(inn, running.conversation)[1].state == "failed"
    await there.ask(ask("Again?"), running.conversation)


async def test_a_writer_that_was_taken_for_dead_writes_no_more(
    opened_with: Open, inn: Inn, caplog: pytest.LogCaptureFixture
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
    assert stored(inn, running.conversation)[1].state == "failed"


async def test_a_writer_in_a_long_silence_is_not_taken_for_dead(
    opened_with: Open, monkeypatch: pytest.MonkeyPatch, inn: Inn
) -> None:
    monkeypatch.setattr("pincite.conversations.live_watch._BEAT", 0.0)
    here, there = opened_with(Slow()), opened_with(stale=5.0)
    running = await here.ask(ask())
    with inn.library.database.writing() as connection:
        connection.execute(update(schema.messages).values(heartbeat=time.time() - 4.5))
    await asyncio.sleep(1.0)
    assert await there.settle("local", running.conversation) is not None


async def test_when_the_server_stops_answers_are_stored_as_stopped(opened_with: Open, inn: Inn) -> None:
    slow = Slow()
    talk = opened_with(slow)
    running = await talk.ask(ask())
    listener = asyncio.create_task(heard(talk.events("local", running.conversation)))
    slow.may.put_nowait("word ")
    await asyncio.sleep(0.05)
    await talk.close()
    assert [event.type for event in await listener] == ["text", "message_completed"]
    assert stored(inn, running.conversation)[1].state == "stopped"
    with pytest.raises(Busy, match="about to stop"):
        await talk.ask(ask())


async def test_a_conversation_deleted_while_it_is_answered_is_gone_altogether(opened_with: Open, inn: Inn) -> None:
    slow = Slow()
    talk = opened_with(slow)
    running = await talk.ask(ask())
    slow.may.put_nowait("word")
    await heard(talk.events("local", running.conversation), 1)
    await talk.delete("local", running.conversation)
    while not slow.closed:
        await asyncio.sleep(0.01)
    with inn.library.database.reading() as connection:
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


async def test_a_question_that_cannot_be_asked_leaves_nothing_behind(opened_with: Open, inn: Inn) -> None:
    with pytest.raises(Misuse):
        await opened_with().ask(ask(chat_model="unknown"))
    with inn.library.database.reading() as connection:
        assert connection.execute(select(schema.conversations)).all() == []


async def test_who_the_person_is_and_where_they_are_is_stored_nowhere(opened_with: Open, inn: Inn) -> None:
    talk = opened_with()
    running = await talk.ask(ask(profile="I am a spy", location="Vienna", persona="Be brief."))
    await heard(talk.events("local", running.conversation))
    kept = b"".join(path.read_bytes() for path in inn.settings.data.glob("pincite.db*"))
    with inn.library.database.reading() as connection:
        for table in schema.metadata.sorted_tables:
            kept += repr(connection.execute(select(table)).all()).encode()
    assert b"Be brief." in kept
    assert b"spy" not in kept
    assert b"Vienna" not in kept


async def test_an_answer_in_no_conversation_is_heard_and_paid_for_but_not_stored(opened_with: Open, inn: Inn) -> None:
    talk = opened_with()
    sent = await heard(await talk.ask_once(ask("One two")))
    assert [event.seq for event in sent] == list(range(1, len(sent) + 1))
    assert sent[-1].data["answer"] == "One two"
    with inn.library.database.reading() as connection:
        assert connection.execute(select(schema.events)).all() == []
        (row,) = used.list_by_day(connection, "local", 0)
    assert (row.model, row.answers, row.input_tokens, row.output_tokens) == ("fake", 1, 10, 2)


async def test_who_stops_listening_to_an_answer_in_no_conversation_stops_it(opened_with: Open) -> None:
    slow = Slow()
    talk = opened_with(slow)
    slow.may.put_nowait("word")
    stream = await talk.ask_once(ask())
    assert (await anext(stream)).type == "text"
    await stream.aclose()  # type: ignore[attr-defined]
    while not slow.closed:
        await asyncio.sleep(0.01)


async def test_a_disk_that_fails_ends_the_answer_and_nobody_waits_for_ever(
    opened_with: Open, inn: Inn, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
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


async def test_who_listens_when_the_disk_is_full_hears_why_and_gets_what_was_said_and_later_readers_too(
    opened_with: Open, inn: Inn, monkeypatch: pytest.MonkeyPatch
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
    assert stored(inn, running.conversation)[1].state == "running"
    types = [(event.seq, event.type) for event in await heard(talk.events("local", running.conversation))]
    assert types == [(1, "text"), (2, "error"), (3, "message_completed")]
    assert stored(inn, running.conversation)[1].state == "failed"


async def test_an_answer_whose_cost_cannot_be_stored_is_given_all_the_same(
    opened_with: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise DiskFull

    monkeypatch.setattr(transactions, "charge_answer", full)
    *_, last = await heard(await opened_with().ask_once(ask("How deep?")))
    assert (last.type, last.data["answer"]) == ("message_completed", "How deep?")
    assert "The disk is full." in caplog.text


async def test_a_server_whose_clock_is_ahead_leaves_live_answers_alone(opened_with: Open, inn: Inn) -> None:
    slow = Slow()
    here, there = opened_with(slow), opened_with()
    running = await here.ask(ask())
    with inn.library.database.writing() as connection:  # what our signs of life look like to a clock an hour ahead
        connection.execute(update(schema.messages).values(heartbeat=time.time() - 3600, process="1@another-machine 2"))
    assert await there.settle("local", running.conversation) is not None
    assert stored(inn, running.conversation)[1].state == "running"


def test_titles_are_one_line_and_cut_between_words() -> None:
    assert make_title("  How\ndeep  is it? ") == "How deep is it?"
    long = make_title("How deep is the lake, and " + "how cold is its water in winter, " * 5)
    assert len(long) <= 80
    assert long.endswith("…")
    assert "How deep is the lake, and how cold is its water in winter".startswith(long[:40])
    assert len(make_title("x" * 500)) == 80


async def test_it_is_the_same_on_postgresql(postgres: Database) -> None:
    slow = Slow()
    inn = cast("Services", Elsewhere(postgres))
    here, there = Conversations(inn, slow), Conversations(inn, echo, stale=0.5)
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
