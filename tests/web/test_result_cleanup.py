"""Results of search engines are cleaned before they are shown."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.web import result_cleanup
from pincite.web.canonical import canonical
from pincite.web.result_cleanup import make_plain_text, merge_results, parse_address, parse_day, parse_length
from pincite.web.search_engine import SearchResult

PAGE = SearchResult("https://example.org/a", "A", "short", "google", 1.0)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("a  <b>bold</b>\n word", "a bold word"),
        ("one<br/>two</p><p class='x'>three", "one two three"),
        ("Caf&eacute; &amp; th&#233; &lt;script&gt;x", "Café & thé x"),
        ("a < b and b > c, 3<4", "a < b and b > c, 3<4"),
        ("<<b>b>deep", "deep"),
        ("un\u202edetrever\u202c \u200bzero\x00 \x1b[31mred", "undetrever zero [31mred"),
        ("<!-- a comment -->said", "said"),
        (None, ""),
        (["a"], ""),
    ],
)
def test_text_comes_without_markup_and_without_unseen_signs(given: Any, shown: str) -> None:
    assert make_plain_text(given, 100) == shown


def test_a_long_text_is_cut_after_a_word() -> None:
    assert make_plain_text("Seven words, and one is cut somewhere.", 20) == "Seven words, and…"
    assert len(make_plain_text("x" * 99, 20)) == 20


@given(
    st.text() | st.lists(st.sampled_from(["<", ">", "b", "/", "<b>", "&lt;", "&gt;", " ", "\u200b", "x"])).map("".join)
)
def test_whatever_comes_is_one_line_without_tags(given: str) -> None:
    shown = make_plain_text(given, 50)
    assert len(shown) <= 50
    assert "\n" not in shown
    assert shown == shown.strip()
    assert not result_cleanup._TAG.search(shown)
    assert all(char.isprintable() or char == "\u3000" or char.isspace() or ord(char) > 127 for char in shown)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://example.org/a b", "https://example.org/a%20b"),
        ("//img.example/x.png", "https://img.example/x.png"),
        *(("javascript:alert(1)", None), ("data:image/png;base64,AA", None), ("/image_proxy?u=1", None), ("", None)),
        *(("http://[", None), ("http://a:b@example.org/", None), ("file:///etc/passwd", None), (7, None)),
        (f"https://example.org/{'x' * 3000}", None),
    ],
)
def test_only_whole_addresses_on_the_web_are_kept(given: Any, kept: str | None) -> None:
    assert parse_address(given) == kept


@pytest.mark.parametrize(
    ("given", "kept"),
    [("2026-02-03T04:05:06", "2026-02-03"), ("2026-02-30", None), ("yesterday", None), (None, None), (12, None)],
)
def test_a_date_is_a_day_or_nothing(given: Any, kept: str | None) -> None:
    assert parse_day(given) == kept


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        *(
            (61, "1:01"),
            (59.6, "1:00"),
            (3723.0, "1:02:03"),
            ("3723", "1:02:03"),
            ("12:34", "12:34"),
            ("03:05", "3:05"),
        ),
        *(("1:02:03", "1:02:03"), ("00:07", "0:07"), ("live", None), (0, None), (-4, None), (True, None), (None, None)),
        *((float("nan"), None), (1e99, None)),
    ],
)
def test_the_length_of_a_video_is_read_from_what_engines_write(given: Any, kept: str | None) -> None:
    assert parse_length(given) == kept


def test_a_page_found_twice_is_one_result_with_the_best_of_both() -> None:
    twice = (
        replace(PAGE, url="http://www.example.org/a/?utm_source=x", score=3.0),
        replace(PAGE, engine="bing, google", snippet="a longer snippet", published="2026-01-02", title="Other"),
    )
    other = replace(PAGE, url="https://example.org/b", score=2.0)
    found = merge_results((twice[1], other, twice[0]))
    assert [result.url for result in found] == ["https://example.org/a", "https://example.org/b"]
    best = found[0]
    assert (best.title, best.snippet, best.score) == ("A", "a longer snippet", 3.0)
    assert (best.engine, best.published) == ("bing, google", "2026-01-02")


RESULTS = st.builds(
    SearchResult,
    st.sampled_from(["https://a.example/", "http://www.a.example", "https://b.example/x#y", "https://b.example/x"]),
    st.text(max_size=5),
    st.text(max_size=9),
    st.sampled_from(["google", "bing", "brave, bing", ""]),
    st.floats(0, 9),
)


@given(st.lists(RESULTS))
def test_no_page_is_lost_and_none_is_there_twice(given: list[SearchResult]) -> None:
    found = merge_results(given)
    keys = [canonical(result.url) for result in found]
    assert len(set(keys)) == len(keys)
    assert set(keys) == {canonical(result.url) for result in given}
    assert [result.score for result in found] == sorted((result.score for result in found), reverse=True)
    if given:
        assert found[0].score == max(result.score for result in given)
