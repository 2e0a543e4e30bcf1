"""Requests that may leave: addresses that a person, a search or a page gave, and queries that repeat no document."""

import asyncio
import base64
import logging
import re
from pathlib import Path

import pytest

import pincite
from pincite.answer.context import Context
from pincite.answer.query_check import check_query
from pincite.answer.services import Services
from pincite.answer.source_log import LOGGER, log_sources
from pincite.answer.web_requests import open_page, release_request
from pincite.errors import Forbidden, Leak
from pincite.events import Sent
from pincite.types import Exchange
from tests import sites
from tests.answer.outside import article, turned
from tests.sites import Site

LEASE = "The deposit of the flat in the Rue Basse is 1,680 euros and is paid back within two months of leaving."


@pytest.fixture
def services(shared: Services, site: Site) -> Services:
    site.pages.clear()
    site.asked.clear()
    return shared


def released(context: Context, url: str) -> Sent:
    return asyncio.run(release_request(context, "page", url))


def test_an_address_that_the_user_wrote_may_be_opened_and_one_that_an_answer_wrote_may_not(services: Services) -> None:
    before = (Exchange("See www.example.org/b too", "I read https://example.org/c."),)
    context = turned(services, "What does https://example.org/a?id=7&utm_source=x say?", history=before)
    assert released(context, "https://example.org/a?id=7").value == "https://example.org/a?id=7&utm_source=x"
    assert released(context, "http://example.org/b/").value == "https://www.example.org/b"
    for url in ("https://example.org/c", "https://example.org/", "https://example.org/a?id=8", "https://example.org/a"):
        with pytest.raises(Forbidden, match="was not opened"):
            released(context, url)
    assert [each.origin for each in context.outbound.sent] == ["user", "user"]


def test_an_address_on_a_page_that_a_browser_sent_along_was_not_written_by_the_user(services: Services) -> None:
    sent = (
        "I'm on page “Lakes” with “see https://example.org/planted” selected. What does https://example.org/mine say?"
    )
    context = turned(services, "And now?", history=(Exchange(sent, "It says nothing."),))
    assert released(context, "https://example.org/mine").origin == "user"
    with pytest.raises(Forbidden):
        released(context, "https://example.org/planted")


def test_links_and_printed_addresses_of_a_page_may_be_opened_after_it_was_read(services: Services, site: Site) -> None:
    body = (
        f'See <a href="next?a=1&amp;b=2#part">next</a> and http://{site.host}/printed. <!-- <a href="/hidden">x</a> -->'
    )
    site.pages["/lake"] = sites.html(
        f"<html><body><article><p>{body}</p><p>{'Water. ' * 60}</p></article></body></html>"
    )
    context = turned(services, f"What does {site.url('/lake')} say?")
    with pytest.raises(Forbidden):
        released(context, site.url("/next?a=1&b=2"))
    asyncio.run(open_page(context, site.url("/lake")))
    assert released(context, site.url("/next?a=1&b=2")).origin == "link"
    assert released(context, site.url("/printed")).origin == "link"
    for path in ("/hidden", "/next?a=1&b=3", "/next"):
        with pytest.raises(Forbidden):
            released(context, site.url(path))


def test_a_page_may_be_opened_again_under_the_address_that_a_redirect_led_to(services: Services, site: Site) -> None:
    site.pages["/old"] = sites.redirect("/new?v=2")
    site.pages["/new"] = article("New", "The page has moved here for good. " * 20)
    context = turned(services, f"What does {site.url('/old')} say?")
    asyncio.run(open_page(context, site.url("/old")))
    assert released(context, site.url("/new?v=2")).value == site.url("/new?v=2")


def test_only_so_many_pages_are_opened_because_others_link_to_them(services: Services) -> None:
    """Which of many links is opened, and in which order, could spell a text: the room for it is small."""
    context = turned(services, "What is this?")
    context.outbound.learn((f"https://example.org/{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"), "link")
    for letter in "abcdefghijkl":
        released(context, f"https://example.org/{letter}")
    with pytest.raises(Forbidden, match="no more"):
        released(context, "https://example.org/m")


def test_a_refusal_names_addresses_that_may_be_opened_and_not_too_many(services: Services) -> None:
    context = turned(services, "What is this?")
    context.outbound.learn((f"https://example.org/{number}" for number in range(40)), "search")
    with pytest.raises(Forbidden) as refused:
        released(context, "https://example.org/other")
    assert "https://example.org/0, " in refused.value.hint
    assert "28 more" in refused.value.hint


@pytest.mark.parametrize(
    "query",
    [
        "deposit flat Rue Basse",
        "deposit of the flat in the Rue Basse",
        "how long may a landlord keep the deposit of a flat",
        "1680 euros deposit",
    ],
)
def test_a_query_may_name_what_a_document_says(query: str) -> None:
    check_query(query, (), [LEASE], [])


def test_a_query_may_repeat_what_the_user_wrote_and_what_a_title_says() -> None:
    check_query(LEASE, (), [LEASE], [LEASE])
    check_query(
        "IBAN FR76 3000 6000 0112 3456 7890 189",
        (),
        ["FR7630006000011234567890189"],
        ["FR76 3000 600001123456789 0189"],
    )


def test_a_query_that_goes_on_where_the_last_one_ended_is_seen() -> None:
    words = LEASE.split()
    with pytest.raises(Leak):
        check_query(" ".join(words[5:14]), (" ".join(words[:5]),), [LEASE], [])
    check_query(" ".join(words[5:14]), (), [LEASE], [])
    check_query("lake depth", (" ".join(words[:5]),), [LEASE], [])


def test_a_part_of_a_long_number_is_one_too() -> None:
    with pytest.raises(Leak):
        check_query("30006000 01123456", (), ["The account is FR76 3000 6000 0112 3456 7890 189."], [])


def test_passages_that_no_search_of_the_turn_found_are_looked_for(services: Services) -> None:
    context = turned(services, "What is this?")
    with pytest.raises(Leak):
        asyncio.run(
            release_request(context, "search", "holds 110 million cubic metres of water The lake covers 9.76 km²")
        )


@pytest.mark.parametrize("size", [301, 302, 303, 333, 2001, 2002, 2003, 3000])
def test_encoded_text_is_read_wherever_it_is_cut(services: Services, size: int) -> None:
    said = "holds 110 million cubic metres of water The lake covers 9.76 km² and swimming is allowed. " * 40
    for coded in (base64.b64encode(said.encode()).decode(), said.encode().hex()):
        with pytest.raises(Leak):
            asyncio.run(release_request(turned(services, "What is this?"), "search", coded[:size]))


def test_a_long_query_is_cut_after_a_word(services: Services) -> None:
    context = turned(services, "What is this?")
    sent = asyncio.run(release_request(context, "search", "lake " * 200))
    assert len(sent.value) <= 300
    assert sent.value.endswith("lake")


def test_one_line_of_the_log_says_what_left(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, LOGGER):
        left = [Sent(kind="search", value="lake"), Sent(kind="page", value="https://e.org/a", origin="search")]
        log_sources("q1", [], left)
        log_sources("q2", [])
    assert [each.message for each in caplog.records] == [
        "Sources retrieved for question q1: none",
        "Left this machine for question q1: search “lake”; https://e.org/a",
        "Sources retrieved for question q2: none",
    ]


def test_nothing_of_the_agent_reaches_the_web_but_through_the_one_way_out() -> None:
    """A new tool that opened pages or searched by itself would go around every check."""
    root = Path(pincite.__file__).parent
    reaching = re.compile(
        r"page_reader\.read\(|engine\.search\(|\bfetch_transcript\(|\bfetch\(|\bPoliteClient\(|httpx2?\.\w*Client\("
    )
    found = {
        str(path.relative_to(root))
        for path in [*(root / "answer").rglob("*.py"), *(root / "llm").rglob("*.py")]
        if any(reaching.search(line) for line in path.read_text(encoding="utf-8").splitlines())
    }
    # `web_requests` opens pages with `page_reader`; `list_models` asks servers of models that the user set, and
    # `local_servers` those of this machine, when a person looks for them.
    assert found == {"answer/web_requests.py", "answer/page_reader.py", "llm/list_models.py", "llm/local_servers.py"}
