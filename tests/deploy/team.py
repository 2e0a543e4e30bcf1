"""Start the services of the profile `team` of compose.yaml as plain processes: same commands, same variables."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text

from tests.clock import PATIENCE, wait_until
from tests.deploy.compose import ROOT, is_ours, read_compose
from tests.free_ports import find_free_port
from tests.postgres_server import find_binary, start_postgres
from tests.program import finish
from tests.s3_server import start_s3
from tests.warm_process import start_program

PASSWORD = "correct horse battery staple"
VARIABLES = {"POSTGRES_PASSWORD": "p4ss", "OBJECTS_PASSWORD": "the-s3cret", "SEARXNG_SECRET": "x"}
_HOST = re.compile(r"([\w-]+)\.internal:(\d+)")


@dataclass
class Team:
    """The services of the profile by name, the ports they have here, and their processes."""

    folder: Path
    models: Path
    services: dict[str, dict[str, Any]]
    ports: dict[str, int] = field(default_factory=dict)
    processes: dict[str, "subprocess.Popen[Any]"] = field(default_factory=dict)

    def address(self, service: str) -> str:
        return f"http://127.0.0.1:{self.ports[service]}"

    def environment(self, service: str) -> dict[str, str]:
        """Return the variables of a service, with the addresses of the other services here."""
        given = {name: self._place(value) for name, value in self.services[service]["environment"].items()}
        if is_ours(self.services[service]):
            given |= {"PINCITE_DATA": str(self._make_data(service)), "PINCITE_SERVER__PORT": str(self.port(service))}
        return {**os.environ, "NO_COLOR": "1", **given}

    def port(self, service: str) -> int:
        if service not in self.ports:
            self.ports[service] = find_free_port()
        return self.ports[service]

    def start_pincite(self, service: str, number: int) -> None:
        """Start our program with the command of a service."""
        self._start(service, number, partial(start_program, *self.services[service]["command"]))

    def start(self, service: str, command: Sequence[str | Path]) -> None:
        """Start another program."""
        self._start(service, 1, partial(subprocess.Popen, command))

    def _start(self, service: str, number: int, start: "Callable[..., subprocess.Popen[Any]]") -> None:
        with (self.folder / f"{service}-{number}.log").open("wb") as log:
            self.processes[f"{service}-{number}"] = start(
                env=self.environment(service),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def run_pincite(self, service: str, *arguments: str, given: str = "") -> "subprocess.CompletedProcess[str]":
        """Run a command as `docker compose run SERVICE` does, to its end."""
        process = start_program(
            *arguments,
            env=self.environment(service),
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        return finish(process, given)

    def wait_until_healthy(self, service: str) -> None:
        """Run the service's own health check until it succeeds."""
        _, program, *arguments = self.services[service]["healthcheck"]["test"]
        assert program == "pincite"

        def is_healthy() -> bool:
            process = self.processes[f"{service}-1"]
            assert process.poll() is None, self.read_log(service)
            return self.run_pincite(service, *arguments).returncode == 0

        wait_until(is_healthy, pause=0.5)

    def read_log(self, service: str, number: int = 1) -> str:
        return (self.folder / f"{service}-{number}.log").read_text(errors="replace")[-3000:]

    def stop(self, *names: str) -> dict[str, int]:
        """Ask processes to end as an engine of containers does, all of them by default; return their statuses."""
        ended = {name: self.processes.pop(name) for name in names or tuple(self.processes)}
        for process in ended.values():
            process.send_signal(signal.SIGTERM)
        return {name: process.wait(PATIENCE) for name, process in ended.items()}

    def _place(self, value: str) -> str:
        return _HOST.sub(lambda found: f"127.0.0.1:{self.port(found[1])}", value)

    def _make_data(self, service: str) -> Path:
        data = self.folder / service
        if not data.exists():
            data.mkdir(mode=0o700)
            (data / "models").symlink_to(self.models)
        return data


@contextmanager
def start_team(folder: Path, models: Path) -> Iterator[Team]:
    """Start the database, the object store, both servers and the workers, and the proxy if Caddy is installed.

    The search engine is left out: `make test-searxng` tries a real one.
    """
    services = read_compose(VARIABLES)["services"]
    team = Team(folder, models, {name: each for name, each in services.items() if "team" in each["profiles"]})
    with ExitStack() as stack:
        _start_database(team, stack)
        store = start_s3()
        stack.callback(store.stop)
        team.ports["pincite-objects"] = int(store.url.rpartition(":")[2])
        store.make_bucket(team.services["pincite-bucket"]["command"][-1].rpartition("/")[2])
        stack.callback(team.stop)  # before the database and the store end
        made = team.run_pincite(
            "pincite-server-1", "accounts", "init", "--name", "Ada", "--password-stdin", given=f"{PASSWORD}\n"
        )
        assert made.returncode == 0, made.stderr
        for name, service in team.services.items():
            if is_ours(service):
                for number in range(1, int(service["deploy"].get("replicas", 1)) + 1):
                    team.start_pincite(name, number)
        for name in ("pincite-server-1", "pincite-server-2"):
            team.wait_until_healthy(name)
        if caddy := shutil.which("caddy"):
            _start_proxy(team, caddy)
        yield team


def _start_database(team: Team, stack: ExitStack) -> None:
    """Start PostgreSQL with the user and the database that its image would make."""
    port = team.port("pincite-postgres")
    server = start_postgres(port=port)
    stack.callback(server.remove)
    given = team.environment("pincite-postgres")
    user, name = given["POSTGRES_USER"], given["POSTGRES_DB"]
    admin = create_engine(server.url, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE ROLE {user} SUPERUSER LOGIN PASSWORD '{given['POSTGRES_PASSWORD']}'"))
        connection.execute(text(f"CREATE DATABASE {name} OWNER {user}"))
    admin.dispose()
    _, program, *arguments = team.services["pincite-postgres"]["healthcheck"]["test"]
    here = {"PGHOST": "127.0.0.1", "PGPORT": str(port)}
    checked = subprocess.run([find_binary(program), *arguments], env={**os.environ, **here}, check=False)
    assert checked.returncode == 0


def _start_proxy(team: Team, caddy: str) -> None:
    """Start Caddy with its configuration on ports of this run, and wait until its own health check succeeds."""
    site, admin = team.port("pincite-proxy"), find_free_port()
    team.services["pincite-proxy"]["environment"] |= {
        "SITE_ADDRESS": f"http://127.0.0.1:{site}",
        "CADDY_ADMIN": f"127.0.0.1:{admin}",
        "HOME": str(team.folder),
        "XDG_DATA_HOME": str(team.folder / "proxy"),
        "XDG_CONFIG_HOME": str(team.folder / "proxy"),
    }
    team.start("pincite-proxy", [caddy, "run", "--adapter", "caddyfile", "--config", ROOT / "deploy" / "Caddyfile"])
    _, program, *arguments = team.services["pincite-proxy"]["healthcheck"]["test"]
    assert arguments[-1].startswith("http://127.0.0.1:2019/")
    asked = [*arguments[:-1], arguments[-1].replace(":2019", f":{admin}")]
    tool = shutil.which(program) or shutil.which("curl")
    assert tool, f"{program} is not installed"
    command = [tool, *asked] if tool.endswith(program) else [tool, "-sf", "-o", os.devnull, asked[-1]]

    def is_healthy() -> bool:
        assert team.processes["pincite-proxy-1"].poll() is None, team.read_log("pincite-proxy")
        return subprocess.run(command, check=False, capture_output=True).returncode == 0

    wait_until(is_healthy, pause=0.2)
