"""The addresses that a page links to, found in one pass: a parser takes minutes for some pages of a few hundred kB."""

import html
import re
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

_LONGEST = 2_000  # characters of an address
_MOST = 5_000  # links of a page
_TAG = re.compile(r"<(a|base|meta)(?=[\s/])([^<>]{0,4000})>", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"""(?<![^\s"'/])(href|rel|name|content)\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.I
)


def list_links(text: str, url: str, *, heeds_robots: bool = True) -> Iterator[str]:
    """The http addresses that a page's links lead to, in its order and each once, without fragments.

    Links that the page asks robots not to follow are left out where `heeds_robots`. What stands in comments is not
    part of the page; a tag with more than 4,000 characters or with angle brackets in it is no link.
    """
    base, seen = url, set[str]()
    for tag in _TAG.finditer(_without_comments(text)):
        name, given = tag[1].lower(), _attributes(tag[2])
        if name == "meta":
            if heeds_robots and given.get("name", "").lower() == "robots" and _keeps_away(given.get("content", "")):
                return
        elif name == "base":
            base = _joined(base, given.get("href", "")) if base == url else base
        elif "href" in given and not (heeds_robots and "nofollow" in given.get("rel", "").lower().split()):
            found = _joined(base, given["href"]).partition("#")[0]
            if found and len(found) <= _LONGEST and found not in seen and len(seen) < _MOST:
                seen.add(found)
                yield found


def _attributes(given: str) -> dict[str, str]:
    """The attributes of a tag by their names; of two with one name the first."""
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(given):
        found.setdefault(name.lower(), html.unescape(double or single or bare))
    return found


def _keeps_away(content: str) -> bool:
    said = content.lower().replace(",", " ").split()
    return "nofollow" in said or "none" in said


def _joined(base: str, href: str) -> str:
    """A whole http address; "" where a link leads to none."""
    try:
        found = urljoin(base, href.strip())
        is_page = urlsplit(found).scheme in ("http", "https") and bool(urlsplit(found).hostname)
    except ValueError:
        return ""
    return found if is_page else ""


def _without_comments(text: str) -> str:
    parts, at = [], 0
    while (start := text.find("<!--", at)) >= 0:
        parts.append(text[at:start])
        end = text.find("-->", start + 4)
        at = len(text) if end < 0 else end + 3
    return "".join(parts) + text[at:]
