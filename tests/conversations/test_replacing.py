"""A question asked again in place of another: all of it or nothing."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import pytest

from pincite.conversations import Conversations
from pincite.errors import Answering, Misuse, NotFound
from pincite.store import conversations, messages, usage
from pincite.store.database import Database
from tests.conversations.conftest import DatabaseServices, FakeServices, Slow, ask, echo, heard

if TYPE_CHECKING:
    from pincite.answer.services import Services

pytestmark = pytest.mark.anyio
Open = Callable[..., Conversations]


async def answered(talk: Conversations, question: str, conversation: str | None = None, **given: Any) -> str:
    """The id of the answer to a question; that of its conversation is in what it left behind."""
    running = await talk.ask(ask(question), conversation, **given)
    await heard(talk.events("local", running.conversation, running.after))
    return running.message


def said(database: Database) -> list[str]:
    """The title of the only conversation, and everything in it."""
    with database.reading() as connection:
        (known,) = conversations.find(connection, "local", 10)
        return [known.title, *(each.content for each in messages.find(connection, known.id))]


def only(database: Database) -> str:
    with database.reading() as connection:
        (known,) = conversations.find(connection, "local", 10)
    return known.id


@pytest.mark.parametrize("by", ["question", "answer"])
async def test_a_question_takes_the_place_of_another_and_of_all_that_follows(
    opened_with: Open, services: FakeServices, by: str
) -> None:
    talk, database = opened_with(), services.library.database
    await answered(talk, "One?")
    conversation = only(database)
    second = await answered(talk, "Two?", conversation)
    await answered(talk, "Three?", conversation)
    before = await heard(talk.events("local", conversation))
    if by == "question":
        with database.reading() as connection:
            second = messages.get_previous(connection, messages.get(connection, "local", second)).id
    await answered(talk, "Four?", conversation, replaced=second)
    assert said(database) == ["One?", "One?", "One?", "Four?", "Four?"]
    assert [each.question for each in services.turns[-1].asked.history] == ["One?"]
    after = await heard(talk.events("local", conversation))
    first = [event for event in before if event.messageId == before[0].messageId]
    assert after[: len(first)] == first
    # Numbers go on: who had seen the last event misses none of the new ones.
    new = [event.seq for event in after[len(first) :]]
    assert new == list(range(before[-1].seq + 1, before[-1].seq + 1 + len(new)))
    assert await heard(talk.events("local", conversation, before[-1].seq)) == after[len(first) :]
    with database.reading() as connection:
        assert sum(day.answers for day in usage.list_by_day(connection, "local", 0)) == 4


async def test_numbers_are_not_given_twice_however_often_a_question_is_asked_again(
    opened_with: Open, services: FakeServices
) -> None:
    talk = opened_with()
    message = await answered(talk, "One?")
    conversation = only(services.library.database)
    seen = [event.seq for event in await heard(talk.events("local", conversation))]
    for _ in range(3):
        message = await answered(talk, "One?", conversation, replaced=message)
        now = [event.seq for event in await heard(talk.events("local", conversation))]
        assert min(now) == max(seen) + 1
        seen += now
    assert await talk.last("local", conversation) == max(seen)


async def test_a_title_that_was_made_from_the_first_question_follows_it(
    opened_with: Open, services: FakeServices
) -> None:
    talk, database = opened_with(), services.library.database
    message = await answered(talk, "One?")
    conversation = only(database)
    message = await answered(talk, "Another?", conversation, replaced=message)
    assert said(database)[0] == "Another?"
    with database.writing() as connection:
        conversations.rename(connection, "local", conversation, "Mine")
    await answered(talk, "A third?", conversation, replaced=message)
    assert said(database) == ["Mine", "A third?", "A third?"]


async def test_when_a_question_is_refused_nothing_is_removed(opened_with: Open, services: FakeServices) -> None:
    talk, database = opened_with(), services.library.database
    message = await answered(talk, "One?")
    here = only(database)
    before, told = said(database), await heard(talk.events("local", here))
    with pytest.raises(NotFound):
        await talk.ask(ask("Two?"), here, "no such message")
    with pytest.raises(NotFound):
        await talk.ask(ask("Two?"), "nowhere", message)
    with pytest.raises(NotFound):
        await talk.ask(ask("Two?", owner="eve"), here, message)
    with pytest.raises(Misuse, match="no model"):
        await talk.ask(ask("Two?", chat_model="unknown"), here, message)
    with pytest.raises(Misuse, match="in which conversation"):
        await talk.ask(ask("Two?"), None, message)
    assert (said(database), await heard(talk.events("local", here))) == (before, told)
    await answered(talk, "DatabaseServices?")
    with database.reading() as connection:
        there = next(each.id for each in conversations.find(connection, "local", 10) if each.id != here)
    with pytest.raises(NotFound):
        await talk.ask(ask("Two?"), there, message)


async def test_while_an_answer_is_written_nothing_is_replaced(opened_with: Open, services: FakeServices) -> None:
    slow = Slow()
    talk = opened_with(slow)
    running = await talk.ask(ask("One?"))
    with pytest.raises(Answering):
        await talk.ask(ask("Two?"), running.conversation, running.message)
    slow.may.put_nowait("")
    await heard(talk.events("local", running.conversation))
    assert said(services.library.database)[:2] == ["One?", "One?"]


async def test_a_follower_that_comes_while_the_new_answer_is_awaited_hears_it(opened_with: Open) -> None:
    slow = Slow()
    here, there = opened_with(slow), opened_with()
    first = await here.ask(ask("One?"))
    slow.may.put_nowait("")
    await heard(here.events("local", first.conversation))
    # Everything before is removed, and nothing is said yet.
    second = await here.ask(ask("Two?"), first.conversation, first.message)
    late = [asyncio.create_task(heard(each.events("local", first.conversation))) for each in (here, there)]
    await asyncio.sleep(0.05)
    for word in ("deep", ""):
        slow.may.put_nowait(word)
    for listener in late:
        sent = await listener
        assert {event.messageId for event in sent} == {second.message}
        assert [event.seq for event in sent] == [second.after + 1, second.after + 2]


async def test_replacing_is_the_same_on_postgresql(postgres: Database) -> None:
    talk = Conversations(cast("Services", DatabaseServices(postgres)), echo)
    message = await answered(talk, "One?")
    conversation = only(postgres)
    second = await answered(talk, "Two?", conversation)
    last = await talk.last("local", conversation)
    await answered(talk, "Three?", conversation, replaced=second)
    await answered(talk, "Four?", conversation, replaced=message)
    assert said(postgres) == ["Four?", "Four?", "Four?"]
    sent = await heard(talk.events("local", conversation, brief=True))
    assert [event.type for event in sent] == ["message_started", "message_completed"]
    assert sent[0].seq > last
    await talk.close()


async def test_both_versions_stay_and_the_chosen_one_is_shown_and_is_the_history(
    opened_with: Open, services: FakeServices
) -> None:
    talk, database = opened_with(), services.library.database
    first = await answered(talk, "One?")
    conversation = only(database)
    await answered(talk, "Two?", conversation)
    edited = await answered(talk, "Three?", conversation, replaced=first)
    whole = await talk.read("local", conversation)
    assert [each.message.content for each in whole.said] == ["Three?", "Three?"]
    old, new = whole.said[0].versions
    assert new == whole.said[0].message.id
    await talk.choose("local", old)
    assert said(database)[1:] == ["One?", "One?", "Two?", "Two?"]
    seen = await heard(talk.events("local", conversation))
    assert edited not in {event.messageId for event in seen}
    await answered(talk, "Four?", conversation)
    assert [each.question for each in services.turns[-1].asked.history] == ["One?", "Two?"]
    await talk.choose("local", edited)  # by its answer
    assert said(database)[1:] == ["Three?", "Three?"]
    await answered(talk, "Five?", conversation)
    assert [each.question for each in services.turns[-1].asked.history] == ["Three?"]
    await talk.choose("local", first)
    assert said(database)[1:] == ["One?", "One?", "Two?", "Two?", "Four?", "Four?"]
    with pytest.raises(NotFound):
        await talk.choose("somebody else", old)


async def test_a_version_is_not_chosen_while_an_answer_is_being_written(
    opened_with: Open, services: FakeServices
) -> None:
    slow = Slow()
    talk = opened_with(slow)
    running = await talk.ask(ask("One?"))
    with pytest.raises(Answering):
        await talk.choose("local", running.message)
    await talk.stop("local", running.conversation)
