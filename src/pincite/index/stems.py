"""A word to its stem, by language: what different forms of one word have in common, without accents."""

import unicodedata
from collections.abc import Callable

_SNOWBALL = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fi": "finnish",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
_SPELT_OUT = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})


def stemmer(language: str) -> Callable[[str], str]:
    """The stemmer of a language; a word of a language without one only loses its accents."""
    if language == "fr":
        return french
    if language not in _SNOWBALL:
        return fold
    import Stemmer

    # Snowball knows the accents of its language, so they are folded after it.
    snowball: Callable[[str], str] = Stemmer.Stemmer(_SNOWBALL[language], 0).stemWord
    return lambda word: fold(snowball(word))


def french(word: str) -> str:
    """A French word without the marks of number and gender.

    Snowball's French stems also cut verbs and suffixes, and rest on accents that people leave out: measured on two
    French sets, nDCG@10 .575 and .875 for it, .623 and .876 for this, and without accents .567 and .859 for it."""
    word = fold(word)
    if len(word) < 4:
        return word
    if word.endswith("aux"):
        word = word[:-3] + "al"
    elif word[-1] in "sx":
        word = word[:-1]
    word = word.removesuffix("e").removesuffix("e")
    return word[:-1] if len(word) > 2 and word[-1] == word[-2] else word


def fold(word: str) -> str:
    """A word without its accents."""
    if word.isascii():
        return word
    spread = unicodedata.normalize("NFD", word.translate(_SPELT_OUT))
    return unicodedata.normalize("NFC", "".join(c for c in spread if not "\u0300" <= c <= "\u036f"))
