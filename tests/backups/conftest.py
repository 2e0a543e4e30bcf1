"""Servers to back up, on each database, and empty ones to restore into."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from pincite.settings import Settings, load_settings
from pincite.store.database import Database


@pytest.fixture
def other_postgres(postgres_server: str) -> Iterator[str]:
    """The address of a PostgreSQL database without tables."""
    name = f"t{uuid.uuid4().hex}"
    admin = create_engine(postgres_server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield postgres_server.replace("/postgres?", f"/{name}?")
    with admin.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


def address_of(database: Database) -> str:
    return database.engine.url.render_as_string(hide_password=False)


def settings_for(data: Path, database: str = "") -> Settings:
    return load_settings(data=data, database=database, embedding={"provider": "none"})
