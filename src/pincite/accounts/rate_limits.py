"""Limit the requests of each person and each network address in a minute, by token buckets.

A bucket holds as many tokens as the limit, and is refilled evenly over a minute. It is stored as one number: the time
at which it will be full again. On PostgreSQL the buckets are rows, and all servers count together. On SQLite, which
serves one machine, they are in the memory of each process.
"""

import hashlib
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from pincite.accounts.quota_accounts import find_network
from pincite.errors import RateLimited
from pincite.settings_quota import QuotaSettings
from pincite.store import rate_buckets
from pincite.store.database import Database

LimitedAction = Literal["questions", "uploads", "sign_ins"]
_MINUTE = 60.0
_MOST_BUCKETS = 20_000
_TOLERANCE = 1e-6  # seconds, for the rounding of sums

_Key = tuple[LimitedAction, Literal["person", "address"], str]


@dataclass(frozen=True, slots=True)
class RateLimitState:
    """The state of the bucket that is nearest to empty: its size, its tokens, and seconds until it is full."""

    limit: int
    remaining: int
    reset_seconds: int

    def make_headers(self) -> dict[str, str]:
        """Return the headers of a response, by which a client can slow down in time."""
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset_seconds),
        }


class Buckets(Protocol):
    """Buckets from which several tokens are taken at once, or none."""

    def take(self, costs: Mapping[_Key, float]) -> dict[_Key, float]:
        """Take from each bucket as many seconds of refill; return in how many seconds each would be full again.

        Nothing is taken if that is more than a minute for one of them.
        """


class MemoryBuckets:
    """Buckets of one process. Their memory is bounded: the one that was used longest ago goes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, most_buckets: int = _MOST_BUCKETS) -> None:
        self._clock = clock
        self._most_buckets = most_buckets
        self._full_at: OrderedDict[_Key, float] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, costs: Mapping[_Key, float]) -> dict[_Key, float]:
        with self._lock:
            now = self._clock()
            full_at = {key: max(self._full_at.get(key, now), now) + cost for key, cost in costs.items()}
            seconds = {key: at - now for key, at in full_at.items()}
            if not _is_any_empty(seconds):
                for key, at in full_at.items():
                    self._full_at[key] = at
                    self._full_at.move_to_end(key)
                while len(self._full_at) > self._most_buckets:
                    self._full_at.popitem(last=False)
            return seconds

    def count(self) -> int:
        """Return the number of buckets in memory."""
        return len(self._full_at)


class SharedBuckets:
    """Buckets of all servers on a PostgreSQL database. Full ones are removed once a minute."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._swept = time.monotonic()

    def take(self, costs: Mapping[_Key, float]) -> dict[_Key, float]:
        # Hashed, because people type passwords into the wrong field, and because no key may be long.
        names = {hashlib.sha256(" ".join(key).encode("utf-8", "surrogatepass")).hexdigest(): key for key in costs}
        self._sweep()
        seconds: dict[_Key, float] = {}
        try:
            with self._database.writing() as connection:
                taken = rate_buckets.take(connection, {name: costs[key] for name, key in names.items()})
                seconds = {names[name]: found for name, found in taken.items()}
                if _is_any_empty(seconds):
                    raise _TakenNothing
        except _TakenNothing:
            pass
        return seconds

    def _sweep(self) -> None:
        if time.monotonic() - self._swept > _MINUTE:
            self._swept = time.monotonic()
            with self._database.writing() as connection:
                rate_buckets.remove_full(connection)


class _TakenNothing(Exception):
    """Rolls back the transaction of a refused request."""


class RateLimits:
    """Counts the requests of people and addresses."""

    def __init__(self, quota: QuotaSettings, buckets: Buckets) -> None:
        self._limits: dict[LimitedAction, int] = {
            "questions": quota.questions_per_minute,
            "uploads": quota.uploads_per_minute,
            "sign_ins": quota.sign_ins_per_minute,
        }
        assert set(self._limits) == set(get_args(LimitedAction))
        self._address_factor = quota.address_factor
        self._buckets = buckets

    def take(self, action: LimitedAction, person: str = "", address: str = "") -> RateLimitState | None:
        """Count a request of a person and of an address; raise `RateLimited` if one of them made too many.

        A refused request is not counted. Return None if there is no limit.
        """
        limit = self._limits[action]
        if not limit:
            return None
        sizes: dict[_Key, int] = {}
        if person:
            sizes[action, "person", person] = limit
        if address:
            sizes[action, "address", find_network(address)] = limit * self._address_factor
        costs = {key: _MINUTE / size for key, size in sizes.items()}
        seconds = self._buckets.take(costs)
        if _is_any_empty(seconds):
            worst = max(seconds, key=lambda key: seconds[key])
            state = _make_state(sizes[worst], seconds[worst] - costs[worst])
            late = seconds[worst] - _MINUTE
            raise RateLimited(action, max(math.ceil(late), 1), state.limit, state.reset_seconds)
        states = [_make_state(sizes[key], left) for key, left in seconds.items()]
        return min(states, key=lambda state: state.remaining, default=None)


def open_rate_limits(quota: QuotaSettings, database: Database) -> RateLimits:
    """Return the limits of a server: counted with all others on PostgreSQL, for itself on SQLite."""
    return RateLimits(quota, MemoryBuckets() if database.sqlite else SharedBuckets(database))


def make_refusal_headers(error: RateLimited) -> dict[str, str]:
    """Return the headers of a response with status 429."""
    state = RateLimitState(error.limit, 0, error.reset_seconds)
    return {"Retry-After": str(error.seconds), **state.make_headers()}


def _is_any_empty(seconds: Mapping[_Key, float]) -> bool:
    return any(each - _MINUTE > _TOLERANCE for each in seconds.values())


def _make_state(size: int, seconds_to_full: float) -> RateLimitState:
    missing = math.ceil(seconds_to_full * size / _MINUTE - _TOLERANCE)
    return RateLimitState(size, max(size - missing, 0), max(math.ceil(seconds_to_full - _TOLERANCE), 0))
