"""Two servers on one PostgreSQL: what one writes, asks for or leaves undone reaches the other without polling."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, cast

import pytest
from sqlalchemy import text

from pincite import events
from pincite.answer.context import Context
from pincite.conversations import Conversations, notifications, transactions
from pincite.conversations.live import Answerer
from pincite.conversations.stored_events import make_event
from pincite.errors import NotFound
from pincite.store.database import Database
from tests.clock import PATIENCE
from tests.conversations.conftest import DatabaseServices, Slow, ask, echo, heard, text_of

if TYPE_CHECKING:
    from pincite.answer.services import Services

pytestmark = pytest.mark.anyio
OpenServer = Callable[..., "asyncio.Future[Conversations]"]


@pytest.fixture
async def open_server(postgres: Database, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[OpenServer]:
    """Opens servers on one database, each with its own connections. They look by themselves so rarely that no test
    waits for it: what arrives was told by a notice."""
    monkeypatch.setattr(notifications, "_SLOW_LOOK", 10 * PATIENCE)
    async with AsyncExitStack() as stack:

        async def open_one(answer: Answerer = echo, stale: float = 10 * PATIENCE) -> Conversations:
            services = DatabaseServices(Database(postgres.engine.url))
            made = Conversations(cast("Services", services), answer, stale=stale)
            made._watch.beat = 10 * PATIENCE
            await made.start()
            services.notices.start()
            stack.callback(services.database.close)
            stack.callback(services.notices.close)
            stack.push_async_callback(made.close)
            assert await asyncio.to_thread(services.notices.wait_until_connected, PATIENCE)
            return made

        yield cast(OpenServer, open_one)


async def test_a_stream_is_followed_on_another_server(open_server: OpenServer) -> None:
    slow = Slow()
    here, there = await open_server(slow), await open_server()
    running = await here.ask(ask())
    following = asyncio.create_task(heard(there.events("local", running.conversation)))
    for word in ("deep ", "and ", "cold", ""):
        await asyncio.sleep(0.05)
        slow.may.put_nowait(word)
    assert text_of(await following) == "deep and cold"
    assert await heard(here.events("local", running.conversation)) == await following


async def test_news_of_a_conversation_wake_who_waits_on_another_server(open_server: OpenServer) -> None:
    here, there = await open_server(), await open_server()
    first = await here.ask(ask())
    await heard(here.events("local", first.conversation))
    news = there.listen(first.conversation)
    await heard(there.events("local", first.conversation))
    await here.ask(ask("And now?"), first.conversation)
    async with asyncio.timeout(PATIENCE):
        await news.wait()


async def test_a_stop_on_one_server_reaches_the_answer_of_another(open_server: OpenServer) -> None:
    slow = Slow()
    here, there = await open_server(slow), await open_server()
    running = await here.ask(ask())
    slow.may.put_nowait("deep")
    await heard(there.events("local", running.conversation), 1)
    async with asyncio.timeout(PATIENCE):
        assert await there.stop("local", running.conversation)
    assert (await heard(there.events("local", running.conversation)))[-1].data["stopped"]
    assert not await there.stop("local", running.conversation)


async def test_searches_are_ended_on_another_server(open_server: OpenServer) -> None:
    async def search(context: Context) -> AsyncIterator[events.Data]:
        yield events.Text(delta="Searching. ")
        await context.stop.retrieval.wait()
        async for data in echo(context):
            yield data

    here, there = await open_server(search), await open_server()
    running = await here.ask(ask("Found this"))
    await heard(there.events("local", running.conversation), 1)
    assert await there.stop_retrieval("local", running.conversation)
    assert text_of(await heard(there.events("local", running.conversation))).endswith("Found this ")
    assert not await there.stop_retrieval("local", running.conversation)
    with pytest.raises(NotFound):
        await there.stop_retrieval("somebody else", running.conversation)


async def test_an_answer_whose_conversation_is_deleted_on_another_server_costs_nothing_more(
    open_server: OpenServer,
) -> None:
    slow = Slow(deaf=True)
    here, there = await open_server(slow), await open_server()
    running = await here.ask(ask())
    slow.may.put_nowait("deep")
    await heard(there.events("local", running.conversation), 1)
    following = asyncio.create_task(heard(here.events("local", running.conversation, 1)))
    await asyncio.sleep(0)
    await there.delete("local", running.conversation)
    with pytest.raises(NotFound):
        await following
    assert slow.closed


async def test_a_client_gets_the_end_of_an_answer_whose_server_died_on_another_machine(
    open_server: OpenServer, postgres: Database
) -> None:
    there = await open_server(stale=0.6)
    asked = ask("Who goes there?")
    asked = asked.__class__(question=asked.question, scope=asked.scope, conversation="c1", question_id="q1")
    with postgres.writing() as connection:
        transactions.begin_answer(connection, asked, "m1", "77@another-machine.boot.4026531836 0a1b", new=True)
        said = [make_event(1, "m1", events.Text(delta="It was"))]
        transactions.store_events(connection, asked, "m1", "77@another-machine.boot.4026531836 0a1b", said)
    sent = await heard(there.events("local", "c1"))
    assert [event.type for event in sent] == ["text", "error", "message_completed"]
    assert sent[1].data["code"] == "interrupted"
    assert sent[2].data["answer"] == "It was"


async def test_an_answer_nobody_follows_is_closed_too_when_its_server_died(
    open_server: OpenServer, postgres: Database
) -> None:
    there, other = await open_server(stale=0.6), await open_server(stale=0.6)
    asked = ask("Who goes there?")
    asked = asked.__class__(question=asked.question, scope=asked.scope, conversation="c1", question_id="q1")
    with postgres.writing() as connection:
        transactions.begin_answer(connection, asked, "m1", "77@another-machine 0a1b", new=True)
    async with asyncio.timeout(PATIENCE):
        while await there.last("local", "c1") == 0:
            await asyncio.sleep(0.05)
    sent = await heard(other.events("local", "c1"))
    assert [event.type for event in sent] == ["error", "message_completed"]  # once, though two servers looked


async def test_a_stream_goes_on_after_the_connection_of_the_notices_was_lost(
    open_server: OpenServer, postgres: Database
) -> None:
    slow = Slow()
    here, there = await open_server(slow), await open_server()
    running = await here.ask(ask())
    following = asyncio.create_task(heard(there.events("local", running.conversation)))
    slow.may.put_nowait("deep ")
    await asyncio.sleep(0.1)
    with postgres.writing() as connection:
        listening = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
        connection.execute(text(f"{listening} AND datname = current_database() AND pid <> pg_backend_pid()"))
    for word in ("and ", "cold", ""):
        slow.may.put_nowait(word)
    assert text_of(await following) == "deep and cold"
