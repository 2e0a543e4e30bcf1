"""Addresses, time-outs, and what happens while a PostgreSQL server is away."""

import asyncio
import builtins
import logging
import threading
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import OperationalError

from pincite.errors import DatabaseAway, Misuse, StorageError
from pincite.settings import load_settings
from pincite.settings_postgres import PostgresSettings
from pincite.store import postgres_engine
from pincite.store.database import Database, find_sqlite_file, wait_while_away
from pincite.store.database_errors import explain_error
from pincite.store.group_commit import GroupWriter
from pincite.store.postgres_engine import parse_address
from tests.postgres_server import RunningPostgres, Unavailable, start_postgres

_SECRET = "s3cret-word"


@pytest.fixture(scope="module")
def own_server() -> Iterator[RunningPostgres]:
    """A server that the tests of this module stop and kill."""
    try:
        server = start_postgres()
    except Unavailable as reason:
        pytest.skip(f"NOT TESTED ON POSTGRESQL: {reason}")
    yield server
    server.remove()


@pytest.fixture
def away(own_server: RunningPostgres) -> Iterator[Database]:
    """A database with one table, on a server that may be stopped."""
    database = Database(own_server.url)
    with database.writing() as connection:
        connection.execute(text("DROP TABLE IF EXISTS numbers"))
        connection.execute(text("CREATE TABLE numbers (n INTEGER)"))
    yield database
    database.close()
    if own_server.process is None or own_server.process.poll() is not None:
        own_server.start()


def read_numbers(database: Database) -> list[int]:
    with database.reading() as connection:
        return list(connection.scalars(text("SELECT n FROM numbers ORDER BY n")))


def put(connection: Connection, number: int) -> int:
    connection.execute(text("INSERT INTO numbers VALUES (:n)"), {"n": number})
    return number


@pytest.mark.parametrize(
    "address",
    ["postgresql://ada@h/d", "postgres://ada@h/d", "postgresql+psycopg2://ada@h/d", "postgresql+asyncpg://ada@h/d"],
)
def test_every_form_of_a_postgresql_address_means_one_driver(address: str) -> None:
    assert parse_address(address).render_as_string() == "postgresql+psycopg://ada@h/d"


def test_a_password_with_an_at_sign_is_not_taken_for_a_host_that_errors_name() -> None:
    with pytest.raises(Misuse, match="more than one @") as caught:
        parse_address(f"postgresql://ada:half@{_SECRET}@db.example.org/pincite")
    assert _SECRET not in f"{caught.value} {caught.value.hint}"
    assert "%40" in caught.value.hint
    assert parse_address(f"postgresql://ada:half%40{_SECRET}@db/pincite").password == f"half@{_SECRET}"


@pytest.mark.parametrize(
    "address",
    [
        f"mysql://ada:{_SECRET}@h/d",
        f"postgresql://ada:{_SECRET}@h:port/d",
        f"ada:{_SECRET}@h/d",
        f"oracle+nothing://ada:{_SECRET}@h/d",
    ],
)
def test_a_wrong_address_is_refused_and_its_password_not_repeated(address: str) -> None:
    with pytest.raises(Misuse) as refused:
        Database(address)
    assert _SECRET not in f"{refused.value} {refused.value.hint}"


def test_a_missing_driver_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_psycopg(name: str, *given: Any, **named: Any) -> Any:
        if name.partition(".")[0] == "psycopg":
            raise ImportError(name)
        return real(name, *given, **named)

    monkeypatch.setattr(builtins, "__import__", without_psycopg)
    with pytest.raises(Misuse, match="psycopg") as refused:
        Database("postgresql://ada@h/d")
    assert "pip install 'pincite[postgres]'" in refused.value.hint


def test_a_server_that_is_not_there_is_away_and_no_password_is_told(caplog: pytest.LogCaptureFixture) -> None:
    database = Database(f"postgresql://ada:{_SECRET}@127.0.0.1:1/d")
    with caplog.at_level(logging.DEBUG), pytest.raises(DatabaseAway) as refused, database.reading():
        pass
    assert _SECRET not in f"{refused.value!r} {refused.value.hint} {caplog.text}"


def test_a_server_that_knows_no_such_database_or_user_is_not_taken_for_one_that_is_down(postgres: Database) -> None:
    known = postgres.engine.url
    for wrong in (known.set(database="nobody_made_this"), known.set(username="nobody_made_this")):
        address = wrong.render_as_string(hide_password=False)
        with pytest.raises(DatabaseAway, match="no such database or user"), Database(address).reading():
            pass


@pytest.mark.parametrize(
    ("reported", "message"),
    [
        ('FATAL:  password authentication failed for user "ada"', "the user or the password"),
        ("fe_sendauth: no password supplied", "asks for a password"),
        ('FATAL:  no pg_hba.conf entry for host "10.0.0.1"', "from this machine"),
        ("connection refused", "cannot be reached"),
    ],
)
def test_a_refusal_is_told_by_its_reason(reported: str, message: str) -> None:
    error = OperationalError("", None, Exception(reported))
    found = explain_error(error)
    assert isinstance(found, DatabaseAway)
    assert message in found.message


def test_addresses_of_a_replica_are_never_shown() -> None:
    settings = load_settings(postgres={"replica": f"postgresql://ada:{_SECRET}@h/d"})
    assert _SECRET not in repr(settings.postgres)
    with pytest.raises(Misuse) as refused:
        load_settings(postgres={"replica": f"mysql://ada:{_SECRET}@h/d"})
    assert _SECRET not in str(refused.value)


def test_a_postgresql_address_names_no_file() -> None:
    assert find_sqlite_file(load_settings(database="postgres://ada@h/d")) is None


def test_connections_have_the_time_outs_of_the_settings_and_long_work_has_none(postgres: Database) -> None:
    settings = PostgresSettings(statement_seconds=7, lock_seconds=3, idle_seconds=11)
    address = postgres.engine.url.render_as_string(hide_password=False)
    database = Database(address, settings)
    names = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "application_name")

    def show(connection: Connection) -> list[str]:
        return [str(connection.scalar(text(f"SHOW {name}"))) for name in names]

    with database.reading() as connection:
        assert show(connection) == ["7s", "3s", "11s", "pincite"]
    for long in (database.reading(long=True), database.writing(long=True), database.outside_transactions()):
        with long as connection:
            assert show(connection)[:3] == ["0", "0", "0"]
    with database.writing() as connection:
        assert show(connection)[:3] == ["7s", "3s", "11s"]
    database.close()


def test_a_slow_statement_and_a_held_lock_end_with_their_reason(postgres: Database) -> None:
    settings = PostgresSettings(statement_seconds=0.2, lock_seconds=0.1)
    database = Database(postgres.engine.url, settings)
    with pytest.raises(StorageError, match="too long for one statement"), database.reading() as connection:
        connection.execute(text("SELECT pg_sleep(20)"))
    with postgres.writing() as holder:
        holder.execute(text("LOCK TABLE people"))
        with pytest.raises(StorageError, match="locked"), database.writing() as connection:
            connection.execute(text("LOCK TABLE people"))
    database.close()


def test_a_pooler_gets_no_prepared_statements_and_no_options(postgres: Database) -> None:
    address = postgres.engine.url.render_as_string(hide_password=False)
    database = Database(address, PostgresSettings.model_validate({"direct": address}))
    with database.reading() as connection:
        for _ in range(20):
            connection.execute(text("SELECT 1"))
        assert connection.scalar(text("SELECT count(*) FROM pg_prepared_statements")) == 0
        assert connection.scalar(text("SHOW statement_timeout")) == "0"
    assert database.direct is not database.engine
    database.close()


def test_more_requests_than_connections_wait_and_then_are_told_to_come_back(postgres: Database) -> None:
    settings = PostgresSettings(connections=1, more_connections=0, pool_seconds=0.1)
    database = Database(postgres.engine.url, settings)
    with database.reading(), pytest.raises(DatabaseAway, match="in use"), database.reading():
        pass
    database.close()


def test_a_restarted_server_is_used_again_without_an_error(away: Database, own_server: RunningPostgres) -> None:
    assert read_numbers(away) == []
    own_server.stop()
    with pytest.raises(DatabaseAway):
        read_numbers(away)
    own_server.start()
    assert read_numbers(away) == []
    own_server.kill()
    own_server.start()
    with away.writing() as connection:
        put(connection, 1)
    assert read_numbers(away) == [1]


@pytest.mark.parametrize(("seconds", "tries"), [(60.0, 0), (0.0, 1)])
def test_only_a_connection_that_rested_is_tried_before_it_is_used(
    away: Database, monkeypatch: pytest.MonkeyPatch, seconds: float, tries: int
) -> None:
    monkeypatch.setattr(postgres_engine, "_TRUSTED_SECONDS", seconds)
    tried: list[object] = []
    try_connection = away.engine.dialect.do_ping

    def note_and_try(connection: Any) -> bool:
        tried.append(connection)
        return try_connection(connection)

    monkeypatch.setattr(away.engine.dialect, "do_ping", note_and_try)
    assert read_numbers(away) == []
    assert len(tried) == tries


def test_a_new_connection_is_not_tried_so_that_its_first_statement_tells_of_a_server_that_is_away(
    away: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> bool:
        raise away.engine.dialect.loaded_dbapi.OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(postgres_engine, "_TRUSTED_SECONDS", 0.0)
    monkeypatch.setattr(away.engine.dialect, "do_ping", fail)
    # The connection in the pool counts as lost; the one that replaces it is not tried.
    assert read_numbers(away) == []


def test_a_connection_that_the_server_ended_a_moment_ago_is_replaced(
    away: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_engine, "_TRUSTED_SECONDS", 60.0)
    own = text("SELECT pg_backend_pid()")
    with away.outside_transactions() as other:
        with away.reading() as connection:
            ended = connection.scalar(own)
        other.execute(text("SELECT pg_terminate_backend(:ended, 10000)"), {"ended": ended})
    with away.writing() as connection:
        assert put(connection, 1) == 1
        assert connection.scalar(own) != ended


def test_the_statements_of_searches_stay_prepared(away: Database) -> None:
    for _ in range(8):
        with away.searching() as connection:
            connection.execute(text("SELECT n FROM numbers WHERE n = :n"), {"n": 1})
    with away.searching() as connection:
        query = text("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT n FROM numbers%'")
        assert connection.scalar(query) == 1


def test_a_standby_is_not_written_to_and_its_connections_are_dropped(away: Database) -> None:
    def write_to_standby() -> None:
        with away.writing() as connection:
            connection.execute(text("SET TRANSACTION READ ONLY"))  # a former primary is so after a failover
            put(connection, 1)

    with pytest.raises(DatabaseAway):
        write_to_standby()
    with away.writing() as connection:
        put(connection, 2)
    assert read_numbers(away) == [2]


def test_a_patient_reader_waits_for_the_server(away: Database, own_server: RunningPostgres) -> None:
    own_server.stop()
    later = threading.Timer(0.5, own_server.start)
    later.start()

    async def read() -> list[int]:
        wait_while_away(60)
        return await asyncio.to_thread(away.repeat, lambda: read_numbers(away))

    assert asyncio.run(read()) == []
    later.join()


def test_writes_of_a_running_answer_are_kept_until_the_server_is_back(
    away: Database, own_server: RunningPostgres
) -> None:
    async def write() -> list[int]:
        writer = GroupWriter(away)
        own_server.stop()
        kept = [asyncio.create_task(writer.write(partial(put, number=n), away_seconds=60)) for n in (1, 2)]
        await asyncio.sleep(0.1)
        with pytest.raises(DatabaseAway):
            await writer.write(partial(put, number=3))
        await asyncio.to_thread(own_server.start)
        return await asyncio.gather(*kept)

    assert (asyncio.run(write()), read_numbers(away)) == ([1, 2], [1, 2])


def test_a_write_gives_up_after_its_time(away: Database, own_server: RunningPostgres) -> None:
    own_server.stop()
    began = time.monotonic()
    with pytest.raises(DatabaseAway):
        asyncio.run(GroupWriter(away).write(lambda connection: put(connection, 1), away_seconds=0.3))
    assert time.monotonic() - began >= 0.3


@pytest.mark.parametrize("is_committed", [True, False])
def test_a_commit_whose_answer_was_lost_is_not_repeated(away: Database, is_committed: bool) -> None:
    """The connection breaks just before the commit is sent, or just after it was done."""
    lost: list[Connection] = []

    def lose(connection: Connection) -> None:
        if not lost:
            lost.append(connection)
            driver = connection.connection.driver_connection
            assert driver
            if is_committed:
                driver.commit()
            driver.pgconn.finish()

    event.listen(away.engine, "commit", lose)
    written = asyncio.run(GroupWriter(away).write(lambda connection: put(connection, 1), away_seconds=60))
    assert (written, read_numbers(away), len(lost)) == (1, [1], 1)
