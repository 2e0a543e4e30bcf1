"""Limit the requests of each person and each network address in a minute, by token buckets in memory.

A bucket holds as many tokens as the limit, and is refilled evenly over a minute. It is stored as one number: the time
at which it will be full again. Each process counts for itself.
"""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from pincite.accounts.quota_accounts import find_network
from pincite.errors import RateLimited
from pincite.settings_quota import QuotaSettings

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


class RateLimits:
    """Counts the requests of people and addresses. Its memory is bounded: the bucket that was used longest ago goes."""

    def __init__(
        self, quota: QuotaSettings, clock: Callable[[], float] = time.monotonic, most_buckets: int = _MOST_BUCKETS
    ) -> None:
        self._limits: dict[LimitedAction, int] = {
            "questions": quota.questions_per_minute,
            "uploads": quota.uploads_per_minute,
            "sign_ins": quota.sign_ins_per_minute,
        }
        assert set(self._limits) == set(get_args(LimitedAction))
        self._address_factor = quota.address_factor
        self._clock = clock
        self._most_buckets = most_buckets
        self._full_at: OrderedDict[_Key, float] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, action: LimitedAction, person: str = "", address: str = "") -> RateLimitState | None:
        """Count a request of a person and of an address; raise `RateLimited` if one of them made too many.

        A refused request is not counted. Return None if there is no limit.
        """
        limit = self._limits[action]
        if not limit:
            return None
        wanted: list[tuple[_Key, int]] = []
        if person:
            wanted.append(((action, "person", person), limit))
        if address:
            wanted.append(((action, "address", find_network(address)), limit * self._address_factor))
        with self._lock:
            now = self._clock()
            full_at = {key: max(self._full_at.get(key, now), now) + _MINUTE / size for key, size in wanted}
            late = {key: at - now - _MINUTE for key, at in full_at.items()}
            sizes = dict(wanted)
            if refused := [key for key in late if late[key] > _TOLERANCE]:
                worst = max(refused, key=lambda key: late[key])
                state = _make_state(sizes[worst], self._full_at[worst] - now)
                raise RateLimited(action, max(math.ceil(late[worst]), 1), state.limit, state.reset_seconds)
            for key, at in full_at.items():
                self._full_at[key] = at
                self._full_at.move_to_end(key)
            while len(self._full_at) > self._most_buckets:
                self._full_at.popitem(last=False)
        states = [_make_state(sizes[key], at - now) for key, at in full_at.items()]
        return min(states, key=lambda state: state.remaining, default=None)

    def count_buckets(self) -> int:
        """Return the number of buckets in memory."""
        return len(self._full_at)


def make_refusal_headers(error: RateLimited) -> dict[str, str]:
    """Return the headers of a response with status 429."""
    state = RateLimitState(error.limit, 0, error.reset_seconds)
    return {"Retry-After": str(error.seconds), **state.make_headers()}


def _make_state(size: int, seconds_to_full: float) -> RateLimitState:
    missing = math.ceil(seconds_to_full * size / _MINUTE - _TOLERANCE)
    return RateLimitState(size, max(size - missing, 0), max(math.ceil(seconds_to_full - _TOLERANCE), 0))
