"""Two transactions at once take their locks in one order: neither is ended by the server because both wait."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from pincite.accounts.audit import AT_TERMINAL
from pincite.accounts.roles import change_role
from pincite.answer.question import AskedQuestion
from pincite.conversations import transactions
from pincite.conversations.stored_events import make_event
from pincite.errors import NotFound, ReadingFault
from pincite.events import Text
from pincite.library import Library
from pincite.library.ingestion import Ingestion
from pincite.settings_quota import QuotaSettings
from pincite.store import conversations, documents, job_queue, messages, people
from pincite.store.database import Database
from pincite.store.job_queue import Job, Step
from pincite.store.messages import MessageOutcome, StoredMessage
from pincite.types import Scope
from tests.clock import PATIENCE
from tests.work import Fake, finish

LOCAL = "local"
FAULT = ReadingFault("A fault of ours.", "Please report it.")


@pytest.fixture
def database_address(request: pytest.FixtureRequest) -> str:
    found: Database = request.getfixturevalue("postgres")
    return found.engine.url.render_as_string(hide_password=False)


def run_both(
    database: Database, first: Callable[[], Any], before: str, second: Callable[[], Any], nth: int = 1
) -> None:
    """Run the first until it is about to send a statement, then the second until it waits for a lock, then both."""
    reached, runs_first = threading.Event(), threading.local()
    count = 0

    def pause(*given: Any) -> None:
        nonlocal count
        if getattr(runs_first, "is_true", False) and given[2].startswith(before):
            count += 1
            if count == nth:
                reached.set()
                wait_for_lock(database)

    def start_first() -> None:
        runs_first.is_true = True
        try:
            first()
        finally:
            reached.set()

    event.listen(database.engine, "before_cursor_execute", pause)
    try:
        with ThreadPoolExecutor(2) as pool:
            running = pool.submit(start_first)
            assert reached.wait(PATIENCE)
            waiting = pool.submit(second)
            running.result(PATIENCE)
            waiting.result(PATIENCE)
    finally:
        event.remove(database.engine, "before_cursor_execute", pause)
    assert count >= nth, "the first transaction never sent that statement"


def wait_for_lock(database: Database) -> None:
    """Wait until somebody waits for a lock in this database."""
    query = text(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    )
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        with database.engine.connect() as connection:
            if connection.scalar(query):
                return
        time.sleep(0.01)
    raise AssertionError("the second transaction waits for nothing")


def _add(library: Library, folder: Path, name: str, words: str = "") -> str:
    path = folder / name
    path.write_text(f"# {name}\n\n{words or name} nests by the quiet water.\n", encoding="utf-8")
    return library.add(LOCAL, path).document


def _claim(library: Library, step: Step) -> Job:
    with library.database.writing() as connection:
        job = job_queue.claim(connection, "worker", 600, job_queue.read_clock(connection), [step])
    assert job is not None
    return job


@pytest.mark.parametrize("change", ["rename", "remove", "cancel", "retry", "delete"])
def test_a_worker_ends_its_job_while_a_person_changes_the_document(
    opened: Callable[..., Library], tmp_path: Path, change: str
) -> None:
    library = opened(embedding={"provider": "none"})
    document = _add(library, tmp_path, "heron.md")
    finish(library)
    with library.database.writing() as connection:
        job_queue.enqueue(connection, LOCAL, document, "embed", 1.0)
        documents.set_status(connection, document, "searchable", "It failed.", "fault")
    library.settings = library.settings.model_copy(
        update={"embedding": library.settings.embedding.model_copy(update={"provider": "openai"})}
    )
    job = _claim(library, "embed")

    def delete() -> None:
        with library.database.writing() as connection:
            documents.remove(connection, document)

    changes: dict[str, Callable[[], Any]] = {
        "rename": lambda: library.rename(LOCAL, document, "Another title"),
        "remove": lambda: library.remove(LOCAL, document),
        "cancel": lambda: library.cancel(LOCAL, document),
        "retry": lambda: library.retry(LOCAL, document),
        "delete": delete,
    }
    run_both(
        library.database,
        lambda: Ingestion(library).leave_without_vectors(job, FAULT),
        "UPDATE documents",
        changes[change],
    )


def test_tags_of_the_same_documents_are_changed_in_two_orders(opened: Callable[..., Library], tmp_path: Path) -> None:
    library = opened()
    ids = [_add(library, tmp_path, name) for name in ("heron.md", "egret.md")]
    run_both(
        library.database,
        lambda: library.change_tags(LOCAL, ids, ["bird"], []),
        "UPDATE documents",
        lambda: library.change_tags(LOCAL, ids[::-1], ["water"], []),
        nth=2,
    )


def test_documents_are_reindexed_while_their_tags_change(opened: Callable[..., Library], tmp_path: Path) -> None:
    library = opened()
    ids = [_add(library, tmp_path, name) for name in ("heron.md", "egret.md")]
    finish(library, Fake())
    run_both(
        library.database,
        lambda: library.reindex(LOCAL, None, again=True),
        "UPDATE documents",
        lambda: library.change_tags(LOCAL, ids[::-1], ["bird"], []),
        nth=2,
    )


def test_a_file_is_replaced_while_its_document_is_removed(opened: Callable[..., Library], tmp_path: Path) -> None:
    library = opened()
    document = _add(library, tmp_path, "heron.md")

    def remove() -> None:
        with suppress(NotFound):
            library.remove(LOCAL, document)

    run_both(
        library.database, lambda: _add(library, tmp_path, "heron.md", "The egret"), "DELETE FROM documents", remove
    )


def test_two_files_take_the_place_of_each_other(opened: Callable[..., Library], tmp_path: Path) -> None:
    library = opened()
    _add(library, tmp_path, "heron.md", "One")
    _add(library, tmp_path, "egret.md", "Two")
    one, two = (tmp_path / name for name in ("heron.md", "egret.md"))
    contents = one.read_text(), two.read_text()
    one.write_text(contents[1])
    two.write_text(contents[0])
    run_both(
        library.database,
        lambda: library.add(LOCAL, one),
        "DELETE FROM documents",
        lambda: library.add(LOCAL, two),
    )


def _begin_answer(database: Database, name: str) -> AskedQuestion:
    with database.writing() as connection:
        made = conversations.create(connection, LOCAL, name, name).id
        messages.add(
            connection,
            [
                StoredMessage(
                    f"m-{name}", made, LOCAL, 1, "assistant", "", "running", 1.0, 1.0, process="7@here", heartbeat=1.0
                )
            ],
        )
    return AskedQuestion(question="How deep?", scope=Scope(owner=LOCAL), conversation=made)


def test_an_answer_is_written_while_its_conversation_is_removed(postgres: Database) -> None:
    asked = _begin_answer(postgres, "lakes")

    def write() -> None:
        with postgres.writing() as connection:
            sent = [make_event(1, "m-lakes", Text(delta="Deep"))]
            ended = MessageOutcome("done", "Deep", {}, "fake", 1, 1, 1)
            transactions.store_events(connection, asked, "m-lakes", "7@here", sent, ended)

    def remove() -> None:
        with postgres.writing() as connection:
            conversations.remove(connection, LOCAL, "lakes")

    run_both(postgres, write, "INSERT INTO events", remove)


def test_signs_of_life_come_with_events_while_a_conversation_is_removed(postgres: Database) -> None:
    asked = _begin_answer(postgres, "lakes")
    _begin_answer(postgres, "rivers")

    def write() -> None:
        with postgres.writing() as connection:  # as one group of writes
            transactions.send_heartbeat(connection, ["m-rivers", "m-lakes"])
            sent = [make_event(1, "m-lakes", Text(delta="Deep"))]
            transactions.store_events(connection, asked, "m-lakes", "7@here", sent)

    def remove() -> None:
        with postgres.writing() as connection:
            conversations.remove(connection, LOCAL, "lakes")

    run_both(postgres, write, "UPDATE messages", remove, nth=2)


def test_an_abandoned_answer_is_closed_while_its_conversation_is_removed(postgres: Database) -> None:
    _begin_answer(postgres, "lakes")
    with postgres.writing() as connection:
        messages.add(connection, [StoredMessage("q", "lakes", LOCAL, 0, "user", "How deep?", "done", 1.0, 1.0)])
        judged = messages.find_running(connection, "lakes")
    assert judged is not None

    def close() -> None:
        with postgres.writing() as connection:
            transactions.close_abandoned(connection, judged, QuotaSettings(), 2.0)

    def remove() -> None:
        with postgres.writing() as connection:
            conversations.remove(connection, LOCAL, "lakes")

    run_both(postgres, close, "INSERT INTO events", remove)


def test_two_changes_of_a_role_wait_for_each_other_when_the_first_did_not_know_an_owner(postgres: Database) -> None:
    with postgres.writing() as connection:
        made = sorted((people.create(connection, f"Owner {n}", "owner", 1.0).id for n in range(3)), key=str)
        people.set_role(connection, made[0], "member", 1.0)

    def demote() -> None:
        change_role(postgres, AT_TERMINAL, made[0], "member", 2.0)

    def promote_and_demote() -> None:
        with postgres.writing() as connection:
            people.set_role(connection, made[0], "owner", 2.0)  # as a change that ended while the first one waited
        demote()

    run_both(postgres, demote, "SELECT people.id", promote_and_demote, nth=2)
