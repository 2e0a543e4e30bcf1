"""A server that a command starts answers only that command and is gone when the command is, however it ended."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from pincite.cli.child_server import ChildServer
from pincite.errors import PinciteError
from pincite.store.server_file import NAME
from tests import program
from tests.clock import PATIENCE, wait_until
from tests.thorough import keep_some


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PINCITE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PINCITE_EMBEDDING__PROVIDER", "none")
    return tmp_path / "data"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def child(data: Path, folder: Path) -> Iterator[ChildServer]:
    server = ChildServer(folder)
    yield server
    server.stop()


def is_listening(address: str) -> bool:
    at = urlsplit(address)
    with socket.socket() as trying:
        return trying.connect_ex((at.hostname or "", at.port or 0)) == 0


@pytest.mark.slow
def test_it_answers_on_this_machine_until_it_is_stopped(child: ChildServer) -> None:
    address = child.start()
    assert address.startswith("http://127.0.0.1:")
    assert httpx2.get(f"{address}/health", timeout=PATIENCE).status_code == 200
    assert child.start() == address
    child.stop()
    assert not is_listening(address)
    with pytest.raises(PinciteError, match="was stopped"):
        child.start()


@pytest.mark.slow
def test_a_server_that_was_killed_is_started_again(child: ChildServer) -> None:
    child.start()
    killed = child.pid
    os.kill(killed, signal.SIGKILL)
    os.waitid(os.P_PID, killed, os.WEXITED | os.WNOWAIT)
    address = child.start()
    assert child.pid != killed
    assert httpx2.get(f"{address}/health", timeout=PATIENCE).status_code == 200


@pytest.mark.slow
def test_it_stands_beside_the_users_own_server_and_leaves_its_file(child: ChildServer, data: Path) -> None:
    with program.serving(data, EMBEDDING__PROVIDER="none") as address:
        own = (data / NAME).read_text()
        assert child.start() != address
        assert (data / NAME).read_text() == own
        assert json.loads(own)["address"] == address
        child.stop()
        assert (data / NAME).read_text() == own


@pytest.mark.parametrize(
    "sign", keep_some([signal.SIGKILL, signal.SIGTERM, signal.SIGHUP], one_in=3), ids=lambda sign: sign.name
)
def test_it_ends_when_whoever_started_it_is_killed(data: Path, folder: Path, sign: signal.Signals) -> None:
    words = (
        "import sys, time\nfrom pathlib import Path\nfrom pincite.cli.child_server import ChildServer\n"
        "print(ChildServer(Path(sys.argv[1])).start(), flush=True)\nsys.stdin.read()\n"
    )
    starter = subprocess.Popen(
        [sys.executable, "-c", words, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert starter.stdout
    address = starter.stdout.readline().strip()
    assert is_listening(address)
    starter.send_signal(sign)
    starter.communicate(timeout=PATIENCE)
    wait_until(lambda: not is_listening(address))


@pytest.mark.slow
def test_a_server_that_cannot_start_says_why(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    server = ChildServer(folder, ["--data", str(tmp_path / "file" / "data")])
    with pytest.raises(PinciteError, match=r"The server for this folder did not start\. .+"):
        server.start()
    server.stop()


@pytest.mark.slow
def test_a_folder_that_is_gone_is_said(data: Path, tmp_path: Path) -> None:
    server = ChildServer(tmp_path / "gone")
    with pytest.raises(PinciteError, match=r"did not start\. There is no folder"):
        server.start()
    server.stop()
