"""Searches use a streaming replica while it has every stored change, and the primary otherwise."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from sqlalchemy import text

from pincite.errors import DatabaseAway
from pincite.index.postgres_index import PostgresIndex
from pincite.search.search import PassageSearch
from pincite.settings import load_settings
from pincite.settings_postgres import PostgresSettings
from pincite.store import replica as module
from pincite.store.database import Connection, Database
from pincite.types import Scope
from tests.clock import wait_until
from tests.postgres_server import RunningPostgres, Unavailable, start_postgres


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[RunningPostgres, RunningPostgres]]:
    """A primary and its replica."""
    try:
        primary = start_postgres(wal_level="replica", max_wal_senders=4, hot_standby="on")
    except Unavailable as reason:
        pytest.skip(f"NOT TESTED ON POSTGRESQL: {reason}")
    replica = primary.copy(Path(f"{primary.folder}-r"), hot_standby="on")
    yield primary, replica
    replica.remove()
    primary.remove()


@pytest.fixture
def database(servers: tuple[RunningPostgres, RunningPostgres], monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    primary, replica = servers
    monkeypatch.setattr(module, "_AWAY_SECONDS", 0.3)
    monkeypatch.setattr(module, "_BEHIND_SECONDS", 0.1)
    made = Database(primary.url, PostgresSettings.model_validate({"replica": replica.url, "replica_wait_seconds": 5.0}))
    with made.writing() as connection:
        connection.execute(text("CREATE TABLE IF NOT EXISTS numbers (n INTEGER)"))
        connection.execute(text("DELETE FROM numbers"))
    yield made
    made.close()
    if not replica.process or replica.process.poll() is not None:
        replica.start()


def is_replica(connection: Connection) -> bool:
    return bool(connection.scalar(text("SELECT pg_is_in_recovery()")))


def use_replica(database: Database) -> bool:
    with database.searching() as connection:
        return is_replica(connection)


def put(database: Database, number: int) -> None:
    with database.writing() as connection:
        connection.execute(text("INSERT INTO numbers VALUES (:n)"), {"n": number})


def test_every_change_is_found_on_the_replica_at_once(database: Database) -> None:
    used = []
    for number in range(20):
        put(database, number)
        with database.searching() as connection:
            used.append(is_replica(connection))
            assert connection.scalar(text("SELECT max(n) FROM numbers")) == number
    assert all(used)


def test_a_server_that_became_a_standby_is_away_for_writers(
    servers: tuple[RunningPostgres, RunningPostgres],
) -> None:
    former = Database(servers[1].url)
    for _ in range(2):
        with former.reading() as connection:
            assert is_replica(connection)
        with pytest.raises(DatabaseAway):
            put(former, 1)
    former.close()


def test_a_replica_that_falls_behind_is_left_alone_until_it_has_caught_up(
    servers: tuple[RunningPostgres, RunningPostgres], database: Database
) -> None:
    primary, replica = servers
    impatient = Database(
        primary.url, PostgresSettings.model_validate({"replica": replica.url, "replica_wait_seconds": 0.05})
    )
    admin = Database(replica.url)
    assert use_replica(impatient)
    with admin.outside_transactions() as connection:
        connection.execute(text("SELECT pg_wal_replay_pause()"))
        wait_until(lambda: connection.scalar(text("SELECT pg_get_wal_replay_pause_state()")) == "paused")
        put(impatient, 7)
        with impatient.searching() as other:
            assert not is_replica(other)
            assert other.scalar(text("SELECT max(n) FROM numbers")) == 7
        connection.execute(text("SELECT pg_wal_replay_resume()"))
    wait_until(lambda: use_replica(impatient))
    impatient.close()
    admin.close()


def test_a_killed_replica_is_replaced_by_the_primary_and_used_again_when_it_is_back(
    servers: tuple[RunningPostgres, RunningPostgres], database: Database
) -> None:
    replica = servers[1]
    assert use_replica(database)
    replica.kill()
    assert not use_replica(database)
    replica.start()
    wait_until(lambda: use_replica(database))


def test_a_replica_that_dies_during_a_search_costs_a_repetition(
    servers: tuple[RunningPostgres, RunningPostgres], database: Database
) -> None:
    replica = servers[1]
    asked = []

    def search() -> bool:
        with database.searching() as connection:
            asked.append(is_replica(connection))
            if len(asked) == 1:
                replica.kill()
            return is_replica(connection)

    wait_until(lambda: use_replica(database))
    assert database.repeat(search) is False
    assert asked == [True, False]


def test_a_search_of_passages_is_done_by_the_replica(
    servers: tuple[RunningPostgres, RunningPostgres], database: Database
) -> None:
    database.migrate()
    wait_until(lambda: use_replica(database))
    searched: list[bool] = []

    class Spy(PostgresIndex):
        def lexical(self, connection: Connection, *given: object, **named: object) -> list[tuple[int, float]]:
            searched.append(is_replica(connection))
            return []

    settings = load_settings(embedding={"provider": "none"})
    search = PassageSearch(database, cast("PostgresIndex", Spy()), None, settings)
    assert search.search("How deep is the lake?", Scope(owner="local")) == []
    assert searched == [True]


def test_without_a_replica_a_search_reads_the_primary(servers: tuple[RunningPostgres, RunningPostgres]) -> None:
    database = Database(servers[0].url)
    assert not use_replica(database)
    database.close()


def test_a_primary_that_is_away_is_said_so(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = SimpleNamespace(connect=Database("postgresql://ada@127.0.0.1:1/d").engine.connect)
    assert database._replica
    monkeypatch.setattr(database._replica, "_primary", gone)
    with pytest.raises(DatabaseAway):
        use_replica(database)
