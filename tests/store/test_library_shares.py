import uuid
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.exc import IntegrityError

from pincite.errors import NotFound
from pincite.store import document_sources, documents, groups, library_shares, people
from pincite.store.account_schema import library_shares as table
from pincite.store.database import Connection, Database
from pincite.store.document_sources import StoredSource
from pincite.store.library_shares import Access

_RANKS = ("reader", "writer", "owner")
_PEOPLE, _GROUPS, _LIBRARIES = ("ada", "bob", "cy", "guest"), ("g", "h"), ("work", "home")
_EVERYONE = "everyone"


def _fill(connection: Connection) -> dict[str, str]:
    """People with their names as ids, and groups; the ids of the groups by name."""
    for name in _PEOPLE:
        people.create(connection, name, "guest" if name == "guest" else "member", 1.0, id=name)
    return {name: groups.create(connection, name, 1.0).id for name in _GROUPS}


_Share = st.tuples(
    st.sampled_from(_PEOPLE),
    st.sampled_from(_LIBRARIES),
    st.sampled_from((*_PEOPLE, *_GROUPS, _EVERYONE)),
    st.sampled_from(_RANKS),
)
_Member = st.tuples(st.sampled_from(_GROUPS), st.sampled_from(_PEOPLE))


class _Undo(Exception):
    """Ends an example, so that the next one finds the database empty."""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """One database for all examples."""
    made = Database(f"sqlite:///{tmp_path_factory.mktemp('shares') / 'test.db'}")
    made.migrate()
    yield made
    made.close()


@given(shares=st.lists(_Share, max_size=12), members=st.sets(_Member))
def test_access_is_the_most_that_any_share_gives_and_nothing_without_one(
    shared: Database, shares: list[tuple[str, str, str, Access]], members: set[tuple[str, str]]
) -> None:
    with suppress(_Undo), shared.writing() as connection:
        ids = _fill(connection)
        for group, person in members:
            groups.add_member(connection, ids[group], person)
        given: dict[tuple[str, str, str], Access] = {}
        for owner, library, receiver, access in shares:
            other = receiver if receiver in _PEOPLE else None
            everyone = receiver == _EVERYONE
            library_shares.put(
                connection, owner, library, access, 1.0, person=other, group=ids.get(receiver), everyone=everyone
            )
            given[owner, library, receiver] = access
        for person in _PEOPLE:
            reached = {person, _EVERYONE} | {group for group, member in members if member == person}
            expected: dict[tuple[str, str], Access] = {}
            for (owner, library, receiver), access in given.items():
                if receiver in reached and owner != person:
                    before = expected.get((owner, library), access)
                    most: Access = max(before, access, key=_RANKS.index)
                    expected[owner, library] = "reader" if person == "guest" else most
            found = library_shares.find_for_person(connection, person)
            assert {(each.owner, each.library): each.access for each in found} == expected
            for owner in _PEOPLE:
                for library in _LIBRARIES:
                    found_access = library_shares.find_access(connection, person, owner, library)
                    assert found_access == ("owner" if person == owner else expected.get((owner, library)))
        raise _Undo


def test_a_share_goes_with_its_owner_its_person_and_its_group(either: Database) -> None:
    with either.writing() as connection:
        ids = _fill(connection)
        library_shares.put(connection, "ada", "work", "reader", 1.0, person="bob")
        library_shares.put(connection, "ada", "work", "reader", 1.0, group=ids["g"])
        library_shares.put(connection, "bob", "home", "reader", 1.0, person="cy")
        groups.remove(connection, ids["g"])
        assert [share.person for share in library_shares.find(connection, "ada")] == ["bob"]
        people.remove(connection, "bob")
        assert library_shares.find(connection, "ada") == []
        assert library_shares.find_for_person(connection, "cy") == []


def test_a_share_with_nobody_who_exists_is_refused(either: Database) -> None:
    with either.writing() as connection:
        _fill(connection)
        with pytest.raises(NotFound):
            library_shares.put(connection, "ada", "work", "reader", 1.0, person="nobody")
        with pytest.raises(NotFound):
            library_shares.remove(connection, "ada", "work", "none")


def test_the_database_refuses_a_share_with_several_receivers_or_none(either: Database) -> None:
    with either.writing() as connection:
        ids = _fill(connection)
    receivers = (("bob", ids["g"], False), (None, None, False), ("bob", None, True), (None, ids["g"], True))
    for person, group, everyone in receivers:
        values = {"id": "x", "owner": "ada", "library": "work", "access": "reader", "created": 1.0}
        values |= {"person": person, "group": group, "everyone": everyone}
        with pytest.raises(IntegrityError), either.writing() as connection:
            connection.execute(table.insert().values(values))


def test_a_library_has_one_share_with_everyone(either: Database) -> None:
    with either.writing() as connection:
        _fill(connection)
        first = library_shares.put(connection, "ada", "work", "reader", 1.0, everyone=True)
        again = library_shares.put(connection, "ada", "work", "writer", 2.0, everyone=True)
        assert (again.id, again.access) == (first.id, "writer")
        library_shares.put(connection, "ada", "home", "reader", 1.0, everyone=True)
    values = {"id": "x", "owner": "ada", "library": "work", "access": "reader", "created": 1.0, "everyone": True}
    with pytest.raises(IntegrityError), either.writing() as connection:
        connection.execute(table.insert().values(values))


def _put_document(connection: Connection, owner: str, *libraries: str) -> str:
    """The id of a new document of an owner in these libraries."""
    stored, _ = documents.create(connection, owner, uuid.uuid4().hex * 2, "a.txt", 1)
    for library in libraries:
        document_sources.add(connection, StoredSource(owner, library, f"/{stored.id}", stored.id, 1, 1.0))
    return stored.id


def test_shares_end_with_the_last_document_of_a_library_and_no_new_library_inherits_them(either: Database) -> None:
    with either.writing() as connection:
        _fill(connection)
        first, last = _put_document(connection, "ada", "work"), _put_document(connection, "ada", "work", "home")
        for library in _LIBRARIES:
            library_shares.put(connection, "ada", library, "reader", 1.0, person="bob")
        documents.remove(connection, first)
        assert {share.library for share in library_shares.find(connection, "ada")} == {"work", "home"}
        document_sources.remove(connection, "ada", "work", f"/{last}")
        assert {share.library for share in library_shares.find(connection, "ada")} == {"home"}
        documents.remove(connection, last)
        assert library_shares.find(connection, "ada") == []
        library_shares.put(connection, "ada", "work", "reader", 1.0, person="bob")  # as a race may leave it
        _put_document(connection, "ada", "work")
        assert library_shares.find(connection, "ada") == []
