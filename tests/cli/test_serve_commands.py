import io
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
from tests.thorough import mark_slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A real server on a free port: its address, and its data folder."""
    data = tmp_path_factory.mktemp("server")
    process = program.start("serve", "--port", "0", data=data, EMBEDDING__PROVIDER="none")
    assert process.stdout
    said = process.stdout.readline()
    assert said.startswith("Pincite is at http://127.0.0.1:")
    address = said.split()[3]
    wait_until(lambda: httpx2.get(f"{address}/ready", timeout=PATIENCE).status_code == 200)  # 503 while it starts
    yield address, data
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in said


@pytest.fixture
def team(pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs a command on a server in team mode, whose owner is Ada."""
    monkeypatch.setenv("PINCITE_ACCOUNTS__MODE", "team")
    monkeypatch.setattr("sys.stdin", io.StringIO("correct horse battery\n"))
    assert pincite("accounts", "init", "--name", "Ada", "--password-stdin").status == 0
    return pincite


@pytest.mark.parametrize(
    ("route", "kind"),
    [
        ("/", "text/html"),
        mark_slow("/docs", "text/html"),
        mark_slow("/health", "application/json"),
        mark_slow("/ready", "application/json"),
    ],
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


def test_an_address_that_is_not_this_machines_is_said(team: Callable[..., Ran]) -> None:
    ran = team("serve", "--host", "192.0.2.1", "--port", "0")
    assert ran.status == 2
    assert "cannot listen on 192.0.2.1" in ran.said
    assert "--host" in ran.said
    assert "--port" not in ran.said


def test_a_worker_does_what_waits_and_ends(pincite: Callable[..., Ran], folder: Path, tmp_path: Path) -> None:
    library = open_library(load_settings(data=tmp_path / "data"))
    for path in folder.iterdir():
        library.add("local", path)
    (folder / "empty.txt").write_text("")
    library.add("local", folder / "empty.txt")
    library.close()
    ran = pincite("worker", "--once")
    assert (ran.status, ran.out) == (0, "")
    assert "3 pieces of work are waiting." in ran.said
    assert "✗ empty.txt is empty." in ran.said
    assert {document["status"] for document in pincite("documents", "--json").json} == {"ready", "failed"}
    assert "Nothing is waiting." in pincite("worker", "--once").said


@pytest.mark.parametrize(("sign", "status"), [(signal.SIGINT, 130), mark_slow(signal.SIGTERM, 0)])
def test_a_worker_that_stays_takes_new_work_and_ends_when_it_is_told_to(
    folder: Path, tmp_path: Path, sign: signal.Signals, status: int
) -> None:
    data = tmp_path / "data"
    process = program.start("worker", data=data, EMBEDDING__PROVIDER="none")
    assert process.stderr
    assert process.stderr.readline() == "Nothing is waiting.\n"
    library = open_library(load_settings(data=data))
    document = library.add("local", folder / "lease.md").document
    library.close()
    query = "SELECT status FROM documents WHERE id = ?"
    with closing(sqlite3.connect(data / "pincite.db")) as connection:
        wait_until(lambda: connection.execute(query, (document,)).fetchone() == ("ready",))
    process.send_signal(sign)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == status, said
    assert "Traceback" not in said


@pytest.mark.slow
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
@pytest.mark.parametrize("projects", [True, False])
def test_a_server_without_accounts_is_not_for_the_network(
    pincite: Callable[..., Ran], tmp_path: Path, host: str, projects: bool
) -> None:
    ran = pincite("serve", "--host", host, "--port", "0", *(("--project", tmp_path) if projects else ()))
    assert (ran.status, ran.out) == (2, "")
    assert f"everybody who reaches {host} could read and change everything" in " ".join(ran.said.split())
    assert "pincite accounts init" in ran.said
    assert 'accounts.mode = "team"' in ran.said


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_server_in_team_mode_needs_an_owner(
    pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("PINCITE_ACCOUNTS__MODE", "team")
    ran = pincite("serve", "--host", host, "--port", "0")
    assert (ran.status, ran.out) == (2, "")
    assert "has no owner yet" in ran.said
    assert "pincite accounts init" in ran.said


def test_a_server_in_team_mode_serves_a_network_and_asks_who_it_is(team: Callable[..., Ran], tmp_path: Path) -> None:
    token = team("accounts", "tokens", "create", "Ada", "--name", "t", "--scope", "admin").out.strip()
    data = tmp_path / "data"
    process = program.start(
        "serve", "--host", "0.0.0.0", "--port", "0", "--project", tmp_path, data=data, ACCOUNTS__MODE="team"
    )
    assert process.stdout
    try:
        address = process.stdout.readline().split()[3].replace("0.0.0.0", "127.0.0.1")
        assert httpx2.get(f"{address}/api/projects", timeout=PATIENCE).status_code == 401
        known = {"Authorization": f"Bearer {token}"}
        found = httpx2.get(f"{address}/api/projects", headers=known, timeout=PATIENCE).json()
        assert [each["folder"] for each in found["projects"]] == [str(tmp_path)]
        made = httpx2.post(f"{address}/api/invitations", json={}, headers=known, timeout=PATIENCE).json()
        assert httpx2.URL(made["url"]).port == httpx2.URL(address).port  # not the one of the settings
        assert oct((data / "server.json").stat().st_mode & 0o777) == "0o600"
        for path, body in (("ask", {"question": "x"}), ("search", {"query": "x"}), ("stop", {"message": "m"})):
            for headers in ({}, known, {"Authorization": "Bearer x"}):
                refused = httpx2.post(f"{address}/api/command/{path}", json=body, headers=headers, timeout=PATIENCE)
                assert refused.status_code == 404
        # A command of the same user needs no token: it reads the secret of the server's file.
        assert team("search", "lakes").status in (0, 1)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
