"""Conversations and what hangs on them, on both engines."""

import time
from typing import Any

import pytest
from sqlalchemy import select

from pincite.errors import NotFound, Taken
from pincite.events import Event
from pincite.store import conversations, events, messages, personas, ratings, usage
from pincite.store.database import Database
from pincite.store.messages import MessageOutcome, StopRequests, StoredMessage
from pincite.store.schema import events as event_rows
from pincite.store.schema import messages as message_rows
from pincite.store.schema import ratings as rating_rows
from pincite.store.schema import usage as usage_rows


def message(conversation: str, id: str = "m1", **given: Any) -> StoredMessage:
    usual: dict[str, Any] = {"position": 0, "role": "assistant", "content": "", "state": "running"}
    return StoredMessage(id=id, conversation=conversation, owner="ada", created=1.0, updated=1.0, **usual | given)


def sent(first: int, last: int) -> list[Event]:
    return [Event(seq=seq, type="text", messageId="m1", data={"delta": f"w{seq} é"}) for seq in range(first, last + 1)]


def test_a_conversation_is_its_owners_alone(either: Database) -> None:
    with either.writing() as connection:
        made = conversations.create(connection, "ada", "Lakes")
        assert conversations.get(connection, "ada", made.id) == made
        for refused in (conversations.get, conversations.remove):
            with pytest.raises(NotFound):
                refused(connection, "eve", made.id)
        with pytest.raises(NotFound):
            conversations.rename(connection, "eve", made.id, "Mine")
        assert conversations.find(connection, "eve", 10) == []


def test_messages_come_out_in_their_order(either: Database) -> None:
    with either.writing() as connection:
        made = conversations.create(connection, "ada", "Lakes").id
        assert (conversations.find_last_seq(connection, made), conversations.find_next_position(connection, made)) == (
            0,
            0,
        )
        messages.add(connection, [message(made, "m1", position=1), message(made, "m0", role="user", state="done")])
        events.add(connection, made, sent(1, 9))
    with either.reading() as connection:
        assert [each.id for each in messages.find(connection, made)] == ["m0", "m1"]
        assert [each.id for each in messages.find(connection, made, 1)] == ["m1"]
        assert events.find(connection, made, 4) == sent(5, 9)
        assert events.find(connection, made, 4, 2) == sent(5, 6)
        assert (conversations.find_last_seq(connection, made), conversations.find_next_position(connection, made)) == (
            9,
            2,
        )
        assert messages.get_previous(connection, messages.get(connection, "ada", "m1")).id == "m0"


def test_only_who_writes_a_message_may_go_on_with_it(either: Database) -> None:
    with either.writing() as connection:
        made = conversations.create(connection, "ada", "Lakes").id
        messages.add(connection, [message(made, process="7@here")])
        assert messages.hold(connection, made, "m1", "7@here")
        assert not messages.hold(connection, made, "m1", "8@here")
        running = messages.find_running(connection, made)
        assert running
        assert running.heartbeat > time.time() - 60
        assert messages.find_requests(connection, ["m1"]) == StopRequests(frozenset(), frozenset(), frozenset())
        assert not messages.ask_to_stop(connection, "eve", made)
        assert messages.ask_to_stop(connection, "ada", made)
        assert not messages.ask_to_stop_retrieval(connection, "eve", made)
        assert messages.ask_to_stop_retrieval(connection, "ada", made)
        assert messages.find_requests(connection, ["m1", "m2"]) == StopRequests(
            stopping=frozenset({"m1"}), stopping_retrieval=frozenset({"m1"}), lost=frozenset({"m2"})
        )
        messages.close(connection, "m1", MessageOutcome("stopped", "It is", {"answer": "It is"}, "fake", 3, 4, 1))
        assert not messages.hold(connection, made, "m1", "7@here")
        assert not messages.ask_to_stop(connection, "ada", made)
        assert messages.find_running(connection, made) is None
        closed = messages.get(connection, "ada", "m1")
    assert (closed.state, closed.content, closed.answer) == ("stopped", "It is", {"answer": "It is"})
    assert (closed.input_tokens, closed.output_tokens) == (3, 4)


def test_removing_a_conversation_removes_all_of_it_but_what_it_cost(either: Database) -> None:
    with either.writing() as connection:
        kept, gone = (conversations.create(connection, "ada", title).id for title in ("Kept", "Gone"))
        for id, conversation in (("m1", gone), ("m2", kept)):
            messages.add(connection, [message(conversation, id)])
            events.add(connection, conversation, sent(1, 3))
            ratings.set_rating(connection, "ada", id, 1)
            usage.add(connection, "ada", "fake", 10, 20, 1, id)
        conversations.remove(connection, "ada", gone)
    with either.reading() as connection:
        assert connection.scalars(select(message_rows.c.id)).all() == ["m2"]
        assert set(connection.scalars(select(event_rows.c.conversation))) == {kept}
        assert connection.scalars(select(rating_rows.c.message)).all() == ["m2"]
        assert set(connection.scalars(select(usage_rows.c.message))) == {None, "m2"}
        (row,) = usage.list_by_day(connection, "ada", 0.0)
    assert (row.answers, row.requests, row.input_tokens, row.output_tokens) == (2, 2, 20, 40)


def test_usage_is_added_up_by_day_model_and_role(either: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    noon = 86_400 * 20_000 + 43_200
    with either.writing() as connection:
        for days, model, tokens in ((0, "a", 1), (0, "a", 2), (0, "b", 4), (1, "a", 8), (9, "a", 16)):
            monkeypatch.setattr(time, "time", lambda days=days: noon - days * 86_400)
            usage.add(connection, "ada", model, tokens, 2 * tokens, 1)
        monkeypatch.setattr(time, "time", lambda: noon)
        usage.add(connection, "ada", "a", 32, 64, 1, role="system")
        usage.add(connection, "eve", "a", 1000, 1000, 1)
    with either.reading() as connection:
        found = usage.list_by_day(connection, "ada", noon - 5 * 86_400)
    assert [
        (each.day, each.model, each.role, each.answers, each.input_tokens, each.output_tokens) for each in found
    ] == [
        ("2024-10-04", "a", "chat", 2, 3, 6),
        ("2024-10-04", "a", "system", 1, 32, 64),
        ("2024-10-04", "b", "chat", 1, 4, 8),
        ("2024-10-03", "a", "chat", 1, 8, 16),
    ]


def test_personas_are_found_by_id_or_name_and_names_are_taken_once(either: Database) -> None:
    with either.writing() as connection:
        brief = personas.create(connection, "ada", "Brief", "Be brief.")
        kind = personas.create(connection, "ada", "Kind", "Be kind.")
        personas.create(connection, "eve", "Brief", "Be brief too.")
        assert personas.get(connection, "ada", "Brief") == personas.get(connection, "ada", brief.id) == brief
        with pytest.raises(Taken):
            personas.create(connection, "ada", "Brief", "…")
        with pytest.raises(Taken):
            personas.change(connection, "ada", kind.id, "Brief", "…")
        changed = personas.change(connection, "ada", "Brief", "Brief", "Be briefer.")
        assert (changed.id, changed.instructions) == (brief.id, "Be briefer.")
        personas.remove(connection, "ada", kind.id)
        assert [each.name for each in personas.find(connection, "ada")] == ["Brief"]
        with pytest.raises(NotFound):
            personas.get(connection, "eve", brief.id)


def test_parts_that_the_end_of_a_message_repeats_can_be_left_out(either: Database) -> None:
    told: list[tuple[str, dict[str, Any]]] = [
        ("text", {"delta": "Deep"}),
        ("thought", {"text": "Hm", "retracted": 4}),
        ("thought", {"text": "", "retracted": 4}),
        ("citation", {"index": 0}),
        ("navigate", {"page": 1}),
        ("usage", {"requests": 1}),
        ("message_completed", {"answer": "Deep"}),
    ]
    of_both = [
        Event(seq=7 * at + seq, type=type, messageId=message, data=data)
        for at, message in enumerate(("m1", "m2"))
        for seq, (type, data) in enumerate(told, 1)
    ]
    with either.writing() as connection:
        made = conversations.create(connection, "ada", "Lakes").id
        events.add(connection, made, of_both)
    with either.reading() as connection:
        assert [event.seq for event in events.find(connection, made, 0, whole="m2")] == [2, 5, 7, *range(8, 15)]
        assert [event.seq for event in events.find(connection, made, 2, 2, whole="")] == [5, 7]
        assert len(events.find(connection, made, 0)) == 14
