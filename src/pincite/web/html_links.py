"""List the links of a page in one pass, without a parser, which takes minutes for some pages of a few hundred kB."""

import html
import re
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

_LONGEST = 2_000  # characters in an address
_MOST = 5_000  # links in a page
_TAG = re.compile(r"<(a|base|meta)(?=[\s/])([^<>]{0,4000})>", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"""(?<![^\s"'/])(href|rel|name|content)\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.I
)


def list_links(text: str, url: str, *, heeds_robots: bool = True) -> Iterator[str]:
    """Yield the http addresses that a page links to, in order, each once, without fragments.

    Skip the links that the page asks robots not to follow if `heeds_robots`. Links in comments are skipped, and so is a
    tag with more than 4,000 characters or with angle brackets inside.
    """
    base, seen = url, set[str]()
    for tag in _TAG.finditer(_strip_comments(text)):
        name, given = tag[1].lower(), _parse_attributes(tag[2])
        if name == "meta":
            if heeds_robots and given.get("name", "").lower() == "robots" and _is_nofollow(given.get("content", "")):
                return
        elif name == "base":
            base = _join_address(base, given.get("href", "")) if base == url else base
        elif "href" in given and not (heeds_robots and "nofollow" in given.get("rel", "").lower().split()):
            found = _join_address(base, given["href"]).partition("#")[0]
            if found and len(found) <= _LONGEST and found not in seen and len(seen) < _MOST:
                seen.add(found)
                yield found


def _parse_attributes(given: str) -> dict[str, str]:
    """Return the attributes of a tag by name; the first one wins if a name is repeated."""
    found: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(given):
        found.setdefault(name.lower(), html.unescape(double or single or bare))
    return found


def _is_nofollow(content: str) -> bool:
    said = content.lower().replace(",", " ").split()
    return "nofollow" in said or "none" in said


def _join_address(base: str, href: str) -> str:
    """Return a link as an absolute http address, or "" if it does not lead to one."""
    try:
        found = urljoin(base, href.strip())
        is_page = urlsplit(found).scheme in ("http", "https") and bool(urlsplit(found).hostname)
    except ValueError:
        return ""
    return found if is_page else ""


def _strip_comments(text: str) -> str:
    parts, at = [], 0
    while (start := text.find("<!--", at)) >= 0:
        parts.append(text[at:start])
        end = text.find("-->", start + 4)
        at = len(text) if end < 0 else end + 3
    return "".join(parts) + text[at:]
