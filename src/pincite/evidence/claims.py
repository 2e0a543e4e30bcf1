"""Whether a sentence of an answer claims something: headings, questions and lead-ins need no source."""

import re

_HEADING = re.compile(r"\s*#{1,6}\s")
_BOLD = re.compile(r"\s*(?:[-*+]\s+|\d+[.)]\s+)?(\*\*|__)(?:(?!\1).)+\1\s*:?\s*")
_RULE = re.compile(r"[\s|:+\-=*_#>`~.]*")
_WORD = re.compile(r"\w+")
_FEW = 12  # words of a lead-in
_TABLE = re.compile(r"\s*\|")


def is_claim(sentence: str) -> bool:
    """Whether there is something in a sentence that a source could support."""
    text = sentence.strip()
    words = _WORD.findall(text)
    if not words or _RULE.fullmatch(text) or _HEADING.match(text) or _BOLD.fullmatch(text):
        return False
    if text.endswith("?"):
        return False
    if text.rstrip("*_ ").endswith(":") and not _TABLE.match(text):
        return len(words) > _FEW and any(map(str.isdigit, text))
    return len(words) > 1 or any(map(str.isdigit, text))
