"""Tool calls are told in words."""

import pytest

from pincite.answer.tools import load_toolset
from pincite.events import ToolCallStarted
from pincite.events.tool_labels import LABELS, describe_call, describe_result


def call(name: str, **given: str) -> ToolCallStarted:
    return ToolCallStarted(content="", toolCallId="1", name=name, attributes=given)


@pytest.mark.parametrize("tool", [tool.name for tool in load_toolset()])
def test_every_tool_has_words_of_its_own(tool: str) -> None:
    assert all(tool in labels for labels in LABELS.values())
    assert tool not in describe_call(call(tool)) + describe_call(call(tool), is_done=True)


def test_both_languages_name_the_same_tools() -> None:
    assert LABELS["en"].keys() == LABELS["fr"].keys()
    search = call("web_search", query="lac", document="Barrages")
    assert describe_call(search, language="fr") == "Cherche sur le web «\u00a0lac\u00a0» dans Barrages"
    assert describe_call(call("unheard_of"), is_done=True, language="fr") == "unheard_of exécuté"
    extra = {"found": "8", "pages": "3", "failed": "1"}
    assert describe_result(search, extra, "fr") == "trouvé\u00a0: 8 sur 3 pages, non lues\u00a0: 1"


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
def test_a_tool_call_is_named_with_its_arguments_during_and_after(made: ToolCallStarted, now: str, then: str) -> None:
    assert (describe_call(made), describe_call(made, is_done=True)) == (now, then)


def test_a_long_address_is_cut() -> None:
    assert len(describe_call(call("scrape_web_page", url="https://example.org/" + "a" * 500), is_done=True)) < 80


def test_a_search_of_the_web_tells_the_pages_it_read_those_it_could_not_and_who_was_silent() -> None:
    search = call("web_search", query="x")
    extra = {"found": "8", "pages": "3", "failed": "1", "unresponsive": "bing (timeout)"}
    assert describe_result(search, extra) == "8 found on 3 pages, 1 not readable, no answer from bing (timeout)"
    assert describe_result(search, {"found": "1", "pages": "1"}) == "1 found on 1 page"
    assert describe_result(call("pdf_loader"), {"found": "8", "pages": "12"}) == "8 found"
    assert describe_result(None, {}) == ""


def test_a_search_tells_the_subject_that_it_looked_for_besides() -> None:
    made = call("search_documents", query="Is it harmful?")
    assert describe_result(made, {"found": "3", "subject": "dry rot"}) == "3 found, also for “dry rot”"
