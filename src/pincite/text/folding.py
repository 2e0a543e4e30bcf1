"""Fold accents, case and letter forms, so that two spellings of one word compare equal.

There are four kinds of folding, because their results are used in different ways:

- `fold_accents` makes the terms of the search index. Terms are stored with each document, so its results never change.
- `fold_word`, `fold_text` and `fold_alphanumerics` compare words of two texts in memory. They fold as much as they can.
- `keep_alphanumerics` compares texts whose accents matter.
- `fold_in_place` keeps each character at its place, and does the same as the database does in SQL.
"""

import unicodedata
from functools import lru_cache

# Letters that Unicode does not decompose, though people and fonts write them as others.
_SPELLED_OUT = {"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
_STORED_LETTERS = str.maketrans(_SPELLED_OUT)
_COMPARED_LETTERS = str.maketrans(_SPELLED_OUT | {"ȷ": "j"})

# Only the letters of Latin-1, enough for English and French: PostgreSQL checks this list at every character.
ACCENTED = "".join(letter for letter in map(chr, range(0xC0, 0x100)) if len(unicodedata.normalize("NFD", letter)) > 1)
UNACCENTED = "".join(unicodedata.normalize("NFD", letter)[0] for letter in ACCENTED)
_PAIRS = [(accented, bare) for accented, bare in zip(ACCENTED, UNACCENTED, strict=True) if accented.islower()]


def fold_accents(word: str) -> str:
    """Return a word without its accents; its case and the vowel signs of other scripts stay.

    The terms of the index are made with this function: change it only together with `index.terms.ANALYSIS`.
    """
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word.translate(_STORED_LETTERS))
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not "\u0300" <= c <= "\u036f"))


@lru_cache(50_000)
def fold_word(word: str) -> str:
    """Return a word in lower case, without accents, ligatures and compatibility forms.

    Results are cached, so this is for single words: use `fold_text` for text of any length.
    """
    return fold_text(word)


def fold_text(text: str) -> str:
    """Return a text in lower case, without accents, ligatures and compatibility forms."""
    if text.isascii():
        return text.lower()
    return "".join(c for c in decompose_letters(text) if not unicodedata.combining(c))


def fold_alphanumerics(text: str) -> str:
    """Return the letters and digits of a text, folded like a word."""
    return "".join(filter(str.isalnum, fold_text(text)))


def keep_alphanumerics(text: str) -> str:
    """Return the letters and digits of a text in lower case, with their accents."""
    return "".join(filter(str.isalnum, text.casefold()))


def fold_in_place(text: str) -> str:
    """Return a text in lower case without accents, each character at its place.

    `store.sql_folding` gives the same for a column. Ligatures stay, since their letters would need two places.
    """
    if text.isascii():
        return text.lower()
    # The lower case of a dotted capital I would be two characters.
    text = text.replace("\u0130", "i").lower()
    # This takes a third of the time of `str.translate`, which looks up every character.
    for accented, bare in _PAIRS:
        text = text.replace(accented, bare)
    return text


def decompose_letters(text: str) -> str:
    """Return a text in lower case with each letter before its accents, and ligatures as their letters."""
    lower = unicodedata.normalize("NFKD", text).casefold()
    return unicodedata.normalize("NFKD", lower).translate(_COMPARED_LETTERS)


def is_letter(character: str) -> bool:
    """Whether a character is a letter, a digit, or a vowel sign of the scripts of India and its neighbours."""
    return character.isalnum() or ("\u0900" <= character < "\u1100" and unicodedata.category(character) in ("Mn", "Mc"))
