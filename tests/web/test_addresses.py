"""Which addresses a message names."""

import string

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.web.addresses import find_addresses, strip_addresses

WIKI = "https://fr.wikipedia.org/wiki/Rome_(Italie)"


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("Read https://example.org/a.", "https://example.org/a"),
        ("Is it at https://example.org/a?id=3&x=%C3%A9?", "https://example.org/a?id=3&x=%C3%A9"),
        ("Voir « https://example.org/a », puis dis-moi.", "https://example.org/a"),
        ("Voir «https://example.org/a».", "https://example.org/a"),
        ("Que dit l’article “https://example.org/a”…", "https://example.org/a"),
        ("(see https://example.org/a)", "https://example.org/a"),
        ("(see https://example.org/a).", "https://example.org/a"),
        (f"see {WIKI}, which", WIKI),
        (f"(see {WIKI})", WIKI),
        (f"[Rome]({WIKI})", WIKI),
        (f'[Rome]({WIKI} "a title")', WIKI),
        ("<https://example.org/a>", "https://example.org/a"),
        ("[1]: https://example.org/a", "https://example.org/a"),
        ("**https://example.org/a**", "https://example.org/a"),
        ("_https://example.org/a_b_", "https://example.org/a_b"),
        ("https://example.org/a_", "https://example.org/a_"),
        ("`https://example.org/a`", "https://example.org/a"),
        ('<a href="https://example.org/a">x</a>', "https://example.org/a"),
        ("HTTPS://EXAMPLE.ORG/A!", "HTTPS://EXAMPLE.ORG/A"),
        ("www.example.org", "https://www.example.org"),
        ("look at www.example.org/a, please", "https://www.example.org/a"),
        ("Www.Example.Org.", "https://Www.Example.Org"),
        ("https://example.org/l'été/L'Étranger", "https://example.org/l'été/L'Étranger"),
        ("'https://example.org/a'", "https://example.org/a"),
        ("https://bücher.example/ü", "https://bücher.example/ü"),
        ("看 https://example.org/a。谢谢", "https://example.org/a"),
        ("http://example.org:8080/a/", "http://example.org:8080/a/"),
        ("http://localhost:8000/docs", "http://localhost:8000/docs"),
        ("http://[2606:2800:220:1::1]/a", "http://[2606:2800:220:1::1]/a"),
        ("https://example.org/a#:~:text=rent,law", "https://example.org/a#:~:text=rent,law"),
        ("https://example.org/a\u00a0: voilà", "https://example.org/a"),
        ("https://example.org/@ann/post", "https://example.org/@ann/post"),
        ("https://example.org", "https://example.org"),
    ],
)
def test_an_address_is_taken_out_of_the_words_around_it(message: str, found: str) -> None:
    assert find_addresses(message) == (found,)


@pytest.mark.parametrize(
    "message",
    [
        *("ann@example.org", "mailto:ann@www.example.org", "www.ann@example.org", "ann@www.example.org"),
        *("report.pdf", "see notes.md and main.py", "www.report.pdf", "version 1.2.3", "v3.11.7", "10.0.0.1"),
        *("http://", "https://…", "http:// example.org", "https://{host}/a", "www", "www.", "www...", "wwwexample.org"),
        *("file:///etc/passwd", "ftp://example.org/", "javascript:alert(1)", "xhttps://example.org", "example.org"),
        *("https://ann:secret@example.org/", "https://example.org@10.0.0.1/", "http://-/", "", "http://a:b:c/"),
    ],
)
def test_text_that_is_no_address_is_left_alone(message: str) -> None:
    assert find_addresses(message) == ()


def test_all_addresses_are_found_in_order_and_each_page_once() -> None:
    message = (
        "Compare https://b.example/x, [this](https://a.example/y) and [https://c.example](https://d.example/z); "
        "then http://www.b.example/x/ again, www.e.example;https://f.example"
    )
    assert find_addresses(message) == (
        *("https://b.example/x", "https://a.example/y", "https://c.example", "https://d.example/z"),
        *("https://www.e.example", "https://f.example"),
    )


WORD = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=6)
PART = st.text(string.ascii_letters + string.digits + "-_~%é", min_size=1, max_size=8).map(lambda part: part + "x")
PLAIN = st.builds(
    lambda scheme, host, parts, query: f"{scheme}://{host}.example" + "".join(f"/{part}" for part in parts) + query,
    st.sampled_from(["http", "https"]),
    WORD,
    st.lists(PART | PART.map(lambda part: f"{part}_({part})"), max_size=3),
    st.sampled_from(["", "?a=1", "?q=x&b=[2]", "#part"]),
)
AROUND = [
    *(("", ""), ("See ", "."), ("(", ")"), ("« ", " »"), ("«", "»."), ("[words](", ")"), ("<", ">"), ('"', '",')),
    *(("“", "”"), ("(voir ", "), etc."), ("**", "**"), ("a: ", "; b"), ("[x](", ' "t")'), ("\n", "\n"), ("[[", "]]")),
]


@given(PLAIN, st.sampled_from(AROUND))
def test_an_address_is_taken_whole_and_alone_from_any_text_around_it(url: str, around: tuple[str, str]) -> None:
    assert find_addresses(url.join(around)) == (url,)


@given(
    st.lists(
        st.sampled_from(["https://", "www.", "a.example", "@", "(", ")", "[", "]", " ", ".", "/", "é", "%"])
        | st.text(max_size=4)
    ).map("".join)
)
def test_whatever_is_found_is_an_address_that_can_be_asked_for(message: str) -> None:
    for found in find_addresses(message):
        url = httpx2.URL(found)
        assert url.scheme in ("http", "https")
        assert url.host
        assert not url.userinfo
        assert found.removeprefix("https://") in message
        assert find_addresses(found) == (found,)


NO_ADDRESS = st.one_of(
    st.builds("{}@{}.{}".format, WORD, WORD, st.sampled_from(["org", "fr", "co.uk"])),
    st.builds("www.{}@{}.org".format, WORD, WORD),
    st.builds("{}@www.{}.org".format, WORD, WORD),
    st.builds("{}.{}".format, WORD, st.sampled_from(["pdf", "docx", "md", "py", "tar.gz", "html"])),
    st.lists(st.integers(0, 99), min_size=2, max_size=4).map(lambda parts: "v" + ".".join(map(str, parts))),
    st.builds("{}.{}".format, WORD, WORD),
    st.text(st.characters(exclude_characters="/."), max_size=12),
)


@given(st.lists(NO_ADDRESS | st.sampled_from(["(", ")", "«", "»", ",", "http", "www"])).map(" ".join))
def test_mail_addresses_file_names_and_versions_are_never_taken_for_addresses(message: str) -> None:
    assert find_addresses(message) == ()


@pytest.mark.parametrize(
    ("message", "left"),
    [
        ("Summarise https://example.org/a", "Summarise"),
        ("https://example.org/a", ""),
        ("How deep is it (see https://example.org/a)?", "How deep is it (see )?"),
        ("Compare www.example.org/a and https://example.org/a/b.", "Compare and ."),
        ("How deep is it? https://example.org https://example.org/a", "How deep is it?"),
        ("Nothing is named here: only words.", "Nothing is named here: only words."),
    ],
)
def test_addresses_are_stripped_from_a_message(message: str, left: str) -> None:
    assert strip_addresses(message) == left


@given(
    st.lists(
        st.sampled_from(["https://a.example/x", "www.b.example", "(http://c.example/y)", "how", "deep?", "<", "«"])
    )
)
def test_no_address_is_left_behind(words: list[str]) -> None:
    assert find_addresses(strip_addresses(" ".join(words))) == ()


@given(st.text(max_size=60))
def test_taking_addresses_out_ends(text: str) -> None:
    assert isinstance(strip_addresses(f"{text}https://a.example/{text} {text}"), str)
