"""Read a web page's own metadata: its titles and its days of publication."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_ADDRESS_DAY = re.compile(r"/(20\d\d)/(\d\d?)/(\d\d?)(?:/|$)|[/-](20\d\d)-(\d\d)-(\d\d)(?:[/-]|$)")
_TITLE_NAMES = frozenset({"og:title", "twitter:title", "dc.title", "headline"})
_DAY_NAMES = frozenset({"article:published_time", "datepublished", "dc.date", "dc.date.issued", "pubdate", "date"})
_NOT_WORDS = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class PageMetadata:
    """The titles of a page, and its days of publication as YYYY-MM-DD."""

    titles: tuple[str, ...] = ()
    days: tuple[str, ...] = ()


def read_metadata(root: Any) -> PageMetadata:
    """Read the metadata of a page's tree: `<title>`, meta elements, and JSON-LD."""
    if root is None:
        return PageMetadata()
    titles = [" ".join((root.findtext(".//title") or "").split())]
    days: list[str] = []
    for meta in root.iter("meta"):
        name = str(meta.get("property") or meta.get("name") or meta.get("itemprop") or "").lower()
        value = str(meta.get("content") or "").strip()
        titles += [value] if name in _TITLE_NAMES else []
        days += [value] if name in _DAY_NAMES else []
    for script in root.iter("script"):
        if script.get("type") == "application/ld+json":
            for node in _list_json_nodes(script.text or ""):
                titles.append(str(node.get("headline") or ""))
                days.append(str(node.get("datePublished") or ""))
    known = (_make_day(match) for value in days if (match := _DAY.match(value)))
    return PageMetadata(tuple(dict.fromkeys(filter(None, titles))), tuple(dict.fromkeys(filter(None, known))))


def _list_json_nodes(text: str) -> Iterator[dict[str, Any]]:
    try:
        waiting = [json.loads(text, strict=False)]
    except (ValueError, RecursionError):
        return
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            graph = node.get("@graph")
            waiting += graph if isinstance(graph, list) else []
        elif isinstance(node, list):
            waiting += node


def find_address_day(address: str) -> str:
    """Return the day in a page's address as YYYY-MM-DD, or ""."""
    match = _ADDRESS_DAY.search(address)
    return _make_day(match) if match else ""


def _make_day(match: re.Match[str]) -> str:
    year, month, day = (int(part) for part in match.groups() if part)
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def is_same_title(title: str, others: Sequence[str]) -> bool:
    """Return whether a title equals one of the others, or one without the site's name at an end."""
    words = _fold_title(title)
    return bool(words) and any(
        other == words or other.startswith(f"{words} ") or other.endswith(f" {words}")
        for other in map(_fold_title, others)
    )


def _fold_title(title: str) -> str:
    return _NOT_WORDS.sub(" ", title.casefold()).strip()


def is_within_day(day: str, others: Sequence[str]) -> bool:
    """Return whether a day equals one of the others, or is next to it because of time zones."""
    try:
        ours = date.fromisoformat(day)
    except ValueError:
        return False
    return any(abs((ours - date.fromisoformat(other)).days) <= 1 for other in others)
