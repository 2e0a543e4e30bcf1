"""Databases of tests: a fresh SQLite file for each, and one real PostgreSQL for those that promise both.

A module whose libraries are to be on both engines has `database_address = both_engines`: each test runs twice. The
quick run tries all of them on SQLite, and one in five of each module on PostgreSQL.
"""

import uuid
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from pincite.store.database import Database
from tests.postgres_server import Unavailable, start_postgres

TEMPLATE = "migrated"
_ONE_IN = 5
_DOUBLED = ("either", "both_engines", "database_address")  # the names under which tests ask for both

_tried_twice: Counter[Path] = Counter()


def leave_out_second_engine(item: pytest.Item) -> None:
    """Mark a test slow that runs on SQLite too, unless it is the first of five in its module."""
    chosen = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    is_second = "postgresql" in [chosen.get(name) for name in _DOUBLED]
    if is_second and item.get_closest_marker("slow") is None:
        if _tried_twice[item.path] % _ONE_IN:
            item.add_marker(pytest.mark.slow)
        _tried_twice[item.path] += 1


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(f"sqlite:///{tmp_path / 'test.db'}")
    made.migrate()
    yield made
    made.close()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL server run from the wheel's own binaries, reached by a socket only."""
    try:
        server = start_postgres()
    except Unavailable as reason:
        pytest.skip(f"NOT TESTED ON POSTGRESQL: {reason}")
    try:
        _make_template(server.url)
        yield server.url
    finally:
        server.remove()


@pytest.fixture
def postgres(postgres_server: str) -> Iterator[Database]:
    """An empty PostgreSQL database with our tables in it."""
    name = f"t{uuid.uuid4().hex}"
    admin = create_engine(postgres_server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}"))
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


@pytest.fixture(params=["sqlite", "postgresql"])
def both_engines(request: pytest.FixtureRequest) -> str:
    """The address of the database that libraries open, once on each engine; empty is their own SQLite file."""
    if request.param == "sqlite":
        return ""
    found: Database = request.getfixturevalue("postgres")
    return found.engine.url.render_as_string(hide_password=False)


def _make_template(address: str) -> None:
    """Make the database that those of the tests are copies of: a migration takes ten times as long as a copy."""
    admin = create_engine(address, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {TEMPLATE}"))
    admin.dispose()
    made = Database(address.replace("/postgres?", f"/{TEMPLATE}?"))
    made.migrate()
    made.close()
