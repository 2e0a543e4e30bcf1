"""A report from a library and the web: one numbering, and a bibliography with addresses and days."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pincite import events
from pincite.answer.split.subagents import FILE_ANALYZER, SECTION_WRITER
from pincite.answer.tools import list_offered_tools
from pincite.conversations.export.footnotes import list_works
from pincite.conversations.export.text_export import export_html, export_markdown
from pincite.conversations.transcript import make_exchange
from tests import sites
from tests.answer.extractive.shelves import BRIDGE
from tests.answer.outside import article, found, standing, turned
from tests.turns import ask, final, of_type

VIEWER = {"navigate", "highlight"}
QUESTION = "What is known about the Garrow Bridge and its ghosts?"
GHOSTS = (
    "The ghosts of the Garrow Bridge are said to be three ferrymen who drowned in 1788.",
    "They are seen at low tide, mostly by tourists.",
)


def test_files_and_pages_stand_in_one_report_each_with_its_proof_and_its_place(tmp_path: Path) -> None:
    with sites.serving() as site:
        site.pages["/ghosts"] = article("Ghosts of the Garrow Bridge", *GHOSTS)
        found(site, ("/ghosts", "Ghosts of the Garrow Bridge"))
        with standing(tmp_path, site, {"bridge.md": BRIDGE}) as services:
            inside = final(ask(services, QUESTION, focus="research", web=False))
            assert site.paths == []
            said = ask(services, QUESTION, focus="research")
            whole = final(said)
            told = make_exchange(services.library.database, "local", QUESTION, whole)
            url = site.url("/ghosts")
    assert {each.url for each in inside.citations} == {None}
    assert "web_search" in [each.name for each in of_type(said, events.ToolCallStarted)]
    assert {each.support for each in whole.sentences} <= {None, "verified"}
    assert {each.url for each in whole.citations} == {None, url}
    assert [each.n for each in whole.citations] == list(range(1, len(whole.citations) + 1))
    today = datetime.now(UTC).date().isoformat()
    listed = {each.title: each.describe() + f", {each.url}" for each in list_works(told, whole)}
    assert listed["Ghosts of the Garrow Bridge"] == f"Ghosts of the Garrow Bridge, read on {today}, {url}"
    assert f"read on {today}, {url}" in export_markdown(told)
    assert f'<a href="{url}" rel="noreferrer">{url}</a>' in export_html(told)


def test_a_writer_without_access_to_the_web_gets_no_web_tool(tmp_path: Path) -> None:
    with sites.serving() as site, standing(tmp_path, site, {"bridge.md": BRIDGE}) as services:
        context = turned(services, QUESTION, focus="research", web=False)
        home = {"search_documents", "outline_document", "read_document", "list_documents", "calculate"}
        assert list_offered_tools(context) == home | VIEWER
        assert list_offered_tools(replace(context, tools=SECTION_WRITER.tools)) == FILE_ANALYZER.tools


@pytest.mark.slow
def test_a_page_that_the_question_names_is_what_the_report_is_about(tmp_path: Path) -> None:
    with sites.serving() as site:
        site.pages["/ghosts"] = article("Ghosts of the Garrow Bridge", *GHOSTS)
        found(site)
        with standing(tmp_path, site, {"bridge.md": BRIDGE}) as services:
            question = f"What does {site.url('/ghosts')} say about the ghosts of the Garrow Bridge?"
            said = ask(services, question, focus="research")
            whole = final(said)
            url = site.url("/ghosts")
    assert of_type(said, events.ToolCallError) == []
    first = whole.answer.partition("## ")[2].partition("## ")[0]
    assert "three ferrymen" in first
    assert "http" not in first
    assert whole.citations[0].url == url
