"""Replace characters that cannot be stored or sent, or that nobody sees."""

import re

# Lone surrogates and Unicode's non-characters cannot be stored or sent; control characters are invisible.
_BROKEN = re.compile(
    "[\ud800-\udfff\ufdd0-\ufdef"
    + "".join(f"{chr(p * 65536 + 0xFFFE)}{chr(p * 65536 + 0xFFFF)}" for p in range(17))
    + "]"
)
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")


def clean_text(text: str) -> str:
    """Return the text at the same length, with U+FFFD for characters that cannot be stored and spaces for controls."""
    return _CONTROL.sub(" ", _BROKEN.sub("\ufffd", text))
