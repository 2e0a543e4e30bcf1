"""Stores to move, and empty databases to move them to."""

import shutil
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from pincite.library import Library, open_library
from pincite.settings import load_settings
from tests.backups.conftest import other_postgres as other_postgres
from tests.databases import TEMPLATE
from tests.moves.stores import fill_library


@pytest.fixture(scope="session")
def full_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a library with something in every table, on SQLite."""
    folder = tmp_path_factory.mktemp("full")
    library = open_library(load_settings(data=folder / "data"))
    fill_library(library, folder / "given")
    library.close()
    return folder / "data"


@pytest.fixture
def full(full_folder: Path, opened: Callable[..., Library], tmp_path: Path) -> Library:
    """A library with something in every table, on SQLite."""
    shutil.copytree(full_folder, tmp_path / "data")
    return opened()


@pytest.fixture
def new_postgres(postgres_server: str) -> Iterator[Callable[[], str]]:
    """Makes PostgreSQL databases that have our tables, and nothing in them; returns the address of each."""
    admin = create_engine(postgres_server, isolation_level="AUTOCOMMIT")
    names: list[str] = []

    def make() -> str:
        names.append(f"t{uuid.uuid4().hex}")
        with admin.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {names[-1]} TEMPLATE {TEMPLATE}"))
        return postgres_server.replace("/postgres?", f"/{names[-1]}?")

    yield make
    with admin.connect() as connection:
        for name in names:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


@pytest.fixture
def empty_postgres(new_postgres: Callable[[], str]) -> str:
    """The address of a PostgreSQL database that has our tables, and nothing in them."""
    return new_postgres()
