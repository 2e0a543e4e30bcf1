"""The program follows the robots.txt of each site."""

import re
from typing import Any

import anyio
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.web.robots import LONGEST_DELAY, Robots, RobotsRules, parse_rules


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("", "/a", True),
        ("User-agent: *\nDisallow: /", "/a", False),
        ("User-agent: *\nDisallow:", "/a", True),
        ("User-agent: *\nDisallow: /private", "/private/a", False),
        ("User-agent: *\nDisallow: /private", "/public", True),
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/c", False),
        ("User-agent: *\nDisallow: /a\nAllow: /a", "/a", True),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf?v=1", True),
        ("User-agent: *\nDisallow: /*?print=", "/x?print=1", False),
        ("User-agent: *\nDisallow: /a*b*c", "/a--b--c/", False),
        ("User-agent: *\nDisallow: /a*b*c", "/a--c--b/", True),
        ("User-agent: *\nDisallow: /a$", "/a", False),
        ("User-agent: *\nDisallow: /a$", "/ab", True),
        ("User-agent: *\nDisallow: /*a$", "/a", False),
        ("User-agent: *\nDisallow: /%7ejoe/", "/~joe/a", False),
        ("User-agent: *\nDisallow: /été", "/%C3%A9t%c3%a9/a", False),
        ("User-agent: Pincite\nDisallow: /\n\nUser-agent: *\nAllow: /", "/a", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: pincite/2.0\nDisallow: /b", "/a", True),
        ("User-agent: other\nUser-agent: PINCITE\nDisallow: /", "/a", False),
        ("User-agent: other\nDisallow: /", "/a", True),
        ("User-agent: other\nDisallow: /\nUser-agent: pincite\nAllow: /", "/a", True),
        ("User-agent: pincite\nDisallow: /a\n\nUser-agent: pincite\nDisallow: /b", "/b", False),
        ("User-agent: pincitebot\nDisallow: /", "/a", True),
        ("\ufeffUSER-AGENT:*  # all\r\nDISALLOW:/a # not this\r\nSitemap: https://x/y", "/a", False),
        ("Disallow: /", "/a", True),
        ("User-agent *\nDisallow /", "/a", True),
        ("<html>Not found</html>", "/a", True),
    ],
)
def test_the_longest_rule_for_us_or_for_everybody_decides(text: str, path: str, allowed: bool) -> None:
    assert parse_rules(text).allow(path) is allowed


def test_a_site_with_endless_rules_is_compared_with_no_endless_address() -> None:
    rules = parse_rules("User-agent: *\n" + "Allow: /*bc\n" * 40_000)
    assert rules.allow("/" + "b" * 100)
    assert not rules.allow("/" + "b" * 10_000)


def test_stars_in_a_row_count_as_one() -> None:
    rules = parse_rules("User-agent: *\nDisallow: /a" + "*" * 100_000 + "b")
    assert rules.patterns == (("/a*b", False),)
    assert not rules.allow("/a--b")


@pytest.mark.parametrize(
    ("asked", "kept"), [("2", 2.0), ("0.5", 0.5), ("3600", LONGEST_DELAY), ("soon", 0.0), ("-1", 0.0), ("", 0.0)]
)
def test_the_pause_a_site_asks_for_is_kept_within_reason(asked: str, kept: float) -> None:
    assert parse_rules(f"User-agent: *\nCrawl-delay: {asked}").delay == kept


LINE = st.builds(
    "{}:{}".format,
    st.sampled_from(["User-agent", "Disallow", "Allow", "Crawl-delay", "x"]),
    st.text(st.sampled_from("/*$ab%2é #"), max_size=8) | st.sampled_from(["*", "pincite"]),
)


@given(st.lists(LINE | st.text(max_size=20)).map("\n".join), st.text(max_size=20))
def test_any_file_means_something(text: str, path: str) -> None:
    found = parse_rules(text)
    assert found.allow(f"/{path}") in (True, False)
    assert 0 <= found.delay <= LONGEST_DELAY


@given(st.text(st.sampled_from("ab*"), max_size=8), st.text(st.sampled_from("ab"), max_size=12), st.booleans())
def test_a_star_stands_for_anything_and_a_dollar_for_the_end(pattern: str, path: str, whole: bool) -> None:
    expected = re.match("/" + pattern.replace("*", ".*") + ("$" if whole else ""), f"/{path}") is None
    assert RobotsRules(((f"/{pattern}" + "$" * whole, False),)).allow(f"/{path}") is expected


def asking(*answers: tuple[int, bytes]) -> tuple[Robots, list[str]]:
    left, asked = list(answers), []

    async def get(url: httpx2.URL) -> tuple[int, bytes]:
        asked.append(str(url))
        await anyio.sleep(0)
        return left.pop(0) if len(left) > 1 else left[0]

    return Robots(get), asked


CLOSED = b"User-agent: *\nDisallow: /"


@pytest.mark.parametrize(
    ("status", "body", "allowed"),
    [
        *((200, CLOSED, False), (404, CLOSED, True), (403, CLOSED, True), (0, b"", True)),
        *((500, b"", False), (503, b"", False), (429, b"", False), (200, b"\xff\xfe\x00" + CLOSED, True)),
    ],
)
def test_a_missing_file_allows_everything_and_a_server_that_is_unwell_is_left_alone(
    status: int, body: bytes, allowed: bool
) -> None:
    robots, _ = asking((status, body))
    found = anyio.run(robots.of, httpx2.URL("https://a.example/x?y#z"))
    assert found.allow("/x") is allowed


def test_a_site_is_asked_once_also_by_many_at_the_same_time() -> None:
    robots, asked = asking((200, CLOSED))

    async def ask() -> None:
        async with anyio.create_task_group() as group:
            for path in "abc":
                group.start_soon(robots.of, httpx2.URL(f"https://a.example/{path}"))
        await robots.of(httpx2.URL("https://A.example:443/d"))

    anyio.run(ask)
    assert asked == ["https://a.example/robots.txt"]


def test_each_scheme_and_port_is_a_site_of_its_own() -> None:
    robots, asked = asking((200, CLOSED))

    async def ask() -> None:
        for url in ("http://a.example/", "https://a.example/", "https://a.example:8443/", "https://b.example/"):
            await robots.of(httpx2.URL(url))

    anyio.run(ask)
    assert len(asked) == 4


def test_a_robots_file_holds_for_an_hour_and_a_failure_for_less(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(anyio, "current_time", lambda: now)

    async def counts(status: int) -> list[int]:
        nonlocal now
        robots, asked = asking((status, CLOSED))
        found: list[int] = []
        for then in (0.0, 500.0, 700.0, 3500.0, 3700.0):
            now = then
            await robots.of(httpx2.URL("https://a.example/"))
            found.append(len(asked))
        return found

    assert anyio.run(counts, 200) == [1, 1, 1, 1, 2]
    assert anyio.run(counts, 503) == [1, 1, 2, 3, 3]


def test_only_so_many_sites_are_remembered() -> None:
    robots, _ = asking((200, CLOSED))

    async def ask() -> dict[str, Any]:
        for number in range(1100):
            await robots.of(httpx2.URL(f"https://a{number}.example/"))
        return dict(robots._known)

    assert len(anyio.run(ask)) == 1000
    assert not robots._asking
