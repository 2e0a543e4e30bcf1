"""The addresses that a page links to."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

import lxml.html
from lxml.etree import ParserError

_LONGEST = 2_000  # characters of an address


def list_links(text: str, url: str) -> Iterator[str]:
    """The http addresses that a page's links lead to, in its order and each once, without fragments.

    Links that the page asks robots not to follow are left out.
    """
    try:
        tree: Any = lxml.html.document_fromstring(text)
    except (ParserError, ValueError):
        return
    robots = " ".join(tree.xpath("//meta[translate(@name, 'ROBTS', 'robts') = 'robots']/@content")).lower()
    if "nofollow" in robots or "none" in robots.replace(",", " ").split():
        return
    base = next(iter(tree.xpath("//base/@href")), "")
    seen = set()
    for link in tree.xpath("//a[@href]"):
        if "nofollow" in (link.get("rel") or "").lower().split():
            continue
        try:
            found = urljoin(urljoin(url, base), link.get("href").strip()).partition("#")[0]
            is_page = urlsplit(found).scheme in ("http", "https") and bool(urlsplit(found).hostname)
        except ValueError:
            continue
        if is_page and len(found) <= _LONGEST and found not in seen:
            seen.add(found)
            yield found
