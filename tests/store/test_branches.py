"""The versions of questions: which of them are counted, and which are stepped through."""

import time

from pincite.store import branches, conversation_search, conversations, messages
from pincite.store.database import Database
from pincite.store.messages import State, StoredMessage


def add(database: Database, *rows: tuple[str, str, State, str]) -> None:
    """Add messages of one conversation: id, parent, state and text; questions have ids that begin with q."""
    now = time.time()
    with database.writing() as connection:
        conversations.create(connection, "local", "Talk", "c")
        messages.add(
            connection,
            [
                StoredMessage(
                    id,
                    "c",
                    "local",
                    position,
                    "user" if id.startswith("q") else "assistant",
                    text,
                    state,
                    now,
                    now,
                    parent=parent,
                    chosen=position,
                )
                for position, (id, parent, state, text) in enumerate(rows)
            ],
        )


def count(database: Database) -> int:
    with database.reading() as connection:
        return conversation_search.count_questions(connection, ["c"])["c"]


def test_versions_of_a_question_count_as_one_and_what_follows_a_hidden_one_does_not_count(database: Database) -> None:
    add(
        database,
        ("q1", "", "done", "One?"),
        ("a1", "q1", "done", "One."),
        ("q2", "a1", "done", "Two?"),
        ("a2", "q2", "done", "Two."),
        ("q3", "", "done", "One, edited?"),
        ("a3", "q3", "done", "One again."),
    )
    assert count(database) == 1
    with database.writing() as connection:
        branches.choose_version(connection, "c", "q1")
    assert count(database) == 2


def test_a_try_that_failed_before_its_first_word_is_no_version_once_another_is_shown(database: Database) -> None:
    add(
        database,
        ("q1", "", "done", "One?"),
        ("a1", "q1", "done", "One."),
        ("q2", "", "done", "One, edited?"),
        ("a2", "q2", "failed", ""),
    )
    with database.reading() as connection:
        nodes = branches.load_nodes(connection, "c")
    assert branches.list_versions(nodes) == {"q1": ["q1", "q2"], "q2": ["q1", "q2"]}
    with database.writing() as connection:
        branches.choose_version(connection, "c", "q1")
        assert branches.list_versions(branches.load_nodes(connection, "c")) == {}
