"""Whether the writer of a running message is gone, judged without comparing the clocks of two machines."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pincite.store.messages import StoredMessage
from pincite.store.processes import is_gone


@dataclass(frozen=True, slots=True)
class _Seen:
    heartbeat: float
    since: float  # on our own clock


class Liveness:
    """Judges writers. One of this process is asked; one of this machine is gone when its process is.

    Of any other nothing is known but its sign of life. It is gone when the same sign has stood there for `stale`
    seconds of our own time: what its clock, or ours, says of the hour does not matter.
    """

    def __init__(self, process: str, stale: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._process = process
        self._stale = stale
        self._clock = clock
        self._own: set[str] = set()
        self._seen: dict[str, _Seen] = {}

    def begin(self, message: str) -> None:
        """Note that this process writes a message."""
        self._own.add(message)

    def end(self, message: str) -> None:
        """Note that this process writes a message no more."""
        self._own.discard(message)

    def watch(self, running: Iterable[StoredMessage]) -> None:
        """See the signs of life of messages, so that their silence is counted from now on."""
        for message in running:
            self._silence(message)

    def has_lost_its_writer(self, message: StoredMessage) -> bool:
        """Whether nobody writes a running message any more."""
        if message.process == self._process:
            return message.id not in self._own
        if not is_gone(message.process.partition(" ")[0]) and self._silence(message) < self._stale:
            return False
        self._seen.pop(message.id, None)
        return True

    def _silence(self, message: StoredMessage) -> float:
        """For how many seconds we have seen this sign of life unchanged."""
        now, seen = self._clock(), self._seen.get(message.id)
        if seen is None or seen.heartbeat != message.heartbeat:
            self._seen[message.id] = seen = _Seen(message.heartbeat, now)
        return now - seen.since
