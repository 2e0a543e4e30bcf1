"""Stores with something in every table, and a look at everything that is in one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text

from pincite.index import index_copy
from pincite.library import Library
from pincite.moves.store_move import StoreMove
from pincite.store.database import Database
from pincite.store.move_target import open_target
from pincite.store.row_copy import NOT_COPIED
from pincite.store.schema import metadata
from tests.own_data.people_with_data import add_person, fill_account, fill_conversations, fill_documents

Tables = dict[str, list[Any]]


@contextmanager
def opened_target(address: str) -> Iterator[Database]:
    database = open_target(address)
    try:
        yield database
    finally:
        database.close()


def move_store(source: Database, address: str) -> None:
    """Move a store to its end."""
    with opened_target(address) as target:
        StoreMove(source, target).run()


def begin_move(source: Database, address: str) -> None:
    """Begin a move, and stop it at its first step."""

    def stop(step: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with opened_target(address) as target, pytest.raises(KeyboardInterrupt):
        StoreMove(source, target, stop).run()


def read_tables(database: Database) -> Tables:
    """All rows of all tables, with the words and vectors of the index."""
    with database.reading() as connection:
        found: Tables = {
            table.name: sorted(tuple(map(repr, row)) for row in connection.execute(select(table)))
            for table in metadata.sorted_tables
            if table.name not in NOT_COPIED
        }
        ids = list(connection.scalars(text("SELECT id FROM passages")))
        words = index_copy.read_words(connection, ids)
        found["words"] = sorted((id, sorted(a.split()), sorted(b.split())) for id, (a, b) in words.items())
        generations = list(connection.scalars(text("SELECT id FROM generations")))
        found["vectors"] = sorted(index_copy.read_vectors(connection, generations).items())
    return found


def fill_library(library: Library, folder: Path) -> Library:
    """Put something into every table."""
    ada, bob = add_person(library, "qzkvada"), add_person(library, "qzkvbob", "owner")
    fill_account(library, ada, "qzkvada", bob)
    fill_conversations(library, ada, "qzkvada")
    fill_documents(library, ada, "qzkvada", folder)
    return library
