import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.evaluate.page_metadata import PageMetadata, find_address_day, is_same_title, is_within_day, read_metadata
from pincite.reading import html_blocks


def of(head: str) -> PageMetadata:
    return read_metadata(html_blocks.parse_html(f"<html><head>{head}</head><body><p>Text.</p></body></html>"))


def test_titles_and_days_come_from_all_a_page_says_of_itself() -> None:
    node = {"@graph": [{"headline": "High water", "datePublished": "2023-05-06T23:30:00Z"}]}
    found = of(
        "<title>Tides  - The Port</title><meta property='og:title' content='Tides'>"
        "<meta property='article:published_time' content='2023-05-07T01:30+02:00'>"
        f"<script type='application/ld+json'>{json.dumps(node)}</script>"
    )
    assert found == PageMetadata(("Tides - The Port", "Tides", "High water"), ("2023-05-07", "2023-05-06"))


@pytest.mark.parametrize("broken", ["{", "[1, null]", '{"@graph": 3}', '{"datePublished": "soon"}', "[" * 5000])
def test_metadata_that_cannot_be_parsed_declare_nothing(broken: str) -> None:
    assert of(f"<script type='application/ld+json'>{broken}</script>") == PageMetadata()
    assert read_metadata(None) == PageMetadata()


@pytest.mark.parametrize(
    ("address", "day"),
    [
        ("https://example.org/2019/11/18/tides/", "2019-11-18"),
        ("https://example.org/2019/1/8/", "2019-01-08"),
        ("https://example.org/news/2019-11-18-tides", "2019-11-18"),
        ("https://example.org/2019/13/45/tides", ""),
        ("https://example.org/article/20191118", ""),
    ],
)
def test_a_day_is_read_from_an_address(address: str, day: str) -> None:
    assert find_address_day(address) == day


def test_a_title_is_the_same_with_or_without_the_sites_name() -> None:
    assert is_same_title("High Water", ["High water – The Port"])
    assert is_same_title("High Water", ["The Port | High water"])
    assert not is_same_title("High", ["Highwater"])
    assert not is_same_title("", ["High water"])


def test_a_moment_has_two_days_on_this_earth_and_no_more() -> None:
    assert is_within_day("2023-03-01", ("2023-02-28",))
    assert not is_within_day("2023-03-02", ("2023-02-28",))
    assert not is_within_day("", ("2023-02-28",))


@given(st.text(max_size=40))
def test_any_address_has_a_day_or_none(address: str) -> None:
    assert len(find_address_day(address)) in (0, 10)
