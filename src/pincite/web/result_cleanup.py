"""Clean search results: plain text, whole addresses, each page once."""

import html
import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date

import httpx2

from pincite.text.storable import clean_text
from pincite.web.canonical import canonical
from pincite.web.search_engine import SearchResult

_LONGEST_INPUT = 20_000
_LONGEST_ADDRESS = 2000
_DEEPEST = 8  # levels of nested tags
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]{0,20})(?:[\s/][^<>]*)?>|<!(?:--|[a-zA-Z])[^<>]*>")
_INLINE_TAGS = "a b big code em font i ins mark q s small span strong sub sup tt u wbr"
_INLINE = frozenset(_INLINE_TAGS.split())
# Invisible characters, and characters that change the direction of the text.
_UNSEEN = re.compile("[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\x80-\x9f]")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_CLOCK = re.compile(r"\d{1,3}(?::\d\d){1,2}")


def make_plain_text(given: object, longest: int) -> str:
    """Return a field of a search result as one line of plain text, cut after a word; "" for anything but text."""
    if not isinstance(given, str):
        return ""
    text = _strip_tags(html.unescape(_strip_tags(given[:_LONGEST_INPUT])))
    text = " ".join(_UNSEEN.sub("", clean_text(text)).split())
    # The removed characters may have joined the halves of a tag.
    text = " ".join(_strip_tags(text).split())
    if len(text) <= longest:
        return text
    cut = text[: longest - 1]
    at = cut.rfind(" ")
    return (cut[:at] if at > longest // 2 else cut).rstrip(" ,;:.-–—(") + "…"


def parse_address(given: object) -> str | None:
    """Return a complete http or https address, or None."""
    if not isinstance(given, str) or len(given) > _LONGEST_ADDRESS:
        return None
    given = given.strip()
    try:
        url = httpx2.URL(f"https:{given}" if given.startswith("//") else given)
        good = url.scheme in ("http", "https") and bool(url.host) and not url.userinfo and "%" not in url.host
    except (httpx2.InvalidURL, UnicodeError):
        return None
    return str(url) if good else None


def parse_day(given: object) -> str | None:
    """Return the day of an ISO date, or None."""
    if not isinstance(given, str) or not _DAY.match(given):
        return None
    try:
        return date.fromisoformat(given[:10]).isoformat()
    except ValueError:
        return None


def parse_length(given: object) -> str | None:
    """Return the length of a video, given in seconds or as 12:34, as 12:34, or None."""
    if isinstance(given, str):
        given = given.strip()
        if _CLOCK.fullmatch(given):
            return given.lstrip("0").rjust(4, "0") if given.count(":") == 1 else given
        given = float(given) if re.fullmatch(r"\d{1,7}(?:\.\d{1,6})?", given) else None
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given < 1_000_000:
        return None
    minutes, seconds = divmod(round(given), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def merge_results(results: Iterable[SearchResult], by_picture: bool = False) -> tuple[SearchResult, ...]:
    """Merge results for the same page, best first: keep the best score, the longest text and all engines.

    With `by_picture`, the pictures of one page stay separate.
    """
    pages: dict[tuple[str, str], SearchResult] = {}
    for result in results:
        key = canonical(result.url), canonical(result.image) if by_picture and result.image else ""
        pages[key] = _merge_pair(pages[key], result) if key in pages else result
    return tuple(sorted(pages.values(), key=lambda result: -result.score))


def _merge_pair(first: SearchResult, second: SearchResult) -> SearchResult:
    engines = {*first.engine.split(", "), *second.engine.split(", ")}
    better, other = (second, first) if second.score > first.score else (first, second)
    # Prefer the address with TLS.
    url = other.url if other.url.startswith("https:") and better.url.startswith("http:") else better.url
    return replace(
        better,
        url=url,
        title=better.title or other.title,
        snippet=max(better.snippet, other.snippet, key=len),
        engine=", ".join(sorted(engines - {""})),
        published=better.published or other.published,
        thumbnail=better.thumbnail or other.thumbnail,
        image=better.image or other.image,
        length=better.length or other.length,
    )


def _strip_tags(text: str) -> str:
    for _ in range(_DEEPEST):
        bare = _TAG.sub(lambda tag: "" if (tag[1] or "").lower() in _INLINE else " ", text)
        if bare == text:
            return text
        text = bare
    return text.replace("<", " ")
