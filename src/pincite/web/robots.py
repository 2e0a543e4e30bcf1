"""Read robots.txt files (RFC 9309): whether a page may be visited, and how often."""

import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import quote

import anyio
import anyio.to_thread
import httpx2

from pincite.web.canonical import normalise_escapes
from pincite.web.guard import normalise_host

AGENT = "pincite"
LONGEST_DELAY = 10.0  # seconds; the limit for a longer crawl-delay
_MOST_BYTES = 500_000
_MOST_WORK = 20_000_000  # patterns times characters of an address that they are compared with
_HOUR = 3600.0
_A_WHILE = 600.0  # for a site that did not answer or failed
_SITES = 1000
_STARS = re.compile(r"\*{2,}")
_TOKEN = re.compile(r"[a-zA-Z_-]+")

# Fetch a robots.txt: its status and its bytes; the status is 0 without an answer.
Get = Callable[[httpx2.URL], Awaitable[tuple[int, bytes]]]


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules for our agent: patterns with whether they allow, and the seconds between two visits."""

    patterns: tuple[tuple[str, bool], ...] = ()
    delay: float = 0.0

    def allow(self, target: str) -> bool:
        """Return whether a path with its query may be visited.

        The longest matching pattern decides; allow wins ties.
        With very many patterns this takes a tenth of a second: call it in a thread.
        """
        target = _normalise_path(target)
        if len(self.patterns) * len(target) > _MOST_WORK:
            return False  # no such site is known; one that tries to keep us busy is left alone
        fitting = ((len(pattern), opens) for pattern, opens in self.patterns if _is_matching(pattern, target))
        return max(fitting, default=(0, True))[1]


EVERYTHING = RobotsRules()
NOTHING = RobotsRules((("/", False),))


def parse_rules(text: str, agent: str = AGENT) -> RobotsRules:
    """Return the rules for one agent: those of its own groups, else those for all agents."""
    groups: list[tuple[set[str], list[tuple[str, bool]], list[float]]] = []
    is_open = False
    for line in text.removeprefix("\ufeff").splitlines():
        field, colon, value = line.partition("#")[0].partition(":")
        field, value = field.strip().lower(), value.strip()
        if not colon:
            continue
        if field == "user-agent":
            if not is_open:
                groups.append((set(), [], []))
            token = _TOKEN.match(value)
            groups[-1][0].add("*" if value.startswith("*") else token[0].lower() if token else "")
            is_open = True
        elif groups and field in ("allow", "disallow", "crawl-delay"):
            is_open = False
            if field == "crawl-delay":
                groups[-1][2].extend(_parse_delay(value))
            elif value:
                groups[-1][1].append((_STARS.sub("*", _normalise_path(value)), field == "allow"))
    ours = [group for group in groups if agent in group[0]] or [group for group in groups if "*" in group[0]]
    delays = [delay for _, _, given in ours for delay in given]
    return RobotsRules(tuple(pattern for _, patterns, _ in ours for pattern in patterns), max(delays, default=0.0))


class Robots:
    """Cache the rules of each site for an hour, or for ten minutes if the site failed."""

    def __init__(self, get: Get) -> None:
        self._get = get
        self._known: OrderedDict[str, tuple[float, RobotsRules]] = OrderedDict()
        self._asking: dict[str, anyio.Lock] = {}

    async def of(self, url: httpx2.URL) -> RobotsRules:
        """Return the rules of the site that an address belongs to."""
        site = url.copy_with(path="/robots.txt", query=None, fragment=None, userinfo=b"")
        key = f"{site.scheme}://{normalise_host(site)}:{site.port}"
        async with self._asking.setdefault(key, anyio.Lock()):
            known = self._known.get(key)
            if known is None or known[0] < anyio.current_time():
                seconds, found = await anyio.to_thread.run_sync(_interpret_response, *await self._get(site))
                known = self._known[key] = (anyio.current_time() + seconds, found)
                self._known.move_to_end(key)
        self._asking.pop(key, None)
        while len(self._known) > _SITES:
            self._known.popitem(last=False)
        return known[1]


def _interpret_response(status: int, body: bytes) -> tuple[float, RobotsRules]:
    """Return how long a response is valid, and its rules.

    A site that does not answer has none, so that the visit itself reports the error.
    """
    if 200 <= status < 300:
        return _HOUR, parse_rules(body[:_MOST_BYTES].decode("utf-8", "replace"))
    if status == 429 or status >= 500:
        return _A_WHILE, NOTHING
    return (_HOUR if status else _A_WHILE), EVERYTHING


def _is_matching(pattern: str, target: str) -> bool:
    """Return whether a pattern matches the start of a path; `*` matches anything, a final `$` the end."""
    is_whole = pattern.endswith("$")
    first, *others = pattern.removesuffix("$").split("*")
    if not target.startswith(first):
        return False
    at = len(first)
    for number, part in enumerate(others):
        if is_whole and number == len(others) - 1:
            return len(target) - len(part) >= at and target.endswith(part)
        at = target.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return not is_whole or at == len(target)


def _normalise_path(path: str) -> str:
    return normalise_escapes(quote(path, safe="/%*$?=&;:@!,+~'()[]#"))


def _parse_delay(value: str) -> list[float]:
    if not re.fullmatch(r"\d{1,6}(?:\.\d{1,6})?", value):
        return []
    return [min(float(value), LONGEST_DELAY)]
