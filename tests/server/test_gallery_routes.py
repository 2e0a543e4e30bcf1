"""The pictures under an answer come through the server, and nothing else does."""

import io
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PIL import Image
from starlette.testclient import TestClient

from pincite import events
from pincite.answer.collect import collect_media
from pincite.answer.context import Context
from pincite.server import create_app
from pincite.settings import load_settings
from tests.server.conftest import conversation_of
from tests.sites import Site, html, page, redirect, serving


def painted() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (900, 300), (0, 90, 90)).save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as made:
        made.pages["/lake.png"] = page(painted(), {"Content-Type": "image/png"})
        made.pages["/small.png"] = page(painted(), {"Content-Type": "text/html"})
        yield made


@contextmanager
def opened(folder: Path, *media: events.Medium, allow: str = "", completes: bool = True) -> Iterator[TestClient]:
    """A client of a server that finds these for every answer."""

    async def answer(context: Context) -> AsyncIterator[events.Data]:
        found = collect_media(context, media)
        yield events.Media(items=list(found))
        yield events.Text(delta="Look.")
        if completes:
            yield events.Answer(
                answer="Look.",
                refused=False,
                question="?",
                model="fake",
                sentences=[],
                citations=[],
                usage=events.Usage(),
                media=list(found),
            )

    settings = load_settings(data=folder, embedding={"provider": "none"}, web={"allow": [allow] if allow else []})
    with TestClient(create_app(settings, answer=answer), raise_server_exceptions=False) as client:
        yield client


def answered(client: TestClient) -> str:
    """The id of an answer."""
    told = client.get(f"/api/conversations/{conversation_of(client)}").json()
    return str(told["messages"][-1]["id"])


def medium(**given: str) -> events.Medium:
    return events.Medium(n=0, kind="image", title="A lake", **({"url": "https://example.org/"} | given))


@pytest.mark.parametrize("completes", [True, False])
def test_a_picture_comes_small_and_as_nothing_but_a_picture(tmp_path: Path, site: Site, completes: bool) -> None:
    lake, both = medium(image=site.url("/lake.png")), medium(image="http://x", thumbnail=site.url("/small.png"))
    with opened(tmp_path, lake, both, allow=site.host, completes=completes) as client:
        message = answered(client)
        for n in (1, 2, 1):
            came = client.get(f"/api/messages/{message}/media/{n}")
            assert (came.status_code, came.headers["content-type"]) == (200, "image/jpeg")
            assert Image.open(io.BytesIO(came.content)).size == (480, 160)
    assert came.headers["x-content-type-options"] == "nosniff"
    assert came.headers["cache-control"].startswith("private")
    assert "sandbox" in came.headers["content-security-policy"]
    assert site.paths == ["/lake.png", "/small.png"]  # each was asked for once


def test_only_what_was_found_for_an_answer_can_be_asked_for(tmp_path: Path, site: Site) -> None:
    with opened(tmp_path, medium(), medium(image=site.url("/lake.png")), allow=site.host) as client:
        message = answered(client)
        for path in (f"{message}/media/1", f"{message}/media/3", "nobody/media/1"):
            refused = client.get(f"/api/messages/{path}")
            assert (refused.status_code, refused.json()["error"]["code"]) == (404, "not_found")
        assert client.get(f"/api/messages/{message}/media/0").status_code == 422
        given = client.get(f"/api/messages/{message}/media/3", params={"url": site.url("/lake.png")})
        assert given.status_code == 404
    assert site.asked == []


def test_a_private_broken_or_wrong_picture_is_an_error_in_words(tmp_path: Path, site: Site) -> None:
    site.pages["/page"] = html("<script>alert(1)</script>", {"Content-Type": "image/png"})
    site.pages["/svg"] = page(b"<svg xmlns='http://www.w3.org/2000/svg'/>", {"Content-Type": "image/svg+xml"})
    site.pages["/trap"] = redirect("http://169.254.169.254/latest/meta-data")
    paths = ("/page", "/svg", "/trap", "/gone")
    inside = medium(image="http://127.0.0.1:6379/")
    with opened(tmp_path, *(medium(image=site.url(path)) for path in paths), inside, allow=site.host) as client:
        message = answered(client)
        told = [client.get(f"/api/messages/{message}/media/{n}") for n in range(1, 6)]
    codes = [(each.status_code, each.json()["error"]["code"]) for each in told]
    unreadable, forbidden = (422, "unsupported"), (403, "forbidden")
    assert codes == [unreadable, unreadable, forbidden, (502, "web"), forbidden]
    assert all(each.json()["error"]["hint"] for each in told)


def test_nobody_sees_the_pictures_of_somebody_elses_answers(tmp_path: Path, site: Site) -> None:
    with opened(tmp_path, medium(image=site.url("/lake.png")), allow=site.host) as client:
        message = answered(client)
    settings = load_settings(data=tmp_path, owner="eve", embedding={"provider": "none"}, web={"allow": [site.host]})
    with TestClient(create_app(settings)) as client:
        assert client.get(f"/api/messages/{message}/media/1").status_code == 404
    assert site.asked == []
