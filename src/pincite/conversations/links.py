"""Markdown that may be opened anywhere: it loads nothing, runs nothing, and links to nothing but pages and letters."""

import re
from functools import cache
from typing import TYPE_CHECKING

from pincite.evidence.markers import CODE

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_WORDS = r"((?:[^\[\]\\]|\\.)*)"
_TARGET = r"\(\s*+((?:[^()\s\\]|\\.|\([^()\s]*\))*)(?:\s[^()]*)?\)"
_NOTE = r"\[\^\d+-\d+\](?![(:])"  # the mark of a footnote, which we set
_IMAGE = re.compile(rf"!\[{_WORDS}\](?:{_TARGET}|\[[^\[\]]*\])")
_IMAGE_LEFT = re.compile(rf"!(?=\[)(?!{_NOTE})")
_LINK = re.compile(rf"(?<!\\)\[{_WORDS}\]{_TARGET}")
_BRACKET = re.compile(rf"(?!{_NOTE})\[")
_HARMLESS = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)


def harmless(text: str) -> str:
    """The same with its pictures and doubtful links as their words, and its tags to be read; code as it stands."""
    pieces = CODE.split(text)
    kept = "".join(piece if number % 2 else _disarmed(piece) for number, piece in enumerate(pieces))
    # What looks like code to us may be none to whoever shows it: a reader of Markdown has the last word.
    return kept if is_harmless(kept) else spelled(text)


def spelled(text: str) -> str:
    """The same with no picture, link or tag in it at all, whatever reads it; code suffers."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace("![", "&#33;[")
    return _BRACKET.sub("&#91;", text)


def is_harmless(text: str) -> bool:
    """Whether a reader of Markdown finds nothing in it that is loaded, run, or leads elsewhere than to a page."""
    if "[" not in text and "<" not in text:
        return True
    found: dict[str, object] = {}
    for token in _reader().parse(text, found):
        for each in (token, *(token.children or ())):
            if each.type in ("image", "html_inline", "html_block"):
                return False
            if each.type == "link_open" and not _HARMLESS.match(str(each.attrs.get("href", ""))):
                return False
    # An address that is given apart may be meant by what stands in another part of the file.
    return not found.get("references")


def _disarmed(text: str) -> str:
    text = _IMAGE.sub(r"\1", text)
    text = _LINK.sub(lambda link: link[0] if _HARMLESS.match(link[2]) else link[1], text)
    return _IMAGE_LEFT.sub(r"\\!", text).replace("<", "\\<")


@cache
def _reader() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    reader.validateLink = lambda url: True  # type: ignore[method-assign]
    return reader
