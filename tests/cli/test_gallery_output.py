"""Pictures and videos at the terminal: their titles, and where they are."""

import io
from typing import Any

import pytest

from pincite.cli.gallery_output import list_media
from pincite.cli.proof_output import print_lines
from pincite.events import Medium
from tests.cli.test_proof_output import answer
from tests.screens import seen, terminal


def medium(n: int, **given: Any) -> Medium:
    values = {"kind": "image", "url": f"https://example.org/{n}", "title": f"Lake {n}"}
    return Medium(n=n, **(values | given))


def lines(*media: Medium) -> list[str]:
    return [line.plain for line in list_media(answer("", [], [], media=list(media)))]


def test_each_stands_under_its_number_with_the_page_it_is_on() -> None:
    assert lines(medium(1), medium(2, kind="video", length="1:02", title="")) == [
        "",
        "Pictures and videos",
        "  1. Lake 1",
        "     https://example.org/1",
        "  2. https://example.org/2 (1:02)",
        "     https://example.org/2",
    ]


@pytest.mark.parametrize(("kind", "heading"), [("image", "Pictures"), ("video", "Videos")])
def test_they_are_called_what_they_are(kind: str, heading: str) -> None:
    assert lines(medium(1, kind=kind))[1] == heading
    assert lines() == []


def test_a_title_leads_to_its_page_and_steers_nothing_else() -> None:
    console = terminal()
    evil = medium(1, title="A\x1b[2Jlake", url="https://example.org/\x1b]0;x")
    print_lines(list_media(answer("", [], [], media=[medium(2), evil])), console)
    assert isinstance(console.file, io.StringIO)
    written = console.file.getvalue()
    assert ";https://example.org/2\x1b\\" in written
    assert "\x1b[2J" not in written
    assert "\x1b]0" not in written
    assert "  1. A[2Jlake" in seen(written)
