"""What a site asks of robots (RFC 9309): its robots.txt in, whether a page may be visited and how often out."""

import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import quote

import anyio
import httpx2

from pincite.web.canonical import plain
from pincite.web.guard import host_of

AGENT = "pincite"
LONGEST_DELAY = 10.0  # seconds; who asks for more gets this
_MOST_BYTES = 500_000
_HOUR = 3600.0
_A_WHILE = 600.0  # for a site that was not there, or was unwell
_SITES = 1000
_TOKEN = re.compile(r"[a-zA-Z_-]+")

# The status of a robots.txt and its bytes; 0 when nobody answered.
Get = Callable[[httpx2.URL], Awaitable[tuple[int, bytes]]]


@dataclass(frozen=True, slots=True)
class Rules:
    """What is asked of us: patterns with whether they open or close, and the seconds between two visits."""

    patterns: tuple[tuple[str, bool], ...] = ()
    delay: float = 0.0

    def allow(self, target: str) -> bool:
        """Whether a path with its query may be visited: the longest pattern that fits decides, and opens in doubt."""
        target = _written(target)
        fitting = ((len(pattern), opens) for pattern, opens in self.patterns if _fits(pattern, target))
        return max(fitting, default=(0, True))[1]


EVERYTHING = Rules()
NOTHING = Rules((("/", False),))


def rules(text: str, agent: str = AGENT) -> Rules:
    """The rules of a robots.txt for one agent: those of its own groups, or else those for everybody."""
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
                groups[-1][2].extend(_seconds(value))
            elif value:
                groups[-1][1].append((_written(value), field == "allow"))
    ours = [group for group in groups if agent in group[0]] or [group for group in groups if "*" in group[0]]
    delays = [delay for _, _, given in ours for delay in given]
    return Rules(tuple(pattern for _, patterns, _ in ours for pattern in patterns), max(delays, default=0.0))


class Robots:
    """The rules of every site that was asked for them, kept for an hour; one that was unwell is asked again sooner."""

    def __init__(self, get: Get) -> None:
        self._get = get
        self._known: OrderedDict[str, tuple[float, Rules]] = OrderedDict()
        self._asking: dict[str, anyio.Lock] = {}

    async def of(self, url: httpx2.URL) -> Rules:
        """The rules of the site that an address belongs to."""
        site = url.copy_with(path="/robots.txt", query=None, fragment=None, userinfo=b"")
        key = f"{site.scheme}://{host_of(site)}:{site.port}"
        async with self._asking.setdefault(key, anyio.Lock()):
            known = self._known.get(key)
            if known is None or known[0] < anyio.current_time():
                seconds, found = _meant(*await self._get(site))
                known = self._known[key] = (anyio.current_time() + seconds, found)
                self._known.move_to_end(key)
        self._asking.pop(key, None)
        while len(self._known) > _SITES:
            self._known.popitem(last=False)
        return known[1]


def _meant(status: int, body: bytes) -> tuple[float, Rules]:
    """How long an answer holds, and what it means. A site that is not there is left to say so itself."""
    if 200 <= status < 300:
        return _HOUR, rules(body[:_MOST_BYTES].decode("utf-8", "replace"))
    if status == 429 or status >= 500:
        return _A_WHILE, NOTHING
    return (_HOUR if status else _A_WHILE), EVERYTHING


def _fits(pattern: str, target: str) -> bool:
    """Whether a pattern fits the beginning of a target; `*` stands for anything, a final `$` for the end."""
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


def _written(path: str) -> str:
    return plain(quote(path, safe="/%*$?=&;:@!,+~'()[]#"))


def _seconds(value: str) -> list[float]:
    if not re.fullmatch(r"\d{1,6}(?:\.\d{1,6})?", value):
        return []
    return [min(float(value), LONGEST_DELAY)]
