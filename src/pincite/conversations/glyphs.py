"""Any text to one that a typeface can show: what it lacks becomes its nearest relative, or a mark that is seen."""

import unicodedata
from collections.abc import Container, Iterator

LACKING = "■"
_SPACES = ("Zs", "Zl", "Zp")
_VARIANTS = "\ufe0e\ufe0f"  # they ask for another look of the character before them


def fitted(text: str, known: Container[int]) -> tuple[str, int]:
    """The text in characters of a typeface, and how many of them stand for one that it lacks."""
    pieces = [character if ord(character) in known else _nearest(character, known) for character in _composed(text)]
    return "".join(pieces), sum(piece == LACKING for piece in pieces) - text.count(LACKING)


def _composed(text: str) -> Iterator[str]:
    """Characters with their accents in one, control characters as spaces, what only joins or breaks words left out."""
    for character in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(character)
        if character == "\n" or (kind not in ("Cc", "Cf") and character not in _VARIANTS):
            yield character
        elif kind == "Cc":
            yield " "


def _nearest(character: str, known: Container[int]) -> str:
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
