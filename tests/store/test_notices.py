"""Notices of other processes: heard at the commit, and again after the connection was lost."""

import contextlib
import threading
import time

from sqlalchemy import text

from pincite.store.database import Database
from pincite.store.notices import NoticeListener, send_notice
from tests.clock import PATIENCE, wait_until


class Heard:
    """The keys that a subscriber was called with."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self._news = threading.Condition()

    def __call__(self, key: str) -> None:
        with self._news:
            self.keys.append(key)
            self._news.notify_all()

    def wait_for(self, *keys: str) -> None:
        with self._news:
            assert self._news.wait_for(lambda: self.keys[-len(keys) :] == list(keys), PATIENCE), self.keys


def test_a_subscriber_hears_a_notice_when_it_is_committed(postgres: Database) -> None:
    heard, other = Heard(), Heard()
    with contextlib.closing(NoticeListener(postgres)) as listener:
        listener.subscribe("conversation", heard)
        listener.subscribe("stop", other)
        listener.start()
        heard.wait_for("")  # look at everything: something may have happened before it listened
        with postgres.writing() as connection:
            send_notice(connection, "conversation", "c1")
            send_notice(connection, "conversation", "c2")
            send_notice(connection, "conversation", "c1")  # within a transaction the same notice is sent once
            time.sleep(0.05)
            assert heard.keys == [""]
        heard.wait_for("c1", "c2")
        assert other.keys == [""]


def test_nobody_hears_what_was_rolled_back(postgres: Database) -> None:
    heard = Heard()
    with contextlib.closing(NoticeListener(postgres)) as listener:
        listener.subscribe("conversation", heard)
        listener.start()
        heard.wait_for("")
        with contextlib.suppress(ZeroDivisionError), postgres.writing() as connection:
            send_notice(connection, "conversation", "undone")
            _ = 1 // 0
        with postgres.writing() as connection:
            send_notice(connection, "conversation", "done")
        heard.wait_for("done")
        assert "undone" not in heard.keys


def test_after_a_lost_connection_a_subscriber_looks_at_everything(postgres: Database) -> None:
    heard = Heard()
    with contextlib.closing(NoticeListener(postgres)) as listener:
        listener.subscribe("jobs", heard)
        listener.start()
        heard.wait_for("")
        with postgres.writing() as connection:
            connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'LISTEN%'"
                )
            )
        heard.wait_for("", "")
        with postgres.writing() as connection:
            send_notice(connection, "jobs", "later")
        heard.wait_for("later")


def test_a_topic_can_be_subscribed_to_while_listening_and_left_again(postgres: Database) -> None:
    heard, late = Heard(), Heard()
    with contextlib.closing(NoticeListener(postgres)) as listener:
        listener.start()
        assert listener.wait_until_connected(PATIENCE)
        leave = listener.subscribe("documents", heard)
        heard.wait_for("")
        leave()
        listener.subscribe("documents", late)
        with postgres.writing() as connection:
            send_notice(connection, "documents", "d")
        late.wait_for("d")
        assert heard.keys == [""]


def test_a_subscriber_that_fails_does_not_silence_the_others(postgres: Database) -> None:
    def fail(key: str) -> None:
        raise KeyError(key)

    heard = Heard()
    with contextlib.closing(NoticeListener(postgres)) as listener:
        listener.subscribe("jobs", fail)
        listener.subscribe("jobs", heard)
        listener.start()
        with postgres.writing() as connection:
            send_notice(connection, "jobs", "j")
        wait_until(lambda: bool(heard.keys))
        with postgres.writing() as connection:
            send_notice(connection, "jobs", "k")
        heard.wait_for("k")


def test_on_sqlite_a_notice_is_no_work_and_no_thread(database: Database) -> None:
    heard = Heard()
    with contextlib.closing(NoticeListener(database)) as listener:
        listener.subscribe("jobs", heard)
        before = threading.active_count()
        listener.start()
        assert threading.active_count() == before
        with database.writing() as connection:
            send_notice(connection, "jobs", "j")
        assert not listener.delivers
    assert heard.keys == []
