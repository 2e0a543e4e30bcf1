"""People at a Pincite server, for locust: each asks, searches and opens sources, one thing after another.

Run by benchmarks/load.py, which starts the servers and gives everybody a session. LOAD_PEOPLE is a file with a list of
people: the server of each, the cookie of a session, a document of theirs and questions about it.
"""

import json
import os
import random
import time
from itertools import count
from pathlib import Path

from locust import HttpUser, constant, task

_PEOPLE = json.loads(Path(os.environ["LOAD_PEOPLE"]).read_text()) if "LOAD_PEOPLE" in os.environ else []
_next = count()


class Person(HttpUser):  # type: ignore[misc]
    """One person in a closed loop: the next thing is asked when the last one is answered."""

    wait_time = constant(0)
    host = "http://127.0.0.1"

    def on_start(self) -> None:
        self.me = _PEOPLE[next(_next) % len(_PEOPLE)]
        self.client.base_url = self.me["server"]
        self.client.headers = {"Cookie": self.me["cookie"], "Sec-Fetch-Site": "same-origin"}
        self.draw = random.Random(self.me["cookie"])

    @task(6)  # type: ignore[untyped-decorator]
    def ask(self) -> None:
        """Ask a question and read its events to the last; the first event is an entry of its own."""
        body = {"message": self.draw.choice(self.me["questions"]), "focusMode": "documents"}
        begun = time.perf_counter()
        first, last, is_answered = 0.0, "", False
        numbers: list[int] = []
        with self.client.post("/api/chat", json=body, stream=True, catch_response=True, name="answer") as response:
            if response.status_code != 200:
                response.failure(f"status {response.status_code}: {response.text[:200]}")
                return
            for line in response.iter_lines():
                if line.startswith(b"event: "):
                    first = first or time.perf_counter() - begun
                    last = line[7:].decode()
                elif line.startswith(b"id: "):
                    numbers.append(int(line[4:]))
                elif line.startswith(b"data: ") and last == "message_completed":
                    is_answered = not json.loads(line[6:])["data"]["refused"]
            whole = time.perf_counter() - begun
            if not is_answered or numbers != list(range(1, len(numbers) + 1)):
                response.failure("the stream has a gap, no end, or no answer")
                return
            response.request_meta["response_time"] = 1000 * whole
            response.success()
        self.environment.events.request.fire(
            request_type="POST",
            name="first event",
            response_time=1000 * first,
            response_length=0,
            exception=None,
            context={},
        )

    @task(3)  # type: ignore[untyped-decorator]
    def search(self) -> None:
        body = {"message": self.draw.choice(self.me["questions"]), "focusMode": "documents"}
        with self.client.post("/api/search", json=body, catch_response=True, name="search") as response:
            if response.status_code != 200:
                response.failure(f"status {response.status_code}: {response.text[:200]}")

    @task(3)  # type: ignore[untyped-decorator]
    def open_source(self) -> None:
        self.client.get(f"/api/documents/{self.me['document']}", name="source")
        self.client.get(f"/api/documents/{self.me['document']}/text", name="source text")
