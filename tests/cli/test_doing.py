"""Tool calls are told in words."""

import pytest

from pincite.agent.tools import toolset
from pincite.cli.doing import found, named
from pincite.events import ToolCallStarted


def call(name: str, **given: str) -> ToolCallStarted:
    return ToolCallStarted(content="", toolCallId="1", name=name, attributes=given)


@pytest.mark.parametrize("tool", [tool.name for tool in toolset()])
def test_every_tool_has_words_of_its_own(tool: str) -> None:
    assert tool not in named(call(tool), 0) + named(call(tool), 1)


@pytest.mark.parametrize(
    ("made", "now", "then"),
    [
        (
            call("web_search", query="lake depth", page="2"),
            "Searching the web for “lake depth”",
            "searched the web for “lake depth”",
        ),
        (call("scrape_web_page", url="https://www.example.org/"), "Reading example.org", "read example.org"),
        (
            call("url_summarization", url="http://example.org/a", query="depth"),
            "Summing up example.org/a for “depth”",
            "summed up example.org/a for “depth”",
        ),
        (call("image_search", query="a dam"), "Looking for pictures of “a dam”", "looked for pictures of “a dam”"),
        (
            call("search_documents", query="dam", document="Dams"),
            "Searching “dam” in Dams",
            "searched “dam” in Dams",
        ),
        (call("read_document", document="Dams", page="3"), "Reading Dams page 3", "read Dams page 3"),
        (call("unheard_of"), "Running unheard_of", "ran unheard_of"),
    ],
)
def test_what_is_done_and_was_done_is_said_with_what_it_was_given(made: ToolCallStarted, now: str, then: str) -> None:
    assert (named(made, 0), named(made, 1)) == (now, then)


def test_a_long_address_is_cut() -> None:
    assert len(named(call("scrape_web_page", url="https://example.org/" + "a" * 500), 1)) < 80


def test_a_search_of_the_web_tells_the_pages_it_read_those_it_could_not_and_who_was_silent() -> None:
    search = call("web_search", query="x")
    extra = {"found": "8", "pages": "3", "failed": "1", "unresponsive": "bing (timeout)"}
    assert found(search, extra) == "8 found on 3 pages, 1 not readable, no answer from bing (timeout)"
    assert found(search, {"found": "1", "pages": "1"}) == "1 found on 1 page"
    assert found(call("pdf_loader"), {"found": "8", "pages": "12"}) == "8 found"
    assert found(None, {}) == ""


def test_a_search_tells_the_subject_that_it_looked_for_besides() -> None:
    made = call("search_documents", query="Is it harmful?")
    assert found(made, {"found": "3", "subject": "dry rot"}) == "3 found, also for “dry rot”"
