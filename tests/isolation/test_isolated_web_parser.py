"""Pages and pictures of the web are parsed in processes of their own, with the same results and errors as here."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import files
from tests.thorough import mark_slow

from pincite.errors import TimedOut, TooLarge, Unreadable, Unsupported
from pincite.isolation import isolated_web_parser
from pincite.isolation.isolated_web_parser import IsolatedWebParser
from pincite.settings import ReadingSettings
from pincite.web.web_parser import DirectParser

URL = "https://lakes.example/depth"
PAGES = {
    "article": files.ARTICLE,
    "shell": b"<html><body><div id='root'></div><script src='app.js'></script></body></html>",
    "moved": b"<meta http-equiv='refresh' content='0; url=/elsewhere'><p>Moved.</p>",
    "empty": b"",
    "noise": bytes(range(256)) * 40,
}


@pytest.fixture(scope="module")
def parser() -> Iterator[IsolatedWebParser]:
    made = IsolatedWebParser(ReadingSettings())
    yield made
    made.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_parsed_there_as_it_would_be_here(parser: IsolatedWebParser, tmp_path: Path, name: str) -> None:
    path, here = tmp_path / "page", DirectParser()
    path.write_bytes(PAGES[name])
    assert parser.find_emptiness(path) == here.find_emptiness(path)
    assert parser.find_emptiness(path, True) == here.find_emptiness(path, True)
    assert parser.find_refresh(path, URL) == here.find_refresh(path, URL)
    assert parser.list_links(path, URL) == here.list_links(path, URL)


def test_emptiness_refresh_and_links_of_a_page_come_back(parser: IsolatedWebParser, tmp_path: Path) -> None:
    path = tmp_path / "page"
    path.write_bytes(PAGES["shell"])
    assert parser.find_emptiness(path) == "script"
    path.write_bytes(PAGES["moved"])
    assert parser.find_refresh(path, URL) == "https://lakes.example/elsewhere"
    path.write_bytes(PAGES["article"])
    assert parser.list_links(path, URL) == ["https://lakes.example/"]


def test_a_picture_is_drawn_there_as_it_would_be_here(parser: IsolatedWebParser) -> None:
    picture = files.picture(size=(900, 200))
    assert parser.make_thumbnail(picture) == DirectParser().make_thumbnail(picture)


def test_pictures_fail_with_the_same_errors(parser: IsolatedWebParser) -> None:
    with pytest.raises(Unsupported, match="not a picture"):
        parser.make_thumbnail(b"<svg onload='alert(1)'/>")
    with pytest.raises(Unsupported, match="damaged"):
        parser.make_thumbnail(files.picture()[:-200])
    with pytest.raises(TooLarge, match="million pixels"):
        parser.make_thumbnail(files.picture(size=(6000, 6000)))


MISCHIEF = """
import os, time
import pincite.web.page_redirects as page
import pincite.web.thumbnails as thumbnails
def deed(*_, **__):
    {}
page.find_emptiness = thumbnails.make_thumbnail = deed
"""


@pytest.mark.parametrize(
    ("deed", "kind"),
    [("time.sleep(600)", TimedOut), mark_slow("os.abort()", Unreadable), mark_slow("return [0] * 10**12", Unreadable)],
)
def test_a_page_or_picture_that_brings_its_process_down_is_a_typed_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deed: str, kind: type[Unreadable]
) -> None:
    path = tmp_path / "page"
    path.write_bytes(files.ARTICLE)
    (tmp_path / "sitecustomize.py").write_text(MISCHIEF.format(deed))
    with monkeypatch.context() as patch:
        patch.setattr(isolated_web_parser, "_SECONDS", 3.0)
        patch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
        parser = IsolatedWebParser(ReadingSettings())
        with pytest.raises(kind):
            parser.find_emptiness(path)
        with pytest.raises(Unsupported, match="cannot be drawn"):
            parser.make_thumbnail(files.picture())
    assert parser.find_emptiness(path) == ""  # the next one is parsed by a new process
    parser.close()


def test_an_answer_that_no_parser_gives_is_not_believed(
    parser: IsolatedWebParser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that was taken over by a page can say anything."""
    path = tmp_path / "page"
    path.write_bytes(b"<p>x</p>")
    answers = iter([b'"anything"', b"[1, null]", b'{"url": 1}', b"no json", b"<script>"])
    monkeypatch.setattr("pincite.isolation.child_process.IsolatedProcess.run", lambda *_, **__: next(answers))
    assert parser.find_emptiness(path) == ""
    assert parser.list_links(path, URL) == []
    assert parser.find_refresh(path, URL) is None
    with pytest.raises(Unreadable):
        parser.find_emptiness(path)
    with pytest.raises(Unsupported):
        parser.make_thumbnail(b"")
