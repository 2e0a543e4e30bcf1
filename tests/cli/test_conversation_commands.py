import io
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Ran
from tests.turns import Script, saying


@pytest.fixture
def talks(
    pincite: Callable[..., Ran], answered_by: Callable[[Script], None], monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Two conversations, the latest first; their ids."""
    answered_by(saying("Good day."))
    for question in ("Hello!", "Good morning <b>you</b>!"):
        monkeypatch.setattr("sys.stdin", io.StringIO(question))
        pincite("chat")
    return [each["id"] for each in pincite("conversations", "--json").json]


def test_without_any_it_says_how_to_begin_one(pincite: Callable[..., Ran]) -> None:
    ran = pincite("conversations")
    assert (ran.status, "pincite chat" in ran.out) == (0, True)
    assert pincite("conversations", "--json").json == []


def test_they_are_listed_with_the_first_letters_of_their_ids_the_latest_first(
    pincite: Callable[..., Ran], talks: list[str]
) -> None:
    rows = pincite("conversations").out.splitlines()[1:]
    assert [row.split()[0] for row in rows] == [id[:8] for id in talks]
    assert rows[0].rstrip().endswith("Good morning <b>you</b>!")
    assert len(pincite("conversations", "-n", "1", "--json").json) == 1


@pytest.mark.parametrize("named", [lambda talks: "last", lambda talks: talks[0][:8], lambda talks: talks[0]])
def test_one_is_shown_by_its_id_or_as_the_last(
    pincite: Callable[..., Ran], talks: list[str], named: Callable[[list[str]], str]
) -> None:
    assert pincite("conversations", "show", named(talks)).out.startswith("> Good morning <b>you</b>!\nGood day.")


def test_a_page_that_is_exported_has_no_tags_of_what_was_asked(
    pincite: Callable[..., Ran], talks: list[str], tmp_path: Path
) -> None:
    ran = pincite("conversations", "export", "last", "--format", "html", "--to", tmp_path / "talk.html")
    assert (ran.status, ran.out) == (0, "")
    page = (tmp_path / "talk.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;you" in page
    assert "<b>you" not in page


def test_a_paper_is_exported_as_it_is(pincite: Callable[..., Ran], talks: list[str], tmp_path: Path) -> None:
    ran = pincite("conversations", "export", "last", "--format", "pdf", "--to", tmp_path / "talk.pdf")
    assert (ran.status, ran.out) == (0, "")
    assert (tmp_path / "talk.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("talk.pdf", b"%PDF-"),
        ("talk.md", b"# "),
        ("TALK.HTML", b"<!doctype"),
        ("talk.json", b"{"),
        ("r.csl.json", b"["),
    ],
)
def test_the_ending_of_a_file_names_its_format(
    pincite: Callable[..., Ran], talks: list[str], tmp_path: Path, name: str, begins: bytes
) -> None:
    assert pincite("conversations", "export", "last", "--to", tmp_path / name).status == 0
    assert (tmp_path / name).read_bytes().startswith(begins)


@pytest.mark.parametrize("name", ["talk.exe", "talk"])
def test_an_unknown_ending_is_a_mistake_that_names_the_known_ones(
    pincite: Callable[..., Ran], talks: list[str], tmp_path: Path, name: str
) -> None:
    ran = pincite("conversations", "export", "last", "--to", tmp_path / name)
    assert ran.status == 2
    assert ".md, .html, .pdf, .csl.json, .json, .bib, .ris, .txt" in " ".join(ran.said.split())
    assert not (tmp_path / name).exists()
    assert pincite("conversations", "export", "last", "--format", "ris", "--to", tmp_path / name).status == 0


def test_a_removed_one_is_gone_and_the_others_stay(pincite: Callable[..., Ran], talks: list[str]) -> None:
    ran = pincite("conversations", "remove", talks[0][:8])
    assert (ran.status, ran.said) == (0, "Removed “Good morning <b>you</b>!”.\n")
    assert [each["id"] for each in pincite("conversations", "--json").json] == talks[1:]


@pytest.mark.parametrize("command", ["show", "export", "remove"])
@pytest.mark.parametrize("named", ["nope", ""])
def test_one_that_is_not_there_is_a_mistake(
    pincite: Callable[..., Ran], talks: list[str], command: str, named: str
) -> None:
    ran = pincite("conversations", command, named)
    assert (ran.status, ran.out) == (2, "")
    assert "There is no conversation" in ran.said


def test_of_several_one_wrong_name_removes_none(pincite: Callable[..., Ran], talks: list[str]) -> None:
    assert pincite("conversations", "remove", talks[0], "nope").status == 2
    assert len(pincite("conversations", "--json").json) == 2
