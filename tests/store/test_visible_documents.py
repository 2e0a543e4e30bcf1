import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from pincite.errors import Denied, NotFound
from pincite.store import catalogue, document_sources, document_tags, documents, groups, library_shares, people
from pincite.store.database import Connection, Database
from pincite.store.document_sources import StoredSource
from pincite.store.library_shares import Access
from pincite.store.schema import documents as document_rows
from pincite.store.visible_documents import is_changeable, select_visible
from pincite.types import LibraryKey, Scope
from tests.thorough import scale_examples

_PEOPLE, _GROUPS, _LIBRARIES, _EVERYONE = ("ada", "bob", "guest"), ("g", "h"), ("work", "home"), "everyone"
_ACCESSES: tuple[Access, ...] = ("reader", "writer", "owner")


@dataclass(frozen=True)
class _Team:
    """People, groups, documents in libraries, and shares, as plain values."""

    members: frozenset[tuple[str, str]]
    documents: tuple[tuple[str, frozenset[str]], ...]
    shares: dict[tuple[str, str, str], Access]

    def list_libraries(self, person: str, needed: Access = "reader") -> set[tuple[str, str]]:
        """The libraries in which a person may do what is needed."""
        reached = {person, _EVERYONE} | {group for group, member in self.members if member == person}
        enough = _ACCESSES[_ACCESSES.index(needed) :]
        shared = {
            (owner, library)
            for (owner, library, receiver), access in self.shares.items()
            if receiver in reached and access in enough and (person != "guest" or needed == "reader")
        }
        return shared | {(person, library) for library in _LIBRARIES}

    def list_documents(self, person: str, needed: Access = "reader") -> set[int]:
        """The numbers of the documents that a person may see or change."""
        ours = self.list_libraries(person, needed)
        return {
            number
            for number, (owner, libraries) in enumerate(self.documents)
            if owner == person or any((owner, library) in ours for library in libraries)
        }


_Shares = st.dictionaries(
    st.tuples(st.sampled_from(_PEOPLE), st.sampled_from(_LIBRARIES), st.sampled_from((*_PEOPLE, *_GROUPS, _EVERYONE))),
    st.sampled_from(_ACCESSES),
    max_size=8,
)
_Documents = st.lists(
    st.tuples(st.sampled_from(_PEOPLE), st.frozensets(st.sampled_from(_LIBRARIES))), min_size=1, max_size=6
)
_Teams = st.builds(
    _Team,
    st.frozensets(st.tuples(st.sampled_from(_GROUPS), st.sampled_from(_PEOPLE))),
    _Documents.map(tuple),
    _Shares,
)


def _fill(connection: Connection, team: _Team) -> list[str]:
    """Store a team; the ids of its documents."""
    for name in _PEOPLE:
        people.create(connection, name, "guest" if name == "guest" else "member", 1.0, id=name)
    ids = {name: groups.create(connection, name, 1.0).id for name in _GROUPS}
    for group, person in team.members:
        groups.add_member(connection, ids[group], person)
    made = [_put(connection, owner, sorted(libraries)) for owner, libraries in team.documents]
    for (owner, library, receiver), access in team.shares.items():
        other = receiver if receiver in _PEOPLE else None
        library_shares.put(
            connection,
            owner,
            library,
            access,
            1.0,
            person=other,
            group=ids.get(receiver),
            everyone=receiver == _EVERYONE,
        )
    return made


def _put(connection: Connection, owner: str, libraries: Sequence[str]) -> str:
    stored, _ = documents.create(connection, owner, uuid.uuid4().hex * 2, "a.txt", 1)
    for library in libraries:
        document_sources.add(connection, StoredSource(owner, library, f"/{stored.id}", stored.id, 1, 1.0))
    return stored.id


class _Undo(Exception):
    """Ends an example, so that the next one finds the database empty."""


@pytest.mark.hypothesis
def test_a_person_sees_and_changes_what_is_theirs_or_shared_with_them_and_nothing_else(either: Database) -> None:
    @settings(max_examples=scale_examples(60))
    @given(team=_Teams)
    def check(team: _Team) -> None:
        with suppress(_Undo), either.writing() as connection:
            ids = _fill(connection, team)
            numbers = {id: number for number, id in enumerate(ids)}
            for person in _PEOPLE:
                seen, changed = team.list_documents(person), team.list_documents(person, "writer")
                assert {numbers[id] for id in connection.scalars(select_visible(person))} == seen
                changeable = select(document_rows.c.id).where(is_changeable(person))
                assert {numbers[id] for id in connection.scalars(changeable)} == changed
                # Every list is of the same documents.
                inside = documents.list_ids_in_scope(connection, Scope(owner=person))
                assert {numbers[id] for id in (ids if inside is None else inside)} == seen
                assert {numbers[each.id] for each in documents.find(connection, person)} == seen
                assert {numbers[each.id] for each in documents.get_many(connection, person, ids)} == seen
                listed, total = catalogue.find(connection, person, catalogue.Filter(), 10)
                assert ({numbers[each.id] for each in listed}, total) == (seen, len(seen))
                assert {numbers[id] for id in catalogue.list_progress(connection, person)} == seen
                assert catalogue.count_total(connection, person).documents == len(seen)
                _check_libraries(connection, team, person, ids)
            raise _Undo

    check()


def _check_libraries(connection: Connection, team: _Team, person: str, ids: list[str]) -> None:
    """Each library shows its documents to those who may see it, and no origin names one that they may not see."""
    numbers = {id: number for number, id in enumerate(ids)}
    ours = team.list_libraries(person)
    for owner, library in product(_PEOPLE, _LIBRARIES):
        there = {n for n, (other, libraries) in enumerate(team.documents) if other == owner and library in libraries}
        key = LibraryKey(owner, library)
        expected = there if (owner, library) in ours else set()
        assert {numbers[each.id] for each in documents.find(connection, person, key)} == expected
        scope = Scope(owner=person, library=library, library_owner=owner)
        inside = documents.list_ids_in_scope(connection, scope)
        assert {numbers[id] for id in (ids if inside is None else inside)} == expected
    filled = {(owner, library) for owner, libraries in team.documents for library in libraries}
    totals = catalogue.list_libraries(connection, person)
    assert {(each.owner, each.name) for each in totals} == ours & filled
    assert all(each.owner == person or each.access in _ACCESSES for each in totals)
    for id, origin in document_sources.find_origins(connection, person, ids).items():
        owner, libraries = team.documents[numbers[id]]
        named = {library if owner == person else f"~{owner}/{library}" for library in libraries}
        hidden = {f"~{owner}/{library}" for library in libraries if (owner, library) not in ours}
        assert set(origin.libraries) == named - hidden


def test_a_scope_of_tags_has_the_documents_with_all_of_them_that_a_person_may_see(either: Database) -> None:
    places = (("ada", frozenset({"work"})), ("ada", frozenset({"home"})), ("ada", frozenset({"work"})))
    team = _Team(frozenset(), (*places, ("bob", frozenset({"home"}))), {("ada", "work", "bob"): "reader"})
    with either.writing() as connection:
        first, second, third, theirs = _fill(connection, team)
        for id in (first, second):
            document_tags.change(connection, "ada", id, ["lease", "old"], [])
        document_tags.change(connection, "ada", third, ["lease"], [])
        document_tags.change(connection, "bob", theirs, ["old"], [])

    def list_ids(person: str, *tags: str, library: str | None = None) -> set[str] | None:
        with either.reading() as connection:
            found = documents.list_ids_in_scope(connection, Scope(owner=person, tags=tags, library=library))
        return None if found is None else set(found)

    assert list_ids("ada", "lease") == {first, second, third}
    assert list_ids("ada", "lease", "old") == {first, second}
    assert list_ids("ada", "lease", library="home") == {second}
    assert list_ids("bob", "lease") == {first, third}
    assert list_ids("bob", "old") == {first, theirs}
    assert list_ids("guest", "lease") == set()


def test_a_share_that_is_taken_back_shows_nothing_to_the_next_query(either: Database) -> None:
    team = _Team(frozenset(), (("ada", frozenset({"work"})),), {("ada", "work", "bob"): "reader"})
    with either.writing() as connection:
        (id,) = _fill(connection, team)
    scope = Scope(owner="bob", library="work", library_owner="ada", documents=(id,))
    with either.reading() as connection:
        (share,) = library_shares.find(connection, "ada")
        assert documents.list_ids_in_scope(connection, scope) in (None, {id})
        assert documents.get_by_prefix(connection, "bob", id[:8]).id == id
    with either.writing() as connection:
        library_shares.remove(connection, "ada", "work", share.id)
    with either.reading() as connection:
        assert documents.list_ids_in_scope(connection, scope) == frozenset()
        with pytest.raises(NotFound):
            documents.get_by_prefix(connection, "bob", id[:8])
        assert documents.get_many(connection, "bob", [id]) == []
        assert document_sources.find_origins(connection, "bob", [id]) == {}


def test_a_reader_is_told_that_they_may_not_change_and_a_stranger_that_there_is_nothing(either: Database) -> None:
    team = _Team(frozenset(), (("ada", frozenset({"work"})),), {("ada", "work", "bob"): "reader"})
    with either.writing() as connection:
        (id,) = _fill(connection, team)
        with pytest.raises(Denied):
            documents.get_changeable(connection, "bob", id)
        with pytest.raises(NotFound):
            documents.get_changeable(connection, "guest", id)
        assert documents.get_changeable(connection, "ada", id[:8]).id == id


def test_a_writer_removes_a_document_from_where_they_may_write_and_the_rest_stays(either: Database) -> None:
    libraries = frozenset({"work", "home"})
    team = _Team(frozenset(), (("ada", libraries),), {("ada", "work", "bob"): "writer"})
    with either.writing() as connection:
        (id,) = _fill(connection, team)
        assert document_sources.remove_writable(connection, "bob", id) is None
        assert [place.library for place in document_sources.find(connection, "ada")] == ["home"]
        with pytest.raises(NotFound):
            document_sources.remove_writable(connection, "bob", id)
        assert document_sources.remove_writable(connection, "ada", id) == id
        assert documents.find(connection, "ada") == []
