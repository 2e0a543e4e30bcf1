"""A message of a client is parsed, or refused with an error that says what is wrong with it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.server.websocket_connection import MessageRate
from pincite.server.websocket_messages import (
    ActionMessage,
    IdentifyMessage,
    MessageError,
    PingMessage,
    SubscribeMessage,
    describe_failure,
    parse_message,
)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(["type", "id", "version", "token", "client", "topics", "after", "action", "data"])
TYPES = st.sampled_from(["identify", "subscribe", "unsubscribe", "action", "ping", "pong", "event", ""])


def tell(text: str) -> dict[str, Any]:
    """Return the error that a client gets for a message that is refused."""
    with pytest.raises(MessageError) as refused:
        parse_message(text)
    told: dict[str, Any] = json.loads(describe_failure(refused.value, refused.value.id).model_dump_json())
    return told


def test_the_messages_of_the_documentation_are_read() -> None:
    said = parse_message('{"type": "identify", "version": 1, "token": "t", "client": "me"}')
    assert said == IdentifyMessage(type="identify", version=1, token="t", client="me")
    said = parse_message(
        '{"type": "subscribe", "id": "1", "topics": ["conversation:a"], "after": {"conversation:a": 3}}'
    )
    assert said == SubscribeMessage(type="subscribe", id="1", topics=["conversation:a"], after={"conversation:a": 3})
    assert parse_message('{"type": "ping"}') == PingMessage()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "json"),
        ("hello", "json"),
        ("{", "json"),
        ("[]", "json"),
        ("null", "json"),
        ("9" * 5000, "json"),
        ("[" * 100_000, "json"),
        ('{"a":' * 100_000, "json"),
        ("{}", "type"),
        ('{"type": 7}', "type"),
        ('{"type": ["ping"]}', "type"),
        ('{"type": "event"}', "type"),
        ('{"type": "ping", "more": 1}', "fields"),
        ('{"type": "identify"}', "fields"),
        ('{"type": "identify", "version": "1"}', "fields"),
        ('{"type": "identify", "version": true}', "fields"),
        ('{"type": "action", "id": 7, "action": "ask"}', "fields"),
        ('{"type": "action", "id": "7"}', "fields"),
        ('{"type": "action", "id": "7", "action": "ask", "data": []}', "fields"),
        ('{"type": "action", "id": "", "action": "ask"}', "fields"),
        ('{"type": "subscribe", "id": "1", "topics": []}', "fields"),
        ('{"type": "subscribe", "id": "1", "topics": "conversation:a"}', "fields"),
        ('{"type": "subscribe", "id": "1", "topics": ["a"], "after": {"a": -1}}', "fields"),
        ('{"type": "subscribe", "id": "1", "topics": ["a"], "after": {"a": 99999999999}}', "fields"),
        ('{"type": "subscribe", "id": "1", "topics": ["a"], "after": {"a": 1.5}}', "fields"),
        (json.dumps({"type": "subscribe", "id": "1", "topics": ["a"] * 101}), "fields"),
    ],
)
def test_a_message_that_is_wrong_is_answered_with_the_reason(text: str, reason: str) -> None:
    told = tell(text)
    assert (told["type"], told["code"], told["reason"]) == ("error", "invalid", reason)
    assert told["message"]
    assert told["hint"]


def test_the_answer_to_a_wrong_message_has_its_id_where_it_has_one() -> None:
    assert tell('{"type": "action", "id": "7"}')["id"] == "7"
    assert "id" not in tell('{"type": "action", "id": 7}')
    assert "id" not in tell(json.dumps({"type": "action", "id": "7" * 1000}))


def test_the_answer_names_the_field_that_is_wrong() -> None:
    assert "topics.0: " in tell('{"type": "subscribe", "id": "1", "topics": [1]}')["message"]
    assert "colour: " in tell('{"type": "ping", "colour": 1}')["message"]


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parse_message(text)
    except MessageError as error:
        describe_failure(error, error.id).model_dump_json().encode()


@given(TYPES, st.dictionaries(FIELDS | st.text(max_size=5), VALUES, max_size=6))
def test_any_object_is_read_or_refused(type: str, fields: dict[str, Any]) -> None:
    try:
        parse_message(json.dumps({**fields, "type": type}))
    except MessageError as error:
        describe_failure(error, error.id).model_dump_json().encode()


@pytest.mark.parametrize("odd", ["\ud800", "a\0b", "\u202e", "\n", "é" * 50, "\N{FAMILY}\udfff", "{}"])
def test_odd_characters_in_a_message_do_no_harm(odd: str) -> None:
    said = parse_message(json.dumps({"type": "action", "id": "1", "action": odd[:100], "data": {odd: odd}}))
    assert isinstance(said, ActionMessage)
    said.model_dump()["action"].encode()
    tell(json.dumps({"type": "ping", odd: 1}))["message"].encode()


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_client_may_send_some_messages_at_once_and_goes_on_at_its_rate() -> None:
    clock = Clock()
    rate = MessageRate(10, clock)
    assert [rate.take() for _ in range(21)] == [True] * 20 + [False]
    clock.now = 3600.0
    assert [rate.take() for _ in range(21)] == [True] * 20 + [False]
    for second in range(1, 100):
        clock.now = 3600.0 + second
        assert all(rate.take() for _ in range(9))
