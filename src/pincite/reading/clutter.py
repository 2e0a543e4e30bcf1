"""What stands in an article without being part of it: pointers to other pages, calls to subscribe, a page's header.

Elements are emptied and never taken out: joining what stood around them would be slow on a page made of them.
"""

import re
from collections.abc import Set
from typing import Any

_NOTHING = "nothing"
_PROSE = 80  # characters of a paragraph that says something
_OPENING = 3  # paragraphs of prose that a header may have
_LONGEST = 500  # characters of a line that only points elsewhere
_LINK = 10  # characters of a link that is a line of its own
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_INLINE = ("a", "abbr", "b", "cite", "em", "font", "i", "s", "small", "span", "strong", "sub", "sup", "time", "u")
_BLOCKS = ("p", "div", "ul", "ol", "table", "blockquote", "pre", *_HEADINGS)

# What a line begins with that leads to another article, in the languages we know it in.
_POINTER = re.compile(
    r"\W*(?:related|read (?:more|also|next)|see (?:more|also)|also (?:see|on|read)|don.t miss|more (?:on|from)|watch|"
    r"lire (?:aussi|également)|à lire|voir aussi|sur le même sujet|lesen sie auch|mehr zum thema|leggi anche|"
    r"lea también|leia (?:também|mais))\b[^.!?]{0,12}?[:\s]",
    re.IGNORECASE,
)
_CALL = re.compile(
    r"\W*(?:click here (?:to|for)|sign up (?:for|to)|subscribe (?:to|now)|follow (?:us|me|\w+) on|like this story|"
    r"(?:get|download) (?:the|our) .{0,40}\bapp\b|share this|"
    r"abonnez-vous|inscrivez-vous|cliquez ici|suivez-nous|téléchargez (?:notre|l.)\s?app)",
    re.IGNORECASE,
)
_REMARKS = re.compile(
    r"\W*(?:\d+ )?(?:comments?|commentaires?|kommentare?|comentarios?|comentários?|commenti|share this:?|partager)\W*",
    re.IGNORECASE,
)
_POSTED = re.compile(r"tweet|instagram|tiktok|bluesky|mastodon", re.IGNORECASE)


def clear(root: Any) -> None:
    """Empty, in a page's tree, the elements that are no part of its article, and free what is quoted in it."""
    from lxml import etree

    prose = {paragraph for paragraph in root.iter("p") if len(_text(paragraph)) >= _PROSE}
    for header in root.iter("header"):
        _clear_header(header, prose)
    lone = {line for line in root.iter("p") if _is_link(line)}
    for line in root.iter("p", "div", *_HEADINGS):
        if (line in lone and not _is_listed(line, lone)) or _is_aside(line):
            line.clear(keep_tail=True)
    for label in root.iter("span", *_HEADINGS):
        if _REMARKS.fullmatch(_text(label)):
            label.clear(keep_tail=True)
    for quote in root.iter("blockquote"):
        if _POSTED.search(quote.get("class") or ""):
            _free(quote)
    for figure in root.iter("figure"):
        if next(figure.iter("pre", "blockquote"), None) is not None:
            figure.tag = "div"  # a listing or a quotation would go the way of the pictures
    for mark in root.iter(*_INLINE):
        if len(mark) == 0 and not (mark.text or "").strip():
            mark.tag = _NOTHING  # an anchor without words would part the text around it
    etree.strip_tags(root, _NOTHING)


def _clear_header(header: Any, prose: Set[Any]) -> None:
    """Leave of a header the paragraphs of prose alone: the rest repeats the title, or is menus and credits."""
    own = [paragraph for paragraph in header.iter("p") if paragraph in prose]
    if len(own) > max(_OPENING, len(prose) / 2):  # it was never closed, and the article is in it
        return
    if not own:
        header.clear(keep_tail=True)
        return
    around = {ancestor for paragraph in own for ancestor in (paragraph, *paragraph.iterancestors())}
    for other in header.iter(*_HEADINGS, "ul", "ol", "dl", "time", "address", "figure", "nav"):
        if other not in around:
            other.clear(keep_tail=True)


def _is_link(paragraph: Any) -> bool:
    """Whether a paragraph is a link and nothing else."""
    links = paragraph.findall(".//a")
    linked = len(_text(links[0])) if len(links) == 1 else 0
    return linked > _LINK and linked > 0.9 * len(_text(paragraph))


def _is_listed(paragraph: Any, lone: Set[Any]) -> bool:
    """Whether a paragraph that is a link is one of three or more in a row: entries of a list, and no pointers."""
    before, after = paragraph.getprevious(), paragraph.getnext()
    if before in lone:
        return after in lone or before.getprevious() in lone
    return after in lone and after.getnext() in lone


def _is_aside(line: Any) -> bool:
    """Whether a line with a link in it points to another article, or asks to subscribe."""
    if line.tag == "div" and next(line.iterdescendants(*_BLOCKS), None) is not None:
        return False
    links = line.findall(".//a")
    text = _text(line) if links else ""
    if not text or len(text) > _LONGEST:
        return False
    pointer = _POINTER.match(text)
    if pointer and sum(len(_text(link)) for link in links) >= 0.65 * (len(text) - pointer.end()):
        return True
    return line.tag != "div" and len(text) <= _LONGEST / 2 and _CALL.match(text) is not None


def _free(quote: Any) -> None:
    """Make a quoted post a plain quotation: what it is embedded with would have it taken for an advertisement."""
    for link in quote.iter("a"):
        link.tag = "span"
    around = quote
    while around is not None and around.tag in ("blockquote", "div", "figure", "center", "section"):
        around.attrib.clear()
        around.tag = "blockquote" if around is quote else "div"
        parent = around.getparent()
        alone = parent is not None and all(child is around or child.tag == "script" for child in parent)
        around = parent if alone and not (parent.text or "").strip() else None


def _text(element: Any) -> str:
    """The words in an element; a tag parts them, as a line break would, which is near enough to weigh a line."""
    return " ".join(" ".join(element.itertext()).split())
