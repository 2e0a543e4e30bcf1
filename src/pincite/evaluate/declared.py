"""What a web page says of itself: its titles and the days it was published, by its own metadata."""

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
class Declared:
    """The titles a page gives itself, and the days on which it says it was published, as YYYY-MM-DD."""

    titles: tuple[str, ...] = ()
    days: tuple[str, ...] = ()


def declared(root: Any) -> Declared:
    """What the metadata of a page's tree says: `<title>`, meta elements, and JSON-LD."""
    if root is None:
        return Declared()
    titles = [" ".join((root.findtext(".//title") or "").split())]
    days: list[str] = []
    for meta in root.iter("meta"):
        name = str(meta.get("property") or meta.get("name") or meta.get("itemprop") or "").lower()
        value = str(meta.get("content") or "").strip()
        titles += [value] if name in _TITLE_NAMES else []
        days += [value] if name in _DAY_NAMES else []
    for script in root.iter("script"):
        if script.get("type") == "application/ld+json":
            for node in _nodes(script.text or ""):
                titles.append(str(node.get("headline") or ""))
                days.append(str(node.get("datePublished") or ""))
    known = (_day(match) for value in days if (match := _DAY.match(value)))
    return Declared(tuple(dict.fromkeys(filter(None, titles))), tuple(dict.fromkeys(filter(None, known))))


def _nodes(text: str) -> Iterator[dict[str, Any]]:
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


def address_day(address: str) -> str:
    """The day in a page's address, as YYYY-MM-DD, or ""."""
    match = _ADDRESS_DAY.search(address)
    return _day(match) if match else ""


def _day(match: re.Match[str]) -> str:
    year, month, day = (int(part) for part in match.groups() if part)
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def same_title(title: str, others: Sequence[str]) -> bool:
    """Whether a title is one of the others, or one of them without the site's name at an end."""
    words = _folded(title)
    return bool(words) and any(
        other == words or other.startswith(f"{words} ") or other.endswith(f" {words}") for other in map(_folded, others)
    )


def _folded(title: str) -> str:
    return _NOT_WORDS.sub(" ", title.casefold()).strip()


def within_a_day(day: str, others: Sequence[str]) -> bool:
    """Whether a day is one of the others, or next to it: the same moment has two days on this earth."""
    try:
        ours = date.fromisoformat(day)
    except ValueError:
        return False
    return any(abs((ours - date.fromisoformat(other)).days) <= 1 for other in others)
