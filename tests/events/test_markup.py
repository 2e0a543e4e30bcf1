"""Tool calls in a message's text: made once, changed in place, and never a way to write other elements."""

import re

from hypothesis import given
from hypothesis import strategies as st

from pincite.events import Event
from pincite.events.markup import activity, finished, shortened, subagent, tool_call


def test_a_call_begins_as_running_and_its_tag_is_rewritten_when_it_ends() -> None:
    text = "Let me see. " + tool_call("search_documents", "a1", attributes={"query": "net sales"}) + " Then."
    assert '<ToolCall type="search_documents" status="running" toolCallId="a1" query="net sales"></ToolCall>' in text
    done = finished(text, "a1", "success", {"found": "8"})
    assert done == text.replace('"running"', '"success"').replace('"net sales"', '"net sales" found="8"')


def test_only_the_call_with_that_id_changes() -> None:
    text = tool_call("a", "1") + tool_call("b", "2")
    assert finished(text, "2", "error", {"error": "no such page"}) == tool_call("a", "1") + finished(
        tool_call("b", "2"), "2", "error", {"error": "no such page"}
    )
    assert finished(text, "3", "error") == text


def test_a_subagent_is_rewritten_like_a_tool() -> None:
    assert 'status="success"' in finished(subagent("deep_research", "s1", "find it"), "s1", "success")


@given(st.text(), st.text(), st.text())
def test_no_value_breaks_out_of_its_element(query: str, error: str, id: str) -> None:
    text = finished(tool_call("search", id, attributes={"query": query}), id, "error", {"error": error})
    assert re.fullmatch(r'<ToolCall(?: [A-Za-z][\w-]*="[^"<>]*")+></ToolCall>', text)


@given(st.text())
def test_attributes_are_short_and_on_one_line(value: str) -> None:
    short = shortened(value)
    assert len(short) <= 200
    assert "\n" not in short


def test_the_calls_of_an_answer_stand_as_they_ended() -> None:
    def event(seq: int, type: str, **data: object) -> Event:
        return Event(seq=seq, type=type, messageId="m", data=data)

    said = [
        event(1, "tool_call_started", content=tool_call("search", "a"), toolCallId="a"),
        event(2, "tool_call_started", content=tool_call("search", "b"), toolCallId="b"),
        event(3, "text", delta="Words."),
        event(4, "tool_call_error", toolCallId="b", error="no such document"),
        event(5, "tool_call_success", toolCallId="a", extra={"found": "3"}),
    ]
    assert activity(said[:2]) == tool_call("search", "a") + tool_call("search", "b")
    assert activity(said) == (
        '<ToolCall type="search" status="success" toolCallId="a" found="3"></ToolCall>'
        '<ToolCall type="search" status="error" toolCallId="b" error="no such document"></ToolCall>'
    )
