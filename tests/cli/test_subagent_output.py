"""Parts of a question that are worked on side by side, as a person sees them."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pincite import events
from pincite.cli.subagent_output import SubagentProgress


def started(id: str, name: str = "deep_research", task: str = "How deep is it?") -> events.SubagentStarted:
    return events.SubagentStarted(content="", subagentId=id, name=name, task=task)


def within(id: str, data: events.Data) -> events.SubagentData:
    event = {"type": events.find_event_type(data), "data": data.model_dump(mode="json")}
    return events.SubagentData(subagentId=id, event=event)


def called(name: str, **given: str) -> events.ToolCallStarted:
    return events.ToolCallStarted(content="", toolCallId="c", name=name, attributes=given)


def succeeded(**extra: str) -> events.ToolCallSuccess:
    return events.ToolCallSuccess(toolCallId="c", extra=extra)


def test_one_line_says_what_all_of_them_do() -> None:
    parts = SubagentProgress()
    assert parts.doing(200) == ""
    parts.begin(started("a"))
    parts.begin(started("b", "file_analyzer"))
    parts.hear(within("a", called("web_search", query="depth")))
    assert parts.doing(200) == "deep research: Searching the web for “depth”… · file analyzer: Thinking…"
    parts.hear(within("a", succeeded(found="3")))
    parts.hear(within("b", events.Text(delta="It is")))
    assert parts.doing(200) == "deep research: Thinking… · file analyzer: Writing…"
    parts.end(events.SubagentCompleted(subagentId="a", summary="", seconds=1))
    assert parts.doing(200) == "file analyzer: Writing…"


@given(st.lists(st.text(max_size=80), max_size=4), st.integers(40, 200))
def test_however_many_they_are_the_line_fits_and_each_is_named(queries: list[str], width: int) -> None:
    parts = SubagentProgress()
    for number, query in enumerate(queries):
        parts.begin(started(str(number), f"part_{number}"))
        parts.hear(within(str(number), called("web_search", query=query)))
    assert len(parts.doing(width)) <= max(width, 11 * len(queries))
    assert all(f"part {number}:" in parts.doing(width) for number in range(len(queries)))


def test_one_that_is_over_tells_what_it_was_to_do_what_it_found_and_its_time() -> None:
    parts = SubagentProgress()
    parts.begin(started("a"))
    for extra in ({"found": "3"}, {"found": "5"}, {}, {"found": "many"}):
        parts.hear(within("a", succeeded(**extra)))
    ended = events.SubagentCompleted(subagentId="a", summary="Deep.", seconds=3.21)
    assert parts.end(ended) == "deep research ✓ “How deep is it?” · 8 found · 3.2 s"


def test_those_that_write_a_report_are_called_by_their_sections() -> None:
    parts = SubagentProgress()
    parts.plan([events.Section(heading=each, question=f"What of the {each}?") for each in ("lake", "dam")])
    parts.begin(started("b", "section_writer", "What of the dam?"))
    parts.begin(started("a", "section_writer", "What of the lake?"))
    assert parts.doing(200) == "section 2: Thinking… · section 1: Thinking…"
    assert parts.end(events.SubagentCompleted(subagentId="b", summary="", seconds=1)) == "section 2 ✓ “dam” · 1.0 s"


def test_one_that_failed_says_why() -> None:
    parts = SubagentProgress()
    parts.begin(started("a", task="long " * 100))
    line = parts.end(events.SubagentError(subagentId="a", error="It took too long.", seconds=60))
    assert line.startswith("deep research ✗ “long long")
    assert line.endswith("…” · It took too long. · 60.0 s")
    assert len(line) < 150


def test_unknown_events_are_passed_over() -> None:
    parts = SubagentProgress()
    strange: dict[str, Any] = {"type": "of_tomorrow", "data": {}}
    parts.hear(events.SubagentData(subagentId="a", event=strange))
    parts.begin(started("a"))
    parts.hear(events.SubagentData(subagentId="a", event=strange))
    parts.hear(events.SubagentData(subagentId="a", event={}))
    assert parts.doing(200) == "deep research: Thinking…"
    assert parts.end(events.SubagentCompleted(subagentId="b", summary="", seconds=0)) == "a part ✓ · 0.0 s"
