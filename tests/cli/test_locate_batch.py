import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.library import passage_locator
from tests import pdfs
from tests.cli.conftest import Ran

Run = Callable[..., Ran]
TIDES = "The tide answers the moon with some delay."
GOOD = json.dumps({"id": "good", "file": "tides.txt", "text": TIDES})


@pytest.fixture
def run(pincite: Run, tmp_path: Path) -> Callable[..., list[Any]]:
    """The results of a batch of these lines, over a folder with one short text."""
    (tmp_path / "tides.txt").write_text(TIDES)

    def run(*lines: str, options: tuple[str, ...] = (), mark: bytes = b"") -> list[Any]:
        cases = tmp_path / "cases.jsonl"
        cases.write_bytes(mark + "\n".join(lines).encode() + b"\n")
        ran = pincite("locate", "--batch", cases, *options)
        assert (ran.status, "Traceback" in ran.said) == (0, False)
        return ran.lines

    return run


def case(**given: Any) -> str:
    return json.dumps({"id": 1, "file": "tides.txt", "text": TIDES} | given)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[" * 100_000, "not a case"),
        ("[1, 2]", "not a case"),
        (case().replace("1,", "1e999,", 1), "its id must be"),
        (case(id=["a"]), "its id must be"),
        (case(file=7), "its file must be a string"),
        (case(text=None), "its text must be a string"),
        (case(pages="12"), "its pages must be a list"),
        (case(pages=3), "its pages must be a list"),
        (case(pages=[True]), "its pages must be a list"),
        (case(pages=[0]), "its pages must be a list"),
        (case(pages=["3"]), "its pages must be a list"),
        (case(pages=[1.5]), "its pages must be a list"),
        (case(pages=[[3]]), "its pages must be a list"),
        (case(pages=[7]).replace("7", "1e999"), "its pages must be a list"),
        (case(pages=[7]).replace("7", "NaN"), "its pages must be a list"),
        (case(file="a\0b.pdf"), "no file can have such a name"),
        (case(file="\ud800.pdf"), "no file can have such a name"),
        (case(file="a" * 300), "cannot be opened"),
        (case(file="gone.pdf"), "cannot be opened"),
        (case(file=""), ""),
    ],
)
def test_a_wrong_line_gives_a_result_that_says_why_and_the_batch_goes_on(
    run: Callable[..., list[Any]], line: str, said: str
) -> None:
    wrong, good = run(line, GOOD)
    assert set(wrong) == {"id", "matches", "error"}
    assert wrong["matches"] == []
    assert said in wrong["error"]
    assert (good["id"], len(good["matches"])) == ("good", 1)


@pytest.mark.parametrize("pages", [None, [], [1], [3.0], [10**30]])
def test_pages_may_be_left_out_and_a_page_that_is_not_there_costs_nothing(
    run: Callable[..., list[Any]], pages: Any
) -> None:
    (told,) = run(case(pages=pages))
    assert (len(told["matches"]), "error" in told) == (1, False)


def test_half_a_character_in_an_id_or_a_passage_is_a_mark(run: Callable[..., list[Any]]) -> None:
    told, _ = run(case(id="a\ud83d", text=f"{TIDES} \ud83d"), GOOD)
    assert (told["id"], len(told["matches"])) == ("a\ufffd", 1)


def test_a_mark_at_the_beginning_of_the_file_is_no_part_of_the_first_case(run: Callable[..., list[Any]]) -> None:
    (told,) = run(GOOD, mark=b"\xef\xbb\xbf")
    assert told["id"] == "good"


def test_the_password_opens_the_files_that_need_one(run: Callable[..., list[Any]], tmp_path: Path) -> None:
    pdfs.locked(tmp_path / "locked.pdf", "sesame")
    asked = case(file="locked.pdf", text=pdfs.WORDS_EN)
    (refused,) = run(asked)
    assert "protected by a password" in refused["error"]
    found, text = run(asked, GOOD, options=("--password", "sesame"))
    assert [match["page"] for match in found["matches"]] == [1]
    assert len(text["matches"]) == 1


def test_a_document_too_long_to_be_located_in_is_told_in_its_line(
    run: Callable[..., list[Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passage_locator, "LONGEST_LOCATED", len(TIDES) + 1)
    (tmp_path / "long.txt").write_text(TIDES * 2)
    long, good = run(case(file="long.txt"), GOOD)
    assert "too many to locate a passage in" in long["error"]
    assert good["matches"]
