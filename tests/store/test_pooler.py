"""The store behind a real PgBouncer, which gives every transaction another connection to the server."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text

from pincite.errors import DatabaseAway
from pincite.library import Library
from pincite.search.search import PassageSearch
from pincite.settings_postgres import PostgresSettings
from pincite.store import conversations
from pincite.store.database import Database
from pincite.store.exclusive_work import work_alone
from pincite.store.move_records import hold_move
from pincite.store.notices import NoticeListener, send_notice
from pincite.types import Scope
from tests.pooler import PROGRAM, Pooler, run_pooler
from tests.work import Fake, finish, the

pytestmark = pytest.mark.skipif(not PROGRAM, reason="NOT TESTED BEHIND PGBOUNCER: install the package pgbouncer")


@pytest.fixture
def pooler(postgres: Database) -> Iterator[Pooler]:
    with run_pooler(postgres.engine.url, "transaction") as running:
        yield running


def _open(pooler: Pooler) -> Database:
    return Database(pooler.address, PostgresSettings.model_validate({"direct": pooler.direct}))


def test_transactions_on_other_connections_each_time_find_what_they_need(pooler: Pooler) -> None:
    with contextlib.closing(_open(pooler)) as database:

        def work(number: int) -> set[int]:
            seen = set()
            for _ in range(8):
                with database.writing() as connection:
                    conversations.create(connection, "local", f"Number {number}")
                    seen.add(int(connection.scalar(text("SELECT pg_backend_pid()")) or 0))
            return seen

        with ThreadPoolExecutor(6) as pool:
            seen = set().union(*pool.map(work, range(6)))
        with database.reading() as connection:
            assert connection.scalar(text("SELECT count(*) FROM conversations")) == 48
    assert len(seen) <= 2  # six clients shared them, and nothing that they prepared was missing


def test_notices_and_locks_of_a_process_use_the_server_itself(pooler: Pooler) -> None:
    heard: list[str] = []
    told = threading.Event()

    def hear(key: str) -> None:
        heard.append(key)
        if key == "c1":
            told.set()

    with contextlib.closing(_open(pooler)) as first, contextlib.closing(_open(pooler)) as second:
        with contextlib.closing(NoticeListener(first)) as listener:
            listener.subscribe("conversation", hear)
            listener.start()
            with second.writing() as connection:
                send_notice(connection, "conversation", "c1")
            while not told.wait(0.2):  # it may have been sent before the listener had its connection
                with second.writing() as connection:
                    send_notice(connection, "conversation", "c1")
        with work_alone(first, "cleanup") as is_alone, work_alone(second, "cleanup") as is_second_alone:
            assert (is_alone, is_second_alone) == (True, False)
        with work_alone(second, "cleanup") as is_alone, hold_move(first):
            assert is_alone
    assert "c1" in heard


def test_documents_are_read_searched_and_removed(
    pooler: Pooler, opened: Callable[..., Library], tmp_path: Path
) -> None:
    library = opened(database=pooler.address, postgres={"direct": pooler.direct})
    path = tmp_path / "heron.md"
    path.write_text("# Herons\n\nThe heron nests by the quiet water of the northern lake.\n")
    document = library.add("local", path).document
    finish(library, Fake())
    assert the(library, document).status == "ready"
    search = PassageSearch(library.database, library.index, Fake(), library.settings)
    assert [hit.span.document for hit in search.search("heron", Scope(owner="local"))] == [document]
    library.remove("local", document)
    library.sweep()
    with library.database.reading() as connection:
        assert connection.scalar(text("SELECT count(*) FROM passages")) == 0


@pytest.mark.parametrize("mode", ["transaction", "session"])
def test_a_pooler_that_the_settings_do_not_name_is_refused_with_what_to_do(postgres: Database, mode: str) -> None:
    with run_pooler(postgres.engine.url, "session" if mode == "session" else "transaction") as pooler:
        database = Database(pooler.address)
        with pytest.raises(DatabaseAway, match="PgBouncer") as caught, database.reading():
            pass
        assert "postgres.direct" in caught.value.hint
        database.close()
        with contextlib.closing(_open(pooler)) as named, named.reading() as connection:
            assert connection.scalar(text("SELECT 1")) == 1
