"""Pages as the wild web serves them, over real HTTP: what is kept of them, and what is not even asked for."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.answer.page_reader import PageReader
from pincite.errors import Forbidden, PinciteError, TooLarge, WebError
from pincite.library import Library, open_library
from pincite.settings import load_settings
from pincite.store import document_text, documents
from pincite.store.documents import StoredDocument
from pincite.web.guard import resolve_host
from pincite.web.polite_client import PoliteClient
from tests import pdfs, sites
from tests.sites import Respond, Site
from tests.thorough import keep_some, mark_slow

NAME = "wild.example"
SAID = "L’été à Brême coûte 12 € à l’élève naïf, et l’hiver ne lui coûte rien du tout, pas même un sou."
ARTICLE = "<html><head>{}<title>Brême</title></head><body><article><h1>Brême</h1><p>{}</p></article></body></html>"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with sites.serving() as made:
        yield made


@pytest.fixture(scope="module")
def library(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    web = {"allow": [f"{NAME}:{site.port}"], "pause_seconds": 0, "render": False, "max_page_mb": 1}
    data = tmp_path_factory.mktemp("wild")
    opened = open_library(load_settings(data=data, embedding={"provider": "none"}, web=web))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def browsing(library: Library) -> Iterator[PageReader]:
    """One for all: its readers take longer to start than to read."""
    made = PageReader(library, PoliteClient(library.settings, library.web_parser, looked_up))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _forgotten(site: Site) -> None:
    site.pages.clear()
    site.asked.clear()


async def looked_up(host: str, port: int) -> list[str]:
    """Names of the wild lead to this machine, as those of an attacker may; the others where the system says."""
    return ["127.0.0.1"] if host.endswith(".example") else await resolve_host(host, port)


def read(browsing: PageReader, site: Site, path: str, asked_for: bool = False) -> StoredDocument:
    return asyncio.run(browsing.read("local", f"http://{NAME}:{site.port}{path}", asked_for))


def text_of(library: Library, stored: StoredDocument) -> str:
    with library.database.reading() as connection:
        return document_text.load_document(connection, stored.id).text


def kept(library: Library) -> int:
    with library.database.reading() as connection:
        return len(documents.find(connection, library.settings.owner))


@pytest.mark.parametrize(
    ("encoding", "header", "meta"),
    [
        ("utf-8", "iso-8859-1", ""),
        mark_slow("utf-8", "iso-8859-1", "iso-8859-1"),
        mark_slow("cp1252", "utf-8", ""),
        ("cp1252", "utf-8", "utf-8"),
        mark_slow("cp1252", "", "iso-8859-1"),
        mark_slow("utf-8-sig", "windows-1252", "windows-1252"),
        mark_slow("utf-8", "", ""),
        mark_slow("utf-8", "nonsense", "x-unknown"),
        ("utf-16", "", ""),
    ],
)
def test_a_page_is_read_in_the_letters_it_is_in_whatever_it_says(
    browsing: PageReader, library: Library, site: Site, encoding: str, header: str, meta: str
) -> None:
    head = f'<meta charset="{meta}">' if meta else ""
    body = ARTICLE.format(head, SAID).encode(encoding)
    path = f"/{encoding}-{header}-{meta}"
    site.pages[path] = sites.page(body, {"Content-Type": f"text/html; charset={header}" if header else "text/html"})
    assert SAID in text_of(library, read(browsing, site, path))


@pytest.mark.parametrize("said", ["application/pdf", "text/html", "text/plain", "application/octet-stream", ""])
def test_a_pdf_is_a_pdf_whatever_its_server_calls_it(
    browsing: PageReader, site: Site, tmp_path: Path, said: str
) -> None:
    body = pdfs.simple(tmp_path / "p.pdf").read_bytes()
    site.pages["/download"] = sites.page(body, {"Content-Type": said} if said else {})
    stored = read(browsing, site, "/download")
    assert (stored.kind, stored.pages) == ("pdf", 1)


def test_a_page_that_calls_itself_a_pdf_is_a_page(browsing: PageReader, library: Library, site: Site) -> None:
    site.pages["/paper.pdf"] = sites.page(ARTICLE.format("", SAID).encode(), {"Content-Type": "application/pdf"})
    stored = read(browsing, site, "/paper.pdf")
    assert stored.kind == "html"
    assert SAID in text_of(library, stored)


def test_a_long_way_of_relative_redirects_ends_at_the_page(browsing: PageReader, library: Library, site: Site) -> None:
    site.pages.update(
        {
            "/a/b": sites.page(b"", {"Location": "../c?x=1#there"}, 301),
            "/c?x=1": sites.page(b"", {"Location": "?x=2"}, 303),
            "/c?x=2": sites.page(b"", {"Location": f"//{NAME}:{site.port}/d"}, 307),
            "/d": sites.html('<meta http-equiv="Refresh" content="0; URL=\'e/\'">'),
            "/e/": sites.html(ARTICLE.format("", f"{SAID} So weit.")),
        }
    )
    stored = read(browsing, site, "/a/b")
    assert stored.metadata["url"] == f"http://{NAME}:{site.port}/e/"
    assert "So weit." in text_of(library, stored)


@pytest.mark.parametrize(
    ("respond", "error", "said"),
    [
        (sites.redirect("/here"), WebError, "more than 5 times"),
        (sites.html('<meta http-equiv="refresh" content="0;url=/there">'), WebError, "more than 5 times"),
        (sites.cookie_wall, WebError, "consent"),
        (sites.shell, WebError, "JavaScript"),
        (sites.endless, TooLarge, "more than 1 MB"),
        (sites.html(""), PinciteError, "is empty"),
        (sites.html("gone", status=410), WebError, "410"),
    ],
)
def test_nothing_is_kept_of_what_says_nothing(
    browsing: PageReader, library: Library, site: Site, respond: Respond, error: type[PinciteError], said: str
) -> None:
    site.pages.update({"/here": respond, "/there": sites.redirect("/there")})
    before = kept(library)
    with pytest.raises(error, match=said) as told:
        read(browsing, site, "/here")
    assert told.value.hint
    assert kept(library) == before


def test_nothing_is_kept_of_a_page_that_takes_too_long(library: Library, site: Site) -> None:
    site.pages["/drip"] = sites.dripping
    web = library.settings.web.model_copy(update={"seconds": 0.3})
    browsing = PageReader(
        library, PoliteClient(library.settings.model_copy(update={"web": web}), library.web_parser, looked_up)
    )
    before = kept(library)
    with pytest.raises(WebError, match=r"0\.3 seconds"):
        read(browsing, site, "/drip")
    assert kept(library) == before
    browsing.close()


INSIDE = [
    *("127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f000001", "017700000001", "127.1", "[::ffff:127.0.0.1]"),
    *("169.254.169.254", "[fe80::1]", "10.0.0.1", "inside.example"),
]


@pytest.mark.parametrize("inside", keep_some(INSIDE, one_in=4))
def test_no_way_of_a_page_leads_inside(browsing: PageReader, site: Site, inside: str) -> None:
    """The trap is on the very server that may be reached, under another name: only the name makes it forbidden."""
    trap = f"http://{inside}:{site.port}/secret"
    refresh = sites.html(f'<meta http-equiv="refresh" content="0;url={trap}">')
    site.pages.update(
        {
            "/secret": sites.html(ARTICLE.format("", "the secret")),
            "/redirect": sites.redirect(trap),
            "/far": sites.redirect("/redirect"),
            "/refresh": refresh,
            "/further": sites.redirect("/refresh"),
        }
    )
    for path in ("/redirect", "/far", "/refresh", "/further"):
        for asked_for in (True, False):
            with pytest.raises(Forbidden):
                read(browsing, site, path, asked_for)
    with pytest.raises(Forbidden):
        asyncio.run(browsing.read("local", trap, asked_for=True))
    assert "/secret" not in site.paths
    assert {host for _, host in site.asked} == {f"{NAME}:{site.port}"}  # nor was its robots.txt asked for
