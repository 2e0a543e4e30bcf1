"""Servers and workers as real processes on one database and one folder of files, each of which may be killed."""

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests import program
from tests.clock import PATIENCE
from tests.free_ports import find_free_port
from tests.warm_process import start_program


@dataclass
class Node:
    """One process: a server with its address, or a worker. Its log holds both of its outputs."""

    name: str
    arguments: tuple[str, ...]
    environment: dict[str, str]
    log: Path
    address: str = ""
    process: "subprocess.Popen[bytes] | None" = field(default=None)

    def start(self) -> None:
        """Start the process, again if it ended; a server keeps its address."""
        with self.log.open("ab") as log:
            self.process = start_program(
                *self.arguments,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def kill(self) -> None:
        """End the process with kill -9."""
        assert self.process
        self.process.kill()
        self.process.wait(PATIENCE)

    def terminate(self) -> int:
        """Ask the process to end, as a container engine does; return its status."""
        assert self.process
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def is_ready(self) -> bool:
        """Whether a server answers that it is ready for questions."""
        try:
            return httpx.get(f"{self.address}/ready", timeout=5).is_success
        except httpx.TransportError:
            return False

    def wait_until_ready(self) -> None:
        ends = time.monotonic() + PATIENCE
        while not self.is_ready():
            assert self.is_running, f"{self.name} ended: {self.read_log()[-2000:]}"
            assert time.monotonic() < ends, f"{self.name} is not ready: {self.read_log()[-2000:]}"
            time.sleep(0.1)

    def read_log(self) -> str:
        return self.log.read_text(errors="replace")


@dataclass
class Cluster:
    """Processes on one database. Settings are given as variables: EMBEDDING__PROVIDER="none"."""

    folder: Path
    database: str
    settings: dict[str, str]
    nodes: list[Node] = field(default_factory=list)

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def start_server(self, name: str = "", **settings: str) -> Node:
        """Start a server without a worker of its own; `wait_until_ready` waits for it."""
        port = find_free_port()
        node = self._make(
            name or f"server-{len(self.nodes)}", "serve", "--port", str(port), SERVER__WORKER="false", **settings
        )
        node.address = f"http://127.0.0.1:{port}"
        node.start()
        return node

    def start_worker(self, name: str = "", *arguments: str, **settings: str) -> Node:
        node = self._make(name or f"worker-{len(self.nodes)}", "worker", *arguments, **settings)
        node.start()
        return node

    def close(self) -> None:
        for node in self.nodes:
            if node.is_running:
                assert node.process
                node.process.send_signal(signal.SIGTERM)
        for node in self.nodes:
            if node.process:
                try:
                    node.process.wait(30)
                except subprocess.TimeoutExpired:
                    node.kill()

    def _make(self, name: str, *arguments: str, **settings: str) -> Node:
        chosen = {"DATABASE": self.database, **self.settings, **settings}
        self.folder.mkdir(parents=True, exist_ok=True)
        node = Node(name, arguments, program.environment(self.data, **chosen), self.folder / f"{name}.log")
        self.nodes.append(node)
        return node


@contextmanager
def start_cluster(folder: Path, database: str, **settings: str) -> Iterator[Cluster]:
    """An empty cluster, whose processes are ended with the block. Documents are found by words unless set otherwise."""
    made = Cluster(folder, database, {"EMBEDDING__PROVIDER": "none", **settings})
    try:
        yield made
    finally:
        made.close()
