"""Credits of answers: reserved with the question, booked with the end, and given back whatever happens."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, cast

import pytest

from pincite import events
from pincite.accounts.quota import forget_account
from pincite.answer.context import Context
from pincite.conversations import Conversations, transactions
from pincite.errors import DiskFull, QuotaReached
from pincite.library import Library
from pincite.store import conversations as stored
from pincite.store import credits
from pincite.store.credits import Balance
from tests.accounts.credit_rows import NOW
from tests.clock import PATIENCE
from tests.conversations.conftest import ask, heard
from tests.conversations.paying import PaidServices, Spender, ask_as, find_balance, make_caller
from tests.databases import both_engines

database_address = both_engines  # every test runs on both engines

if TYPE_CHECKING:
    from pincite.answer.services import Services

pytestmark = pytest.mark.anyio
Open = Callable[..., Conversations]


@pytest.fixture
async def talking(library: Library) -> AsyncIterator[Open]:
    made: list[Conversations] = []

    def open_runner(answer: Any, **given: Any) -> Conversations:
        services = cast("Services", PaidServices(library, **given))
        made.append(Conversations(services, answer, clock=lambda: NOW))
        return made[-1]

    yield open_runner
    for each in made:
        await each.close()


async def _wait(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.01)


async def _end(runner: Conversations, conversation: str, person: str = "ada") -> list[events.Event]:
    return await heard(runner.events(person, conversation))


async def test_an_answer_reserves_before_and_books_after(library: Library, talking: Open) -> None:
    spender = Spender(waits=True)
    runner = talking(spender, person_credits=100)
    conversation = await ask_as(runner)
    assert find_balance(library.database) == Balance(0, 11)  # 10000 tokens, and one request more
    spender.may_end.set()
    await _end(runner, conversation)
    assert find_balance(library.database) == Balance(5, 0)


async def test_a_question_beyond_the_limit_stores_nothing(library: Library, talking: Open) -> None:
    runner = talking(Spender(5000), person_credits=6)
    await _end(runner, await ask_as(runner))
    with pytest.raises(QuotaReached) as refused:
        await ask_as(runner)
    assert refused.value.params["used"] == 5
    with library.database.reading() as connection:
        assert len(stored.find(connection, "ada", 10)) == 1
    assert find_balance(library.database) == Balance(5, 0)


async def test_a_refused_question_replaces_nothing(library: Library, talking: Open) -> None:
    runner = talking(Spender(5000), person_credits=6)
    conversation = await ask_as(runner)
    before = await _end(runner, conversation)
    with pytest.raises(QuotaReached):
        await runner.ask(ask(owner="ada"), conversation, before[0].messageId, make_caller())
    assert await _end(runner, conversation) == before


async def test_an_answer_gets_no_more_than_is_left(library: Library, talking: Open) -> None:
    runner = talking(Spender(None), person_credits=8)
    await _end(runner, await ask_as(runner))
    assert find_balance(library.database) == Balance(8, 0)


async def test_an_answer_that_costs_nothing_gives_everything_back(library: Library, talking: Open) -> None:
    runner = talking(Spender(0), person_credits=100)
    await _end(runner, await ask_as(runner))
    assert find_balance(library.database) == Balance(0, 0)


@pytest.mark.parametrize("ending", ["stopped", "failed", "removed", "closed"])
async def test_an_answer_that_does_not_complete_is_booked(library: Library, talking: Open, ending: str) -> None:
    async def fail(context: Context) -> AsyncIterator[events.Data]:
        async for data in Spender()(context):
            if isinstance(data, events.Usage):
                raise RuntimeError
            yield data

    spender = Spender(waits=True)
    runner = talking(fail if ending == "failed" else spender, person_credits=100)
    conversation = await ask_as(runner)
    if ending != "failed":
        await _wait(lambda: spender.begun)
    match ending:
        case "stopped":
            assert await runner.stop("ada", conversation)
        case "removed":
            await runner.delete("ada", conversation)
        case "closed":
            await runner.close()
    await _wait(lambda: find_balance(library.database) == Balance(5, 0))


async def test_the_account_may_be_removed_while_the_answer_is_written(library: Library, talking: Open) -> None:
    """The person, their conversations and their credits: the cost still counts for the server."""
    spender = Spender(waits=True)
    runner = talking(spender, person_credits=100, server_credits=1000)
    conversation = await ask_as(runner)
    await _wait(lambda: spender.begun)
    with library.database.writing() as connection:
        forget_account(connection, "ada")
        stored.remove(connection, "ada", conversation)
    spender.may_end.set()
    await _wait(lambda: find_balance(library.database, "") == Balance(5, 0))
    assert find_balance(library.database) == Balance(0, 0)


async def test_the_account_alone_may_be_removed_too(library: Library, talking: Open) -> None:
    spender = Spender(waits=True)
    runner = talking(spender, person_credits=6)
    conversation = await ask_as(runner)
    with library.database.writing() as connection:
        forget_account(connection, "ada")
    spender.may_end.set()
    said = await _end(runner, conversation)
    assert said[-1].type == "message_completed"
    assert find_balance(library.database, "") == Balance(5, 0)


async def test_an_answer_outside_any_conversation_is_paid_alike(library: Library, talking: Open) -> None:
    spender = Spender(waits=True)
    runner = talking(spender, person_credits=6)
    stream = await runner.ask_once(ask(owner="ada"), make_caller())
    assert find_balance(library.database) == Balance(0, 6)
    spender.may_end.set()
    said = await heard(stream)
    assert [event.type for event in said][-2:] == ["quota_warning", "message_completed"]
    assert find_balance(library.database) == Balance(5, 0)
    with pytest.raises(QuotaReached):
        await runner.ask_once(ask(owner="ada"), make_caller())


async def test_a_client_that_leaves_before_the_first_event_leaves_no_reservation(
    library: Library, talking: Open
) -> None:
    spender = Spender(0, waits=True)
    runner = talking(spender, person_credits=100)
    asking = asyncio.create_task(runner.ask_once(ask(owner="ada"), make_caller()))
    async with asyncio.timeout(PATIENCE):
        while not find_balance(library.database).reserved:
            await asyncio.sleep(0)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        if not asking.cancelled():  # it was faster than this test
            await cast("Any", asking.result()).aclose()
        while find_balance(library.database).reserved:
            await asyncio.sleep(0.01)


async def test_a_warning_comes_before_the_end_and_once_a_month(library: Library, talking: Open) -> None:
    runner = talking(Spender(2000), tokens=2000, person_credits=10, server_credits=20)
    told = []
    for _ in range(4):
        said = await _end(runner, await ask_as(runner))
        assert [event.seq for event in said] == list(range(1, len(said) + 1))
        assert said[-1].type == "message_completed"
        told.append([event.data for event in said if event.type == "quota_warning"])
    assert [[(each["percent"], each["used"]) for each in found] for found in told] == [
        [],
        [(25, 4.0)],
        [(50, 6.0)],
        [(75, 8.0)],
    ]
    assert {(each["scope"], each["limit"], each["resets"]) for found in told for each in found} == {
        ("person", 10.0, "2001-10-01")
    }


async def test_only_owners_are_warned_about_the_server(
    library: Library, talking: Open, caplog: pytest.LogCaptureFixture
) -> None:
    runner = talking(Spender(3000), server_credits=10)
    said = await _end(runner, await ask_as(runner))
    assert "quota_warning" not in [event.type for event in said]
    assert "25 % of the credits of this server" in caplog.text
    said = await _end(runner, await ask_as(runner, "olga", role="owner"), "olga")
    assert [event.data["scope"] for event in said if event.type == "quota_warning"] == ["server"]


async def test_guests_share_the_credits_of_their_network(library: Library, talking: Open) -> None:
    runner = talking(Spender(5000), guest_credits=6)
    await _end(runner, await ask_as(runner, "gil", role="guest"), "gil")
    with pytest.raises(QuotaReached) as refused:
        await ask_as(runner, "gus", role="guest")
    assert refused.value.params["sign_in"] == 1
    await ask_as(runner, "gus", role="guest", address="192.0.2.2")


async def test_alone_and_without_a_limit_nothing_is_reserved_and_the_cost_is_booked(
    library: Library, talking: Open
) -> None:
    spender = Spender(waits=True)
    runner = talking(spender, mode="local")
    running = await runner.ask(ask(owner="local"))
    with library.database.reading() as connection:
        assert not credits.list_open_reservations(connection)
    spender.may_end.set()
    await _end(runner, running.conversation, "local")
    assert find_balance(library.database, "local") == Balance(5, 0)


async def test_alone_with_a_limit_the_owner_keeps_it(library: Library, talking: Open) -> None:
    runner = talking(Spender(), mode="local", owner_credits=6)
    await _end(runner, (await runner.ask(ask(owner="local"))).conversation, "local")
    with pytest.raises(QuotaReached):
        await runner.ask(ask(owner="local"))


@pytest.mark.parametrize("failing", ["the answer", "everything"])
async def test_the_cost_of_an_answer_that_could_not_be_stored_is_booked_all_the_same(
    library: Library, talking: Open, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    runner = talking(Spender(), person_credits=100)

    def fail(*_: Any) -> None:
        raise DiskFull

    with monkeypatch.context() as patch:
        patch.setattr(transactions, "_charge_usage", fail)
        if failing == "everything":
            patch.setattr(credits, "settle_reservation", fail)
        await _end(runner, await ask_as(runner))
    await _end(runner, await ask_as(runner))
    await runner.close()
    assert find_balance(library.database) == Balance(10, 0)


async def test_a_message_whose_process_is_gone_gives_its_credits_back_when_it_is_read(
    library: Library, talking: Open
) -> None:
    spender = Spender(waits=True)
    gone = talking(spender, person_credits=100)
    conversation = await ask_as(gone)
    await _wait(lambda: spender.begun)
    with library.database.writing() as connection:
        connection.exec_driver_sql("UPDATE messages SET process = '1@elsewhere x' WHERE state = 'running'")
    here = Conversations(
        cast("Services", PaidServices(library, person_credits=100)), spender, stale=0, clock=lambda: NOW
    )
    assert await here.settle("ada", conversation) is None
    # The other process may have noticed already, and booked its requests.
    assert find_balance(library.database).reserved == 0
    spender.may_end.set()
    await gone.close()  # it was not gone after all: its requests are booked
    assert find_balance(library.database) == Balance(5, 0)
    await here.close()


async def test_a_lease_is_extended_while_the_answer_is_written(library: Library) -> None:
    spender, now = Spender(waits=True), [NOW]
    services = cast("Services", PaidServices(library, person_credits=12, lease_seconds=0.3))
    runner = Conversations(services, spender, clock=lambda: now[0])
    conversation = await ask_as(runner)
    now[0] += 3600
    async with asyncio.timeout(PATIENCE):
        while True:
            with library.database.reading() as connection:
                (held,) = credits.list_open_reservations(connection)
            if held.lease_until > now[0]:
                break
            await asyncio.sleep(0.01)
    with pytest.raises(QuotaReached):
        await ask_as(runner)
    spender.may_end.set()
    await _end(runner, conversation)
    await runner.close()
