"""Decide whether the writer of a message is gone, without comparing the clocks of two machines."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pincite.store.messages import StoredMessage
from pincite.store.process_names import is_gone


@dataclass(frozen=True, slots=True)
class _SeenHeartbeat:
    heartbeat: float
    since: float  # on our own clock


class Liveness:
    """Decides whether the writer of a message is dead.

    The messages of this process are known. A writer on this machine is dead if its process has ended. A writer on
    another machine is dead if its heartbeat has not changed for `stale` seconds of our own clock.
    """

    def __init__(self, process: str, stale: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._process = process
        self._stale = stale
        self._clock = clock
        self._own: set[str] = set()
        self._seen: dict[str, _SeenHeartbeat] = {}

    @property
    def own(self) -> frozenset[str]:
        """The messages that this process writes."""
        return frozenset(self._own)

    def begin(self, message: str) -> None:
        """Note that this process writes a message."""
        self._own.add(message)

    def end(self, message: str) -> None:
        """Note that this process no longer writes a message."""
        self._own.discard(message)

    def watch(self, running: Iterable[StoredMessage]) -> None:
        """Note the last signs of life of messages, so that silence is measured from now on."""
        for message in running:
            self._silence(message)

    def restart(self) -> None:
        """Measure all silence anew: while the database was away, no writer could give a sign of life."""
        self._seen.clear()

    def has_lost_its_writer(self, message: StoredMessage) -> bool:
        """Return whether the writer of a message is gone."""
        if message.process == self._process:
            return message.id not in self._own
        if not is_gone(message.process.partition(" ")[0]) and self._silence(message) < self._stale:
            return False
        self._seen.pop(message.id, None)
        return True

    def _silence(self, message: StoredMessage) -> float:
        """Return for how many seconds a sign of life has not changed."""
        now, seen = self._clock(), self._seen.get(message.id)
        if seen is None or seen.heartbeat != message.heartbeat:
            self._seen[message.id] = seen = _SeenHeartbeat(message.heartbeat, now)
        return now - seen.since
