"""The real program behind the page: started, fed with files and asked over HTTP, killed and started again."""

import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from tests import program
from tests.clock import PATIENCE


@dataclass
class Server:
    """A server as a process of its own, over a data folder; `restart` gives it the same port again."""

    data: Path
    settings: dict[str, str]
    port: int = 0
    known: dict[str, str] = field(default_factory=dict)
    process: "subprocess.Popen[str] | None" = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.data.with_name(f"{self.data.name}.log")

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Begin, and wait until it says where it is."""
        with self.log.open("w") as log:
            self.process = program.start_server(self.data, log, self.port, **self.settings)
        assert self.process.stdout
        said = self.process.stdout.readline()
        assert "http://127.0.0.1:" in said, said + self.log.read_text()
        self.port = int(said.split()[3].rsplit(":", 1)[1])

    def kill(self) -> None:
        """Gone without a word, as when the power fails."""
        assert self.process
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)

    def stop(self) -> None:
        """Ended as by Ctrl-C; what it said meanwhile must be no fault of its own."""
        assert self.process
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=PATIENCE)
        said = self.log.read_text()
        assert "Traceback" not in said, said

    def get(self, path: str, **query: Any) -> Any:
        answer = httpx2.get(self.address + path, params=query, timeout=PATIENCE)
        answer.raise_for_status()
        return answer.json()

    def send(self, path: Path, **fields: str) -> str:
        """The id of the document that a file becomes; it is read in the background."""
        files = {"file": (path.name, path.read_bytes())}
        answer = httpx2.post(f"{self.address}/api/documents", files=files, data=fields, timeout=PATIENCE)
        assert answer.status_code == 202, answer.text
        return str(answer.json()["id"])

    def add(self, path: Path) -> str:
        """The id of a document that was sent and is ready; the same file is sent once."""
        if path.name not in self.known:
            document = self.send(path)
            until(lambda: self.get(f"/api/documents/{document}")["status"] in ("ready", "failed"))
            found = self.get(f"/api/documents/{document}")
            assert found["status"] == "ready", found["error"]
            self.known[path.name] = document
        return self.known[path.name]

    def text(self, document: str) -> str:
        return str(self.get(f"/api/documents/{document}/text")["text"])

    def span(self, document: str, words: str) -> tuple[int, int]:
        """Where these words stand for the first time, whatever the line ends between them."""
        place = self.get(f"/api/documents/{document}/find", words=words)["matches"][0]
        return place["start"], place["end"]

    def ask(self, question: str, *documents: str, **more: Any) -> str:
        """The id of a conversation in which this was asked and answered."""
        body = {"message": question, "documents": list(documents), **more}
        answer = httpx2.post(f"{self.address}/api/chat", json=body, timeout=PATIENCE)
        assert answer.status_code == 200, answer.text
        assert "event: message_completed" in answer.text
        return answer.headers["x-conversation-id"]


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds on the server; it is a failure when it never does."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "It did not come."
        time.sleep(0.05)
