"""Web pages: the main content with its structure, or all that is visible when there is none."""

import re
from collections.abc import Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from pincite.reading import clutter, html_indents, markup
from pincite.reading.article import find_article, is_contents
from pincite.reading.draft import Draft
from pincite.reading.encoding import decode, normalise
from pincite.reading.limits import Limits
from pincite.reading.markup import Piece
from pincite.reading.source import Source
from pincite.types import Document

_CHARSET = re.compile(
    rb"charset\s*=\s*[\"']?([a-zA-Z0-9_:-]{2,40})|encoding\s*=\s*[\"']([a-zA-Z0-9_:-]{2,40})", re.IGNORECASE
)
# What trafilatura calls things, in HTML's words.
_RENAMED = {
    "list": "ul",
    "item": "li",
    "row": "tr",
    "cell": "td",
    "lb": "br",
    "quote": "blockquote",
    "hi": "span",
    "ref": "a",
}
# Trafilatura's heuristics stumble over some pages, which are readable all the same.
_STUMBLES = (ValueError, TypeError, AttributeError, LookupError, RecursionError, ArithmeticError)
_WORD = re.compile(r"\w+")
_SITE = re.compile(r"(?<!\s)\s+[-–—|·•»:]\s+[^-–—|·•»:]{1,40}$")
_CONSENT = re.compile(r"cookie|consent|gdpr|rgpd", re.IGNORECASE)
SHORT = 400  # characters
FEW = 40
LUMP = 2000
LOST = 0.2  # of an article's words; then all that is visible is shown
_LOST = "More than a fifth of the article could not be told from the rest of the page: all its visible text is kept."
MANY = 3000  # blocks of a page for which no second opinion is asked
LARGE = 60_000  # elements; the heuristics that find an article would take minutes for more
_LARGE = f"The page has over {LARGE:,} elements: all its visible text is kept, menus among it."
SHARE = 0.03  # of the visible text; main content that is less was not found


def read(source: Source) -> Document:
    """A page's document with what it says about itself: author, date, address, site."""
    parsed = markup.parse_within(text_of(source.path.read_bytes()), source.limits)
    root = parsed.root
    if root is None:
        return Draft().document("html")
    body = root.find("body")
    pieces = list(markup.pieces(root if body is None else body))
    declared = str(root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or "")[:2].lower()
    is_large = sum(1 for _ in islice(root.iter(), LARGE + 1)) > LARGE
    facts = None if is_large else _facts(root)
    title = _title(root, facts)
    shown = _visible(pieces, source.limits) if is_large else _shown(root, pieces, title, source.limits)
    if is_large:
        shown.problem(_LARGE)
    for problem in parsed.problems:
        shown.problem(problem)
    document = shown.document("html", title, _about(facts))
    return replace(document, language=declared if declared.isalpha() else "")


def _visible(pieces: Sequence[Piece], limits: Limits) -> Draft:
    draft = Draft(limits)
    for piece in pieces:
        markup.add(piece, draft)
    return draft


def _shown(root: Any, pieces: Sequence[Piece], title: str, limits: Limits) -> Draft:
    """Choose what is shown of a page: what the extractor found, the article's whole element, or all that is visible."""
    visible, main = _visible(pieces, limits), Draft(limits)
    if is_contents(pieces):
        return visible
    content = _content(deepcopy(root), is_fast=len(pieces) > MANY)
    if content is not None:
        _write(content, main, title)
    if not _is_enough(main, visible):
        return (_own(root) if len(visible) < LUMP else None) or visible
    article = find_article(pieces, main.text)
    if article is None:
        return main
    if article.is_bare:
        return _written([piece for piece in article.pieces if not clutter.is_pointer(piece.element)], title)
    if article.lost > LOST:
        visible.problem(_LOST)
        return visible
    return main


def _written(pieces: Sequence[Piece], title: str) -> Draft:
    """Write an article's blocks, with the page's title as the heading over them when none of them is one."""
    draft = Draft()
    first = next(iter(pieces), None)
    if title and first is not None and all(piece.level != 1 for piece in pieces):
        if first.kind == "heading" and _words(first.text) == _words(title):
            pieces = [replace(first, level=1), *pieces[1:]]
        else:
            draft.add(title, "heading", 1)
    for piece in pieces:
        markup.add(piece, draft)
    return draft


def _is_enough(main: Draft, visible: Draft) -> bool:
    """Whether main content was found; a short page is better shown whole, and one lump of text is a last resort."""
    lump = main.count < 3 and len(main) > LUMP and visible.count > 6
    return len(main) > SHORT and len(main) > SHARE * len(visible) and not lump


def _own(root: Any) -> Draft | None:
    """What a short page says outside its menus and its question about cookies; None when that is next to nothing."""
    asking = [box for box in root.iter("div", "section") if _CONSENT.search(f"{box.get('id')} {box.get('class')}")]
    apart = [box for box in root.iter("aside", "footer") if next(box.iterancestors("main", "article"), None) is None]
    for other in [*root.iter("nav"), *apart, *asking]:
        other.clear(keep_tail=True)
    own = Draft()
    markup.write(root, own)
    return own if len(own) > FEW else None


def text_of(data: bytes) -> str:
    """The text of a page's bytes, by its own declaration where the bytes alone do not settle it."""
    match = _CHARSET.search(data[:4096])
    return normalise(decode(data, (match[1] or match[2]).decode("ascii") if match else ""))


def _facts(root: Any) -> Any:
    """What a page says about itself; its day is the one it was published on, not of its last change.

    These are the steps of trafilatura's `extract_metadata` without those for tags, categories and licences, which are
    a tenth of the time of reading a page and used nowhere.
    """
    from htmldate import find_date
    from trafilatura import metadata

    try:
        facts = metadata.examine_meta(root)
        if facts.author and " " not in facts.author:
            facts.author = None  # a name of an account
        with suppress(*_STUMBLES):
            facts = metadata.extract_meta_json(root, facts)
        facts.title = facts.title or metadata.extract_title(root)
        facts.author = facts.author or metadata.extract_author(root)
        facts.url = facts.url or metadata.extract_url(root)
        facts.date = find_date(root, extensive_search=False, original_date=True, url=facts.url)
        facts.sitename = _site(facts.sitename or metadata.extract_sitename(root), facts.url)
        facts.clean_and_trim()
    except _STUMBLES:
        return None
    return facts


def _site(name: str | None, url: str | None) -> str | None:
    """A site's name as it is written, or its host."""
    shown = (name or "").lstrip("@")
    if shown:
        return shown if "." in shown or shown[0].isupper() else shown.title()
    return (urlsplit(url).hostname or "").removeprefix("www.") if url else None


def _title(root: Any, facts: Any) -> str:
    """A page's title: what was found, unless the page's own heading or its `<title>` show it to be the site's name."""
    found = " ".join(str(facts.title or "").split()) if facts is not None else ""
    named = " ".join((root.findtext(".//title") or "").split())
    place = next((place for tag in ("main", "article") for place in root.iter(tag)), None)
    heading = next(place.iter("h1", "h2"), None) if place is not None else None
    own = " ".join(markup.content(heading).split()) if heading is not None else ""
    ours, theirs, within = _words(found), _words(named), _words(own)
    if ours and within and within <= theirs and not ours & within:
        return own
    return found if ours and (ours & theirs or len(ours) > 3 or len(theirs) < 4) else _SITE.sub("", named) or found


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _content(root: Any, *, is_fast: bool = False) -> Any:
    """A page's main content as trafilatura finds it once the clutter is gone; the tree is used up.

    `is_fast` leaves out its second opinion (jusText), which takes the square of the number of short paragraphs.
    """
    import trafilatura

    clutter.clear(root)
    html_indents.mark_labels(root)
    for pre in root.iter("pre"):
        if len(pre) == 0 and pre.text:  # without <code> in it, it would be taken for a quotation
            code = pre.makeelement("code")
            code.text, pre.text = pre.text, None
            pre.append(code)
    try:
        # Links are asked for though none is kept: without them, lists and paragraphs of links lose more than links.
        found = trafilatura.bare_extraction(root, include_comments=False, include_links=True, fast=is_fast)
    except _STUMBLES:
        return None
    return found.body if found is not None else None


def _write(body: Any, draft: Draft, title: str) -> None:
    for element in body.iter():
        if element.tag == "head":
            level = str(element.get("rend") or "h2")
            element.tag = level if level in markup.HEADINGS else "h2"
        elif element.tag == "list":
            element.tag = "ol" if element.get("rend") == "ol" else "dl" if element.get("rend") == "dl" else "ul"
        elif element.tag == "code" and _is_block(element):
            element.tag = "pre"
        else:
            element.tag = _RENAMED.get(element.tag, element.tag)
    html_indents.unmark(body)
    if title and next(body.iter("h1"), None) is None:
        first = next(iter(body), None)
        if first is not None and first.tag in markup.HEADINGS and _words(markup.content(first)) == _words(title):
            first.tag = "h1"
        else:
            draft.add(title, "heading", 1)
    markup.write(body, draft)


def _is_block(code: Any) -> bool:
    return "\n" in "".join(code.itertext()) or code.getparent() is None or code.getparent().tag == "body"


def _about(facts: Any) -> dict[str, str]:
    if facts is None:
        return {}
    fields = {
        "author": facts.author,
        "date": facts.date,
        "url": facts.url,
        "site": facts.sitename,
        "description": facts.description,
    }
    return {key: str(value) for key, value in fields.items() if value}
