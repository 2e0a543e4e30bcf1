"""The JSON of a model's reply is found wherever the model puts it, and nothing else is taken for it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from pincite.text.model_json import parse_innermost_json, parse_model_json


class Reply(BaseModel):
    n: int
    words: list[str] = []


@pytest.mark.parametrize(
    "reply",
    [
        '{"n": 3}',
        'Sure! Here it is:\n```json\n{"n": 3}\n```\nAnything else?',
        'The source says {"n": 1}.\n{"n": 3}',
        'A set {a, b} is not JSON. {"n": 3} Nor is {this}.',
        '{"n": 3} {"m": 4}',
        '{"thinking": "{"} {"n": 3}',
    ],
)
def test_the_last_object_of_the_right_form_is_parsed(reply: str) -> None:
    assert parse_model_json(reply, Reply) == Reply(n=3)


@pytest.mark.parametrize("reply", ["", "No.", '{"n": "three"}', '{"n": 3', '[{"m": 3}]', '{"n":' * 5000, "{" * 5000])
def test_a_reply_without_such_an_object_gives_none(reply: str) -> None:
    assert parse_model_json(reply, Reply) is None


def test_the_objects_of_a_broken_reply_are_parsed_one_by_one() -> None:
    cut = '{"all": [{"n": 1}, {"n": "two"}, {"n": 3, "words": ["a"]}, {"n": 4, "wo'
    assert parse_model_json(cut, Reply) == Reply(n=3, words=["a"])
    assert parse_innermost_json(cut, Reply) == [Reply(n=1), Reply(n=3, words=["a"])]


@given(st.text(), st.integers(), st.lists(st.text()), st.text())
def test_an_object_is_parsed_from_between_any_words(before: str, n: int, words: list[str], after: str) -> None:
    found = parse_model_json(f"{before}\n{json.dumps({'n': n, 'words': words})}\n{after}", Reply)
    assert found == Reply(n=n, words=words)


@given(st.text('{}[]":, n13'))
def test_any_reply_is_parsed_or_none(reply: str) -> None:
    assert parse_model_json(reply, Reply) is None or "{" in reply
    assert all(isinstance(each, Reply) for each in parse_innermost_json(reply, Reply))
