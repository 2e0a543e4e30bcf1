"""A server under attack: is it there, does it answer, and what do its reading processes take meanwhile?"""

import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import httpx2

from tests.hostile.processes import cpu_seconds, descendants, forget_peaks, peak_megabytes

_TICK = 0.2  # seconds between two looks at memory
_ROUND = 3  # looks between two requests to /health
_QUESTION = 40  # looks between two questions
QUESTION = "Which tide did the keeper of the lighthouse write down in March?"


@dataclass
class Watch:
    """Looks at a server in a thread of its own, from `__enter__` to `__exit__`.

    `control` is the address of a server that does nothing: on a busy machine it lets one wait as well.
    """

    process: "subprocess.Popen[str]"
    address: str
    control: str
    health: list[float] = field(default_factory=list)
    question: list[float] = field(default_factory=list)
    control_waits: list[float] = field(default_factory=list)
    memory: float = 0.0
    failures: list[str] = field(default_factory=list)
    _end: threading.Event = field(default_factory=threading.Event)
    _cpu: float = 0.0
    _client: httpx2.Client = field(default_factory=lambda: httpx2.Client(timeout=60, headers={"Connection": "close"}))

    def __enter__(self) -> "Watch":
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()
        self._client.close()

    def begin(self) -> None:
        """Count CPU time and memory from here on."""
        forget_peaks(descendants(self.process.pid))
        self._cpu, self.memory = cpu_seconds(self.process.pid), 0.0

    def forget(self) -> None:
        """Count the waits from here on."""
        for waits in (self.health, self.question, self.control_waits, self.failures):
            waits.clear()

    def cpu(self) -> float:
        """The CPU seconds since `begin`, of the server and all its processes."""
        return cpu_seconds(self.process.pid) - self._cpu

    def _run(self) -> None:
        looks = 0
        while not self._end.wait(_TICK):
            self.memory = max(self.memory, peak_megabytes(descendants(self.process.pid)))
            looks += 1
            try:
                if looks % _ROUND == 0:
                    self.control_waits.append(self._timed(lambda: self._client.get(self.control)))
                    self.health.append(self._timed(self._look))
                if looks % _QUESTION == 0:
                    self.question.append(self._timed(self._ask))
            except (httpx2.HTTPError, AssertionError) as error:
                self.failures.append(f"{type(error).__name__}: {error}")

    def _look(self) -> None:
        assert self._client.get(f"{self.address}/health").status_code == 200

    def _ask(self) -> None:
        body = {"message": QUESTION, "focusMode": "documents"}
        answer = self._client.post(f"{self.address}/api/search", json=body)
        assert answer.status_code == 200, answer.text
        assert "neap tide" in answer.json()["answer"], answer.json()["answer"]

    def _timed(self, deed: Callable[[], object]) -> float:
        begun = time.perf_counter()
        deed()
        return time.perf_counter() - begun
