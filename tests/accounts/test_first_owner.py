from functools import partial
from typing import Any

import pytest
from sqlalchemy import Boolean, Double, Float, Integer, LargeBinary, Table, insert, select
from sqlalchemy.types import JSON

from pincite.accounts.audit import AT_TERMINAL, list_audit
from pincite.accounts.first_owner import FirstOwner, check_has_owner, create_first_owner
from pincite.accounts.sign_in import sign_in
from pincite.errors import Misuse, Taken
from pincite.settings import Settings, load_settings
from pincite.store import conversations, documents, personas, user_settings
from pincite.store.database import Connection
from pincite.store.owned_rows import list_owned_tables
from pincite.store.schema import metadata
from tests.accounts.conftest import NOW, PASSWORD, Team, at_once


def _init(team: Team, name: str = "Ada", email: str = "", owner: str = "local") -> FirstOwner:
    settings: Settings = load_settings(owner=owner)
    return create_first_owner(team.database, settings, team.hashing, name, email, PASSWORD, NOW)


def _fill(connection: Connection, table: Table, owner: str) -> None:
    """Put a row into a table, whatever its columns are, with the rows that it refers to."""
    values: dict[str, Any] = {}
    for column in table.columns:
        if column.foreign_keys and not column.nullable:
            parent = next(iter(column.foreign_keys)).column.table
            if connection.scalar(select(parent.c.id).limit(1)) is None:
                _fill(connection, parent, owner)
            values[column.name] = connection.scalar(select(parent.c.id).limit(1))
        elif not column.nullable and column.autoincrement is not True:
            values[column.name] = _make_value(column.type)
    allowed = {
        "status": "ready",
        "step": "read",
        "state": "done",
        "role": "user",
        "value": 1,
        "key": "k",
        "colour": "pink",
    }
    values |= {name: value for name, value in allowed.items() if name in values}
    if table.name == "jobs":
        values["state"] = "queued"
    if table.name == "annotations":
        values["state"] = "found"
    if table.name == "notebook_items":
        values["kind"] = "text"
    if table.name == "usage":
        values["role"] = "chat"
    if table.name == "choices":
        values["value"] = "v"
    values["owner"] = owner
    connection.execute(insert(table).values({k: v for k, v in values.items() if k in table.c}))


def _make_value(kind: Any) -> Any:
    if isinstance(kind, Boolean):
        return False
    if isinstance(kind, (Integer, Double, Float)):
        return 1
    if isinstance(kind, LargeBinary):
        return b"x"
    return [] if isinstance(kind, JSON) else "x"


def _count(team: Team, owner: str) -> dict[str, int]:
    with team.database.reading() as connection:
        return {
            table.name: len(connection.execute(select(table).where(table.c.owner == owner)).all())
            for table in list_owned_tables()
        }


def test_every_row_of_every_table_with_an_owner_becomes_theirs(team: Team) -> None:
    with team.database.writing() as connection:
        for table in list_owned_tables():
            if connection.scalar(select(table.c.owner).limit(1)) is None:
                _fill(connection, table, "local")
    before = _count(team, "local")
    assert all(before.values())
    made = _init(team)
    assert _count(team, made.person.id) == before
    assert made.rows == before
    assert made.others == ()


def test_a_table_with_an_owner_is_never_forgotten() -> None:
    named = {table.name for table in metadata.tables.values() if "owner" in table.c}
    assert named - {table.name for table in list_owned_tables()} == {"library_shares"}


def test_documents_of_the_local_owner_are_there_for_the_first_owner(team: Team) -> None:
    with team.database.writing() as connection:
        document, _ = documents.create(connection, "local", "a" * 64, "a.txt", 1)
        talk = conversations.create(connection, "local", "A talk")
        persona = personas.create(connection, "local", "Pirate", "Say arr.")
        user_settings.set_choice(connection, "local", user_settings.SEARCH_URL, "http://one")
    _init(team, email="ada@example.org")
    ada = sign_in(team.database, team.hashing, "ada@example.org", PASSWORD, NOW).person
    with team.database.reading() as connection:
        assert [each.id for each in documents.find(connection, ada.id)] == [document.id]
        assert conversations.get(connection, ada.id, talk.id).title == "A talk"
        assert personas.get(connection, ada.id, "Pirate").id == persona.id
        assert user_settings.get_choice(connection, ada.id, user_settings.SEARCH_URL) == "http://one"
    assert ada.role == "owner"


def test_it_is_the_owner_of_the_settings_whose_rows_are_taken_over(team: Team) -> None:
    with team.database.writing() as connection:
        conversations.create(connection, "local", "Of local")
        conversations.create(connection, "lab", "Of lab")
    made = _init(team, owner="lab")
    assert (made.rows, made.others) == ({"conversations": 1}, ("local",))


def test_there_is_one_first_owner_even_of_many_at_the_same_moment(team: Team) -> None:
    results = at_once([partial(_init, team, f"Ada {number}") for number in range(6)])
    assert sum(isinstance(result, FirstOwner) for result in results) == 1
    assert sum(isinstance(result, (Misuse, Taken)) for result in results) == 5
    with pytest.raises(Misuse) as caught:
        _init(team, "Bob")
    assert caught.value.reason == "accounts_exist"
    assert [entry.action for entry in list_audit(team.database, AT_TERMINAL)] == ["account.init"]


def test_a_weak_password_makes_no_account(team: Team) -> None:
    with pytest.raises(Misuse):
        create_first_owner(team.database, load_settings(), team.hashing, "Ada", "", "short", NOW)
    assert _init(team).person.name == "Ada"


def test_a_server_without_an_owner_who_can_sign_in_is_noticed(team: Team) -> None:
    for make in (lambda: None, lambda: team.add("Bob")):
        make()
        with pytest.raises(Misuse, match="no owner") as caught:
            check_has_owner(team.database)
        assert "pincite accounts init" in caught.value.hint
    team.add("Ada", "owner")
    check_has_owner(team.database)
