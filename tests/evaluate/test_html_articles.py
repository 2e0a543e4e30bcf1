import gzip
import json
from pathlib import Path

import pytest

from pincite.errors import Misuse
from pincite.evaluate.html_articles import evaluate, strip_title
from tests.evaluate import sets


def silent(_: str) -> None:
    return None


def test_the_text_read_is_compared_with_the_text_people_marked(tmp_path: Path) -> None:
    found = evaluate(sets.html(tmp_path), silent)
    ours = found["readers"]["pincite"]["all"]
    assert (ours["pages"], ours["precision"], ours["recall"], ours["f1"]) == (2, 1.0, 1.0, 1.0)
    assert found["readers"]["all that is visible"]["all"]["precision"] < 1
    assert found["readers"]["pincite, title and all"]["all"]["precision"] < 1
    assert found["lead"]["all that is visible"]["all"]["f1"] > 0
    assert sum(found["readers"]["pincite"][half]["pages"] for half in ("first half", "second half")) == 2


def test_titles_and_dates_are_compared_with_what_the_pages_say(tmp_path: Path) -> None:
    found = evaluate(sets.html(tmp_path), silent)
    assert found["titles"] == {"found": 2, "declared": 2, "agree": 2}
    assert found["dates"] == {"found": 1, "declared": 1, "agree": 1, "in_address": 1, "agree_with_address": 1}


@pytest.mark.parametrize(
    ("truth", "said"),
    [
        (None, "There is no ground-truth.json"),
        ("{", "does not have the expected format"),
        ("[]", "does not have the expected format"),
        ('{"a": {"url": ""}}', "does not have the expected format"),
        ("{}", "There are no pages"),
        ('{"a": {"articleBody": "b"}}', "The page a of the set cannot be read"),
    ],
)
def test_a_set_that_is_not_right_is_told_why(tmp_path: Path, truth: str | None, said: str) -> None:
    if truth is not None:
        (tmp_path / "ground-truth.json").write_text(truth)
    with pytest.raises(Misuse, match=said) as caught:
        evaluate(tmp_path, silent)
    assert caught.value.hint


def test_a_page_may_be_packed_or_not_but_not_broken(tmp_path: Path) -> None:
    folder = sets.html(tmp_path)
    assert {path.suffix for path in (folder / "html").iterdir()} == {".gz", ".html"}
    key = next(iter(json.loads((folder / "ground-truth.json").read_text())))
    (folder / "html" / f"{key}.html").unlink(missing_ok=True)
    (folder / "html" / f"{key}.html.gz").write_bytes(gzip.compress(b"<p>")[:-3])
    with pytest.raises(Misuse, match="cannot be read"):
        evaluate(folder, silent)


def test_a_title_on_top_is_set_aside_for_every_reader_alike() -> None:
    assert strip_title("La marée\n\nElle monte.", ["La marée - Le Port"]) == "\nElle monte."
    assert strip_title("Elle monte.\nLa marée", ["La marée - Le Port"]) == "Elle monte.\nLa marée"
