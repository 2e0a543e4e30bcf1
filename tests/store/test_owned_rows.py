from pincite.store import conversations, documents
from pincite.store.database import Database
from pincite.store.owned_rows import count_owned_rows, find_owners, list_owned_tables


def test_the_rows_of_each_owner_are_counted_apart(either: Database) -> None:
    with either.writing() as connection:
        documents.create(connection, "ada", "a" * 64, "a.txt", 1)
        for title in ("One", "Two"):
            conversations.create(connection, "ada", title)
        conversations.create(connection, "bob", "Three")
        assert count_owned_rows(connection, "ada") == {"documents": 1, "conversations": 2}
        assert count_owned_rows(connection, "cy") == {}
        assert find_owners(connection) == {"ada", "bob"}


def test_every_table_that_holds_work_of_a_person_is_counted() -> None:
    names = {table.name for table in list_owned_tables()}
    assert {"documents", "sources", "jobs", "conversations", "messages", "usage", "personas", "choices"} <= names
