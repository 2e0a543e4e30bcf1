"""Find the words of a text, and take French elisions and inversions apart.

Modules with rules of their own keep their own patterns: `index.term_pieces` (its results are stored) and `text.names`
(a name may contain signs, as in AT&T).
"""

import re

LETTERS = re.compile(r"[^\W\d_]+")  # letters in a row
WORD = re.compile(r"[^\W_]+")  # letters and digits in a row
LETTERS_OR_DIGITS = re.compile(r"[^\W\d_]+|\d+")  # letters in a row, or digits in a row

ELISION = r"(?:[ldnmtscj]|qu)['’](?=\w)"  # l'eau, qu'elle
_ELIDED_START = re.compile(rf"\b{ELISION}", re.IGNORECASE)
_WORD_EDGES = re.compile(rf"^{ELISION}|['’]s$|['’]$", re.IGNORECASE)
_PRONOUNS = "il|elle|on|ils|elles|vous|nous|tu|je|ce"
_INVERSION = re.compile(rf"\b(\w+)-(?:t-)?({_PRONOUNS})\b", re.IGNORECASE)
_INVERTED_END = re.compile(rf"-(?:t-)?(?:{_PRONOUNS})$", re.IGNORECASE)


def blank_elisions(text: str) -> str:
    """Replace each elided article or pronoun by two spaces: "l'eau" gives "  eau"."""
    return _ELIDED_START.sub("  ", text)


def split_inversions(text: str) -> str:
    """Write a verb and the pronoun behind it as two words: "a-t-il" gives "a il"."""
    return _INVERSION.sub(r"\1 \2", text)


def strip_word(word: str) -> str:
    """Return a word without an elision before it, and without a possessive or an inverted pronoun behind it."""
    return _INVERTED_END.sub("", _WORD_EDGES.sub("", word))
