from sqlalchemy import Connection, func, select

from pincite.store import concordances, document_text, documents
from pincite.store.database import Database
from pincite.store.schema import concordances as rows
from pincite.store.table_revisions import HEAD
from pincite.types import Document
from tests.store.old import clear, migrate_to, put_old_document


def _add(connection: Connection, sha256: str, owner: str = "local") -> str:
    id = documents.create(connection, owner, sha256.ljust(64, "0"), f"{sha256}.pdf", 10)[0].id
    documents.write_content(connection, id, Document("text", "Text."), [])
    return id


def test_a_concordance_comes_back_as_it_was_and_a_new_one_takes_its_place(either: Database) -> None:
    with either.writing() as connection:
        id = _add(connection, "a")
        assert concordances.read(connection, id) is None
        concordances.write(connection, id, b"\0first\xff", 3)
        assert concordances.read(connection, id) == b"\0first\xff"
        concordances.write(connection, id, b"second", 3)
        assert concordances.read(connection, id) == b"second"


def test_it_goes_with_its_document_and_with_the_text_it_was_made_of(either: Database) -> None:
    with either.writing() as connection:
        gone, changed = _add(connection, "a"), _add(connection, "b")
        for id in (gone, changed):
            concordances.write(connection, id, b"data", 1)
        documents.remove(connection, gone)
        documents.write_content(connection, changed, Document("text", "Other text."), [])
        assert connection.scalar(select(func.count()).select_from(rows)) == 0


def test_documents_lack_one_when_another_version_or_no_reading_made_it(either: Database) -> None:
    with either.writing() as connection:
        none, older, from_rows, present = (_add(connection, letter) for letter in "abcd")
        theirs = _add(connection, "e", owner="someone")
        concordances.write(connection, older, b"data", 1)
        concordances.write(connection, from_rows, b"data")
        concordances.write(connection, present, b"data", 2)
        assert concordances.list_lacking(connection, "local", 2) == {none, older, from_rows}
        assert concordances.list_lacking(connection, "someone", 2) == {theirs}


def test_a_store_from_before_concordances_keeps_its_documents_when_it_is_opened(either: Database) -> None:
    clear(either)
    with either.writing() as connection:
        migrate_to(connection, "0001")
        put_old_document(connection, "old", ["Kept."])
    either.migrate()
    assert either.revision() == HEAD
    with either.reading() as connection:
        assert document_text.load_document(connection, "old").text == "Kept."
        assert concordances.list_lacking(connection, "local", 1) == {"old"}
