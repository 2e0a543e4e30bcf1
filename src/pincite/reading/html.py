"""Read web pages: the main content with its structure, or all visible text if there is none."""

import re
from collections.abc import Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from pincite.reading import clutter, html_blocks, html_indents
from pincite.reading.article import find_article, is_contents
from pincite.reading.document_draft import Draft
from pincite.reading.encoding import decode_text, normalise_line_ends
from pincite.reading.html_blocks import HtmlBlock
from pincite.reading.html_panels import show_panels
from pincite.reading.limits import DocumentLimits
from pincite.reading.source import Source
from pincite.types import Document

_CHARSET = re.compile(
    rb"charset\s*=\s*[\"']?([a-zA-Z0-9_:-]{2,40})|encoding\s*=\s*[\"']([a-zA-Z0-9_:-]{2,40})", re.IGNORECASE
)
# Trafilatura's element names in HTML.
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
# Errors of trafilatura's heuristics on some pages, which are readable all the same.
_STUMBLES = (ValueError, TypeError, AttributeError, LookupError, RecursionError, ArithmeticError)
_WORD = re.compile(r"\w+")
_SITE = re.compile(r"(?<!\s)\s+[-–—|·•»:]\s+[^-–—|·•»:]{1,40}$")
_CONSENT = re.compile(r"cookie|consent|gdpr|rgpd", re.IGNORECASE)
SHORT = 400  # characters
FEW = 40
LUMP = 2000
LOST = 0.2  # of an article's words; if more are missed, all visible text is used
_LOST = (
    "More than a fifth of the article could not be separated from the rest of the page: all visible text is included."
)
_UNSEEN = "The page hides {:,} words that nothing on it opens: they are left out."
MANY = 3000  # blocks; a page with more gets no second opinion
LARGE = 60_000  # elements; the heuristics that find an article would take minutes for more
_LARGE = f"The page has over {LARGE:,} elements: all visible text is included, with the menus."
SHARE = 0.03  # of the visible text; less is not the main content


def read(source: Source) -> Document:
    """Read a page, with its own metadata: author, date, address, site."""
    parsed = html_blocks.parse_limited_html(decode_page(source.path.read_bytes()), source.limits)
    root = parsed.root
    if root is None:
        return Draft().document("html")
    unseen = show_panels(root)
    body = root.find("body")
    pieces = list(html_blocks.find_blocks(root if body is None else body))
    declared = str(root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or "")[:2].lower()
    is_large = sum(1 for _ in islice(root.iter(), LARGE + 1)) > LARGE
    facts = None if is_large else _read_facts(root)
    title = _choose_title(root, facts)
    shown = _write_visible(pieces, source.limits) if is_large else _choose_content(root, pieces, title, source.limits)
    if is_large:
        shown.problem(_LARGE)
    if unseen:
        shown.problem(_UNSEEN.format(unseen))
    for problem in parsed.problems:
        shown.problem(problem)
    document = shown.document("html", title, _make_metadata(facts))
    return replace(document, language=declared if declared.isalpha() else "")


def _write_visible(pieces: Sequence[HtmlBlock], limits: DocumentLimits) -> Draft:
    draft = Draft(limits)
    for piece in pieces:
        html_blocks.add_block(piece, draft)
    return draft


def _choose_content(root: Any, pieces: Sequence[HtmlBlock], title: str, limits: DocumentLimits) -> Draft:
    """Choose the content of a page: the extractor's result, the article's whole element, or all visible text."""
    visible, main = _write_visible(pieces, limits), Draft(limits)
    if is_contents(pieces):
        return visible
    content = _extract_content(deepcopy(root), is_fast=len(pieces) > MANY)
    if content is not None:
        _write_content(content, main, title)
    if not _is_enough(main, visible):
        return (_write_short_page(root) if len(visible) < LUMP else None) or visible
    article = find_article(pieces, main.text)
    if article is None:
        return main
    if article.is_bare:
        return _write_article([piece for piece in article.pieces if not clutter.is_pointer(piece.element)], title)
    if article.lost > LOST:
        visible.problem(_LOST)
        return visible
    return main


def _write_article(pieces: Sequence[HtmlBlock], title: str) -> Draft:
    """Write an article's blocks, with the page's title as their heading if none of them is one."""
    draft = Draft()
    first = next(iter(pieces), None)
    if title and first is not None and all(piece.level != 1 for piece in pieces):
        if first.kind == "heading" and _find_words(first.text) == _find_words(title):
            pieces = [replace(first, level=1), *pieces[1:]]
        else:
            draft.add(title, "heading", 1)
    for piece in pieces:
        html_blocks.add_block(piece, draft)
    return draft


def _is_enough(main: Draft, visible: Draft) -> bool:
    """Return whether main content was found; a short page is better shown whole, and one lump of text is not enough."""
    lump = main.count < 3 and len(main) > LUMP and visible.count > 6
    return len(main) > SHORT and len(main) > SHARE * len(visible) and not lump


def _write_short_page(root: Any) -> Draft | None:
    """Return a short page's text outside its menus and its cookie banner; None if that is almost nothing."""
    asking = [box for box in root.iter("div", "section") if _CONSENT.search(f"{box.get('id')} {box.get('class')}")]
    apart = [box for box in root.iter("aside", "footer") if next(box.iterancestors("main", "article"), None) is None]
    for other in [*root.iter("nav"), *apart, *asking]:
        other.clear(keep_tail=True)
    own = Draft()
    html_blocks.write_blocks(root, own)
    return own if len(own) > FEW else None


def decode_page(data: bytes) -> str:
    """Decode a page's bytes, with its declared encoding if the bytes alone are ambiguous."""
    match = _CHARSET.search(data[:4096])
    return normalise_line_ends(decode_text(data, (match[1] or match[2]).decode("ascii") if match else ""))


def _read_facts(root: Any) -> Any:
    """Read the metadata of a page; its day is that of publication, not of the last change.

    These are the steps of trafilatura's `extract_metadata` without those for tags, categories and licences, which take
    a tenth of the time of reading a page and are not used.
    """
    from htmldate import find_date
    from trafilatura import metadata

    try:
        facts = metadata.examine_meta(root)
        if facts.author and " " not in facts.author:
            facts.author = None  # the name of an account
        with suppress(*_STUMBLES):
            facts = metadata.extract_meta_json(root, facts)
        facts.title = facts.title or metadata.extract_title(root)
        facts.author = facts.author or metadata.extract_author(root)
        facts.url = facts.url or metadata.extract_url(root)
        facts.date = find_date(root, extensive_search=False, original_date=True, url=facts.url)
        facts.sitename = _choose_site(facts.sitename or metadata.extract_sitename(root), facts.url)
        facts.clean_and_trim()
    except _STUMBLES:
        return None
    return facts


def _choose_site(name: str | None, url: str | None) -> str | None:
    """Return a site's name as written, or its host."""
    shown = (name or "").lstrip("@")
    if shown:
        return shown if "." in shown or shown[0].isupper() else shown.title()
    return (urlsplit(url).hostname or "").removeprefix("www.") if url else None


def _choose_title(root: Any, facts: Any) -> str:
    """Choose a page's title: the extracted one, unless it is the site's name.

    The page's own heading or its `<title>` shows that.
    """
    found = " ".join(str(facts.title or "").split()) if facts is not None else ""
    named = " ".join((root.findtext(".//title") or "").split())
    place = next((place for tag in ("main", "article") for place in root.iter(tag)), None)
    heading = next(place.iter("h1", "h2"), None) if place is not None else None
    own = " ".join(html_blocks.extract_text(heading).split()) if heading is not None else ""
    ours, theirs, within = _find_words(found), _find_words(named), _find_words(own)
    if ours and within and within <= theirs and not ours & within:
        return own
    return found if ours and (ours & theirs or len(ours) > 3 or len(theirs) < 4) else _SITE.sub("", named) or found


def _find_words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _extract_content(root: Any, *, is_fast: bool = False) -> Any:
    """Extract a page's main content with trafilatura, without the clutter; this consumes the tree.

    `is_fast` skips its second opinion (jusText), whose time grows with the square of the number of short paragraphs.
    """
    import trafilatura

    clutter.clear_clutter(root)
    html_indents.mark_labels(root)
    for pre in root.iter("pre"):
        if len(pre) == 0 and pre.text:  # without <code> inside, it would be taken for a quotation
            code = pre.makeelement("code")
            code.text, pre.text = pre.text, None
            pre.append(code)
    try:
        # Request links although none are used: without them, lists and paragraphs of links lose more than the links.
        found = trafilatura.bare_extraction(root, include_comments=False, include_links=True, fast=is_fast)
    except _STUMBLES:
        return None
    return found.body if found is not None else None


def _write_content(body: Any, draft: Draft, title: str) -> None:
    for element in body.iter():
        if element.tag == "head":
            level = str(element.get("rend") or "h2")
            element.tag = level if level in html_blocks.HEADINGS else "h2"
        elif element.tag == "list":
            element.tag = "ol" if element.get("rend") == "ol" else "dl" if element.get("rend") == "dl" else "ul"
        elif element.tag == "code" and _is_block(element):
            element.tag = "pre"
        else:
            element.tag = _RENAMED.get(element.tag, element.tag)
    html_indents.remove_marks(body)
    if title and next(body.iter("h1"), None) is None:
        first = next(iter(body), None)
        if (
            first is not None
            and first.tag in html_blocks.HEADINGS
            and _find_words(html_blocks.extract_text(first)) == _find_words(title)
        ):
            first.tag = "h1"
        else:
            draft.add(title, "heading", 1)
    html_blocks.write_blocks(body, draft)


def _is_block(code: Any) -> bool:
    return "\n" in "".join(code.itertext()) or code.getparent() is None or code.getparent().tag == "body"


def _make_metadata(facts: Any) -> dict[str, str]:
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
