import os
import re
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import func, insert, inspect, select, text

from pincite.errors import Misuse, StorageError
from pincite.index import INDEX_TABLES
from pincite.settings import Settings, load_settings
from pincite.store import database as module
from pincite.store.account_schema import people
from pincite.store.database import Database, open_database
from pincite.store.schema import metadata
from pincite.store.table_revisions import HEAD
from tests.clock import PATIENCE, wait_until
from tests.store import old


@pytest.fixture(autouse=True)
def _real_migrations(migrated_once: Callable[[Database], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests are about the migration itself."""
    monkeypatch.setattr(Database, "migrate", migrated_once)


def _settings(folder: Path) -> Settings:
    return load_settings(data=folder)


def _user(id: str) -> dict[str, object]:
    return {
        "id": id,
        "name": id,
        "name_key": id,
        "email": "",
        "role": "member",
        "disabled": False,
        "password": "",
        "created": 0.0,
        "updated": 0.0,
    }


def _index_table(name: str | None) -> bool:
    return name is not None and (name in INDEX_TABLES or name.startswith("words_") or name == "sqlite_sequence")


def test_the_migrations_make_the_tables_the_program_knows(either: Database) -> None:
    with either.reading() as connection:
        context = MigrationContext.configure(
            connection,
            opts={
                "include_name": lambda name, kind, _: not (kind == "table" and _index_table(name)),
                "compare_type": True,
            },
        )
        assert compare_metadata(context, metadata) == []


def test_an_index_over_some_rows_has_the_same_condition_on_both_databases(either: Database) -> None:
    partial = {
        index.name: (table.name, str(index.dialect_options["sqlite"]["where"]).split(".")[-1])
        for table in metadata.tables.values()
        for index in table.indexes
        if index.dialect_options["sqlite"]["where"] is not None
    }
    assert len(partial) == 4
    with either.reading() as connection:
        for name, (table, condition) in partial.items():
            found = {index["name"]: index for index in inspect(connection).get_indexes(table)}[name]
            made = str(found["dialect_options"]["sqlite_where" if either.sqlite else "postgresql_where"])
            assert re.sub(r"::\w+( varying)?|[()]", "", made) == condition


def test_the_revision_the_program_asks_for_is_the_last_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(module.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_written_rows_are_there_after_opening_again(tmp_path: Path) -> None:
    first = open_database(_settings(tmp_path / "data"))
    with first.writing() as connection:
        connection.execute(insert(people).values(_user("ada")))
    first.close()
    second = open_database(_settings(tmp_path / "data"))
    with second.reading() as connection:
        assert connection.scalars(select(people.c.id)).all() == ["ada"]
    second.close()


def test_the_data_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    open_database(_settings(tmp_path / "new" / "data")).close()
    assert stat.S_IMODE((tmp_path / "new" / "data").stat().st_mode) == 0o700


def test_opening_an_up_to_date_database_does_not_load_the_migration_tool(tmp_path: Path) -> None:
    open_database(_settings(tmp_path)).close()
    script = (
        "import sys; from pincite.settings import load_settings; from pincite.store.database import open_database; "
        "open_database(load_settings()).close(); sys.exit('alembic' in sys.modules)"
    )
    environment = {**os.environ, "PINCITE_DATA": str(tmp_path)}
    assert subprocess.run([sys.executable, "-c", script], env=environment, cwd=tmp_path).returncode == 0


def test_a_database_of_a_newer_program_is_left_alone_and_said_so(tmp_path: Path) -> None:
    open_database(_settings(tmp_path)).close()
    with sqlite3.connect(tmp_path / "pincite.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(StorageError, match="newer version"):
        open_database(_settings(tmp_path))


def test_many_programs_may_start_on_an_empty_folder_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(12) as pool:
        opened = list(pool.map(lambda _: open_database(_settings(tmp_path)), range(12)))
    assert {database.revision() for database in opened} == {HEAD}
    for database in opened:
        database.close()


def test_many_servers_may_start_on_an_empty_postgresql_at_once(postgres: Database) -> None:
    with postgres.writing() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    address = postgres.engine.url.render_as_string(hide_password=False)
    opened = [Database(address) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(Database.migrate, opened))
    assert {database.revision() for database in opened} == {HEAD}
    for database in opened:
        database.close()


@pytest.mark.slow
def test_servers_keep_reading_and_writing_while_another_migrates(postgres: Database) -> None:
    """Those of the version before, on a filled database. Two new servers start at the same moment."""
    old.clear(postgres)
    with postgres.writing() as connection:
        old.migrate_to(connection, "0010")
        for number in range(200):
            connection.execute(insert(people).values(_user(f"before-{number}")))
        connection.execute(
            text(
                "INSERT INTO conversations (id, owner, title, created, updated) "
                "SELECT 'c' || n, 'before-0', 'title', 0, 0 FROM generate_series(1, 20000) n"
            )
        )
    stop, longest = threading.Event(), [0.0]
    written: list[int] = []

    def work(number: int) -> None:
        while not stop.is_set():
            began = time.monotonic()
            with postgres.writing() as connection:
                connection.execute(insert(people).values(_user(f"during-{number}-{len(written)}-{began}")))
                connection.execute(text("UPDATE conversations SET updated = updated + 1 WHERE id = 'c1'"))
            with postgres.reading() as connection:
                connection.scalar(text("SELECT count(*) FROM conversations WHERE owner = 'before-0'"))
            written.append(number)
            longest[0] = max(longest[0], time.monotonic() - began)

    new = [Database(postgres.engine.url), Database(postgres.engine.url)]
    with ThreadPoolExecutor(4) as pool:
        busy = [pool.submit(work, number) for number in range(2)]
        wait_until(lambda: len(written) > 4)
        list(pool.map(Database.migrate, new))
        before = len(written)
        wait_until(lambda: len(written) > before + 4)
        stop.set()
        for each in busy:
            each.result()
    assert {database.revision() for database in new} == {HEAD}
    with new[0].reading() as connection:
        assert connection.scalar(select(func.count()).select_from(people)) == 200 + len(written)
    assert longest[0] < PATIENCE
    for database in new:
        database.close()


@pytest.mark.slow
def test_a_migration_that_meets_a_lock_waits_without_holding_up_others(
    postgres: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MIGRATION_WAIT", 100)
    monkeypatch.setattr(module, "_MIGRATION_PAUSE", 0.05)
    tried: list[str] = []
    monkeypatch.setattr(module.log, "info", tried.append)
    old.clear(postgres)
    with postgres.writing() as connection:
        old.migrate_to(connection, "0009")
    with ThreadPoolExecutor(1) as pool:
        with postgres.writing() as writer:
            writer.execute(text("LOCK TABLE conversations IN ROW EXCLUSIVE MODE"))  # a write that takes its time
            done = pool.submit(postgres.migrate)
            wait_until(lambda: len(tried) > 2)
            with postgres.writing() as other:
                other.execute(text("UPDATE conversations SET updated = 0"))
        done.result()
    assert postgres.revision() == HEAD


def test_a_block_that_raises_writes_nothing(either: Database) -> None:
    def interrupted() -> None:
        with either.writing() as connection:
            connection.execute(insert(people).values(_user("ghost")))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with either.reading() as connection:
        assert connection.scalars(select(people.c.id)).all() == []


def test_a_reader_sees_one_state_while_another_writes(database: Database) -> None:
    with database.reading() as reader:
        assert reader.scalars(select(people.c.id)).all() == []
        with database.writing() as writer:
            writer.execute(insert(people).values(_user("ada")))
        assert reader.scalars(select(people.c.id)).all() == []
    with database.reading() as reader:
        assert reader.scalars(select(people.c.id)).all() == ["ada"]


def test_two_writers_that_first_read_queue_instead_of_failing(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(insert(people).values({**_user("counter"), "created": 0.0}))
    start = threading.Barrier(4)

    def count_up(_: int) -> None:
        start.wait()
        for _ in range(10):
            with database.writing() as connection:
                value = connection.scalar(select(people.c.created)) or 0.0
                connection.execute(people.update().values(created=value + 1))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(count_up, range(4)))
    with database.reading() as connection:
        assert connection.scalar(select(people.c.created)) == 40


def test_a_damaged_file_is_named_as_such(tmp_path: Path) -> None:
    (tmp_path / "pincite.db").write_bytes(b"this is no database" * 100)
    with pytest.raises(StorageError, match="damaged") as caught:
        open_database(_settings(tmp_path))
    assert caught.value.hint


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match="cannot be created"):
        open_database(_settings(tmp_path / "file" / "data"))


def test_a_database_file_that_cannot_be_opened_is_said(tmp_path: Path) -> None:
    (tmp_path / "pincite.db").mkdir()
    with pytest.raises(StorageError, match="cannot be opened"):
        open_database(_settings(tmp_path))


def test_a_full_disk_is_said(database: Database) -> None:
    def fill() -> None:
        with database.writing() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
            connection.execute(insert(people), [_user(f"{i}" * 500) for i in range(2000)])

    with pytest.raises(StorageError, match="disk is full"):
        fill()


def test_a_server_that_is_not_there_is_said() -> None:
    database = Database("postgresql+psycopg://nobody@127.0.0.1:1/none")
    with pytest.raises(StorageError, match="cannot be reached"):
        database.migrate()


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(Misuse, match="address"):
        Database("not an address")


def test_the_database_is_in_the_data_folder_whatever_its_name(tmp_path: Path) -> None:
    data = tmp_path / "what? 50% #1"
    open_database(load_settings(data=data)).close()
    assert (data / "pincite.db").is_file()
    assert [path.name for path in tmp_path.iterdir()] == [data.name]
