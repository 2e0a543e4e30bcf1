import io
import subprocess
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from tests.files import printed

from pincite.errors import Unreadable
from pincite.reading import ocr
from pincite.reading.ocr import OcrWord, make_ocr_text, recognise_words

WORDS = st.builds(
    OcrWord,
    st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=6),
    *(st.floats(0, 500) for _ in range(4)),
    st.tuples(st.integers(1, 2), st.integers(1, 2), st.integers(1, 3)),
)


@pytest.mark.skipif(not ocr.is_available("fra"), reason="tesseract-ocr with fra is not installed")
def test_french_words_are_found_in_order_with_their_boxes() -> None:
    found = recognise_words(Image.open(io.BytesIO(printed("Société générale"))), "fra", 150)
    assert [word.text for word in found] == ["Société", "générale"]
    assert found[0].line == found[1].line
    assert 30 < found[0].x0 < found[0].x1 < found[1].x0 < found[1].x1 < 900


def test_languages_that_are_not_installed_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "_list_installed", lambda: frozenset({"eng"}))
    assert ocr.is_available("fra+eng")
    assert not ocr.is_available("fra")
    assert not ocr.is_available("")
    assert recognise_words(Image.new("L", (10, 10)), "fra") == []


def test_a_picture_that_takes_too_long_is_given_up_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(command: list[str], **given: Any) -> None:
        raise subprocess.TimeoutExpired(command, given["timeout"])

    monkeypatch.setattr(ocr, "_list_installed", lambda: frozenset({"eng"}))
    monkeypatch.setattr(subprocess, "run", slow)
    with pytest.raises(Unreadable, match="seconds"):
        recognise_words(Image.new("L", (10, 10)), "eng")


def test_lines_and_paragraphs_part_words() -> None:
    places = [(1, 1, 1), (1, 1, 1), (1, 1, 2), (1, 2, 1), (2, 1, 1)]
    found = [OcrWord(text, 0, 0, 10, 5, place) for text, place in zip("abcde", places, strict=True)]
    made = make_ocr_text(found)
    assert made.text == "a b\nc\n\nd\n\ne"
    assert [made.text[block.start : block.end] for block in made.blocks] == ["a b\nc", "d", "e"]


@given(st.lists(WORDS, max_size=12))
def test_every_character_of_a_word_has_its_share_of_the_box_and_gaps_have_none(found: list[OcrWord]) -> None:
    made = make_ocr_text(found, 0.5)
    assert made.boxes.shape == (len(made.text), 4)
    assert made.text.split() == [word.text for word in found]
    spaces = np.array([char.isspace() for char in made.text], dtype=bool)
    assert np.isnan(made.boxes[spaces]).all()
    assert not np.isnan(made.boxes[~spaces]).any()
