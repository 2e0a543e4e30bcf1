"""Web pages: the main content with its structure, or all that is visible when there is none."""

import re
from dataclasses import replace
from typing import Any

from pincite.reading import markup
from pincite.reading.draft import Draft
from pincite.reading.encoding import decode, normalise
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
SHORT = 400  # characters
LUMP = 2000
SHARE = 0.03  # of the visible text; main content that is less was not found


def read(source: Source) -> Document:
    """A page's document with what it says about itself: author, date, address, site."""
    root = markup.parse(text_of(source.path.read_bytes()))
    if root is None:
        return Draft().document("html")
    visible = Draft()
    body = root.find("body")
    markup.write(root if body is None else body, visible)
    found = _extracted(root)
    main = Draft()
    if found is not None and found.body is not None:
        _write(found.body, main, str(found.title or ""))
    title = str(found.title or "") if found is not None else ""
    title = title or " ".join((root.findtext(".//title") or "").split())
    declared = str(root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or "")[:2].lower()
    document = (main if _is_enough(main, visible) else visible).document("html", title, _about(found))
    return replace(document, language=declared if declared.isalpha() else "")


def _is_enough(main: Draft, visible: Draft) -> bool:
    """Whether main content was found; a short page is better shown whole, and one lump of text is a last resort."""
    lump = main.count < 3 and len(main) > LUMP and visible.count > 6
    return len(main) > SHORT and len(main) > SHARE * len(visible) and not lump


def text_of(data: bytes) -> str:
    """The text of a page's bytes, by its own declaration where the bytes alone do not settle it."""
    match = _CHARSET.search(data[:4096])
    return normalise(decode(data, (match[1] or match[2]).decode("ascii") if match else ""))


def _extracted(root: Any) -> Any:
    import trafilatura

    for pre in root.iter("pre"):
        if len(pre) == 0 and pre.text:  # without <code> in it, it would be taken for a quotation
            code = pre.makeelement("code")
            code.text, pre.text = pre.text, None
            pre.append(code)
    try:
        return trafilatura.bare_extraction(
            root, with_metadata=True, include_comments=False, date_extraction_params={"extensive_search": False}
        )
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError, ArithmeticError):
        return None  # its heuristics stumble over some pages, which are readable all the same


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
    if title and next(body.iter("h1"), None) is None:
        draft.add(" ".join(title.split()), "heading", 1)
    markup.write(body, draft)


def _is_block(code: Any) -> bool:
    return "\n" in "".join(code.itertext()) or code.getparent() is None or code.getparent().tag == "body"


def _about(found: Any) -> dict[str, str]:
    if found is None:
        return {}
    fields = {
        "author": found.author,
        "date": found.date,
        "url": found.url,
        "site": found.sitename,
        "description": found.description,
    }
    return {key: str(value) for key, value in fields.items() if value}
