"""A real PgBouncer before the PostgreSQL of the tests, where the program is installed."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sqlalchemy import URL

from tests.clock import PATIENCE, wait_until

PROGRAM = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
_CONNECTIONS = 2  # to the server, so that clients get another one with each transaction


@dataclass(frozen=True)
class Pooler:
    """A running PgBouncer: its folder, and the server's own address."""

    folder: Path
    server: URL

    @property
    def address(self) -> str:
        query = {**self.server.query, "host": str(self.folder), "port": "6432"}
        return self.server.set(query=query).render_as_string(hide_password=False)

    @property
    def direct(self) -> str:
        return self.server.render_as_string(hide_password=False)


@contextmanager
def run_pooler(server: URL, mode: Literal["transaction", "session"]) -> Iterator[Pooler]:
    """Start a PgBouncer before a server that is reached by its socket, and end it."""
    assert PROGRAM
    place = str(server.query["host"])
    owner = pwd.getpwuid(os.stat(place).st_uid)  # the user that may enter the folder of the socket
    folder = Path(tempfile.mkdtemp(prefix="pgb-"))
    os.chown(folder, owner.pw_uid, -1)
    (folder / "pgbouncer.ini").write_text(
        f"""[databases]
* = host={place} user={server.username}
[pgbouncer]
unix_socket_dir = {folder}
auth_type = any
pool_mode = {mode}
default_pool_size = {_CONNECTIONS if mode == "transaction" else 20}
logfile = {folder}/log
"""
    )
    user = owner.pw_uid if os.getuid() == 0 else None
    running = subprocess.Popen([PROGRAM, "-q", folder / "pgbouncer.ini"], user=user, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: (folder / ".s.PGSQL.6432").exists() or running.poll() is not None)
        assert running.poll() is None, (folder / "log").read_text()
        yield Pooler(folder, server)
    finally:
        running.kill()
        running.wait(PATIENCE)
        shutil.rmtree(folder, ignore_errors=True)
