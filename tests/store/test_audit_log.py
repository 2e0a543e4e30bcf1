from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from pincite.errors import StorageError
from pincite.store import audit_log
from pincite.store.audit_log import AuditEntry
from pincite.store.database import Database


def _append(database: Database, *entries: AuditEntry) -> None:
    with database.writing() as connection:
        for entry in entries:
            audit_log.append(connection, entry)


def test_entries_come_back_as_they_were_written_the_latest_first(either: Database) -> None:
    first = AuditEntry(1.5, "ada", "role.change", "bob", "t", "192.0.2.1", {"before": "guest", "n": 1, "b": True})
    _append(either, first, AuditEntry(2.5, "", "sign_in.fail"))
    with either.reading() as connection:
        latest, earliest = audit_log.find(connection, 10)
        assert (latest.action, latest.details) == ("sign_in.fail", {})
        assert earliest == replace(first, id=earliest.id)
        assert audit_log.find(connection, 10, before=latest.id) == [earliest]
        assert audit_log.find(connection, 1) == [latest]
        assert audit_log.find(connection, 10, person="bob") == [earliest]
        assert audit_log.find(connection, 10, person="cy") == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_log SET actor = 'somebody else'",
        "DELETE FROM audit_log",
        "DELETE FROM audit_log WHERE id = 1",
        "UPDATE audit_log SET time = 0 WHERE action = 'sign_in'",
    ],
)
def test_the_database_refuses_to_change_or_remove_an_entry(either: Database, statement: str) -> None:
    _append(either, AuditEntry(1.0, "ada", "sign_in"))
    with pytest.raises((StorageError, IntegrityError), match="append-only"), either.writing() as connection:
        connection.execute(text(statement))
    with either.reading() as connection:
        assert [entry.actor for entry in audit_log.find(connection, 10)] == ["ada"]


def test_the_whole_log_is_read_in_order_however_long_it_is(database: Database) -> None:
    _append(database, *(AuditEntry(float(number), "ada" if number % 2 else "bob", "sign_in") for number in range(1234)))
    with database.reading() as connection:
        assert [entry.time for entry in audit_log.find_after(connection, 0, 2000)] == list(range(1234))
        assert [entry.time for entry in audit_log.find_after(connection, 0, 2000, since=1000)] == list(
            range(1000, 1234)
        )
        assert len(audit_log.find_after(connection, 0, 2000, person="ada")) == 617
