from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pincite.evaluate import own_spans as proof
from pincite.evaluate.own_spans import measure_own_spans
from pincite.locate.boxes import find_boxes
from pincite.reading import read
from pincite.reading.packed_boxes import pack_boxes
from pincite.reading.source import Source
from pincite.types import Document, Page, PageBoxes
from tests import pdfs


@pytest.fixture
def columns(tmp_path: Path) -> Document:
    return read(Source(pdfs.two_columns(tmp_path / "columns.pdf"), "columns.pdf"))


def test_all_passages_and_sentences_of_a_pdf_have_the_right_boxes(tmp_path: Path, columns: Document) -> None:
    pages = read(Source(pdfs.simple(tmp_path / "a.pdf", pages=3, words=pdfs.WORDS_FR), "a.pdf"))
    figures = measure_own_spans([("pages", pages), ("columns", columns)])
    assert figures["failures"] == []
    assert figures["worst"] == 1.0
    # Three parts of three sentences on each page, the title, and a text in two columns that has no stop.
    assert figures["sentences"] == {"right": 29, "total": 29}
    assert figures["passages"]["right"] == figures["passages"]["total"] >= 4


def _moved(shift: float) -> object:
    def wrong(document: Document, spans: Iterable[tuple[int, int]]) -> list[PageBoxes]:
        return [
            replace(page, rects=tuple((x0 + shift, y0, x1 + shift, y1) for x0, y0, x1, y1 in page.rects))
            for page in find_boxes(document, spans)
        ]

    return wrong


def test_boxes_beside_their_words_are_found_out(columns: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "find_boxes", _moved(12))
    figures = measure_own_spans([("columns", columns)])
    assert figures["sentences"]["right"] == 0
    assert 0 < figures["worst"] < 0.98
    assert {"columns"} == {failure["document"] for failure in figures["failures"]}
    assert {"start", "end", "overlap", "page", "kind"} <= figures["failures"][0].keys()


def test_boxes_that_light_the_next_column_too_are_found_out(columns: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    def wide(document: Document, spans: Iterable[tuple[int, int]]) -> list[PageBoxes]:
        return [
            replace(page, rects=tuple((0.0, y0, 595.0, y1) for _, y0, _, y1 in page.rects))
            for page in find_boxes(document, spans)
        ]

    monkeypatch.setattr(proof, "find_boxes", wide)
    assert any(failure["overlap"] < 0.6 for failure in measure_own_spans([("columns", columns)])["failures"])


def test_no_boxes_at_all_are_no_proof(columns: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "find_boxes", lambda document, spans: [])
    figures = measure_own_spans([("columns", columns)])
    assert (figures["worst"], figures["sentences"]["right"]) == (0.0, 0)


def test_text_drawn_twice_at_one_place_counts_once() -> None:
    row = [(10 * i, 0, 10 * i + 9, 12) for i in range(5)]
    found = np.array([*row, *[(np.nan,) * 4] * 2, *row], np.float32)
    twice = Document("pdf", "abcde\n\nabcde", pages=(Page(1, 0, 12, 100, 100, pack_boxes(found)),))
    assert measure_own_spans([("twice", twice)])["sentences"] == {"right": 2, "total": 2}


def test_documents_without_boxes_have_nothing_to_prove() -> None:
    figures = measure_own_spans([("note", Document("text", "A sentence. And another."))])
    assert figures == {
        "passages": {"right": 0, "total": 0},
        "sentences": {"right": 0, "total": 0},
        "worst": 1.0,
        "failures": [],
    }
