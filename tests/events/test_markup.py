"""Tool calls in a message's text: made once, changed in place, and never a way to write other elements.

`markup_cases.json` is read by the tests of the page too: the server and the page rewrite elements in the same way.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.events import Event
from pincite.events.markup import activity, finished, shortened, subagent, tool_call

CASES = json.loads((Path(__file__).parent / "markup_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES["started"], ids=lambda case: case["name"])
def test_a_call_begins_as_an_element(case: dict[str, Any]) -> None:
    begin = tool_call if case["kind"] == "tool" else subagent
    assert begin(*case["given"]) == case["expected"]


@pytest.mark.parametrize("case", CASES["finished"], ids=lambda case: case["name"])
def test_a_call_that_ends_has_its_element_rewritten(case: dict[str, Any]) -> None:
    assert finished(case["text"], case["id"], case["status"], case["attributes"]) == case["expected"]


@pytest.mark.parametrize("case", CASES["activity"], ids=lambda case: case["name"])
def test_the_calls_of_an_answer_stand_as_they_ended(case: dict[str, Any]) -> None:
    said = [Event(seq=seq, messageId="m", **each) for seq, each in enumerate(case["events"], 1)]
    assert activity(said) == case["expected"]


@given(st.text(), st.text(), st.text())
def test_no_value_breaks_out_of_its_element(query: str, error: str, id: str) -> None:
    text = finished(tool_call("search", id, attributes={"query": query}), id, "error", {"error": error})
    assert re.fullmatch(r'<ToolCall(?: [A-Za-z][\w-]*="[^"<>]*")+></ToolCall>', text)
    assert 'status="error"' in text


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=20), max_size=4), st.text(max_size=8))
def test_no_attribute_takes_the_place_of_a_calls_own(attributes: dict[str, str], id: str) -> None:
    began = tool_call("search", id, attributes=attributes)
    assert finished(began, id, "success") == finished(tool_call("search", id, "success", attributes), id, "success")
    assert finished(began, id, "success", {"toolCallId": "other", "status": "weird"}) == finished(began, id, "success")


@given(st.text())
def test_attributes_are_short_and_on_one_line(value: str) -> None:
    short = shortened(value)
    assert len(short) <= 200
    assert "\n" not in short
