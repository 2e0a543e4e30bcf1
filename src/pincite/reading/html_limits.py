"""Limit HTML that would take the parser too long or too deep: cut it, shorten its tags, or remove them."""

import re
from html import unescape
from itertools import islice
from typing import Any

MOST_ATTRIBUTES = 1000  # of one tag; the parser compares each with all before it
_LONG_TAG = re.compile(r"<[a-zA-Z][^<>]{5000,}+")
_SPACE = re.compile(r"\s+")
_TAG_OR_VALUE = re.compile("[<=]")
_TAG = re.compile(r"<[/!a-zA-Z][^<>]*+>?")
_UNSEEN = re.compile(r"<(script|style)\b.*?(?:</\1|\Z)|<!--.*?(?:-->|\Z)", re.IGNORECASE | re.DOTALL)
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def find_tag(markup: str, limit: int) -> int:
    """Return the start of the tag that exceeds the limit of tags and attributes.

    The length of the text if none does.
    """
    if markup.count("<") + markup.count("=") <= limit:
        return len(markup)
    last = 0
    for number, match in enumerate(_TAG_OR_VALUE.finditer(markup), 1):
        last = match.start() if match[0] == "<" else last
        if number > limit:
            return last
    return len(markup)


def shorten_tags(html: str) -> str:
    """Return the text with no more attributes in a tag than the parser can handle."""
    return _LONG_TAG.sub(_shorten, html)


def _shorten(tag: "re.Match[str]") -> str:
    """Return a long tag with its first attributes; a data address has no spaces, so it stays."""
    marks = [match.start() for match in islice(_SPACE.finditer(tag[0]), MOST_ATTRIBUTES + 1)]
    if len(marks) <= MOST_ATTRIBUTES:
        return tag[0]
    return tag[0][: marks[-1]].replace("'", "").replace('"', "")


def read_without_tags(html: str) -> Any:
    """Return the root of a page in which each text between two tags is a paragraph."""
    from lxml import html as lxml_html

    root, body = lxml_html.Element("html"), lxml_html.Element("body")
    root.append(body)
    for text in _TAG.sub("\n", _UNSEEN.sub("\n", html)).split("\n"):
        if words := unescape(text).strip():
            paragraph = body.makeelement("p")
            paragraph.text = _UNWRITABLE.sub(" ", words)
            body.append(paragraph)
    return root
