"""Join words that the end of a line broke, for every part of the program that shows words of a document.

The file readers write a hyphen that only breaks a word as U+00AD, and leave a hyphen that belongs to the word. Both
stand before a line end.
"""

import re

SOFT_HYPHEN = "\u00ad"
_JOINER = "\u2060"  # has no width, and forbids a line break
_SOFT = re.compile("\u00ad\\s*")
_HARD = re.compile(r"(?<=\w)([-\u2010\u2011])[^\S\n]*\n\s*(?=\w)")
_SOFT_LINE_END = re.compile("(?<=\u00ad)[^\\S\n]*\n\\s*")


def join_broken_words(text: str) -> str:
    """Return a text with its broken words whole; other line ends stay."""
    if SOFT_HYPHEN in text:
        text = _SOFT.sub("", text)
    return _HARD.sub(r"\1", text) if "\n" in text else text


def put_on_one_line(text: str) -> str:
    """Return a text on one line, its broken words whole and one space between words."""
    return " ".join(join_broken_words(text).split())


def join_in_place(text: str) -> str:
    """Return a text of the same length with nothing visible between the halves of a broken word.

    Offsets into the text stay valid: characters without width replace the line ends.
    """
    if "\n" not in text:
        return text
    if SOFT_HYPHEN in text:
        text = _SOFT_LINE_END.sub(lambda match: _JOINER * len(match[0]), text)
    return _HARD.sub(lambda match: match[1] + _JOINER * (len(match[0]) - 1), text)
