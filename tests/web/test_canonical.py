"""Which addresses are one page."""

import string

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.web.canonical import canonical, strip_tracking

PAGE = "https://example.org/a/page?id=7"


@pytest.mark.parametrize(
    "spelling",
    [
        *("http://example.org/a/page?id=7", "HTTPS://Example.ORG/a/page?id=7", "https://www.example.org/a/page?id=7"),
        *("https://example.org:443/a/page?id=7", "http://example.org:80/a/page?id=7", f"{PAGE}#part-2", f" {PAGE} "),
        *(
            "https://example.org/a/page/?id=7",
            "https://example.org./a/page?id=7",
            "https://example.org/a/x/../page?id=7",
        ),
        *("https://example.org/%61/p%61ge?id=7", f"{PAGE}&utm_source=x&UTM_medium=y", f"{PAGE}&fbclid=abc", f"{PAGE}&"),
        "https://example.org/a/page?gclid=1&id=7&mc_eid=2",
    ],
)
def test_one_page_has_one_form_however_it_is_spelled(spelling: str) -> None:
    assert canonical(spelling) == PAGE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.org/a", "https://example.org/A"),
        ("https://example.org/a?id=1", "https://example.org/a?id=2"),
        ("https://example.org/a", "https://example.org:8443/a"),
        ("https://example.org/a", "https://fr.example.org/a"),
        ("https://example.org/a%2Fb", "https://example.org/a/b"),
        ("https://example.org/%2541", "https://example.org/A"),
        ("https://example.org/#!/one", "https://example.org/#!/two"),
        ("https://www.org/", "https://org/"),
    ],
)
def test_different_pages_stay_apart(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)


def test_the_order_of_parameters_and_the_alphabet_of_a_name_do_not_matter() -> None:
    assert canonical("https://example.org/?b=2&a=1") == canonical("https://example.org/?a=1&b=2")
    assert canonical("https://Bücher.example/ü") == canonical("https://xn--bcher-kva.example/%c3%bc")


@given(
    st.text(max_size=60)
    | st.from_regex(
        r"https?://(www\.){0,2}[a-z0-9.]{1,12}(:[0-9]{1,4})?(/[\w%./~-]{0,12}){0,3}(\?[\w%&=.-]{0,20})?(#[!/\w]*)?"
    )
)
def test_a_form_is_its_own_form(url: str) -> None:
    assert canonical(canonical(url)) == canonical(url)


@given(st.text(string.ascii_letters + string.digits + "-._~/", max_size=20), st.data())
def test_escapes_that_need_not_be_make_no_other_page(path: str, data: st.DataObject) -> None:
    escaped = "".join(f"%{ord(char):02x}" if char not in "/." and data.draw(st.booleans()) else char for char in path)
    assert canonical(f"http://a.example/x/{escaped}") == canonical(f"http://a.example/x/{path}")


def test_tracking_parameters_are_left_out_of_an_address() -> None:
    followed = "http://www.example.org/a/?b=1&utm_source=news&a=%C3%A9#part"
    assert strip_tracking(followed) == "http://www.example.org/a/?b=1&a=%C3%A9"
    assert strip_tracking("https://example.org/?utm_source=x") == "https://example.org/"
    assert strip_tracking("http://a:b:c/") == "http://a:b:c/"


@given(
    st.from_regex(r"https?://[a-z][a-z0-9.]{1,12}(/[\w%./~-]{0,12}){0,3}(\?[\w%&=.-]{0,20})?(#\w*)?", fullmatch=True)
)
def test_a_shortened_address_is_the_same_page(url: str) -> None:
    try:
        httpx2.URL(url)
    except httpx2.InvalidURL:
        return
    assert canonical(strip_tracking(url)) == canonical(url)
