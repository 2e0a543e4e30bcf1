"""Passwords of encrypted documents that wait to be read: seen by workers of other processes, by nobody else."""

import json

import pytest
from joserfc import jwe
from sqlalchemy import select, text

from pincite.library.waiting_passwords import WaitingPasswords
from pincite.store import document_passwords as document_rows
from pincite.store import documents
from pincite.store.database import Database
from pincite.store.schema import document_passwords


def _add_document(opened: Database) -> str:
    with opened.writing() as connection:
        return documents.create(connection, "ada", "0" * 64, "secret.pdf", 10)[0].id


def _open_with(postgres: Database, password: str) -> Database:
    """The same database by an address with a password, which the server of the tests does not ask for."""
    return Database(postgres.engine.url.set(password=password))


def test_a_worker_elsewhere_gets_the_password_until_the_document_was_read(postgres: Database) -> None:
    here, there = _open_with(postgres, "of the database"), _open_with(postgres, "of the database")
    document = _add_document(here)
    given, seen = WaitingPasswords(here), WaitingPasswords(there)
    with here.writing() as connection:
        given.put(connection, document, "öffne dich")
    assert seen.get(document) == "öffne dich"
    with here.reading() as connection:
        stored = connection.scalar(select(document_passwords.c.encrypted))
        assert stored
        assert "ffne" not in stored
    seen.drop(document)
    assert given.get(document) is None
    with here.reading() as connection:
        assert connection.scalar(select(document_passwords.c.encrypted)) is None
    here.close()
    there.close()


def test_the_rows_alone_do_not_reveal_a_password(postgres: Database, caplog: pytest.LogCaptureFixture) -> None:
    here, there = _open_with(postgres, "of the database"), _open_with(postgres, "another")
    document = _add_document(here)
    with here.writing() as connection:
        WaitingPasswords(here).put(connection, document, "open")
    assert WaitingPasswords(there).get(document) is None
    assert "another password" in caplog.text
    with here.writing() as connection:  # nor can it be moved to the document of somebody else
        other = documents.create(connection, "eve", "1" * 64, "own.pdf", 10)[0].id
        connection.execute(text("UPDATE document_passwords SET document = :other"), {"other": other})
    assert WaitingPasswords(here).get(other) is None
    here.close()
    there.close()


def test_a_row_cannot_choose_another_method(postgres: Database) -> None:
    here = _open_with(postgres, "of the database")
    document = _add_document(here)
    waiting = WaitingPasswords(here)
    told = json.dumps({"document": document, "password": "open"}).encode()
    method = {"alg": "A256KW", "enc": "A256GCM"}  # any other than ours
    with here.writing() as connection:
        document_rows.put(connection, document, jwe.encrypt_compact(method, told, waiting._key))
    assert waiting.get(document) is None
    here.close()


@pytest.mark.parametrize("name", ["database", "postgres"])
def test_without_a_password_of_the_database_it_stays_in_this_process(name: str, request: pytest.FixtureRequest) -> None:
    opened: Database = request.getfixturevalue(name)
    document = _add_document(opened)
    here = WaitingPasswords(opened)
    with opened.writing() as connection:
        here.put(connection, document, "open")
    assert here.get(document) == "open"
    assert WaitingPasswords(opened).get(document) is None
    with opened.reading() as connection:
        assert connection.scalar(select(document_passwords.c.encrypted)) is None
    here.drop(document)
    assert here.get(document) is None
