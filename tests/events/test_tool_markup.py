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
from pincite.events.tool_markup import finish_call, make_subagent, make_tool_call, render_activity, shorten_value

CASES = json.loads((Path(__file__).parent / "markup_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES["started"], ids=lambda case: case["name"])
def test_a_call_begins_as_an_element(case: dict[str, Any]) -> None:
    begin = make_tool_call if case["kind"] == "tool" else make_subagent
    assert begin(*case["given"]) == case["expected"]


@pytest.mark.parametrize("case", CASES["finished"], ids=lambda case: case["name"])
def test_a_call_that_ends_has_its_element_rewritten(case: dict[str, Any]) -> None:
    assert finish_call(case["text"], case["id"], case["status"], case["attributes"]) == case["expected"]


@pytest.mark.parametrize("case", CASES["activity"], ids=lambda case: case["name"])
def test_the_calls_of_an_answer_stand_as_they_ended(case: dict[str, Any]) -> None:
    said = [Event(seq=seq, messageId="m", **each) for seq, each in enumerate(case["events"], 1)]
    assert render_activity(said) == case["expected"]


@given(st.text(), st.text(), st.text())
def test_no_value_breaks_out_of_its_element(query: str, error: str, id: str) -> None:
    text = finish_call(make_tool_call("search", id, attributes={"query": query}), id, "error", {"error": error})
    assert re.fullmatch(r'<ToolCall(?: [A-Za-z][\w-]*="[^"<>]*")+></ToolCall>', text)
    assert 'status="error"' in text


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=20), max_size=4), st.text(max_size=8))
def test_no_attribute_takes_the_place_of_a_calls_own(attributes: dict[str, str], id: str) -> None:
    began = make_tool_call("search", id, attributes=attributes)
    assert finish_call(began, id, "success") == finish_call(
        make_tool_call("search", id, "success", attributes), id, "success"
    )
    assert finish_call(began, id, "success", {"toolCallId": "other", "status": "weird"}) == finish_call(
        began, id, "success"
    )


@given(st.text())
def test_attributes_are_short_and_on_one_line(value: str) -> None:
    short = shorten_value(value)
    assert len(short) <= 200
    assert "\n" not in short
