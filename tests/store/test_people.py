from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from pincite.errors import NotFound, Taken
from pincite.store import people
from pincite.store.database import Database
from pincite.store.people import StoredPerson

_SPELLINGS = ("Ada", "ADA", "ada", "Àda", "ａｄａ", "A\u200bda")


def _create(database: Database, name: str, email: str = "", id: str = "") -> StoredPerson:
    with database.writing() as connection:
        return people.create(connection, name, "member", 1.0, email=email, id=id)


def test_a_person_is_found_by_name_and_address_in_any_spelling(either: Database) -> None:
    ada = _create(either, "Ada", "Ada@Example.org")
    with either.reading() as connection:
        for given in (*_SPELLINGS, "ada@example.org", "ADA@EXAMPLE.ORG"):
            assert people.find_by_name(connection, given) == ada
            assert people.get_by_any_name(connection, given) == ada
        assert people.get(connection, ada.id) == ada
        assert people.find_by_name(connection, "ad") is None
        assert people.find_by_name(connection, ada.id) is None
        with pytest.raises(NotFound):
            people.get_by_any_name(connection, "nobody")
        with pytest.raises(NotFound):
            people.get(connection, "Ada")


@pytest.mark.parametrize("name", _SPELLINGS)
def test_a_name_belongs_to_one_person_in_any_spelling(database: Database, name: str) -> None:
    _create(database, "Ada", "ada@example.org")
    with pytest.raises(Taken) as caught:
        _create(database, name)
    assert caught.value.reason == "name"
    with pytest.raises(Taken) as caught:
        _create(database, "Bob", f"{name}@example.org")
    assert caught.value.reason == "email"


def test_of_many_who_take_a_name_at_the_same_moment_one_gets_it(either: Database) -> None:
    start = Barrier(len(_SPELLINGS))

    def take(name: str) -> bool:
        start.wait()
        try:
            _create(either, name)
        except Taken:
            return False
        return True

    with ThreadPoolExecutor(len(_SPELLINGS)) as pool:
        assert sum(pool.map(take, _SPELLINGS)) == 1
    with either.reading() as connection:
        assert people.count(connection) == 1


def test_many_people_may_have_no_address_and_no_issuer(either: Database) -> None:
    for name in ("Ada", "Bob", "Cy"):
        _create(either, name)
    with either.reading() as connection:
        assert [person.name for person in people.find(connection)] == ["Ada", "Bob", "Cy"]
        assert people.has_any(connection)


def test_a_subject_of_an_issuer_belongs_to_one_person(either: Database) -> None:
    ada, bob = _create(either, "Ada"), _create(either, "Bob")
    with either.writing() as connection:
        people.set_subject(connection, ada.id, "https://one", "1", 2.0)
        people.set_subject(connection, bob.id, "https://two", "1", 2.0)
    with either.reading() as connection:
        found = people.find_by_subject(connection, "https://one", "1")
        assert found is not None
        assert found.id == ada.id
        assert people.find_by_subject(connection, "https://one", "2") is None
    with either.writing() as connection, pytest.raises(Taken):
        people.set_subject(connection, bob.id, "https://one", "1", 2.0)


def test_names_change_to_free_ones_and_a_person_keeps_their_own(either: Database) -> None:
    ada, bob = _create(either, "Ada", "ada@example.org"), _create(either, "Bob")
    with either.writing() as connection:
        people.set_names(connection, ada.id, "ADA", "ADA@example.org", 2.0)
        with pytest.raises(Taken):
            people.set_names(connection, bob.id, "ada", "", 2.0)
        with pytest.raises(Taken):
            people.set_names(connection, bob.id, "Bob", "ada@EXAMPLE.org", 2.0)
        assert people.get(connection, ada.id).name == "ADA"


def test_a_hash_is_replaced_only_by_one_of_the_same_password(either: Database) -> None:
    ada = _create(either, "Ada")
    with either.writing() as connection:
        people.set_password(connection, ada.id, "first", 2.0)
        people.replace_password_hash(connection, ada.id, "first", "renewed")
        people.replace_password_hash(connection, ada.id, "first", "too late")
        assert people.get(connection, ada.id).password == "renewed"


def test_the_hash_of_a_password_is_not_shown(database: Database) -> None:
    with database.writing() as connection:
        made = people.create(connection, "Ada", "member", 1.0, password="$argon2id$hash")
    assert "argon2" not in repr(made)


def test_an_id_is_meant_before_a_name_that_looks_like_it(database: Database) -> None:
    first = _create(database, "Ada", id="bob")
    _create(database, "Bob")
    with database.reading() as connection:
        assert people.get_by_any_name(connection, "bob") == first
        assert people.get_by_any_name(connection, "Bob").name == "Bob"
