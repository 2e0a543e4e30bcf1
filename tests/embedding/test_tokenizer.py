import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.embedding.tokenizer import LookupTokenizer, SentencePieceTokenizer, fold_text, make_sentencepiece_model
from pincite.embedding.weights import Pieces, Weights
from tests.thorough import scale_examples

from .conftest import TEXTS

ODD = [
    "",
    " ",
    "a  b   c",
    "\u00a0hard\u00a0 space\u2003em\u3000ideographic",
    "tab\tline\nreturn\r\nend ",
    "zero\u200bwidth\u00adhyphen\ufeff",
    "𓀀𓀁𓀂 three unknown",
    "<s> </s> <pad> <mask> <unk>",
    "\u2581\u2581marks\u2581",
    "ＦＵＬＬ width ㍿ ﷺ",
    "👩\u200d👩\u200d👧 family 🇫🇷",
    "Straße İstanbul ŉ ǆ",
    "แม่น้ำเจ้าพระยา हिन्दी",
]


@pytest.fixture(scope="module")
def pieces(weights: Weights) -> Pieces:
    return weights.pieces


@pytest.fixture(scope="module")
def fast(pieces: Pieces) -> SentencePieceTokenizer:
    return SentencePieceTokenizer(make_sentencepiece_model(pieces), pieces.unknown)


@given(st.text(max_size=40))
@settings(max_examples=scale_examples(150), deadline=None)
def test_both_cutters_cut_any_text_alike(pieces: Pieces, fast: SentencePieceTokenizer, text: str) -> None:
    folded = fold_text(text, pieces.folds)
    assert LookupTokenizer(pieces)(folded) == fast(folded)


@pytest.mark.parametrize("text", TEXTS + ODD)
def test_both_cutters_cut_real_and_odd_text_alike(pieces: Pieces, fast: SentencePieceTokenizer, text: str) -> None:
    folded = fold_text("query: " + text, pieces.folds)
    assert LookupTokenizer(pieces)(folded) == fast(folded)


@pytest.mark.parametrize("text", TEXTS + ODD)
def test_as_many_tokens_as_the_wheels_engine_counts(
    pieces: Pieces, fast: SentencePieceTokenizer, wheel: Any, text: str
) -> None:
    text = unicodedata.normalize("NFC", text)
    assert len(fast(fold_text("query: " + text, pieces.folds))) + 2 == wheel.token_count(text, is_query=True)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60))
@settings(max_examples=scale_examples(300), deadline=None)
def test_as_many_tokens_as_the_wheels_engine_counts_in_any_text(
    pieces: Pieces, fast: SentencePieceTokenizer, wheel: Any, text: str
) -> None:
    text = unicodedata.normalize("NFC", text)
    assert len(fast(fold_text("passage: " + text, pieces.folds))) + 2 == wheel.token_count(text)


def test_the_ids_are_those_of_the_published_model(pieces: Pieces, fast: SentencePieceTokenizer) -> None:
    # "Hello world" is [0, 35378, 8999, 2] in the XLM-R vocabulary, which counts start and end as 0 and 2.
    assert fast(fold_text("Hello world", pieces.folds)) == [35378, 8999]
    assert (pieces.start, pieces.padding, pieces.end, pieces.unknown) == (0, 1, 2, 3)


def test_accents_written_as_separate_marks_are_the_same_words(pieces: Pieces) -> None:
    assert fold_text("e\u0301te\u0301", pieces.folds) == fold_text("été", pieces.folds)


def test_half_a_character_is_read_as_a_question_mark(pieces: Pieces) -> None:
    assert fold_text("half \ud800 character\0", pieces.folds) == fold_text("half ? character", pieces.folds)
