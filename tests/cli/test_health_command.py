"""`pincite health` tells by its exit status whether a server answers, for the health check of a container."""

import pytest
from typer.testing import CliRunner, Result

from pincite.cli.quick_commands import choose_app
from tests.sites import page, serving


def ask(*arguments: str) -> Result:
    return CliRunner().invoke(choose_app(["health", *arguments]), ["health", *arguments])


def test_a_ready_server_is_healthy(monkeypatch: pytest.MonkeyPatch) -> None:
    # A proxy for other addresses is not asked, and a server that listens everywhere is asked on this machine.
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("PINCITE_SERVER__HOST", "0.0.0.0")
    with serving() as site:
        monkeypatch.setenv("PINCITE_SERVER__PORT", str(site.port))
        site.pages["/ready"] = page(b'{"status":"ready"}')
        done = ask()
    assert (done.exit_code, done.stdout) == (0, '{"status":"ready"}\n')
    assert site.paths == ["/ready"]


def test_a_server_that_is_not_ready_may_still_be_alive() -> None:
    with serving() as site:
        site.pages["/ready"] = page(b'{"status":"draining"}', status=503)
        site.pages["/health"] = page(b"ok")
        ready, alive = ask("--url", site.url("/")), ask("--alive", "--url", site.url("/"))
    assert ready.exit_code == 1
    assert "status 503" in ready.stderr
    assert "draining" in ready.stderr
    assert (alive.exit_code, alive.stdout) == (0, "ok\n")


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "http://[", "nonsense"])
def test_no_server_is_said_in_a_line(address: str) -> None:
    done = ask("--url", address)
    assert done.exit_code == 1
    assert done.stderr.startswith(address)
    assert len(done.stderr.splitlines()) == 1
