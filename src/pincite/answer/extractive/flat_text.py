"""Put a stretch of a document on one line, as an answer quotes it."""

import re

from pincite.text.display import join_broken_words

# The start of a list item. A hyphen before a digit is the minus of a number.
BULLET = re.compile(r"^(?:[-–—](?:\s+|(?=[^\W\d_]))|[*+]\s+|[•‣◦▪▫●○■□➢➤✓✔·\uf000-\uf0ff]\s*)+(?=\S)")
NUMBERED = re.compile(r"^\(?(?:\d{1,3}|[a-zA-Z])[.)]\s")  # the start of a numbered item
_CELLS = re.compile(r"(?<!\s)\s*\t\s*")
_SPACE = re.compile(r"\s+")
_HASHES = re.compile(r"^[#>]+\s*")
_FENCE = re.compile(r"`{3,}[\w+-]*\s*")


def flatten_text(text: str) -> str:
    """Return a stretch of a document on one line, with broken words joined and a bar between table cells."""
    text = text.strip()
    if text.startswith("|") and text.endswith("|"):
        text = text.strip("| \t")
    return _SPACE.sub(" ", _CELLS.sub(" | ", join_broken_words(text))).strip()


def flatten_markdown(text: str) -> str:
    """Flatten a stretch, without heading marks and without Markdown that stays open.

    Open code would also cover the text that follows, such as the citation mark.
    """
    text = _FENCE.sub("", _HASHES.sub("", flatten_text(text))).replace("**", "")
    return (text.replace("`", "") if text.count("`") % 2 else text).strip()
