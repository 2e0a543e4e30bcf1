import signal
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx2
import pytest

from pincite.library import open_library
from pincite.settings import load_settings
from tests import program
from tests.cli.conftest import Ran
from tests.clock import PATIENCE, wait_until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A real server on a free port: its address, and its data folder."""
    data = tmp_path_factory.mktemp("server")
    process = program.start("serve", "--port", "0", data=data, EMBEDDING__PROVIDER="none")
    assert process.stdout
    said = process.stdout.readline()
    assert said.startswith("Pincite is at http://127.0.0.1:")
    yield said.split()[3], data
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("route", "kind"),
    [("/", "text/html"), ("/docs", "text/html"), ("/health", "application/json"), ("/ready", "application/json")],
)
def test_a_started_server_answers(server: tuple[str, Path], route: str, kind: str) -> None:
    answer = httpx2.get(server[0] + route, timeout=PATIENCE)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(kind)


def test_a_port_that_is_taken_is_said_at_once(server: tuple[str, Path], pincite: Callable[..., Ran]) -> None:
    port = server[0].rsplit(":", 1)[1]
    ran = pincite("serve", "--port", port)
    assert (ran.status, ran.out) == (2, "")
    assert ran.said.startswith(f"Error: The server cannot listen on 127.0.0.1:{port}")
    assert "--port" in ran.said


def test_an_address_that_is_not_this_machines_is_said(pincite: Callable[..., Ran]) -> None:
    ran = pincite("serve", "--host", "192.0.2.1", "--port", "0")
    assert ran.status == 2
    assert "cannot listen on 192.0.2.1" in ran.said
    assert "--host" in ran.said
    assert "--port" not in ran.said


def test_a_worker_does_what_waits_and_ends(pincite: Callable[..., Ran], folder: Path, tmp_path: Path) -> None:
    library = open_library(load_settings(data=tmp_path / "data"))
    for path in folder.iterdir():
        library.add(path)
    (folder / "empty.txt").write_text("")
    library.add(folder / "empty.txt")
    library.close()
    ran = pincite("worker", "--once")
    assert (ran.status, ran.out) == (0, "")
    assert "3 pieces of work are waiting." in ran.said
    assert "✗ empty.txt is empty." in ran.said
    assert {document["status"] for document in pincite("documents", "--json").json} == {"ready", "failed"}
    assert "Nothing is waiting." in pincite("worker", "--once").said


@pytest.mark.parametrize(("sign", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_worker_that_stays_takes_new_work_and_ends_when_it_is_told_to(
    folder: Path, tmp_path: Path, sign: signal.Signals, status: int
) -> None:
    data = tmp_path / "data"
    process = program.start("worker", data=data, EMBEDDING__PROVIDER="none")
    assert process.stderr
    assert process.stderr.readline() == "Nothing is waiting.\n"
    library = open_library(load_settings(data=data))
    document = library.add(folder / "lease.md").document
    library.close()
    query = "SELECT status FROM documents WHERE id = ?"
    with closing(sqlite3.connect(data / "pincite.db")) as connection:
        wait_until(lambda: connection.execute(query, (document,)).fetchone() == ("ready",))
    process.send_signal(sign)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == status, said
    assert "Traceback" not in said


def test_a_server_on_every_address_family_prints_an_address_that_can_be_opened(tmp_path: Path) -> None:
    if not socket.has_ipv6:
        pytest.skip("THIS MACHINE HAS NO IPV6, SO ITS ADDRESSES ARE NOT TRIED")
    process = program.start("serve", "--host", "::1", "--port", "0", data=tmp_path / "data")
    assert process.stdout
    said = process.stdout.readline()
    if not said:
        pytest.skip(f"THIS MACHINE HAS NO IPV6 LOOPBACK: {process.communicate()[1]}")
    try:
        assert httpx2.get(said.split()[3] + "/health", timeout=PATIENCE).status_code == 200
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "a.name.of.the.network"])
def test_a_project_is_not_served_to_the_network(pincite: Callable[..., Ran], tmp_path: Path, host: str) -> None:
    ran = pincite("serve", "--host", host, "--port", "0", "--project", tmp_path)
    assert ran.status == 2
    assert "Projects are served to this machine only" in ran.said
