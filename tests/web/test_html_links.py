"""The addresses that a page links to are found in one pass, however the page is made."""

import pytest

from pincite.web.html_links import list_links
from tests.clock import cost
from tests.thorough import keep_some

HOME = "https://example.org/a/"


def links(text: str, **given: bool) -> list[str]:
    return list(list_links(text, HOME, **given))


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("<a href=\"b\">x</a> <A HREF=/c>y</A> <a class=z href='d?x=1&amp;y=2#p'>z</a>", ["b", "/c", "d?x=1&y=2"]),
        ('<a href="b">x</a><a href="b#again">y</a>', ["b"]),
        ('<a href="mailto:x@example.org">x</a><a href="javascript:1">y</a><a name="z">z</a>', []),
        ('<!-- <a href="b"> --><a href="c">', ["c"]),
        ('<a href="b"><!-- <a href="c">', ["b"]),
        ('<a data-href="b" title="a b" href="c">', ["c"]),
        ('<abbr href="b"><area href="c">', []),
        ('<a href="http://[bad/">x</a>', []),
    ],
)
def test_links_are_whole_addresses_without_fragments(page: str, found: list[str]) -> None:
    from urllib.parse import urljoin

    assert links(page) == [urljoin(HOME, each) for each in found]


def test_a_base_says_where_links_begin() -> None:
    assert links('<base href="https://other.example/x/"><a href="b">') == ["https://other.example/x/b"]


def test_links_that_robots_should_not_follow_are_left_out_where_they_are_heeded() -> None:
    marked = '<a rel="me nofollow" href="b">x</a><a href="c">y</a>'
    assert links(marked) == ["https://example.org/a/c"]
    assert len(links(marked, heeds_robots=False)) == 2
    closed = '<meta name="ROBOTS" content="noindex,nofollow"><a href="b">x</a>'
    assert links(closed) == []
    assert len(links(closed, heeds_robots=False)) == 1


@pytest.mark.parametrize(
    "piece", keep_some(["<a ", "<a href=", "<!--", "a=1 ", "<a href='", "x='", "<a href=b>", "<a\n"], one_in=4)
)
def test_a_hostile_page_takes_no_more_than_twice_as_long_for_twice_the_size(piece: str) -> None:
    def seconds(size: int) -> float:
        text = "<p " + piece * (size // len(piece))
        return cost(lambda: links(text), tries=2)

    assert seconds(400_000) < 3.2 * max(seconds(200_000), 0.02)
