import unicodedata
from string import ascii_letters, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.folding import (
    fold_accents,
    fold_alphanumerics,
    fold_in_place,
    fold_text,
    fold_word,
    keep_alphanumerics,
)
from pincite.text.squeeze import squeeze

# The letters of English and French text, with both ways to write an accent.
LATIN_TEXT = st.text(f"{ascii_letters}{digits}àâäæçéèêëîïôöœùûüÿÀÂÄÇÉÈÊËÎÏÔÖÙÛÜ .,;:!?'’-\u0301\u0300")
_SPELLED_OUT = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})


def fold_as_stored(word: str) -> str:
    """The folding by which the terms of existing indexes were made, written out a second time."""
    spread = unicodedata.normalize("NFD", word.translate(_SPELLED_OUT))
    return unicodedata.normalize("NFC", "".join(c for c in spread if not "\u0300" <= c <= "\u036f"))


@given(st.text())
def test_stored_terms_are_folded_as_before(text: str) -> None:
    assert fold_accents(text) == fold_as_stored(text)


@given(LATIN_TEXT)
def test_in_memory_folding_agrees_with_stored_terms_on_english_and_french(text: str) -> None:
    assert fold_text(text) == fold_word(text) == fold_accents(text.casefold())


@given(LATIN_TEXT)
def test_letters_and_digits_agree_with_the_form_that_passages_are_located_by(text: str) -> None:
    assert fold_alphanumerics(text) == squeeze(text).text


@given(st.text())
def test_folding_is_stable(text: str) -> None:
    for fold in (fold_text, fold_alphanumerics, keep_alphanumerics, fold_in_place, fold_accents):
        assert fold(fold(text)) == fold(text), fold


@given(st.text())
def test_folding_in_place_moves_no_character(text: str) -> None:
    assert len(fold_in_place(text)) == len(text)


@given(st.text("abcéèêàçùôïABCÉÈÊÀÇÙÔÏ 1,.’-"))
def test_folding_in_place_agrees_with_other_folding_on_accented_letters(text: str) -> None:
    assert fold_in_place(text) == fold_text(text)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Œuvre", "oeuvre"),
        ("ÉTÉ", "ete"),
        ("e\u0301te\u0301", "ete"),
        ("ﬁnance", "finance"),
        ("Straße", "strasse"),
        ("Łódź", "lodz"),
    ],
)
def test_spellings_of_one_word_fold_to_one_form(text: str, folded: str) -> None:
    assert fold_word(text) == folded


def test_accents_stay_where_they_matter() -> None:
    assert keep_alphanumerics("L'Été, 2020 !") == "lété2020"
