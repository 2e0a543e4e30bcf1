"""Run the slow parts of signing in, in threads: hashes of passwords and requests to an OpenID issuer, a few at once.

The threads of other requests are not used up by many sign-ins, and the memory of hashes stays small.
"""

from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread

from pincite.accounts.passwords import PasswordHashing

_HASHES = 2  # at once; each takes 64 MiB and a processor
_ISSUER_REQUESTS = 4

T = TypeVar("T")


class AccountThreads:
    """Runs functions that hash passwords or ask an issuer. Others wait for their turn, without a thread."""

    def __init__(self, hashing: PasswordHashing | None = None) -> None:
        self._hashing = hashing or PasswordHashing(at_once=_HASHES)
        self._hashes = anyio.CapacityLimiter(_HASHES)
        self._issuer_requests = anyio.CapacityLimiter(_ISSUER_REQUESTS)

    async def run_hashing(self, function: Callable[[PasswordHashing], T]) -> T:
        """Return the result of a function that hashes or checks a password."""
        return await anyio.to_thread.run_sync(function, self._hashing, limiter=self._hashes)

    async def run_issuer_request(self, function: Callable[[], T]) -> T:
        """Return the result of a function that waits for an OpenID issuer."""
        return await anyio.to_thread.run_sync(function, limiter=self._issuer_requests)
