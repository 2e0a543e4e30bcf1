"""Replace characters that a typeface lacks with the nearest one it has, or with a visible mark."""

import unicodedata
from collections.abc import Container, Iterator

LACKING = "■"
_SPACES = ("Zs", "Zl", "Zp")
_VARIANTS = "\ufe0e\ufe0f"  # variation selectors change the look of the character before them


def fit_text(text: str, known: Container[int]) -> tuple[str, int]:
    """Return the text in characters of a typeface, and how many of them were replaced by the mark."""
    pieces = [
        character if ord(character) in known else _find_nearest(character, known)
        for character in _compose_characters(text)
    ]
    return "".join(pieces), sum(piece == LACKING for piece in pieces) - text.count(LACKING)


def _compose_characters(text: str) -> Iterator[str]:
    """Yield composed characters, with control characters as spaces and without format characters."""
    for character in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(character)
        if character == "\n" or (kind not in ("Cc", "Cf") and character not in _VARIANTS):
            yield character
        elif kind == "Cc":
            yield " "


def _find_nearest(character: str, known: Container[int]) -> str:
    if character == "\n":
        return character
    if character == "\u202f":
        return "\u00a0"
    kind = unicodedata.category(character)
    if kind in _SPACES:
        return " "
    spread = unicodedata.normalize("NFKC", character)
    if spread != character and all(ord(each) in known for each in spread):
        return spread
    if kind == "Pd":
        return "-"
    return LACKING
