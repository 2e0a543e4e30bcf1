"""Make Markdown safe to open: it loads nothing, runs nothing, and links only to web pages and mail addresses."""

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from pincite.text.citation_marks import CODE

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

Disarm = Callable[[str], str]  # returns a text that is safe to open

_WORDS = r"((?:[^\[\]\\]|\\.)*)"
_TARGET = r"\(\s*+((?:[^()\s\\]|\\.|\([^()\s]*\))*)(?:\s[^()]*)?\)"
_NOTE = r"\[\^\d+-\d+\](?![(:])"  # a footnote mark of our own
_IMAGE = re.compile(rf"!\[{_WORDS}\](?:{_TARGET}|\[[^\[\]]*\])")
_IMAGE_LEFT = re.compile(rf"!(?=\[)(?!{_NOTE})")
_LINK = re.compile(rf"(?<!\\)\[{_WORDS}\]{_TARGET}")
_BRACKET = re.compile(rf"(?!{_NOTE})\[")
_HARMLESS = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)


def make_harmless(text: str) -> str:
    """Return the text with pictures and unsafe links replaced by their words, and tags escaped. Code is unchanged."""
    pieces = CODE.split(text)
    disarmed = "".join(piece if number % 2 else _disarm_links(piece) for number, piece in enumerate(pieces))
    # Our pattern for code may differ from a real Markdown parser, so a parser checks the result.
    return disarmed if is_harmless(disarmed) else escape_links(text)


def escape_links(text: str) -> str:
    """Return the text with all pictures, links and tags escaped, even inside code."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace("![", "&#33;[")
    return _BRACKET.sub("&#91;", text)


def is_harmless(text: str) -> bool:
    """Return whether a Markdown parser finds no picture, no HTML and no link except to web pages and mail addresses."""
    if "[" not in text and "<" not in text:
        return True
    found: dict[str, object] = {}
    for token in _make_reader().parse(text, found):
        for each in (token, *(token.children or ())):
            if each.type in ("image", "html_inline", "html_block"):
                return False
            if each.type == "link_open" and not _HARMLESS.match(str(each.attrs.get("href", ""))):
                return False
    # A link reference definition could turn text in another part of the file into a link.
    return not found.get("references")


def _disarm_links(text: str) -> str:
    text = _IMAGE.sub(r"\1", text)
    text = _LINK.sub(lambda link: link[0] if _HARMLESS.match(link[2]) else link[1], text)
    return _IMAGE_LEFT.sub(r"\\!", text).replace("<", "\\<")


@cache
def _make_reader() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    reader.validateLink = lambda url: True  # type: ignore[method-assign]
    return reader
