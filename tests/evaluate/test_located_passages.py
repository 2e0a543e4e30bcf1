import json
from pathlib import Path

import pytest
from PIL import Image

from pincite.errors import Misuse
from pincite.evaluate import located_passages as module
from pincite.evaluate.located_passages import evaluate
from pincite.library import passage_locator
from pincite.locate.concordance import Concordance
from pincite.locate.location import Location
from pincite.settings import Settings, load_settings
from tests.evaluate import sets


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(data=tmp_path / "data")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return sets.locate(tmp_path / "tiny")


def silent(_: str) -> None:
    return None


def test_passages_are_judged_by_the_letters_of_their_words_and_negatives_by_being_answered(
    folder: Path, settings: Settings
) -> None:
    figures = evaluate(folder, settings, silent)
    assert (figures["cases"], figures["documents"], figures["pages"]) == (3, 1, 2)
    right = {"passages": 2, "right": 2, "share": 1.0, "not_found": 0, "wrong_place": 0}
    assert figures["shares"]["all passages"] == right
    assert set(figures["shares"]) == {"all passages", "core passages", "core, sentence", "core, none"}
    assert figures["shares"]["core passages"]["passages"] == 1
    assert (figures["false_positives"], figures["negatives"]) == (0, 1)
    assert figures["ms"]["p50"] <= figures["ms"]["p95"] <= figures["ms"]["max"]
    assert figures["building_ms_per_page"] > 0
    assert figures["own_spans"]["passages"]["total"] > 0


def test_failures_are_counted_written_and_drawn(
    folder: Path, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def first_words(concordance: Concordance, text: str, pages: object = ()) -> Location:
        return Location(((0, 12),), 0.9, (), how="approximate")

    monkeypatch.setattr(module, "locate", first_words)
    failures, pictures = tmp_path / "out" / "failed.jsonl", tmp_path / "drawn"
    figures = evaluate(folder, settings, silent, failures, pictures)
    shares = figures["shares"]["all passages"]
    # The first words are a part of the first passage, and of a place that would have been right for the second.
    assert (shares["right"], shares["not_found"], shares["wrong_place"]) == (1, 0, 0)
    assert figures["false_positives"] == 1
    told = [json.loads(line) for line in failures.read_text(encoding="utf-8").splitlines()]
    assert [case["id"] for case in told] == [1, 3]
    assert 0 < told[0]["overlap"] < 0.9
    assert told[0]["matches"][0]["page"] == 1
    names = sorted(path.name for path in pictures.iterdir())
    assert names == ["1-sentence-none.png", "3-sentence-numbers.png"]
    with Image.open(pictures / names[0]) as picture:
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 24) or []}
    assert {(0, 150, 60), (210, 0, 140)} <= colours


def test_a_passage_that_is_not_found_and_one_found_elsewhere_are_told_apart(
    folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def last_words(concordance: Concordance, text: str, pages: object = ()) -> Location:
        if text.isupper():
            return Location((), 0.0, (), refusal="absent")
        end = len(concordance.document.text)
        return Location(((end - 7, end),), 0.9, (), how="approximate")

    monkeypatch.setattr(module, "locate", last_words)
    shares = evaluate(folder, settings, silent)["shares"]["all passages"]
    assert (shares["right"], shares["not_found"], shares["wrong_place"]) == (0, 1, 1)


def test_a_pdf_that_cannot_be_read_costs_its_cases_and_is_named(folder: Path, settings: Settings) -> None:
    (folder / "pdfs" / "report.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    figures = evaluate(folder, settings, silent)
    assert figures["shares"]["all passages"]["not_found"] == 2
    assert figures["false_positives"] == 0
    assert figures["problems"][0].startswith("report.pdf: ")


def test_a_document_too_long_to_be_located_in_costs_its_cases_and_is_named(
    folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passage_locator, "LONGEST_LOCATED", 20)
    figures = evaluate(folder, settings, silent)
    assert figures["shares"]["all passages"]["not_found"] == 2
    assert "too many to locate a passage in" in figures["problems"][0]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "There is no"),
        ("", "no cases"),
        ("no json\n", "line 1 is not a case"),
        ('{"id": 1, "file": "report.pdf", "text": "a"}\n', "line 1 is not a case"),
        (
            '{"id": 1, "file": "report.pdf", "text": "a", "negative": false, "core": true, "kind": "a", "change": "a", '
            '"extractor": "plain", "gold": []}\n',
            "line 1 is not a case",
        ),
        (
            '{"id": 1, "file": "other.pdf", "text": "a", "negative": true, "core": true, "kind": "a", "change": "a", '
            '"extractor": "plain", "gold": []}\n',
            "no .*other.pdf",
        ),
        (
            '{"id": 1, "file": "report.pdf", "text": "a", "negative": false, "core": true, "kind": "a", "change": "a", '
            '"extractor": "other", "gold": [[[1, 0, 0]]]}\n',
            "no .*report.pdf.other.json.gz",
        ),
    ],
)
def test_a_set_that_is_not_right_is_told_where(
    folder: Path, settings: Settings, content: str | None, said: str
) -> None:
    (folder / "cases.jsonl").unlink()
    if content is not None:
        (folder / "cases.jsonl").write_text(content)
    with pytest.raises(Misuse, match=said) as caught:
        evaluate(folder, settings, silent)
    assert caught.value.hint
