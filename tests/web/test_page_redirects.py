"""Pages without content: redirects, and requests for consent or JavaScript."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.web.page_redirects import find_emptiness, find_refresh

HERE = "https://example.org/a/page"
PROSE = "<p>" + "The tenant may leave at the end of any month. " * 90 + "</p>"


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;url=/b", "https://example.org/b"),
        ("0; URL='https://other.example/c'", "https://other.example/c"),
        ("3;url=b?x=1", "https://example.org/a/b?x=1"),
        ("0,/b", "https://example.org/b"),
        ("0.5; url=/b", "https://example.org/b"),
        *(("0", None), ("0;url=/a/page", None), ("0;url=#top", None), ("300;url=/b", None), ("soon;url=/b", None)),
        ("0;url=http://a:b:c/", None),
        ("", None),
    ],
)
def test_a_page_that_sends_its_reader_on_is_followed_and_one_that_only_renews_itself_is_not(
    content: str, target: str | None
) -> None:
    html = f'<html><head><META content="{content}" HTTP-EQUIV="Refresh"></head><body>Moved</body></html>'
    assert find_refresh(html, HERE) == target


def test_a_page_for_browsers_without_script_is_not_where_one_is_sent() -> None:
    html = '<head><noscript><meta http-equiv="refresh" content="0;url=/nojs"></noscript></head><body>x</body>'
    assert find_refresh(html, HERE) is None


@given(st.text(max_size=30))
def test_whatever_a_refresh_says_the_page_is_understood(content: str) -> None:
    escaped = content.replace("&", "&amp;").replace('"', "&quot;")
    find_refresh(f'<meta http-equiv="refresh" content="{escaped}">', HERE)
    find_refresh(f"<meta http-equiv=refresh {content}>", HERE)


@pytest.mark.parametrize(
    ("html", "why"),
    [
        ('<body><div id="root"></div><script src="/app.js"></script></body>', "script"),
        ('<body><div id="__next"><span>Loading…</span></div><script>1</script></body>', "script"),
        ("<body><script>document.write(1)</script></body>", "script"),
        ("<body><noscript>You need to enable JavaScript to run this app.</noscript><div></div></body>", "script"),
        ("<body><p>Please enable JavaScript to view this site.</p></body>", "script"),
        ("<body><p>JavaScript est désactivé dans votre navigateur.</p></body>", "script"),
        ("<title>Just a moment...</title><body>example.org<script>1</script></body>", "blocked"),
        ("<body>Verify you are human by completing the action below.</body>", "blocked"),
        ("<body>Please solve the CAPTCHA.</body>", "blocked"),
        (
            "<body><h1>Before you continue</h1><p>We use cookies. Cookies help us.</p><button>Accept all</button>"
            "<a>Reject all</a><script>1</script></body>",
            "consent",
        ),
        (
            "<body><p>Nos partenaires et nous utilisons des cookies. Gérer mes cookies.</p>"
            "<p>Continuer sans accepter</p><p>Tout accepter</p><script>1</script></body>",
            "consent",
        ),
    ],
)
def test_a_page_with_nothing_to_read_says_why(html: str, why: str) -> None:
    assert find_emptiness(html) == why


@pytest.mark.parametrize(
    "html",
    [
        "<body><p>Hello.</p></body>",
        f"<body>{PROSE}<script>1</script></body>",
        f'<body><div id="root">{PROSE}</div><script>1</script></body>',
        f"<body>{PROSE}<p>We use cookies, yes cookies. Accept all. Enable JavaScript for comments. CAPTCHA.</p></body>",
        "<body><noscript>Please enable JavaScript.</noscript>" + PROSE + "</body>",
        "<body><h1>Cookies</h1><p>Bake the cookies for ten minutes.</p></body>",
        "<body><p>JavaScript is a language. TypeScript is another one.</p></body>",
        "",
    ],
)
def test_a_page_that_can_be_read_is_not_called_empty(html: str) -> None:
    assert find_emptiness(html) == ""


@given(st.text(max_size=200))
def test_any_text_can_be_looked_at(html: str) -> None:
    assert find_emptiness(html) in ("", "script", "consent", "blocked")
