"""The calibration set is whole, balanced, and part of what is installed."""

import json
import zipfile
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pincite.evaluate.calibration import FOLDER, load_set, read_version

CLAIMS: list[dict[str, Any]] = [
    json.loads(line) for line in (FOLDER / "claims.jsonl").read_text(encoding="utf-8").splitlines()
]
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in (FOLDER / "documents").glob("*.md")}
TRUE = {"paraphrase", "condensed", "table", "arithmetic", "crosslingual", "silent"}
FALSE = {
    *("swap", "condition", "scope", "cause", "number", "year"),
    *("cell", "growth", "name", "negation", "modality", "addition"),
}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["id"])
def test_every_quotation_stands_once_in_its_document(claim: dict[str, Any]) -> None:
    assert claim["cited"]
    for words in claim["cited"]:
        assert TEXTS[claim["document"]].count(words) == 1


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["id"])
def test_no_sentence_is_a_quotation(claim: dict[str, Any]) -> None:
    assert claim["claim"] not in TEXTS[claim["document"]]


def test_half_of_the_sentences_are_true_in_each_language() -> None:
    counts = Counter((claim["language"], claim["label"] in ("supported", "silent")) for claim in CLAIMS)
    assert counts == {("en", True): 20, ("en", False): 20, ("fr", True): 20, ("fr", False): 20}


def test_every_kind_of_error_is_there_in_both_languages() -> None:
    for language in ("en", "fr"):
        kinds = {claim["kind"] for claim in CLAIMS if claim["language"] == language}
        assert kinds == TRUE | FALSE
    assert {claim["kind"] for claim in CLAIMS if claim["label"] in ("supported", "silent")} == TRUE
    assert {claim["kind"] for claim in CLAIMS if claim["label"] not in ("supported", "silent")} == FALSE


def test_every_document_is_used_and_every_id_is_unique() -> None:
    assert {claim["document"] for claim in CLAIMS} == set(TEXTS)
    assert len({claim["id"] for claim in CLAIMS}) == len({claim["claim"] for claim in CLAIMS}) == 80


def test_a_judge_reads_the_cited_words_their_surroundings_and_the_title() -> None:
    by_id = {each.id: each for each in load_set().sentences}
    (cited,) = by_id["lease-4"].claim.cited
    assert cited.words.startswith("The Tenant may let a single room with the Landlord's written consent")
    assert "The Tenant may not sublet the whole of the flat." in cited.around
    assert "Lease of 14 Harbour Street" in cited.where


def test_a_judge_reads_a_figure_of_a_table_with_its_column_heads_and_unit() -> None:
    by_id = {each.id: each for each in load_set().sentences}
    (cited,) = by_id["annual-report-6"].claim.cited
    assert cited.words == "Net debt | 2023: 11,250 | 2022: 12,900 | 2021: 14,400 (Amounts in thousands of euros)"


def test_the_order_of_the_sentences_tells_nothing_about_their_truth() -> None:
    truths = [each.is_true for each in load_set().sentences]
    changes = sum(before != after for before, after in pairwise(truths))
    assert changes > 30


def test_the_version_is_the_content_of_the_set() -> None:
    assert load_set().version == read_version()
    assert len(read_version()) == 12


@pytest.mark.slow
def test_the_set_is_in_the_wheel(tmp_path: Path) -> None:
    from hatchling.builders.wheel import WheelBuilder

    root = Path(__file__).parents[2]
    (wheel,) = WheelBuilder(str(root)).build(directory=str(tmp_path), versions=["standard"])
    names = zipfile.ZipFile(wheel).namelist()
    assert "pincite/evaluate/calibration/claims.jsonl" in names
    assert {f"pincite/evaluate/calibration/documents/{name}.md" for name in TEXTS} <= set(names)
